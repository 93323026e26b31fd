#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The layer's library gives the host process one symbol and takes from it the C library alone: a game that brings its own
# libstdc++ is not disturbed, and nothing is missing on a machine without our packages.
#   exports.sh LIBRARY [sanitized]     sanitized: the symbols taken are the sanitizer's too and are not looked at
set -euo pipefail
library=$1

status=0
given=$(nm -D --defined-only "$library" | awk '{ print $NF }')
if [ "$given" != xrNegotiateLoaderApiLayerInterface ]; then
    echo "gives: $(tr '\n' ' ' <<<"$given")"
    status=1
fi

if [ "${2:-}" != sanitized ]; then
    # Weak ones (w) may stay undefined.
    taken=$(nm -D --undefined-only "$library" | awk '$1 == "U" && $2 !~ /@GLIBC_/ { print $2 }')
    [ -z "$taken" ] || { echo "takes: $(tr '\n' ' ' <<<"$taken")"; status=1; }
    needed=$(objdump -p "$library" | awk '$1 == "NEEDED" && $2 !~ /^(libc|libm|ld-linux.*)\.so\.[0-9]+$/ { print $2 }')
    [ -z "$needed" ] || { echo "needs: $(tr '\n' ' ' <<<"$needed")"; status=1; }
fi
exit $status
