#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: all_files.sh LANEWISE COMPILER LIST_OR_FOLDER...
#
# Builds every .cu file given (folders: all below) and checks what comes out: with no check inserted the PTX is the compiler's, but for
# block sizes; ptxas, where there is one, accepts it; the tool itself reads it.  Prints a line of totals.

set -u
tool=$1
compiler=$2
shift 2
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
bad=0 files=0 identical=0 checked=0 unbuilt=0
assembler=$(command -v ptxas || true)

complain() {
    echo "$1: $2"
    bad=1
}

for file in $(find "$@" -name '*.cu' -type f | sort); do
    name=$(basename "$file" .cu)
    rm -rf "$folder/out"
    "$tool" build "$file" --compiler "$compiler" -o "$folder/out" --keep-ptx "$folder/raw.ptx" -q --allow-not-checkable ${LEVEL:-} \
        >"$folder/log" 2>&1
    status=$?
    case $status in
    0 | 1) ;;
    2)
        # Not every file is for every compiler, and some have errors on purpose.
        unbuilt=$((unbuilt + 1))
        [ -n "${VERBOSE:-}" ] && sed "s,^,$file: ," "$folder/log"
        continue
        ;;
    *)
        complain "$file" "exit $status"
        continue
        ;;
    esac
    files=$((files + 1))
    if grep -q 'lanewise_fault' "$folder/out/$name.ptx"; then
        checked=$((checked + 1))
    else
        identical=$((identical + 1))
        sed '/^\.reqntid /d;/^\.maxntid /d' "$folder/raw.ptx" >"$folder/a"
        sed '/^\.reqntid /d;/^\.maxntid /d' "$folder/out/$name.ptx" >"$folder/b"
        [ "${LEVEL:-}" = --optimise ] || cmp -s "$folder/a" "$folder/b" || complain "$file" "no check was inserted, but the PTX differs"
    fi
    if [ -n "$assembler" ]; then
        architecture=$(sed -n 's/^\.target \(sm_[0-9a-z]*\).*/\1/p' "$folder/out/$name.ptx")
        "$assembler" -arch="$architecture" "$folder/out/$name.ptx" -o /dev/null >"$folder/log" 2>&1 ||
            { "$assembler" -arch="$architecture" "$folder/raw.ptx" -o /dev/null >/dev/null 2>&1 &&
                complain "$file" "ptxas: $(head -3 "$folder/log")"; }
    fi
done
echo "$compiler: $files files built, $identical identical, $checked with checks, $unbuilt not built"
exit $bad
