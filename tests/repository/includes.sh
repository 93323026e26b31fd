#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Who may include whom in layer/: see layer/README.md. Prints each breach; status 1 if there is one.
#   includes.sh PROJECT_FOLDER
# Does not follow includes: a folder that gets a forbidden header through an allowed one is caught at that header.
set -euo pipefail
. "$(dirname "$0")/tracked_files.sh"
cd "$1"

breaches=$(tracked_files . | grep -E '^layer/.*\.(hpp|cpp|h)$' | while IFS= read -r file; do
    awk -v file="$file" '
        BEGIN {
            may["protocol"] = "protocol"
            may["hand"] = "protocol hand"
            may["motion"] = "hand motion support"
            may["datagram"] = "datagram support"
            may["support"] = "support"
            may["glove_stream"] = "datagram protocol hand motion support glove_stream"
            may["openxr"] = may["glove_stream"] " openxr"
            # What a pure stage must not know: clocks, threads, files, streams, the environment.
            impure = "^(chrono|ctime|time.h|thread|mutex|shared_mutex|condition_variable|future|stop_token|semaphore|" \
                     "fstream|iostream|ostream|istream|sstream|filesystem|cstdio|stdio.h|random)$"
            path = file
            sub(/^layer\//, "", path)
            folder = path
            sub(/\/.*/, "", folder)
            sub(/\..*/, "", folder)
            if (!(folder in may)) breach("layer/ has no such folder in its rules")
            # Rooms of openxr/, the lower first. What is lower asks through functions that it declares and a higher room
            # defines.
            rooms["loader"] = 1; rooms["input"] = 2; rooms["wrist"] = 3; rooms["app"] = 4
            split(path, folders, "/")
            room = folder == "openxr" ? folders[2] : ""
            if (folder == "openxr" && !(room in rooms)) breach("openxr/ has no such room")
            pure = folder ~ /^(protocol|hand|motion)$/
        }
        function breach(why) {
            print file ":" (FNR ? FNR ": " $0 : "") ": " why
        }
        function allowed(name, i, n, names) {
            n = split(may[folder], names, " ")
            for (i = 1; i <= n; i++) if (names[i] == name) return 1
            return 0
        }
        /^[ \t]*#[ \t]*include/ {
            if (match($0, /"[^"]*"/)) {
                to = substr($0, RSTART + 1, RLENGTH - 2)
                of = to
                sub(/\/.*/, "", of)
                sub(/\..*/, "", of)
                if (to ~ /\.\./ || (to !~ /\// && of != "glove_stream")) breach("written as \"folder/file.hpp\", please")
                else if (!allowed(of)) breach(folder " may not use " of)
                else if (of == "openxr") {
                    split(to, at, "/")
                    if (!(at[2] in rooms) || rooms[at[2]] > rooms[room]) breach("openxr/" room " may not use " to)
                }
                else if (folder == "motion" && of == "support" && to != "support/latest.hpp")
                    breach("motion uses the hand-over of support alone")
            } else if (match($0, /<[^>]*>/)) {
                to = substr($0, RSTART + 1, RLENGTH - 2)
                if (to ~ /^asio/) breach("asio opens descriptors that are not ours to check")
                else if (to ~ /^(sys\/socket|sys\/un|netinet|winsock|ws2)/) {
                    if (folder != "datagram" && path !~ /^support\/(ip_address|log)\.cpp$/) breach("sockets are for datagram/ alone")
                }
                else if (to ~ /^fstream/) breach("files are opened by support/read_file.hpp, which no child inherits")
                else if (to ~ /^toml\+\+/) { if (path != "support/config.cpp") breach("toml++ is for support/config.cpp alone") }
                else if (to ~ /^Eigen/) { if (path !~ /^hand\/[a-z_\/]*\.cpp$/) breach("Eigen stays inside sources of hand/") }
                else if (to ~ /^openxr\//) {
                    if (folder !~ /^(hand|motion|openxr|glove_stream)$/) breach(folder " knows no OpenXR")
                    else if (pure && to != "openxr/openxr.h") breach(folder " knows OpenXR types alone")
                }
                else if (to ~ /\// && to !~ /^(sys|netinet|arpa)\//) breach("this library is not one of ours")
                else if (pure && to ~ impure) breach(folder " is pure: no clock, thread, file or stream")
                else if (pure && to ~ /[.\/]/) breach(folder " is pure: no system header")
            } else breach("cannot be read")
        }' "$file"
done)
[ -z "$breaches" ] || { echo "$breaches"; exit 1; }
