#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: check_transcripts.sh LANEWISE FILE.md      (from the root of the source tree)
#
# Runs each `$ lanewise ...` of the file's fenced blocks and compares what it prints with what stands below it there.

set -u
lanewise=$1
page=$2
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT

# N.command and N.expected for each transcript.
awk -v folder="$scratch" '
    /^```/ { if (fenced && file) close(file); fenced = !fenced; file = ""; next }
    fenced && /^\$ (build\/)?lanewise / {
        if (file)
            close(file)
        count++
        sub(/^\$ (build\/)?lanewise /, "")
        print > (folder "/" count ".command")
        close(folder "/" count ".command")
        file = folder "/" count ".expected"
        printf "" > file
        next
    }
    fenced && file { print > file }
' "$page"

count=0
bad=0
for command in "$scratch"/*.command; do
    [ -f "$command" ] || continue
    count=$((count + 1))
    # shellcheck disable=SC2046 # words of a command line
    "$lanewise" $(cat "$command") >"$scratch/got" 2>&1
    diff -u "${command%.command}.expected" "$scratch/got" || {
        echo "$page: \`lanewise $(cat "$command")\` prints something else"
        bad=1
    }
done
[ "$count" -gt 0 ] || {
    echo "$page has no transcript"
    bad=1
}
exit "$bad"
