#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# exports.sh for Windows: one symbol given, and nothing taken but what every Windows has.
#   exports_dll.sh DLL
set -euo pipefail

listing=$(x86_64-w64-mingw32-objdump -p "$1")
status=0
given=$(sed -n '/^\[Ordinal\/Name Pointer\] Table/,/^$/s/^\t\[ *[0-9]*\] //p' <<<"$listing")
if [ "$given" != xrNegotiateLoaderApiLayerInterface ]; then
    echo "gives: $(tr '\n' ' ' <<<"$given")"
    status=1
fi
needed=$(sed -n 's/^\tDLL Name: //p' <<<"$listing" | grep -viE '^(kernel32|advapi32|shell32|ole32|msvcrt|ws2_32|mswsock)\.dll$' || true)
[ -z "$needed" ] || { echo "needs: $(tr '\n' ' ' <<<"$needed")"; status=1; }
exit $status
