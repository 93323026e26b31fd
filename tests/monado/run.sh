#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs a build against Monado, a real runtime, without headset, GPU or display: see README.md.
#   run.sh [--build FOLDER] [CHECK…]      default: build/release and all checks of this file
# The last line is "N passed, N failed, N skipped". Status 77 when the Debian root cannot be made.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)

if [ "${1:-}" != --inside ]; then
    build=$here/../../build/release
    if [ "${1:-}" = --build ]; then
        build=$2
        shift 2
    fi
    build=$(cd "$build" && pwd)
    for program in hand_print glove_sim action_print; do
        [ -x "$build/bin/$program" ] || { echo "run.sh: $build/bin/$program is not built" >&2; exit 1; }
    done
    if ! root=$("$here/make-root.sh"); then
        echo "SKIPPED: no Debian root with Monado, see above"
        exit 77
    fi
    if ! unshare --mount --pid --net --fork true; then
        echo "SKIPPED: no namespaces here"
        exit 77
    fi
    # All mounts and processes are in namespaces of their own and end with this script, however it ends. The network is
    # a loopback of their own too: nobody outside is reached, and no port is taken.
    exec setpriv --pdeathsig KILL \
        unshare --mount --propagation private --pid --net --fork --kill-child=KILL -- \
        "$BASH" "$here/run.sh" --inside "$build" "$root" "$@"
fi
build=$2
root=$3
shift 3

# ---- the root as the checks see it: this project's build as /mnt/build, this folder as /mnt/monado, /tmp is kept

work=$build/monado
rm -rf "$work"
mkdir -p "$work" "$root/mnt/build" "$root/mnt/monado"
mount -t proc proc "$root/proc"
mount --rbind /sys "$root/sys"
mount --rbind /dev "$root/dev"
mount --bind "$work" "$root/tmp"
mount -o bind,ro "$build" "$root/mnt/build"
mount -o bind,ro "$here" "$root/mnt/monado"
chroot "$root" ip link set lo up

# ---- what checks are made of; each runs in a subshell with $dir, a folder of its own as the root sees it, and
# "${in_root[@]}", which runs a command in the root with a clean environment; NAME=VALUE… may stand before the command

fail() {
    echo "    $*"
    exit 1
}

skip() {
    echo "    $*"
    exit 77
}

# Monado with its null compositor. What a check starts is stopped when it ends.
start_service() { # NAME=VALUE…
    local log=$root$dir/service.log
    "${in_root[@]}" XRT_COMPOSITOR_NULL=1 XRT_NO_STDIN=1 "$@" monado-service </dev/null >"$log" 2>&1 &
    local service=$!
    for _ in $(seq 300); do
        grep -q 'The Monado service has started' "$log" && return
        kill -0 "$service" 2>/dev/null || break
        sleep 0.1
    done
    tail -n 5 "$log"
    fail "monado-service did not start"
}

# A simulated head and two simple controllers. Lists XR_EXT_hand_tracking, but its system has no hands.
start_simulated() {
    start_service SIMULATED_ENABLE=1 SIMULATED_LEFT=simple SIMULATED_RIGHT=simple
}

# A head and two controllers whose poses and finger curls come over TCP, with hand tracking of its own.
start_remote() { # HANDS: there | away
    mkdir -p "$root$dir/config/monado"
    echo '{"active": "remote", "remote": {"version": 0, "port": 4242, "view_count": 2}}' \
        >"$root$dir/config/monado/config_v0.json"
    start_service P_OVERRIDE_ACTIVE_CONFIG=remote
    "${in_root[@]}" python3 /mnt/monado/remote_hands.py "$1" >"$root$dir/remote_hands.log" 2>&1 &
    for _ in $(seq 100); do
        grep -q feeding "$root$dir/remote_hands.log" && return
        sleep 0.1
    done
    fail "Monado's remote driver does not listen: $(cat "$root$dir/remote_hands.log")"
}

