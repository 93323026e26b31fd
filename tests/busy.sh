#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs the tests again and again on a busy machine: two busy loops and a writer on the disk beside them.
#   tests/busy.sh [ROUNDS [ARGUMENTS OF run.sh…]]
#   tests/busy.sh 3 -- -R 'Security|HandEngine'
# Ten rounds unless said otherwise. Ends with the first round that fails, and with that round's exit status.
set -euo pipefail
cd "$(dirname "$0")/.."

rounds=${1:-10}
case "$rounds" in
    '' | *[!0-9]*)
        sed -n '4,5s/^# *//p' "$0" >&2
        exit 2
        ;;
esac
[ $# -eq 0 ] || shift

mkdir -p build
folder=$(mktemp -d "$PWD/build/busy.XXXXXX")
load=()
# Beside one round, and no longer than an hour should nobody be left to end it.
make_busy() {
    for _ in 1 2; do
        timeout 1h bash -c 'while :; do :; done' &
        load+=($!)
    done
    # shellcheck disable=SC2016  # $1 is that shell's
    timeout 1h bash -c 'while :; do dd if=/dev/zero of="$1" bs=1M count=64 conv=fsync status=none; done' \
        writer "$folder/written" &
    load+=($!)
}
rest() {
    [ ${#load[@]} -eq 0 ] || kill "${load[@]}" 2>/dev/null || true
    wait
    load=()
}
trap 'rest; rm -rf "$folder"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

for ((round = 1; round <= rounds; ++round)); do
    echo "== round $round of $rounds, beside two busy loops and a writer"
    make_busy
    bash tests/run.sh "$@"
    rest
done
