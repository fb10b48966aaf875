#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# How much of the corpora Lanewise takes, for each corpus and compiler: files that compile, entries that parse, and the share of static
# instructions that the emulator executes. Works on the folders that bench/corpus/compile.sh has written.

set -u

usage() {
    cat <<'EOU'
usage: coverage.sh --ptx DIR [--build DIR] [--unknown]
  --ptx DIR     folders of PTX as <DIR>/<compiler>/<corpus>, written by corpus/compile.sh
  --build DIR   where liblanewise.a is (default: build/ of this checkout)
  --unknown     also print the forms that the emulator does not know, and files that fail
EOU
}

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/.." && pwd)
build=$root/build ptx='' unknown=no
while [ $# -gt 0 ]; do
    case $1 in
    --ptx | --build)
        [ $# -ge 2 ] || { echo "coverage.sh: $1 needs a folder" >&2; exit 2; }
        [ "$1" = --ptx ] && ptx=$2 || build=$2
        shift ;;
    --unknown) unknown=yes ;;
    -h | --help) usage; exit 0 ;;
    *) echo "coverage.sh: unknown option $1" >&2; usage >&2; exit 2 ;;
    esac
    shift
done
[ -d "$ptx" ] || { usage >&2; exit 2; }
library=
for name in liblanewise.a liblanewise_static.a; do [ -f "$build/$name" ] && library=$build/$name; done
[ -n "$library" ] || { echo "coverage.sh: no liblanewise.a in $build: build first" >&2; exit 2; }

scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT INT TERM
${CC:-cc} -std=c17 -D_GNU_SOURCE -O2 -I"$root/src" -I"$root/include" -o "$scratch/coverage" "$here/coverage.c" "$library" \
    -lpthread -lm || exit 2

found=no
for folder in "$ptx"/*/*; do
    [ -d "$folder" ] || continue
    name=${folder#"$ptx"/}
    find "$folder" -name '*.ptx' -type f | LC_ALL=C sort >"$scratch/list"
    [ -s "$scratch/list" ] || continue
    found=yes
    # compile.sh writes its result when it is through.
    if [ -s "$folder/result.txt" ] && [ -f "$folder/files.txt" ]; then
        echo "$name: $(grep -c '^ok ' "$folder/result.txt") of $(wc -l <"$folder/files.txt" | tr -d ' ') files compile"
    fi
    "$scratch/coverage" "$name" <"$scratch/list" >"$scratch/out" 2>"$scratch/err" || {
        echo "$name: coverage failed:" && tail -n 3 "$scratch/err"
        continue
    }
    if [ $unknown = yes ]; then cat "$scratch/out"; else tail -n 1 "$scratch/out"; fi
done
[ $found = yes ] || { echo "coverage.sh: no PTX below $ptx/<compiler>/<corpus>" >&2; exit 2; }
