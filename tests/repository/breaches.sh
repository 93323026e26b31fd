#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Each check of this folder must find what it is there for: a sound small tree passes all, and each breach put in it
# fails its check and no other.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
status=0

put() { # FILE LINE…
    mkdir -p "$tree/$(dirname "$1")"
    printf '%s\n' "// SPDX-License-Identifier: Apache-2.0" "${@:2}" >"$tree/$1"
}

sound_tree() {
    find "$tree" -mindepth 1 -delete
    put layer/protocol/fsnh.cpp '#include "protocol/fsnh.hpp"' '#include <cstdint>'
    put layer/hand/fsnh/retarget.cpp '#include "protocol/fsnh.hpp"' '#include <openxr/openxr.h>' '#include <cmath>'
    put layer/hand/fnim/fingertip_ik.cpp '#include <Eigen/Dense>'
    put layer/motion/history.cpp '#include "hand/hand_sample.hpp"' '#include "support/latest.hpp"'
    put layer/datagram/udp_receiver.cpp '#include "support/log.hpp"' '#include <sys/socket.h>' '#include <chrono>'
    put layer/support/config.cpp '#include <toml++/toml.h>' '#include <chrono>'
    put layer/glove_stream.cpp '#include "glove_stream.hpp"' '#include "datagram/udp_receiver.hpp"' '#include "motion/history.hpp"'
    put layer/openxr/app/session.cpp '#include "glove_stream.hpp"' '#include "openxr/app/session.hpp"' '#include <openxr/openxr_platform.h>'
    put samples/anything.cpp '#include <asio.hpp>' '#include "../layer/hand/fsnh/retarget.hpp"'
    put tests/data.txt 'https://example.org/work/ro''ot/home'
}

checks="includes spdx places top_level tests_are_built"
expect() { # CHECKS THAT MUST FAIL, then what the tree is like
    local failing=$1 what=$2 check result
    for check in $checks; do
        bash "$here/$check.sh" "$tree" >"$tree.out" 2>&1 && result=passes || result=fails
        if [[ " $failing " == *" $check "* ]]; then
            [ $result = fails ] && continue
        else
            [ $result = passes ] && continue
        fi
        echo "$what: $check.sh $result:"
        cat "$tree.out"
        status=1
    done
    rm -f "$tree.out"
    sound_tree
}

breach() { # FILE INCLUDE
    put "$1" "#include $2"
    expect includes "$1 with $2"
}

sound_tree
expect "" "a sound tree"

breach layer/protocol/fsnh.hpp '"hand/hand_sample.hpp"'
breach layer/protocol/fsnh.hpp '"support/log.hpp"'
breach layer/protocol/fsnh.hpp '<openxr/openxr.h>'
breach layer/protocol/fsnh.hpp '<chrono>'
breach layer/protocol/fsnh.hpp '<sys/socket.h>'
breach layer/hand/fsnh/retarget.hpp '"motion/history.hpp"'
breach layer/hand/fsnh/retarget.hpp '"support/config.hpp"'
breach layer/hand/fsnh/retarget.hpp '<openxr/openxr_platform.h>'
breach layer/hand/fsnh/retarget.hpp '<Eigen/Dense>'
breach layer/motion/history.hpp '"support/log.hpp"'
breach layer/motion/history.cpp '<Eigen/Core>'
breach layer/motion/history.hpp '"datagram/udp_receiver.hpp"'
breach layer/motion/history.hpp '<mutex>'
breach layer/datagram/udp_receiver.hpp '"protocol/fsnh.hpp"'
breach layer/support/log.hpp '"protocol/hand.hpp"'
breach layer/support/log.cpp '<toml++/toml.h>'
breach layer/support/log.cpp '<fstream>'
breach layer/support/paths.cpp '<sys/socket.h>'
breach layer/datagram/udp_receiver.cpp '<asio.hpp>'
breach layer/glove_stream.hpp '"openxr/app/session.hpp"'
breach layer/openxr/loader/extensions.hpp '"openxr/input/input.hpp"'
breach layer/openxr/input/input.hpp '"openxr/app/session.hpp"'
breach layer/openxr/input/input.hpp '"openxr/wrist/wrist.hpp"'
breach layer/openxr/wrist/wrist.hpp '"openxr/app/session.hpp"'
breach layer/openxr/wrist/wrist.hpp '"openxr/dispatch.hpp"'
breach layer/openxr/session.hpp '<cstdint>'
breach layer/openxr/app/session.hpp '<asio/ip/udp.hpp>'
breach layer/openxr/app/session.hpp '<boost/any.hpp>'
breach layer/openxr/app/session.hpp '"../hand/fsnh/retarget.hpp"'
breach layer/utils/strings.hpp '<string>'
put layer/hand/fsnh/retarget.cpp '  #  include   "motion/history.hpp"  // indented'
expect includes "an indented include"

printf 'int main() {}\n' >"$tree/samples/anything.cpp"
expect spdx "a source without a licence"

put tests/data.txt "see /""work/main"
expect places "a checkout's folder"
put tests/data.txt "cp x /""root/x"
expect places "a home"
put tests/data.txt "see $tree/build/release"
expect places "the folder of this very checkout"
put tests/data.txt "deb http://deb"".debian.org/debian bookworm main"
expect places "a registry's host"

put tests/hand/fsnh_retarget_test.cpp 'int main() {}'
expect tests_are_built "a test that no CMakeLists.txt names"

put wiki/notes.txt 'notes'
expect top_level "a new folder on top"
put notes.txt 'notes'
expect top_level "a new file on top"

exit $status
