#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: good_launches.sh LANEWISE CHECKED_RUN COMPILER FILE.cu...
#
# Kernels that are right, with the launches of their head comments: checks fire nowhere and all buffers end with the raw kernel's bits.

set -u
tool=$1
runner=$2
compiler=$3
shift 3
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
bad=0 good=0 with=0

for file in "$@"; do
    name=$(basename "$file" .cu)
    rm -rf "$folder/out"
    "$tool" build "$file" --compiler "$compiler" -o "$folder/out" --keep-ptx "$folder/raw.ptx" -q --allow-not-checkable >"$folder/log" 2>&1
    [ $? -lt 2 ] || {
        echo "$file: $(head -1 "$folder/log")"
        bad=1
        continue
    }
    answer=$("$runner" "$folder/out/$name.ptx" "@$file" "$folder/raw.ptx" 2>&1)
    if [ "$answer" = "clean
same results" ]; then
        good=$((good + 1))
        grep -q lanewise_fault "$folder/out/$name.ptx" && with=$((with + 1))
    else
        echo "$file: $answer"
        bad=1
    fi
done
echo "$compiler: $good right launches stay clean with the same bits, $with of them with checks"
exit $bad
