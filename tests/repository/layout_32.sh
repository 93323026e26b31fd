#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The layouts asserted for 32 bit, where only a 64-bit library is built: the compiler looks at the header alone.
#   layout_32.sh LAYER_FOLDER OPENXR_INCLUDE_FOLDER COMPILER
set -euo pipefail

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
ln -s "$2/openxr" "$scratch/openxr"
folders=(-isystem "$scratch")
if [[ $3 != *mingw* ]]; then
    # Without 32-bit libraries, the list of them and the C++ library's settings are missing. Neither changes a layout.
    mkdir "$scratch/gnu"
    : >"$scratch/gnu/stubs-32.h"
    for folder in /usr/include/x86_64-linux-gnu/c++/*; do
        folders+=(-isystem "$folder")
    done
    folders+=(-isystem /usr/include/x86_64-linux-gnu)
fi

"$3" -m32 -std=c++20 -fsyntax-only -Wall -Werror -I "$1" "${folders[@]}" -x c++ - <<'EOF'
#include "openxr/loader/loader_interface.hpp"
static_assert(sizeof(void*) == 4);
EOF
