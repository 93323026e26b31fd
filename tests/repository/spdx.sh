#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Every file that can hold a comment names its licence in the first two lines.
#   spdx.sh PROJECT_FOLDER
set -euo pipefail
. "$(dirname "$0")/tracked_files.sh"
cd "$1"

status=0
while IFS= read -r file; do
    case "$file" in
        *.cpp | *.hpp | *.h | *.c | *.sh | *.py | *.cmake | *.toml | *.map | *.def | *.rc | CMakeLists.txt | */CMakeLists.txt | .ci/run | .clang-*) ;;
        *) continue ;;
    esac
    if ! head -n 2 "$file" | grep -q 'SPDX-License-Identifier: Apache-2\.0'; then
        echo "$file: no SPDX line on top"
        status=1
    fi
done < <(tracked_files .)
exit $status
