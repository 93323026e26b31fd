#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Shows glove hands on this machine, without gloves: installs what is missing (Debian 12 or newer, as root or with sudo),
# builds, sends simulated gloves and prints the hands that an OpenXR program gets.
#   samples/try.sh [fsnh|hand-engine|fnim] [HAND_PRINT ARGUMENTS…]     for example: samples/try.sh fnim --frames 900
# The first word is what the gloves send, fsnh unless said.
# The exit status is hand_print's. Registers nothing: what it makes stays in the build folder.
set -euo pipefail

# From where we are called, not from where we go.
if [ -n "${XR_RUNTIME_JSON:-}" ] && [[ $XR_RUNTIME_JSON != /* ]]; then
    export XR_RUNTIME_JSON=$PWD/$XR_RUNTIME_JSON
fi
cd "$(dirname "$0")/.."

say() {
    echo "== $*" >&2
}

# Lists the existing files NAME… of the folders that the loader looks in, each on a line.
in_folders() { # FOLDERS, separated by ':'; NAME PATTERNS…
    local folders folder pattern file
    IFS=: read -ra folders <<<"$1"
    for folder in "${folders[@]}"; do
        [ -n "$folder" ] || continue
        for pattern in "${@:2}"; do
            for file in "$folder"/$pattern; do # not quoted: a pattern
                [ ! -e "$file" ] || echo "$file"
            done
        done
    done
}

gloves=fsnh
case "${1:-}" in
    fsnh | hand-engine | fnim)
        gloves=$1
        shift
        ;;
esac

build=$PWD/build/release
config_dirs=${XDG_CONFIG_DIRS:-/etc/xdg}:/usr/local/etc:/etc
data_dirs=${XDG_DATA_DIRS:-/usr/local/share:/usr/share}
data_home=${XDG_DATA_HOME:-${HOME:-}/.local/share}

# The test runtime is among the tests, so their packages are needed too.
bash cmake/install-dependencies.sh tests >&2

mkdir -p "$build"
say "Building in build/release"
cmake --preset release >"$build/configure.log" 2>&1 || { cat "$build/configure.log" >&2; exit 1; }
cmake --build --preset release --target glove_layer glove_sim glove_test_runtime hand_print >&2

# A layer that is found twice is loaded twice.
registered=$(in_folders "$config_dirs:$data_dirs:$data_home" 'openxr/1/api_layers/implicit.d/*.json' |
    while IFS= read -r manifest; do
        ! grep -q '"XR_APILAYER_NOVENDOR_glove_hands"' "$manifest" || echo "$manifest"
    done)
if [ -n "$registered" ]; then
    say "Layer: the one registered here, not this build's: ${registered//$'\n'/, }"
else
    export XDG_DATA_DIRS=$build/share:$data_dirs
    say "Layer: this build's, for this run only"
fi
if [ -n "${DISABLE_GLOVE_HANDS+set}" ]; then
    say "DISABLE_GLOVE_HANDS is set; not for this run"
    unset DISABLE_GLOVE_HANDS
fi

if [ -n "${XR_RUNTIME_JSON:-}" ]; then
    runtime=$XR_RUNTIME_JSON
else
    runtime=$(in_folders "${XDG_CONFIG_HOME:-${HOME:-}/.config}:$config_dirs" \
        "openxr/1/active_runtime.$(uname -m).json" openxr/1/active_runtime.json)
    runtime=${runtime%%$'\n'*} # the first found
fi
if [ -n "$runtime" ]; then
    say "Runtime: the one of this machine, $runtime"
else
    export XR_RUNTIME_JSON=$build/share/glove_hands/test_runtime.json
    say "Runtime: none is configured here, so our test runtime, which shows nothing: $XR_RUNTIME_JSON"
fi

# The defaults, whatever is configured for everyday use: the simulated gloves send to the default port.
export GLOVE_HANDS_CONFIG=$build/try.toml
echo "# samples/try.sh runs with the defaults." >"$GLOVE_HANDS_CONFIG"
export GLOVE_HANDS_LOG=$build/try.log
say "Log: $GLOVE_HANDS_LOG"

"$build/bin/glove_sim" "$gloves" --quiet >"$build/try-glove_sim.log" 2>&1 &
glove_sim=$!
trap 'kill "$glove_sim" 2>/dev/null || true' EXIT
say "Gloves: simulated, both hands, as $gloves"

status=0
"$build/bin/hand_print" "$@" || status=$?
case $status in
    0) say "Both hands are there" ;;
    1) say "Not both hands are there; the log says what was received: $GLOVE_HANDS_LOG" ;;
    3) [ -z "$runtime" ] || say "Without this machine's runtime: XR_RUNTIME_JSON=$build/share/glove_hands/test_runtime.json bash samples/try.sh" ;;
esac
exit $status