start_gloves() { # glove_sim's arguments
    "${in_root[@]}" /mnt/build/bin/glove_sim "$@" >"$root$dir/glove_sim.log" 2>&1 &
}

# The hands in a reference space that does not depend on when a session starts, at places of our own choice.
configure() {
    cat >"$root$dir/glove_hands.toml" <<'TOML'
[wrist]
source = "fixed"
[wrist.fixed]
space = "stage"
left = { position_mm = [-300, 1100, -400], rotation_deg = [0, 0, 0] }
right = { position_mm = [250, 1200, -450], rotation_deg = [0, 0, 0] }
TOML
}

# A command as any OpenXR program would run: on Monado, with our layer. NAME=VALUE… may stand before it.
as_program() {
    "${in_root[@]}" XR_RUNTIME_JSON=/usr/share/openxr/1/openxr_monado.json XDG_DATA_DIRS=/mnt/build/share:/usr/share \
        GLOVE_HANDS_CONFIG="$dir/glove_hands.toml" GLOVE_HANDS_LOG="$dir/glove_hands.log" "$@"
}

# hand_print as any program would run, its frames in $dir/frames.json. NAME=VALUE… may stand before its arguments.
print_hands() {
    local environment=()
    while [[ ${1:-} == *=* ]]; do
        environment+=("$1")
        shift
    done
    as_program "${environment[@]}" \
        timeout -k 5 60 /mnt/build/bin/hand_print --json --space stage "$@" \
        >"$root$dir/frames.json" 2>"$root$dir/hand_print.log"
}

# The action script's lines in $dir/NAME.txt. NAME=VALUE… may stand before its arguments.
print_actions() { # NAME…
    local name=$1 environment=()
    shift
    while [[ ${1:-} == *=* ]]; do
        environment+=("$1")
        shift
    done
    as_program "${environment[@]}" \
        timeout -k 5 120 /mnt/build/bin/action_print "$@" >"$root$dir/$name.txt" 2>"$root$dir/$name.log" ||
        fail "action_print ends with $?: $(cat "$root$dir/$name.log")"
}

# What the frames must say: see expect_hands.py.
expect_hands() {
    "${in_root[@]}" python3 /mnt/monado/expect_hands.py "$dir/frames.json" "$@" || fail "$(cat "$root$dir/hand_print.log")"
}

# This machine's loader, in the root, when it is of the 1.0 generation; prints the folder.
old_loader() {
    local loader library
    loader=$(ldconfig -p | awk '$1 == "libopenxr_loader.so.1" && !found { found = 1; print $NF }')
    [[ $(readlink -f "$loader") == *.so.1.0.* ]] || skip "this machine's OpenXR loader is not of the 1.0 generation"
    mkdir -p "$root$dir/loader"
    cp -L "$loader" "$root$dir/loader/"
    library=$(ldd "$loader" | awk '$1 ~ /^libjsoncpp/ { print $3 }')
    cp -L "$library" "$root$dir/loader/"
}

gloves_at_their_places=(--left fsnh --right fsnh --left-wrist -300 1100 -400 --right-wrist 250 1200 -450)

# ---- the checks

check_gloves_on_a_runtime_without_hands() {
    configure
    start_simulated
    start_gloves fsnh --rate 120
    print_hands --frames 90 --velocities || fail "hand_print ends with $?: $(cat "$root$dir/hand_print.log")"
    expect_hands --frames 90 --moving "${gloves_at_their_places[@]}"
}

check_gloves_through_a_1_0_loader() {
    configure
    old_loader
    start_simulated
    start_gloves fsnh --rate 120
    print_hands LD_LIBRARY_PATH="$dir/loader" --frames 90 --velocities ||
        fail "hand_print ends with $?: $(cat "$root$dir/hand_print.log")"
    expect_hands --frames 90 --moving "${gloves_at_their_places[@]}"
}

