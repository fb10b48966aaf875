#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Proves the kernels of checkouts of HeCBench and llm.c against the contracts of this folder, and prints a table: for each kernel the
# sites proved, violated, unproved, not analysed and unreachable, and seconds (the proof alone, without compiling). It fetches nothing and
# writes only results.txt beside it (or --out) and what --cache names. Each source is compiled once, by `lanewise check` itself.

set -u

usage() {
    cat <<'EOF'
usage: run.sh [options] CHECKOUT_OF_HECBENCH CHECKOUT_OF_LLMC
  --compiler NAME   clang, nvcc or both (default: both where nvcc is on the path, else clang)
  --only REGEX      contracts whose name matches, such as 'HeCBench/scan'
  --lanewise FILE   the tool (default: build/lanewise of this checkout)
  --cache DIR       keep the PTX there, and use what is there already
  --ptx DIR         take DIR/clang/HeCBench/src/x-cuda/main.ptx, DIR/nvcc/llm.c/..., where they are there, as ../corpus/compile.sh writes them
  --limit SECONDS   time limit a kernel (default 120)
  --open FILE       write there every site that was not proved, with its reason
  --out FILE        the table (default: results.txt beside this script; only with all contracts)
EOF
}

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
compilers='' only=. lanewise=$root/build/lanewise cache='' made='' limit=120 open='' out=''
while [ $# -gt 0 ]; do
    case $1 in
    --compiler | --only | --lanewise | --cache | --ptx | --limit | --open | --out)
        [ $# -ge 2 ] || { echo "run.sh: $1 needs a value" >&2; exit 2; }
        case $1 in
        --compiler) compilers=$2 ;;
        --only) only=$2 ;;
        --lanewise) lanewise=$2 ;;
        --cache) cache=$2 ;;
        --ptx) made=$2 ;;
        --limit) limit=$2 ;;
        --open) open=$2 ;;
        --out) out=$2 ;;
        esac
        shift 2 ;;
    -h | --help) usage; exit 0 ;;
    -*) echo "run.sh: unknown option $1" >&2; usage >&2; exit 2 ;;
    *) break ;;
    esac
done
[ $# -eq 2 ] || { usage >&2; exit 2; }
hecbench=$1 llmc=$2
case $compilers in
'') compilers=clang; command -v nvcc >/dev/null 2>&1 && compilers="clang nvcc" ;;
both) compilers="clang nvcc" ;;
clang | nvcc) ;;
*) echo "run.sh: compilers are clang, nvcc and both" >&2; exit 2 ;;
esac
for folder in "$hecbench" "$llmc"; do
    [ -d "$folder" ] || { echo "run.sh: no folder $folder" >&2; exit 2; }
done
[ -x "$lanewise" ] || { echo "run.sh: no $lanewise: build first" >&2; exit 2; }
hecbench=$(cd "$hecbench" && pwd) llmc=$(cd "$llmc" && pwd) lanewise=$(cd "$(dirname "$lanewise")" && pwd)/$(basename "$lanewise")
command="run.sh --compiler $(case $compilers in *' '*) echo both ;; *) echo "$compilers" ;; esac) --limit $limit$([ "$only" = . ] || echo " --only '$only'") $(basename "$hecbench") $(basename "$llmc")"
[ -z "$out" ] && [ "$only" = . ] && out=$here/results.txt

scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT INT TERM
[ -n "$cache" ] || cache=$scratch/cache
mkdir -p "$cache" && cache=$(cd "$cache" && pwd) || exit 2
[ -n "$open" ] && : >"$open"

# header KEY FILE: what a contract says of itself.
header() {
    sed -n "s/^ \* $1: *//p" "$2" | head -n 1
}

