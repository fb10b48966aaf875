#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: check_layout.sh RULE ROOT
#
#   licences   every source, header, script and build file has an SPDX line in its first five lines
#   includes   imports go one way: down the list in modules.txt, and only public headers cross
#   lengths    no C file is longer than 600 lines, unless long_files.txt says why
#   words      no word that marks unfinished work
#   links      relative links of the documentation lead somewhere, and every page of docs/ can be reached from its index

set -u
rule=$1
here=$(cd "$(dirname "$0")" && pwd)
cd "$2" || exit 2
list=$(mktemp) || exit 2
trap 'rm -f "$list"' EXIT

# Data of tests and generated files are not ours to judge.
list_files() {
    find src include shim tests bench cmake CMakeLists.txt dev .ci .clang-format -type f 2>/dev/null |
        grep -v -e '^tests/layout/check_layout\.sh$' | sort
}

fail() {
    printf '%s\n' "$*"
    bad=1
}

bad=0
case $rule in
licences)
    list_files | grep -E '(\.[ch]|\.def|\.sh|\.awk|\.cmake|\.in|CMakeLists\.txt|/run|^dev|\.clang-format)$' >"$list"
    # shellcheck disable=SC2046 # our paths have no blanks
    awk '
        FNR == 1 { have[FILENAME] = 0; names[++count] = FILENAME }
        FNR <= 5 && /SPDX-License-Identifier: / { have[FILENAME] = 1 }
        END {
            for (i = 1; i <= count; i++)
                if (!have[names[i]]) {
                    print names[i] ":1: no SPDX line in the first five lines"
                    bad = 1
                }
            exit bad
        }
    ' $(cat "$list") || bad=1
    ;;
includes)
    find src -name '*.[ch]' | sort >"$list"
    # shellcheck disable=SC2046 # our paths have no blanks
    awk '
        FNR == NR {
            if ($0 !~ /^#/ && NF)
                level[$1] = ++levels
            next
        }
        FNR == 1 {
            split(FILENAME, part, "/")
            module = part[2]
            if (!(module in level)) {
                print FILENAME ":1: the folder " module " is not in modules.txt"
                bad = 1
            }
        }
        /^[ \t]*#[ \t]*include[ \t]*"/ {
            target = $0
            sub(/^[^"]*"/, "", target)
            sub(/".*/, "", target)
            if (target !~ /\//)
                next # a neighbour
            split(target, to, "/")
            if (!(to[1] in level) || to[1] == module)
                next # include/ and the module itself
            if (level[to[1]] > level[module]) {
                print FILENAME ":" FNR ": " module " includes \"" target "\", but " to[1] " stands on top of it"
                bad = 1
            } else if (target !~ /\.def$/ && target != to[1] "/" to[1] ".h") {
                print FILENAME ":" FNR ": \"" target "\" is private to " to[1]
                bad = 1
            }
        }
        /^[ \t]*#[ \t]*include[ \t]*<(z3|clang-c\/)/ && level[module] < level["source"] {
            print FILENAME ":" FNR ": the library uses neither Z3 nor libclang"
            bad = 1
        }
        END { exit bad }
    ' "$here/modules.txt" $(cat "$list") || bad=1
    ;;
lengths)
    find src include shim tests bench -name '*.[ch]' -type f 2>/dev/null | sort >"$list"
    # shellcheck disable=SC2046
    long=$(wc -l $(cat "$list") | awk '$2 != "total" && $1 > 600' | while read -r lines file; do
        grep -q "^${file}[ 	]*[^ 	]" "$here/long_files.txt" || echo "$file:600: $lines lines, and long_files.txt gives no reason"
    done)
    [ -n "$long" ] && fail "$long"
    grep -v '^#' "$here/long_files.txt" | while read -r file _; do
        [ -f "$file" ] && [ "$(wc -l <"$file")" -gt 600 ] || echo "$file"
    done >"$list"
    [ -s "$list" ] && fail "long_files.txt names files that are not that long (any more): $(tr '\n' ' ' <"$list")"
    ;;
words)
    list_files | grep -E '\.([ch]|def|sh|awk|cmake|cu)$|CMakeLists\.txt$' | grep -v '^tests/layout/' |
        xargs grep -nEw 'TODO|FIXME|XXX|HACK|stub|placeholder' && bad=1
    ;;
links)
    find . -maxdepth 1 -name '*.md' >"$list"
    find docs examples bench tests -name '*.md' >>"$list"
    linked=$(mktemp) || exit 2
    while read -r file; do
        folder=$(dirname "$file")
        grep -oE '\]\([^)#: ]+' "$file" | cut -c3- | while read -r target; do
            if [ -e "$folder/$target" ]; then
                echo "$folder/$target" | sed "s,^\\./,,g" >>"$linked"
            else
                echo "$file: the link $target leads nowhere"
            fi
        done
    done <"$list" >"$linked.broken"
    find docs -maxdepth 1 -name '*.md' ! -name README.md | while read -r page; do
        grep -qxF "$page" "$linked" || echo "docs/README.md: $page is not linked from anywhere"
    done >>"$linked.broken"
    [ -s "$linked.broken" ] && fail "$(cat "$linked.broken")"
    rm -f "$linked" "$linked.broken"
    ;;
*)
    fail "unknown rule: $rule"
    ;;
esac
exit "$bad"
