#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Runs the launches of bench/launches, and the good examples and cases, on a real GPU, and says whether their results are the ones that
# `want` states. In two steps, because the machine with the GPU need not have the corpora:
#
#   gpu_reference.sh pack --corpus DIR --out PACK     compiles to PTX with nvcc, writes case files and a list
#   gpu_reference.sh run --pack PACK [--out DIR]      builds bench/gpu_reference.c and runs the list; results without a `want` go to DIR
#                                                     (a PACK/gpu_reference that is there already is used as it is)
#
# Launches that expect a fault are left out: what a GPU does with them proves nothing; so are those with buffers of a billion elements.

set -u

usage() {
    sed -n -e '1,3d' -e '/^#/!q' -e 's/^# \{0,1\}//p' "$0"
}

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/.." && pwd)
step=${1-}
[ $# -gt 0 ] && shift
corpus='' pack='' out='' only=. build=''
while [ $# -gt 0 ]; do
    case $1 in
    --corpus | --pack | --out | --only | --build)
        [ $# -ge 2 ] || { echo "gpu_reference.sh: $1 needs a value" >&2; exit 2; }
        case $1 in
        --corpus) corpus=$2 ;;
        --pack) pack=$2 ;;
        --out) out=$2 ;;
        --only) only=$2 ;;
        --build) build=$2 ;;
        esac
        shift ;;
    *) echo "gpu_reference.sh: unknown option $1" >&2; usage >&2; exit 2 ;;
    esac
    shift
done

header() {
    sed -n "s/^$1: *//p" "$2" | head -n 1
}

# pack_launch FILE: PTX (once for each source and flags) and case file; a line for the list.
pack_launch() {
    name=${1#"$here"/launches/}
    name=$(echo "${name%.launch}" | tr / .)
    echo "$name" | grep -qE -- "$only" || return
    source=$corpus/$(header corpus "$1")/$(header file "$1")
    [ -f "$source" ] || return
    grep -q '^expect:' "$1" && ! grep -q '^expect: none' "$1" && return
    folder=$(dirname "$source")
    flags=$(header cflags "$1" | sed "s#-I\([^/]\)#-I$folder/\1#g")
    ptx=$(echo "$(header corpus "$1")/$(header file "$1")" | tr / .).ptx
    if [ ! -f "$out/$ptx" ]; then
        # shellcheck disable=SC2086 # flags are words
        nvcc -arch=sm_80 -ptx -w $flags -o "$out/$ptx" "$source" || return
    fi
    sed -e '/^\/\//d' -e '/^\(corpus\|file\|cflags\|reference\|recorded\|compilers\|bug\):/d' \
        -e 's/^tolerance: \(.*\)a$/tolerance: \1/' -e 's/^/\/\/ /' "$1" >"$out/$name.case"
    echo "$name $ptx $name.case" >>"$out/list"
}

# pack_case FILE PREFIX: a good example or case.
pack_case() {
    grep -qE 'len=[0-9]{10}' "$1" && return
    name=$2.$(basename "$1" .cu)
    echo "$name" | grep -qE -- "$only" || return
    nvcc -arch=sm_80 -ptx -w -I"$root/include" -o "$out/$name.ptx" "$1" || return
    cp "$1" "$out/$name.case"
    echo "$name $name.ptx $name.case" >>"$out/list"
}

case $step in
pack)
    [ -d "$corpus" ] && [ -n "$out" ] || { usage >&2; exit 2; }
    corpus=$(cd "$corpus" && pwd)
    mkdir -p "$out" && : >"$out/list"
    for file in $(find "$here/launches" -name '*.launch' | LC_ALL=C sort); do pack_launch "$file"; done
    for file in "$root"/examples/*_good.cu; do pack_case "$file" examples; done
    for file in "$root"/tests/cases/run/*_good.cu; do pack_case "$file" cases; done
    echo "$(wc -l <"$out/list") launches in $out"
    ;;
run)
    [ -f "$pack/list" ] || { usage >&2; exit 2; }
    scratch=$(mktemp -d) || exit 2
    trap 'rm -rf "$scratch"' EXIT INT TERM
    library=${build:-$root/build}/liblanewise.a
    if [ -x "$pack/gpu_reference" ]; then
        cp "$pack/gpu_reference" "$scratch/gpu_reference"
    elif [ ! -f "$library" ]; then
        cmake -S "$root" -B "$scratch/build" -G Ninja >"$scratch/log" 2>&1 &&
            ninja -C "$scratch/build" lanewise_static >>"$scratch/log" 2>&1 || { tail -n 20 "$scratch/log"; exit 2; }
        library=$scratch/build/liblanewise.a
    fi
    if [ ! -x "$scratch/gpu_reference" ]; then
        ${CC:-cc} -std=c17 -D_GNU_SOURCE -O2 -I"$root/src" -I"$root/include" -o "$scratch/gpu_reference" \
            "$here/gpu_reference.c" "$library" -lpthread -ldl -lm || exit 2
    fi
    [ -n "$out" ] && mkdir -p "$out" && set -- --out "$(cd "$out" && pwd)"
    cd "$pack" || exit 2
    grep -E -- "$only" list | "$scratch/gpu_reference" "$@"
    ;;
*) usage >&2; exit 2 ;;
esac