# The PTX of a source, from --ptx or the cache or made now. Sets $ptx; false if it does not compile.
compile() {
    case $name in HeCBench/*) corpus=HeCBench ;; *) corpus=llm.c ;; esac
    ptx=$made/$compiler/$corpus/$(header file "$contract" | sed 's/cu$/ptx/')
    [ -n "$made" ] && [ -s "$ptx" ] && return
    ptx=$cache/$compiler-$(printf '%s %s %s' "$1" "$2" "$3" | cksum | tr ' ' -).ptx
    [ -s "$ptx" ] && return
    # Include folders are relative to the source's folder.
    (cd "$(dirname "$1")" && "$lanewise" check --compiler "$compiler" --cflags "$2" --keep-ptx "$ptx" --kernel "$3" --quiet --exit-zero \
        --format "json=$scratch/ignored" "$(basename "$1")") >"$scratch/stdout" 2>"$scratch/stderr"
    [ -s "$ptx" ]
}

# One object of JSON: a line for the table, and lines for --open.
read_report() {
    awk -v contract="$name" -v compiler="$compiler" -v seconds="$seconds" -v open="$open" -v ids="$scratch/ids" '
        function text(line) { sub(/^[^:]*: "/, "", line); sub(/",?$/, "", line); return line }
        function close_site() {
            if (id == "") return
            if (id ~ /^LW1/) count[verdict]++
            if (id == "LW101") global[verdict]++
            print compiler "\t" id "\t" verdict >> ids
            if (open != "" && verdict != "proved" && verdict != "unreachable")
                printf "%s %s %s %s %s:%s %s: %s\n", compiler, contract, kernel, id, file, line, verdict, reason >> open
            id = ""
        }
        /^      "demangled":/ { kernel = text($0) }
        /^      "name":/ { if (kernel == "") kernel = text($0) }
        /^      "site_list":/ { inside = 1 }
        /^      "findings":/ { close_site(); inside = 0 }
        inside && /^          "id":/ { close_site(); id = text($0); reason = "" }
        inside && /^          "verdict":/ { verdict = text($0) }
        inside && /^          "file":/ { file = text($0); sub(/.*\//, "", file) }
        inside && /^          "line":/ { line = $2; sub(/,/, "", line) }
        inside && /^          "reason":/ { reason = text($0) }
        END {
            close_site()
            printf "%s\t%s\t%s", compiler, contract, kernel
            split("proved violated unproved not_analysed unreachable", names, " ")
            for (i = 1; i <= 5; i++) printf "\t%d", count[names[i]]
            for (i = 1; i <= 5; i++) printf "\t%d", global[names[i]]
            printf "\t%s\n", seconds
        }' "$1"
}

: >"$scratch/rows"
: >"$scratch/failed"
: >"$scratch/ids"
for contract in $(find "$here" -name '*.h' | LC_ALL=C sort); do
    name=${contract#"$here"/}
    name=${name%.h}
    echo "$name" | grep -qE -- "$only" || continue
    case $name in
    HeCBench/*) source=$hecbench/$(header file "$contract") ;;
    *) source=$llmc/$(header file "$contract") ;;
    esac
    flags=$(header cflags "$contract")
    for compiler in $compilers; do
        if [ ! -f "$source" ]; then
            printf '%s\t%s\tno such file\n' "$compiler" "$name" >>"$scratch/failed"
            continue
        fi
        kernels=$(header kernels "$contract")
        if ! compile "$source" "$flags" "$(echo "$kernels" | sed 's/ .*//')"; then
            printf '%s\t%s\tdoes not compile: %s\n' "$compiler" "$name" "$(grep -h -m 1 error "$scratch/stderr" "$scratch/stdout" | cut -c 1-120)" \
                >>"$scratch/failed"
            continue
        fi
        for kernel in $kernels; do
            rm -f "$scratch/report.json" "$scratch/report.txt"
            timeout "$limit" "$lanewise" check --contract "$contract" --kernel "^$kernel\$" --exit-zero --stats --max-findings 0 \
                --format "json=$scratch/report.json" --format "text=$scratch/report.txt" "$ptx" >"$scratch/stdout" 2>"$scratch/stderr"
            status=$?
            if [ $status -eq 124 ]; then
                printf '%s\t%s\t%s: not done in %s s\n' "$compiler" "$name" "$kernel" "$limit" >>"$scratch/failed"
                continue
            fi
            if [ $status -ne 0 ]; then
                printf '%s\t%s\t%s: exit %s: %s\n' "$compiler" "$name" "$kernel" $status \
                    "$(cat "$scratch/stderr" "$scratch/stdout" "$scratch/report.txt" 2>/dev/null | grep -m 1 'error' | cut -c 1-160)" >>"$scratch/failed"
                continue
            fi
            seconds=$(sed -n 's/^  proved in \([0-9.]*\) s.*/\1/p' "$scratch/report.txt" | head -n 1)
            read_report "$scratch/report.json" >>"$scratch/rows"
        done
    done
done

print_table() {
    echo "# $command"
    echo "# $("$lanewise" --version | head -n 1)"
    echo "# sites of the bounds (LW101 to LW106); in brackets those of global memory (LW101)"
    awk -F'\t' '
        function median(values, count,    i, j, key) {
            for (i = 2; i <= count; i++) {
                key = values[i]
                for (j = i - 1; j >= 1 && values[j] > key; j--) values[j + 1] = values[j]
                values[j + 1] = key
            }
            return count == 0 ? 0 : count % 2 ? values[(count + 1) / 2] : (values[count / 2] + values[count / 2 + 1]) / 2
        }
        BEGIN { printf "%-6s %-32s %-44s %10s %8s %8s %8s %8s %9s\n", "", "contract", "kernel", "proved", "violated", "unproved", "not an.", "unreach.", "seconds" }
        {
            printf "%-6s %-32s %-44s", $1, $2, substr($3, 1, 44)
            for (i = 0; i < 5; i++) {
                printf " %*s", i == 0 ? 10 : 8, $(4 + i) " (" $(9 + i) ")"
                all[$1, i] += $(4 + i); global[$1, i] += $(9 + i)
            }
            printf " %9.3f\n", $14
            kernels[$1]++
            if ($5 + $6 + $7 == 0) whole[$1]++
            times[$1, kernels[$1]] = $14 + 0
        }
        END {
            for (compiler in kernels) {
                count = kernels[compiler]
                for (i = 1; i <= count; i++) list[i] = times[compiler, i]
                sites = everywhere = 0
                for (i = 0; i < 4; i++) { sites += global[compiler, i]; everywhere += all[compiler, i] }
                printf "\n%s: %d kernels, %d of them proved whole; median %.3f s, longest %.3f s\n", compiler, count, whole[compiler], median(list, count), list[count]
                printf "  global-memory sites (LW101): %d, of them proved %d, violated %d, unproved %d, not analysed %d: %.1f %% proved or violated\n", sites,
                    global[compiler, 0], global[compiler, 1], global[compiler, 2], global[compiler, 3],
                    sites ? 100 * (global[compiler, 0] + global[compiler, 1]) / sites : 0
                printf "  all sites: %d, of them proved %d, violated %d, unproved %d, not analysed %d: %.1f %% proved or violated\n", everywhere,
                    all[compiler, 0], all[compiler, 1], all[compiler, 2], all[compiler, 3],
                    everywhere ? 100 * (all[compiler, 0] + all[compiler, 1]) / everywhere : 0
            }
        }' "$scratch/rows"
    awk -F'\t' '
        { n[$1 " " $2, $3]++; keys[$1 " " $2] = 1 }
        END {
            for (key in keys)
                printf "%s\t%d\t%d\t%d\t%d\t%d\n", key, n[key, "proved"], n[key, "violated"], n[key, "unproved"], n[key, "not_analysed"], n[key, "unreachable"]
        }' "$scratch/ids" | LC_ALL=C sort | awk -F'\t' '
        BEGIN { printf "\n%-14s %8s %8s %8s %8s %8s\n", "all sites", "proved", "violated", "unproved", "not an.", "unreach." }
        { printf "%-14s %8d %8d %8d %8d %8d\n", $1, $2, $3, $4, $5, $6 }'
    if [ -s "$scratch/failed" ]; then
        printf '\nnot proved at all:\n'
        cat "$scratch/failed"
    fi
}
print_table | tee "${out:-/dev/null}"
[ -s "$scratch/rows" ] || exit 2