check_that_the_hands_come_from_our_layer() {
    configure
    start_simulated
    start_gloves fsnh --rate 120
    local status=0
    print_hands DISABLE_GLOVE_HANDS=1 || status=$?
    [ $status = 3 ] || fail "hand_print ends with $status although the layer is off"
}

check_a_program_that_runs_without_gloves() {
    configure
    start_simulated
    local status=0
    print_hands --frames 45 --wait-seconds 1 || status=$?
    [ $status = 1 ] || fail "hand_print ends with $status"
    expect_hands --frames 45 --left inactive --right inactive
}

check_the_runtimes_hands_without_gloves() {
    configure
    start_remote there
    print_hands --frames 45 || fail "hand_print ends with $?: $(cat "$root$dir/hand_print.log")"
    expect_hands --frames 45 --left native --right native
    cp "$root$dir/frames.json" "$root$dir/with_layer.json"
    print_hands DISABLE_GLOVE_HANDS=1 --frames 45 || fail "without the layer hand_print ends with $?"
    expect_hands --frames 45 --left any --right any --same-as "$dir/with_layer.json"
}

check_gloves_before_the_runtimes_hands() {
    configure
    start_remote there
    start_gloves fsnh --rate 120
    print_hands --frames 90 --velocities || fail "hand_print ends with $?: $(cat "$root$dir/hand_print.log")"
    expect_hands --frames 90 --moving "${gloves_at_their_places[@]}"
}

check_one_glove_beside_the_runtimes_other_hand() {
    configure
    start_remote there
    start_gloves fsnh --rate 120 --hand left
    print_hands --frames 45 || fail "hand_print ends with $?: $(cat "$root$dir/hand_print.log")"
    expect_hands --frames 45 --left fsnh --right native --left-wrist -300 1100 -400
}

check_gloves_when_the_runtimes_hands_are_away() {
    configure
    start_remote away
    start_gloves fsnh --rate 120
    print_hands --frames 45 || fail "hand_print ends with $?: $(cat "$root$dir/hand_print.log")"
    expect_hands --frames 45 "${gloves_at_their_places[@]}"
}

# core_validation stands below us and judges what reaches it: the program's calls as we pass them on, and our own.
# Without hands below, since it takes fault with the velocities that any program passes to xrLocateHandJointsEXT.
check_core_validation_has_nothing_to_say() {
    configure
    start_simulated
    start_gloves fsnh --rate 120
    print_hands XR_ENABLE_API_LAYERS=XR_APILAYER_LUNARG_core_validation XR_CORE_VALIDATION_EXPORT_TYPE=text \
        XR_CORE_VALIDATION_FILE_NAME="$dir/validation.txt" --frames 45 --velocities ||
        fail "hand_print ends with $?: $(cat "$root$dir/hand_print.log")"
    expect_hands --frames 45 "${gloves_at_their_places[@]}"
    grep -q 'Core Validation Layer will be destroyed' "$root$dir/validation.txt" || fail "core_validation was not there"
    ! grep -E 'VALID_(ERROR|WARNING)' "$root$dir/validation.txt" || exit 1
}

check_the_layer_found_twice() {
    configure
    start_simulated
    start_gloves fsnh --rate 120
    print_hands XDG_DATA_DIRS=/mnt/build/share:/usr/share:/mnt/build/share --frames 45 ||
        fail "hand_print ends with $?: $(cat "$root$dir/hand_print.log")"
    expect_hands --frames 45 "${gloves_at_their_places[@]}"
}

