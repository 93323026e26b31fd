#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Installs what is missing, builds, runs the tests and counts them. On a busy machine: busy.sh.
#   tests/run.sh [--preset NAME] [--target NAME] [-- CTEST ARGUMENTS…]
#   tests/run.sh --preset asan -- -R StreamGate
# The last line is "N passed, N failed, N skipped"; the exit status is 0 only if something ran and nothing failed.
set -euo pipefail
cd "$(dirname "$0")/.."

preset=release
target=all
while [ $# -gt 0 ]; do
    case "$1" in
        --preset)
            [ $# -ge 2 ] || { echo "run.sh: --preset needs a name" >&2; exit 2; }
            preset=$2
            shift 2
            ;;
        --target)
            [ $# -ge 2 ] || { echo "run.sh: --target needs a name" >&2; exit 2; }
            target=$2
            shift 2
            ;;
        --)
            shift
            break
            ;;
        *)
            sed -n '4,5s/^# *//p' "$0" >&2
            exit 2
            ;;
    esac
done

bash cmake/install-dependencies.sh tests

configure=(cmake --preset "$preset")
if command -v ccache >/dev/null; then
    configure+=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
    # Clones in different folders share what ccache has, and it takes the precompiled header.
    export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1 CCACHE_SLOPPINESS=pch_defines,time_macros
fi
mkdir -p "build/$preset"
echo "== configure $preset"
if ! "${configure[@]}" >"build/$preset/configure.log" 2>&1; then
    cat "build/$preset/configure.log"
    exit 1
fi
echo "== build $preset"
cmake --build --preset "$preset" --target "$target"

echo "== test $preset"
report=$PWD/build/$preset/tests.xml
rm -f "$report"
ctest_status=0
# Two for each core: most of a test's time is waiting.
ctest --test-dir "build/$preset" -j "$((2 * $(nproc)))" --output-on-failure --output-junit "$report" "$@" || ctest_status=$?

# Skipped is what a test says of itself or what is disabled; a test that CTest could not start has failed.
read -r passed failed skipped < <(awk '
    match($0, /<testcase /) {
        close_case()
        status = $0
        sub(/.* status="/, "", status)
        sub(/".*/, "", status)
    }
    /<skipped message="SKIP_/ { status = "skipped" }
    function close_case() {
        if (status == "run") passed++
        else if (status == "skipped" || status == "disabled") skipped++
        else if (status != "") failed++
        status = ""
    }
    END { close_case(); print passed + 0, failed + 0, skipped + 0 }' "$report" 2>/dev/null || echo "0 0 0")

status=0
if [ $((passed + failed)) = 0 ]; then
    echo "run.sh: no test ran" >&2
    status=1
elif [ "$ctest_status" != 0 ] || [ "$failed" != 0 ]; then
    status=1
fi
echo "$passed passed, $failed failed, $skipped skipped"
exit $status
