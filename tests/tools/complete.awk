# SPDX-License-Identifier: Apache-2.0
#
# awk -v word=LW_WRITES_ALL -v number=N -f complete.awk FILE.cu: the file with `word` behind the shape of the N-th array that the kernel
# may write; exit 1 when there is none, or it has the word.  For mutants.sh: what a contract may still promise.

# The end of the parenthesis that opens at `from`.
function closing(text, from,    depth, at, c) {
    for (at = from; at <= length(text); at++) {
        c = substr(text, at, 1)
        depth += (c == "(") - (c == ")")
        if (depth == 0)
            return at
    }
    return 0
}

/^[ \t]*\/\// || /^#/ || done { print; next }
/__global__/ { in_head = 1 }
{
    line = $0
    at = 1
    while (in_head && !done && match(substr(line, at), /[A-Za-z_0-9]+ (\*|\*__restrict__ )[A-Za-z_0-9]+ LW_(SHAPE|PITCHED)\(/)) {
        start = at + RSTART - 1
        end = closing(line, start + RLENGTH - 1)
        if (end == 0)
            break
        before = substr(line, 1, start - 1)
        rest = substr(line, end + 1)
        at = end + 1
        own = rest
        sub(/[*].*/, "", own)
        if (before !~ /const $/ && ++seen == number) {
            if (index(own, word) != 0)
                exit 1
            line = substr(line, 1, end) " " word rest
            done = 1
        }
    }
    if ($0 ~ /^{/ || $0 ~ /\) *{/)
        in_head = 0
    print line
}
END { exit !done }
