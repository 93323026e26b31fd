#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Installs the Debian packages (12 and newer) that are missing here.
#   install-dependencies.sh          what building and running needs
#   install-dependencies.sh tests    and what the tests need
#   install-dependencies.sh ci       and what .ci/run needs
# Quiet when nothing is missing. Uses sudo when not root.
set -euo pipefail

fail() {
    echo "install-dependencies.sh: $1" >&2
    exit 1
}

build=(
    g++ cmake ninja-build
    libopenxr-dev libopenxr-loader1 libasio-dev libtomlplusplus-dev libeigen3-dev
    libcli11-dev nlohmann-json3-dev
)
tests=(
    git binutils libgtest-dev libbenchmark-dev liblo-dev liboscpack-dev
    openxr-layer-corevalidation openxr-layer-apidump
)
ci=(
    ccache clang clang-format clang-tidy libclang-rt-dev shellcheck debootstrap
    g++-mingw-w64-x86-64-posix wine wine64
)

case "${1:-}" in
    "") wanted=("${build[@]}") ;;
    tests) wanted=("${build[@]}" "${tests[@]}") ;;
    ci) wanted=("${build[@]}" "${tests[@]}" "${ci[@]}") ;;
    *) fail "knows 'tests' and 'ci', not '$1'" ;;
esac

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    fail "knows Debian packages only; on other systems install what these hold: ${wanted[*]}"
fi

installed=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' | sed -n 's/^installed //p')
missing=()
for package in "${wanted[@]}"; do
    grep -qxF "$package" <<<"$installed" || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

become_root=()
if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null || fail "as root, please: apt-get install ${missing[*]}"
    become_root=(sudo)
    # Without a terminal sudo cannot ask for a password, and must not wait for one.
    [ -t 0 ] || become_root+=(-n)
    "${become_root[@]}" true 2>/dev/null || fail "sudo refuses; as root, please: apt-get install ${missing[*]}"
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
apt() {
    "${become_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 "$@" </dev/null >>"$log" 2>&1
}

echo "Installing ${missing[*]}"
# One mirror of several being away is no reason to stop; whether the packages come is.
apt update || true
if ! apt install -y --no-install-recommends "${missing[@]}"; then
    sed -n 's/^[EW]: /    /p' "$log" | sort -u | head -n 10 >&2
    fail "apt-get could not install them. Is the network there, and is this Debian 12 or newer?"
fi