# For each source of wrists the program gets the same from its actions as without the layer.
check_hands_on_the_controllers_grips() {
    cat >"$root$dir/glove_hands.toml" <<'TOML'
[wrist]
source = "controller"
self_attach = true
[wrist.offset."/interaction_profiles/khr/simple_controller/grip"]
left = { position_mm = [10, -20, 80], rotation_deg = [0, 0, 90] }
right = { position_mm = [-10, 30, 70], rotation_deg = [0, 0, -90] }
TOML
    start_simulated
    start_gloves fsnh --rate 120
    local bound
    # Its own grip, borrowed; ours, put into its calls; ours alone.
    for bound in grip select nothing; do
        as_program timeout -k 5 60 /mnt/build/bin/wrist_print "$bound" >"$root$dir/$bound.txt" 2>"$root$dir/$bound.log" ||
            fail "wrist_print $bound ends with $?: $(cat "$root$dir/$bound.log" "$root$dir/glove_hands.log")"
        "${in_root[@]}" python3 /mnt/monado/expect_wrists.py "$dir/grip.txt" "$dir/$bound.txt" || fail "with $bound bound"
    done
}

# Nobody wears a glove: what the controllers feel poses the fingers.
check_hands_from_controllers_alone() {
    local runtime
    for runtime in simulated remote; do
        printf '[wrist]\nsource = "controller"\nself_attach = true\n[fallback]\norder = ["glove", "controller", "native"]\ncontroller_fingers = "always"\n' \
            >"$root$dir/glove_hands.toml"
        if [ $runtime = simulated ]; then start_simulated; else start_remote there; fi
        as_program timeout -k 5 60 /mnt/build/bin/wrist_print nothing >"$root$dir/$runtime.txt" 2>"$root$dir/$runtime.log" ||
            fail "$runtime: wrist_print ends with $?: $(cat "$root$dir/$runtime.log" "$root$dir/glove_hands.log")"
        kill "$(jobs -p | head -n 1)" 2>/dev/null || true
        wait
    done
}

check_actions_are_the_same_with_and_without_the_layer() {
    start_simulated
    print_actions without DISABLE_GLOVE_HANDS=1
    print_actions again DISABLE_GLOVE_HANDS=1
    cmp "$root$dir/without.txt" "$root$dir/again.txt" || fail "the script does not repeat itself without the layer"
    start_gloves fsnh --rate 120
    local source
    for source in view controller auto; do
        echo "[wrist]"$'\n'"source = \"$source\"" >"$root$dir/glove_hands.toml"
        print_actions "$source" --hands
        grep -q ' [1-9][0-9]* answers with a hand' "$root$dir/$source.log" ||
            fail "no hands with source = $source: $(cat "$root$dir/$source.log")"
        diff "$root$dir/without.txt" "$root$dir/$source.txt" | head -n 20
        cmp "$root$dir/without.txt" "$root$dir/$source.txt" || fail "not the same with source = $source"
    done
}

# ---- run them in the order of this file

checks=("$@")
[ $# -gt 0 ] || mapfile -t checks < <(sed -n 's/^\(check_[a-z0-9_]*\)() {$/\1/p' "$0")
passed=0 failed=0 skipped=0
for check in "${checks[@]}"; do
    declare -F "$check" >/dev/null || { echo "run.sh: there is no $check" >&2; exit 1; }
    dir=/tmp/$check
    mkdir -p "$root$dir" && mkdir -m 700 "$root$dir/runtime"
    in_root=(
        chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 HOME="$dir"
        XDG_RUNTIME_DIR="$dir/runtime" XDG_CONFIG_HOME="$dir/config" XDG_CACHE_HOME="$dir/cache"
        VK_DRIVER_FILES=/usr/share/vulkan/icd.d/lvp_icd.json
    )
    started=$SECONDS
    set +e
    (
        set -e
        # bash would report each. One that ended by itself meanwhile is no failure of the check.
        trap 'exec 2>/dev/null; jobs -p | xargs -r kill -KILL || true; wait || true' EXIT
        "$check"
    )
    status=$?
    set -e
    case $status in
        0) result=passed passed=$((passed + 1)) ;;
        77) result=SKIPPED skipped=$((skipped + 1)) ;;
        *) result=FAILED failed=$((failed + 1)) ;;
    esac
    echo "$result ${check#check_} ($((SECONDS - started)) s)"
done
[ $failed = 0 ] || echo "What the programs said is kept in $work"
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ] && [ $passed -gt 0 ]
