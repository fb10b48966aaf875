#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Runs the launches of bench/launches on kernels of corpora that you have checked out, and compares: with `want` in the launch,
# with a reference program of launches/references, or with what a GPU left (launches/recorded). Prints a line for each launch and compiler
# and a summary; exit 0 if everything is as it should be, 1 if not, 2 if it could not be tried.
#
# Each source is compiled once, through a file that includes it, so nothing of a corpus is copied; a launch is then put on top of the PTX.

set -u

usage() {
    cat <<'EOU'
usage: run_launches.sh --corpus DIR [options]
  --corpus DIR      folder with the checkouts HeCBench, llm.c and compute-sanitizer-samples (those that are there are run)
  --compiler NAME   clang (default), nvcc or both
  --only REGEX      launches whose name matches
  --lanewise FILE   the tool (default: build/lanewise of this checkout)
  --options TEXT    more options for `lanewise run` and `verify`, e.g. '--schedule=adversarial'
  --out DIR         keep reports there
  --cache DIR       keep the PTX there, and use what is there already
EOU
}

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/.." && pwd)
corpus='' compilers=clang only=. lanewise=$root/build/lanewise options='' out='' cache=''
while [ $# -gt 0 ]; do
    case $1 in
    --corpus | --compiler | --only | --lanewise | --options | --out | --cache)
        [ $# -ge 2 ] || { echo "run_launches.sh: $1 needs a value" >&2; exit 2; }
        case $1 in
        --corpus) corpus=$2 ;;
        --compiler) compilers=$2 ;;
        --only) only=$2 ;;
        --lanewise) lanewise=$2 ;;
        --options) options=$2 ;;
        --out) out=$2 ;;
        --cache) cache=$2 ;;
        esac
        shift ;;
    -h | --help) usage; exit 0 ;;
    *) echo "run_launches.sh: unknown option $1" >&2; usage >&2; exit 2 ;;
    esac
    shift
done
case $compilers in
clang | nvcc) ;;
both) compilers="clang nvcc" ;;
*) echo "run_launches.sh: compilers are clang, nvcc and both" >&2; exit 2 ;;
esac
[ -d "$corpus" ] || { usage >&2; exit 2; }
[ -x "$lanewise" ] || { echo "run_launches.sh: no $lanewise: build first" >&2; exit 2; }
corpus=$(cd "$corpus" && pwd)

scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT INT TERM
[ -n "$out" ] && mkdir -p "$out"
[ -n "$cache" ] || cache=$scratch/cache
mkdir -p "$cache" || exit 2

${CC:-cc} -std=c17 -D_GNU_SOURCE -O2 -o "$scratch/compare" "$here/compare.c" -lm || exit 2
mkdir -p "$scratch/reference"
for file in "$here"/launches/references/*.c; do
    name=$(basename "$file" .c)
    ${CC:-cc} -std=c17 -D_GNU_SOURCE -O2 -o "$scratch/reference/$name" "$file" -lm || exit 2
done

# header KEY FILE: the value of a header line, empty if there is none.
header() {
    sed -n "s/^$1: *//p" "$2" | head -n 1
}

