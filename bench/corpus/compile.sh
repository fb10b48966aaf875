#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Compiles every .cu of a corpus that you have checked out to PTX and counts: files, compiled, failed, and the first
# error of those that failed, by class. It fetches nothing and writes only below --out. Flags (-I, -D, -std) come from
# the nearest Makefile at or above each file. Directories of other programming models (-hip, -sycl, -omp) are skipped.

set -u

usage() {
    cat <<'EOF'
usage: compile.sh --corpus DIR --out DIR [options]
  --corpus DIR      the checkout
  --out DIR         PTX, logs and lists go here, laid out like the corpus
  --compiler NAME   clang (default: clang-19 with the headers of shim/) or nvcc
  --level LEVEL     clang: -O0 -O1 -O2 (default) -O3; nvcc: none (default) or -G
  --debug           full debug information (-g)
  --jobs N          files at a time (default 2)
  --limit SECONDS   time limit a file (default 300)
  --only REGEX      only files whose path matches (extended regular expression)
  --arch NAME       default sm_80
  --resume          keep the PTX that is there already, compile the rest
EOF
}

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)

# The flags of the nearest Makefile, cached a directory. Sets $flags and $base (where relative paths start).
find_flags() {
    base=$1
    while [ ! -f "$base/Makefile" ] && [ ! -f "$base/makefile" ] && [ "$base" != "$LW_CORPUS" ] && [ "$base" != / ]; do
        base=$(dirname "$base")
    done
    flags=
    for makefile in "$base/Makefile" "$base/makefile"; do
        [ -f "$makefile" ] || continue
        flags=$(awk -f "$here/makefile_flags.awk" "$makefile" 2>/dev/null)
        return
    done
    base=$1
}

# One file: called back through xargs with the settings in the environment.
compile_one() {
    file=$1
    relative=${file#"$LW_CORPUS"/}
    ptx=$LW_OUT/${relative%.cu}.ptx
    log=$LW_OUT/${relative%.cu}.log
    if [ "$LW_RESUME" = yes ] && [ -s "$ptx" ]; then
        echo "ok $relative"
        return
    fi
    mkdir -p "$(dirname "$ptx")"
    rm -f "$ptx" "$log"
    find_flags "$(dirname "$file")"
    cd "$base" || exit 1
    set --
    for flag in $flags; do
        case $LW_COMPILER:$flag in
        # -ffast-math would assume that no NaN exists, which nvcc does not.
        clang:*use_fast_math) set -- "$@" -fgpu-approx-transcendentals -fgpu-flush-denormals-to-zero \
            -mllvm -nvptx-prec-divf32=0 -mllvm -nvptx-prec-sqrtf32=0 ;;
        clang:*extended-lambda | clang:*expt-relaxed-constexpr) ;;
        clang:-I*) # not a toolkit's own headers: clang 19 cannot read them
            [ -f "${flag#-I}/cuda_runtime_api.h" ] || set -- "$@" "$flag" ;;
        *) set -- "$@" "$flag" ;;
        esac
    done
    set -- "$@" -I"$(dirname "$file")"
    if [ "$LW_COMPILER" = nvcc ]; then
        [ -n "$LW_LEVEL" ] && set -- "$@" "$LW_LEVEL"
        if [ "$LW_DEBUG" = yes ]; then set -- "$@" -g; else [ -n "$LW_LEVEL" ] || set -- "$@" -lineinfo; fi
        $LW_TIMEOUT nvcc -arch="$LW_ARCH" -ptx -w "$@" -o "$ptx" "$file" >"$log" 2>&1
        status=$?
    else
        lines=-gline-tables-only
        [ "$LW_DEBUG" = yes ] && lines=-g
        $LW_TIMEOUT "$LW_CLANG" -x cuda --cuda-device-only --cuda-gpu-arch="$LW_ARCH" --cuda-path="$LW_OUT/.empty" \
            --cuda-feature=+ptx83 -nocudainc -nocudalib -Xclang -target-sdk-version=12.3 -S -w \
            -fno-caret-diagnostics -ferror-limit=3 "$LW_LEVEL" $lines \
            "$@" -isystem "$root/shim" -include lanewise_cuda_prelude.h -o "$ptx" "$file" >"$log" 2>&1
        status=$?
    fi
    if [ $status -eq 0 ]; then
        [ -s "$log" ] || rm -f "$log"
        echo "ok $relative"
    else
        rm -f "$ptx"
        [ $status -eq 124 ] && echo "error: time limit" >>"$log"
        echo "failed $relative"
    fi
}

