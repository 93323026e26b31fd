#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The top folder holds these names and no other: what does not fit in them belongs deeper.
#   top_level.sh PROJECT_FOLDER
set -euo pipefail
. "$(dirname "$0")/tracked_files.sh"
cd "$1"

allowed=' .ci .clang-format .clang-tidy .gitignore CMakeLists.txt CMakePresets.json LICENSE README.md vcpkg.json'
allowed+=' .github CHANGELOG.md CONTRIBUTING.md'
allowed+=' cmake docs layer manifest samples tests '

status=0
for name in $(tracked_files . | cut -d/ -f1 | sort -u); do
    if [[ $allowed != *" $name "* ]]; then
        echo "$name: not a name of the top folder"
        status=1
    fi
done
exit $status
