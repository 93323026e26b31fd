#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Sourced by the checks of this folder.

# The files of the project in the folder $1, one a line: what git tracks, or everything in a tree without git.
tracked_files() {
    if git -C "$1" rev-parse --is-inside-work-tree >/dev/null 2>&1; then
        git -C "$1" ls-files
    else
        (cd "$1" && find . -path ./build -prune -o -type f -print | sed 's|^\./||')
    fi
}
