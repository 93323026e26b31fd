#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Every test file is in some CMakeLists.txt: one that is forgotten there tests nothing, and nobody notices.
#   tests_are_built.sh PROJECT
set -euo pipefail
tests=$1/tests
forgotten=0
while IFS= read -r file; do
    folder=$(dirname "$file")
    if ! grep -qsF "$(basename "$file")" "$folder/CMakeLists.txt"; then
        echo "$file is not built"
        forgotten=1
    fi
done < <(find "$tests" -name '*_test.cpp' -o -name 'fuzz_*.cpp' -o -name '*_bench.cpp')
exit $forgotten
