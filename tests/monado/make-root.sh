#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Makes, once, a small Debian 13 root with the Monado runtime and the OpenXR loader 1.1, and prints its folder.
#   make-root.sh
# Needs root rights, debootstrap and its default mirror; one to three minutes and 1 GB.
set -euo pipefail

cache=${GLOVE_HANDS_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/glove_hands}/monado
root=$cache/root
packages=(
    monado-service libopenxr1-monado libopenxr-loader1
    openxr-layer-corevalidation openxr-layer-apidump
    mesa-vulkan-drivers python3-minimal libpython3-stdlib iproute2
)
# The list is kept beside the root: one made from another list is made anew.
recipe="trixie ${packages[*]}"

fail() {
    echo "make-root.sh: $1" >&2
    exit 1
}

mkdir -p "$cache"
exec 9>"$cache/lock"
flock 9
if [ "$(cat "$cache/recipe" 2>/dev/null)" = "$recipe" ] && [ -x "$root/usr/bin/monado-service" ]; then
    echo "$root"
    exit 0
fi

[ "$(id -u)" = 0 ] || fail "needs root rights to make $root"
command -v debootstrap >/dev/null || fail "debootstrap is missing: bash cmake/install-dependencies.sh ci"

echo "make-root.sh: making $root, which takes a few minutes" >&2
rm -f "$cache/recipe"
rm -rf --one-file-system "$root"
debootstrap --variant=minbase trixie "$root" >"$cache/debootstrap.log" 2>&1 ||
    fail "debootstrap failed, see $cache/debootstrap.log: $(tail -n 1 "$cache/debootstrap.log")"
chroot "$root" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y --no-install-recommends "${packages[@]}" >"$cache/apt.log" 2>&1 ||
    fail "apt-get in the new root failed, see $cache/apt.log: $(tail -n 1 "$cache/apt.log")"
chroot "$root" apt-get clean
echo "$recipe" >"$cache/recipe"
echo "$root"