# The first error of a log, with names of files and of things taken out so that equal causes count together.
classify() {
    grep -m 1 -E '(error|Error)[ :]|fatal|Unsupported|LLVM ERROR' "$1" | sed -e 's/^.*fatal error: //' -e 's/^.*[^a-z]error *: //' \
        -e "s/^'\(.*\)' file not found/missing header \1/" -e 's/^\(.*\): No such file or directory/missing header \1/' |
        cut -c 1-110
}

if [ "${1-}" = --one ]; then
    compile_one "$2"
    exit 0
fi

LW_CORPUS= LW_OUT= LW_COMPILER=clang LW_LEVEL=default LW_DEBUG=no LW_ARCH=sm_80 LW_RESUME=no
jobs=2 limit=300 only=.
while [ $# -gt 0 ]; do
    case $1 in
    --debug) LW_DEBUG=yes ;;
    --resume) LW_RESUME=yes ;;
    -h | --help) usage; exit 0 ;;
    --corpus | --out | --compiler | --level | --jobs | --limit | --only | --arch)
        [ $# -ge 2 ] || { echo "compile.sh: $1 needs a value" >&2; exit 2; }
        case $1 in
        --corpus) LW_CORPUS=$2 ;;
        --out) LW_OUT=$2 ;;
        --compiler) LW_COMPILER=$2 ;;
        --level) LW_LEVEL=$2 ;;
        --jobs) jobs=$2 ;;
        --limit) limit=$2 ;;
        --only) only=$2 ;;
        --arch) LW_ARCH=$2 ;;
        esac
        shift ;;
    *) echo "compile.sh: unknown option $1" >&2; usage >&2; exit 2 ;;
    esac
    shift
done
[ -n "$LW_CORPUS" ] && [ -n "$LW_OUT" ] || { usage >&2; exit 2; }
LW_CORPUS=$(cd "$LW_CORPUS" && pwd) || exit 2
mkdir -p "$LW_OUT" && LW_OUT=$(cd "$LW_OUT" && pwd) || exit 2
case $LW_COMPILER:$LW_LEVEL in
clang:default) LW_LEVEL=-O2 ;;
nvcc:default) LW_LEVEL= ;;
clang:-O[0-3] | nvcc:-G) ;;
*) echo "compile.sh: $LW_COMPILER has no level $LW_LEVEL" >&2; exit 2 ;;
esac
LW_CLANG=clang
for name in clang-19 clang; do command -v $name >/dev/null 2>&1 && { LW_CLANG=$name; break; }; done
if [ "$LW_COMPILER" = nvcc ]; then needed=nvcc; else needed=$LW_CLANG; fi
command -v "$needed" >/dev/null 2>&1 || { echo "compile.sh: $needed is not installed" >&2; exit 2; }
LW_TIMEOUT=
command -v timeout >/dev/null 2>&1 && LW_TIMEOUT="timeout $limit"
export LW_CORPUS LW_OUT LW_COMPILER LW_LEVEL LW_DEBUG LW_ARCH LW_CLANG LW_TIMEOUT LW_RESUME
mkdir -p "$LW_OUT/.empty"

find "$LW_CORPUS" -name '*.cu' -type f | grep -vE -- '-(hip|sycl|omp)/' | grep -E -- "$only" | sort >"$LW_OUT/files.txt"
xargs -P "$jobs" -n 1 "$here/compile.sh" --one <"$LW_OUT/files.txt" | sort >"$LW_OUT/result.txt"

total=$(wc -l <"$LW_OUT/files.txt")
compiled=$(grep -c '^ok ' "$LW_OUT/result.txt")
sed -n 's/^failed //p' "$LW_OUT/result.txt" | while read -r relative; do
    echo "$(classify "$LW_OUT/${relative%.cu}.log")	$relative"
done >"$LW_OUT/failed.txt"
echo "$LW_COMPILER ${LW_LEVEL:-default} debug=$LW_DEBUG: $((total)) files, $compiled compiled, $((total - compiled)) failed"
cut -f 1 "$LW_OUT/failed.txt" | sort | uniq -c | sort -rn
