#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: resume.sh LANEWISE: a test that is killed goes on where it was and says in the end what the whole would have said; on a terminal
# it shows a bar, into a file it does not.

set -u
tool=$(realpath "$1")
inputs=$(cd "$(dirname "$0")/inputs" && pwd)
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 2
cp "$inputs/missing.cu" kernels.cu

lines() {
    wc -l 2>/dev/null <kernels.state || echo 0
}

"$tool" test -j 1 kernels.cu --state kernels.state >/dev/null 2>&1 &
process=$!
for _ in $(seq 600); do
    [ -e kernels.state ] && [ "$(lines)" -ge 40 ] && break
    sleep 0.05
done
kill -9 "$process" 2>/dev/null
wait "$process" 2>/dev/null
before=$(lines)
[ "$before" -ge 40 ] || { echo "nothing was noted before the kill: $before lines"; exit 1; }
"$tool" test kernels.cu >whole.txt 2>&1
status=$?
"$tool" test kernels.cu --state kernels.state >rest.txt 2>bar.txt
[ $? -eq "$status" ] || { echo "the exit status differs"; exit 1; }
diff -u whole.txt rest.txt || exit 1
[ "$(sort kernels.state | uniq -d | wc -l)" -eq 0 ] || { echo "launches that were clean ran again"; exit 1; }
[ ! -s bar.txt ] || { echo "a bar in a file"; cat bar.txt; exit 1; }

# The bar, where there is a program that makes a terminal.
if command -v script >/dev/null 2>&1 && script -qec true /dev/null </dev/null >/dev/null 2>&1; then
    script -qec "'$tool' test '$inputs/scale.cu'" terminal.txt </dev/null >/dev/null 2>&1
    grep -q '\[#* *\] [0-9]*/63 scale' terminal.txt || { echo "no bar on a terminal"; cat terminal.txt; exit 1; }
fi
