#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# What `lanewise check --suggest` finds for kernels of HeCBench and llm.c when their contracts are taken away: for each kernel the pointers that it
# accesses, how many of them got an extent, and for how many that extent makes every access through them proved. It fetches nothing. The prototypes of
# this folder lend names and types alone: every macro but LW_FOR is taken out of them first.

set -u

usage() {
    cat <<'EOF'
usage: suggest.sh [options] CHECKOUT_OF_HECBENCH CHECKOUT_OF_LLMC
  --compiler NAME   clang or nvcc (default: clang)
  --only REGEX      contracts whose name matches, such as 'HeCBench/scan'
  --every N         each Nth kernel only (default 1)
  --lanewise FILE   the tool (default: build/lanewise of this checkout)
  --cache DIR       keep the PTX there, and use what is there already (the same as that of run.sh)
  --limit SECONDS   time limit a kernel (default 60)
  --texts FILE      write the suggested contracts there
EOF
}

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
compiler=clang only=. every=1 lanewise=$root/build/lanewise cache='' limit=60 texts=''
while [ $# -gt 0 ]; do
    case $1 in
    --compiler | --only | --every | --lanewise | --cache | --limit | --texts)
        [ $# -ge 2 ] || { echo "suggest.sh: $1 needs a value" >&2; exit 2; }
        case $1 in
        --compiler) compiler=$2 ;;
        --only) only=$2 ;;
        --every) every=$2 ;;
        --lanewise) lanewise=$2 ;;
        --cache) cache=$2 ;;
        --limit) limit=$2 ;;
        --texts) texts=$2 ;;
        esac
        shift 2 ;;
    -h | --help) usage; exit 0 ;;
    -*) echo "suggest.sh: unknown option $1" >&2; usage >&2; exit 2 ;;
    *) break ;;
    esac
done
[ $# -eq 2 ] || { usage >&2; exit 2; }
for folder in "$1" "$2"; do
    [ -d "$folder" ] || { echo "suggest.sh: no folder $folder" >&2; exit 2; }
done
[ -x "$lanewise" ] || { echo "suggest.sh: no $lanewise: build first" >&2; exit 2; }
hecbench=$(cd "$1" && pwd) llmc=$(cd "$2" && pwd) lanewise=$(cd "$(dirname "$lanewise")" && pwd)/$(basename "$lanewise")
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT INT TERM
[ -n "$cache" ] || cache=$scratch/cache
mkdir -p "$cache" && cache=$(cd "$cache" && pwd) || exit 2
[ -n "$texts" ] && : >"$texts"

header() {
    sed -n "s/^ \* $1: *//p" "$2" | head -n 1
}

compile() {
    ptx=$cache/$compiler-$(printf '%s %s %s' "$1" "$2" "$3" | cksum | tr ' ' -).ptx
    [ -s "$ptx" ] && return
    (cd "$(dirname "$1")" && "$lanewise" check --compiler "$compiler" --cflags "$2" --keep-ptx "$ptx" --kernel "$3" --quiet --exit-zero \
        --format "json=$scratch/ignored" "$(basename "$1")") >"$scratch/stdout" 2>"$scratch/stderr"
    [ -s "$ptx" ]
}

# The prototypes of a contract without what they say.
strip() {
    awk '
        { text = text $0 "\n" }
        END {
            while (match(text, /LW_[A-Z_]+/)) {
                name = substr(text, RSTART, RLENGTH)
                printf "%s", substr(text, 1, RSTART - 1)
                text = substr(text, RSTART + RLENGTH)
                rest = text
                sub(/^[ \t\n]*/, "", rest)
                if (substr(rest, 1, 1) == "(") {
                    depth = 0
                    for (i = 1; i <= length(rest); i++) {
                        c = substr(rest, i, 1)
                        depth += c == "("
                        depth -= c == ")"
                        if (depth == 0) break
                    }
                    if (name == "LW_FOR") printf "%s%s", name, substr(rest, 1, i)
                    text = substr(rest, i + 1)
                }
            }
            printf "%s", text
        }' "$1"
}

: >"$scratch/rows"
: >"$scratch/failed"
number=0
for contract in $(find "$here" -name '*.h' | LC_ALL=C sort); do
    name=${contract#"$here"/}
    name=${name%.h}
    echo "$name" | grep -qE -- "$only" || continue
    case $name in
    HeCBench/*) source=$hecbench/$(header file "$contract") ;;
    *) source=$llmc/$(header file "$contract") ;;
    esac
    kernels=$(header kernels "$contract")
    strip "$contract" >"$scratch/names.h"
    for kernel in $kernels; do
        number=$((number + 1))
        [ $(((number - 1) % every)) -eq 0 ] || continue
        if [ ! -f "$source" ] || ! compile "$source" "$(header cflags "$contract")" "${kernels%% *}"; then
            printf '%s\t%s: no source, or it does not compile\n' "$name" "$kernel" >>"$scratch/failed"
            continue
        fi
        started=$(date +%s)
        timeout "$limit" "$lanewise" check --suggest --contract "$scratch/names.h" --kernel "^$kernel\$" --exit-zero \
            --format "json=$scratch/report.json" "$ptx" >"$scratch/stdout" 2>"$scratch/stderr"
        status=$?
        if [ $status -ne 0 ]; then
            printf '%s\t%s: exit %s: %s\n' "$name" "$kernel" $status "$(head -n 1 "$scratch/stderr" | cut -c 1-120)" >>"$scratch/failed"
            continue
        fi
        [ -n "$texts" ] && sed -n 's/^ *"contract": "\(.*\)",*$/\1/p' "$scratch/report.json" | sed 's/\\n/\
/g' >>"$texts"
        awk -v contract="$name" -v kernel="$kernel" -v seconds=$(($(date +%s) - started)) '
            /^ *"arrays": \[/ { inside = 1 }
            inside && /"extent":/ { found = $0 !~ /null/ }
            inside && /"sites":/ { sites = $2 + 0 }
            inside && /"proved":/ {
                pointers++
                named += found
                right += found && $2 + 0 == sites
            }
            inside && /^ *\]/ { inside = 0 }
            END { printf "%s\t%s\t%d\t%d\t%d\t%d\n", contract, kernel, pointers, named, right, seconds }' "$scratch/report.json" >>"$scratch/rows"
    done
done

awk -F'\t' '
    BEGIN { printf "%-32s %-44s %8s %8s %8s %8s\n", "contract", "kernel", "pointers", "extent", "right", "seconds" }
    { printf "%-32s %-44s %8d %8d %8d %8d\n", $1, substr($2, 1, 44), $3, $4, $5, $6; kernels++; pointers += $3; named += $4; right += $5; whole += $3 == $5 }
    END {
        printf "\n%s: %d kernels, %d of them with a right extent for every pointer\n", "'"$compiler"'", kernels, whole
        printf "  pointers: %d; with an extent %d; of these it makes every access proved for %d: %.1f %% of all\n", pointers, named, right,
            pointers ? 100 * right / pointers : 0
    }' "$scratch/rows"
if [ -s "$scratch/failed" ]; then
    printf '\nnot asked:\n'
    cat "$scratch/failed"
fi
[ -s "$scratch/rows" ] || exit 2
