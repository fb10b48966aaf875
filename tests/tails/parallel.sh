#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: parallel.sh LANEWISE: the recipe of docs/test.md for GNU parallel, as it stands there: the joined parts say what the whole does.

set -u
tool=$(realpath "$1")
inputs=$(cd "$(dirname "$0")/inputs" && pwd)
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/bin" && ln -s "$tool" "$folder/bin/lanewise" || exit 2
PATH=$folder/bin:$PATH
cd "$folder" || exit 2
cp "$inputs/missing.cu" kernels.cu
sed -n '/^parallel lanewise/,/^```/p' "$inputs/../../../docs/test.md" | grep -v '^```' >recipe.sh
[ "$(wc -l <recipe.sh)" -ge 2 ] || { echo "docs/test.md has no such recipe"; exit 1; }
sh recipe.sh >joined.txt 2>messages.txt
status=$?
lanewise test kernels.cu >whole.txt
[ $? -eq "$status" ] || { echo "the joined report exits $status"; cat messages.txt; exit 1; }
diff -u whole.txt joined.txt && grep -q '<testsuite ' report.xml && [ "$(cat part*.state | sort | uniq -d | wc -l)" -eq 0 ]
