#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# No tracked file names a place that exists on one machine only, or the host of a package registry.
#   places.sh PROJECT_FOLDER
set -euo pipefail
. "$(dirname "$0")/tracked_files.sh"
cd "$1"

# Bracketed so that this file does not match itself.
homes='(^|[^A-Za-z0-9_.$}-])/([w]ork|[r]oot)/'
jobs='[b]ash_jobs'
hosts='([d]eb|[f]tp|[s]ecurity|[s]napshot)\.debian\.org|[r]egistry\.npmjs|[p]ypi\.org|[p]ythonhosted\.org|[c]rates\.io'

found=$(tracked_files . | xargs -d '\n' grep -HnIsE "$homes|$jobs|$hosts" -- || true)
found+=$(tracked_files . | xargs -d '\n' grep -HnIsF "$PWD/" -- || true) # wherever this checkout is
[ -z "$found" ] || { echo "$found"; exit 1; }
