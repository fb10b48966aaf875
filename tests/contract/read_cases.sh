#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: read_cases.sh PRINT_CONTRACTS FOLDER [OPTIONS]
#
# Every kernel of the cases has a contract, and each is read without complaint.

set -u
program=$1
cd "$2" || exit 2
shift 2
bad=0
count=0
for file in *.cu; do
    out=$("$program" "$@" "$file" 2>&1) || {
        printf '%s\n' "$out"
        bad=1
    }
    case $out in
    *nothing* | *"no contract"*)
        printf '%s: %s\n' "$file" "$out"
        bad=1
        ;;
    esac
    count=$((count + 1))
done
echo "$count files"
[ "$bad" = 0 ] && [ "$count" -gt 1 ]
