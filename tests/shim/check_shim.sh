#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: check_shim.sh CLANG SHIM FILE.cu LEVEL [PTXAS]
#
# Compiles FILE to PTX with the headers of SHIM, as the tool does, and looks for what its comments ask:
#   code // here: TEXT     an instruction containing TEXT stands under a .loc of this line (of a file outside SHIM)
#   code // here -O2: TEXT the same at that level only
#   // in PTX: TEXT        TEXT stands anywhere
#   // bare                compile without the C and C++ libraries
# The host half must compile too, and PTXAS, where it is given, must take the PTX. LEVEL is an -O option.

set -u
clang=$1 shim=$2 file=$3 level=$4 ptxas=${5-}
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/no_toolkit"

set -- -x cuda --cuda-path="$folder/no_toolkit" -nocudainc -nocudalib -Xclang -target-sdk-version=12.3 -I "$shim" \
    -include lanewise_cuda_prelude.h "$level" "$file"
device="--cuda-device-only --cuda-gpu-arch=sm_80 --cuda-feature=+ptx83"
libraries=
if grep -q '^// bare$' "$file"; then
    libraries="-nostdinc -nostdinc++ -isystem $($clang -print-resource-dir)/include"
fi

# shellcheck disable=SC2086 # lists of options
$clang $device $libraries -Werror=undefined-inline -S -gline-tables-only "$@" -o "$folder/out.ptx" || exit 1
# shellcheck disable=SC2086
$clang --cuda-host-only $libraries -Xclang -fcuda-include-gpubinary -Xclang "$folder/out.ptx" -c "$@" \
    -o "$folder/host.o" || exit 1

if [ -n "$ptxas" ]; then
    "$ptxas" -c -arch=sm_80 "$folder/out.ptx" -o "$folder/out.cubin" || exit 1
fi

awk -v ptx="$folder/out.ptx" -v shim="$shim" -v level="$level" '
    # The instructions of each line of the file under test, in the order of the PTX.
    BEGIN {
        while ((getline line < ptx) > 0) {
            all = all line "\n"
            if (line ~ /^[ \t]*\.file/ && index(line, shim)) {
                print "the PTX names a header of the shim: " line
                bad = 1
            }
            if (line ~ /^[ \t]*\.loc/) {
                split(line, part, /[ \t]+/)
                current = part[4]
            } else if (line !~ /^[ \t]*(\/\/|\.)/)
                text[current] = text[current] line "\n"
        }
    }
    /\/\/ here( -O[0-9])?: / {
        want = $0
        sub(/.*\/\/ here/, "", want)
        if (want !~ /^:/ && index(want, " " level ":") != 1) next
        sub(/^[^:]*: /, "", want)
        if (!index(text[FNR], want)) {
            print FILENAME ":" FNR ": " level ": no \"" want "\" at this line, but:\n" text[FNR]
            bad = 1
        }
        asked++
    }
    /^\/\/ in PTX: / {
        want = substr($0, 12)
        if (!index(all, want)) {
            print FILENAME ":" FNR ": " level ": no \"" want "\" in the PTX"
            bad = 1
        }
        asked++
    }
    END {
        if (asked == 0) {
            print FILENAME ": asks for nothing"
            bad = 1
        }
        print asked " expectations"
        exit bad
    }
' "$file"