# Include folders are written relative to the source file.
absolute_flags() {
    for flag in $1; do
        case $flag in
        -I/*) printf '%s ' "$flag" ;;
        -I*) printf '%s ' "-I$2/${flag#-I}" ;;
        *) printf '%s ' "$flag" ;;
        esac
    done
}

# The findings of a JSON report as `LW101:13 LW403:20`, warnings with a w behind.
findings_of() {
    awk -F'"' '
        $2 == "id" { id = $4 }
        $2 == "severity" { mark = $4 == "error" ? "" : $4 == "warning" ? "w" : "n" }
        $2 == "line" && id != "" { split($3, part, /[^0-9]+/); printf "%s%s:%s", space, id, part[2] mark; space = " "; id = "" }
    ' "$1" 2>/dev/null
}

seconds_of() {
    sed -n 's/^ .* warp instructions in \([0-9.]*\) s,.*$/\1/p' "$1" 2>/dev/null | head -n 1
}

# Compares dumps with a reference or a recording. Sets $verdict.
compare_dumps() {
    verdict=right
    for expected in "$1"/*.npy; do
        argument=$(basename "$expected" .npy)
        if ! difference=$("$scratch/compare" "$scratch/dump/$argument.npy" "$expected" "$tolerance" 2>&1); then
            verdict="wrong: $argument: $difference"
            return
        fi
    done
}

# compile CASE SOURCE: the PTX of a source, from the cache or made now by a first run of CASE. Sets $ptx; false with $verdict if it fails.
compile() {
    ptx=$cache/$compiler-$(printf '%s %s' "$2" "$flags" | cksum | tr ' ' -).ptx
    [ -s "$ptx" ] && return
    { cat "$1"; printf '#include "%s"\n' "$2"; } >"$scratch/compile.cu"
    "$lanewise" run --compiler "$compiler" --cflags "$flags" --keep-ptx "$ptx" --quiet "$scratch/compile.cu" >"$scratch/stdout" 2>"$scratch/stderr"
    [ -s "$ptx" ] && return
    verdict="not compiled: $(grep -h -m 1 error "$scratch/stderr" "$scratch/stdout" | cut -c 1-90)"
    return 1
}

# Runs one launch; sets $verdict, $findings and $seconds.
run_launch() {
    launch=$1 compiler=$2
    source=$corpus/$(header corpus "$launch")/$(header file "$launch")
    flags=$(absolute_flags "$(header cflags "$launch")" "$(dirname "$source")")
    reference=$(header reference "$launch")
    tolerance=$(header tolerance "$launch")
    tolerance=${tolerance:-1e-5a}
    comment=$scratch/comment
    sed -e '/^\/\//d' -e '/^\(corpus\|file\|cflags\|reference\|compilers\|bug\):/d' -e 's/^\(tolerance:.*\)a$/\1/' -e 's/^/\/\/ /' \
        "$launch" >"$comment"
    compile "$comment" "$source" || return
    case=$scratch/$(basename "$launch" .launch).ptx
    { cat "$comment"; sed '/^\.version/,$!d' "$ptx"; } >"$case"

    rm -rf "$scratch/dump" "$scratch/expected"
    mkdir -p "$scratch/dump" "$scratch/expected"
    wanted=
    if [ -n "$reference" ]; then
        "$scratch/reference/${reference%% *}" "${reference##* }" "$scratch/expected" || { verdict="no reference"; return; }
        wanted=$scratch/expected
    elif [ -d "$here/launches/recorded/$name" ]; then
        wanted=$here/launches/recorded/$name
    fi
    set --
    if [ -n "$wanted" ]; then
        for file in "$wanted"/*.npy; do
            argument=$(basename "$file" .npy)
            set -- "$@" --dump "$argument=$scratch/dump/$argument.npy"
        done
    fi
    # shellcheck disable=SC2086 # options are words
    "$lanewise" run --stats --format "json=$scratch/report.json" --format "text=$scratch/report.txt" \
        $options "$@" "$case" >"$scratch/stdout" 2>"$scratch/stderr"
    code=$?
    findings=$(findings_of "$scratch/report.json")
    seconds=$(seconds_of "$scratch/report.txt")
    case $code in
    0 | 1) verdict=right ;;
    2) verdict="refused: $(grep -h -m 1 -E 'error' "$scratch/stderr" "$scratch/stdout" "$scratch/report.txt" 2>/dev/null | cut -c 1-90)"; return ;;
    3) verdict="unfinished: $(grep -h -m 1 -iE 'limit|not support|unsupported|unknown' "$scratch/report.txt" "$scratch/stderr" 2>/dev/null | cut -c 1-90)"; return ;;
    *) verdict="crashed: exit $code"; return ;;
    esac
    if grep -q '^expect:\|^also-accept:' "$launch"; then
        # shellcheck disable=SC2086 # options are words
        line=$("$lanewise" verify $options "$case" 2>&1)
        case $?:$line in
        3:*skipped*) verdict="not looked for" ;;
        0:*) verdict="as expected" ;;
        *) verdict="wrong: $(echo "$line" | head -n 1 | sed "s#$scratch/##g" | cut -c 1-90)"; return ;;
        esac
    elif [ $code -eq 1 ]; then
        verdict="wrong: an error was found"
        return
    fi
    if [ -n "$wanted" ]; then
        before=$verdict
        compare_dumps "$wanted"
        # Results of a kernel with a known fault may follow from it.
        case $before:$verdict in
        "as expected:right") verdict="as expected" ;;
        "as expected:"*) verdict="as expected" findings="$findings (results differ)" ;;
        esac
    elif [ "$verdict" = right ] && ! grep -q 'want=' "$launch"; then
        verdict="clean, nothing compared"
    fi
}

all=0 good=0 bad=0 missing=0
printf '%-52s %-8s %-28s %-10s %s\n' launch compiler findings seconds result
for launch in $(find "$here/launches" -name '*.launch' | LC_ALL=C sort); do
    name=${launch#"$here"/launches/}
    name=${name%.launch}
    echo "$name" | grep -qE -- "$only" || continue
    only_compilers=$(header compilers "$launch")
    for compiler in $compilers; do
        if [ -n "$only_compilers" ]; then
            case " $only_compilers " in *" $compiler "*) ;; *) continue ;; esac
        fi
        if [ ! -f "$corpus/$(header corpus "$launch")/$(header file "$launch")" ]; then
            missing=$((missing + 1))
            continue
        fi
        all=$((all + 1)) findings='' seconds=''
        run_launch "$launch" "$compiler"
        case $verdict in
        right | "as expected" | "not looked for" | "clean, nothing compared") good=$((good + 1)) ;;
        *) bad=$((bad + 1)) ;;
        esac
        printf '%-52s %-8s %-28s %-10s %s\n' "$name" "$compiler" "${findings:--}" "${seconds:--}" "$verdict"
        if [ -n "$out" ]; then
            mkdir -p "$out/$compiler/$(dirname "$name")"
            cp "$scratch/report.txt" "$out/$compiler/$name.txt" 2>/dev/null
        fi
        rm -f "$scratch/report.txt" "$scratch/report.json" "$scratch/$(basename "$name").ptx"
    done
done
echo "$all launches, $good right or as expected, $bad not; $missing without their corpus"
[ $all -gt 0 ] || exit 2
[ $bad -eq 0 ]
