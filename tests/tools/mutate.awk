# SPDX-License-Identifier: Apache-2.0
#
# awk -v kind=NAME -v number=N -f mutate.awk FILE.cu: the file with the N-th place of that kind changed; exit 1 when there is none.
# Comments stay as they are.  Kinds: see mutants.sh.

function change(line, pattern, replacement,    start, size, head, rest) {
    head = ""
    rest = line
    while (match(rest, pattern)) {
        start = RSTART
        size = RLENGTH
        if (++seen == number) {
            done = 1
            return head substr(rest, 1, start - 1) with(substr(rest, start, size), replacement) substr(rest, start + size)
        }
        head = head substr(rest, 1, start + size - 1)
        rest = substr(rest, start + size)
    }
    return line
}

# `&le` in a replacement: the match with its `<` as `<=`.
function with(text, replacement) {
    if (replacement == "&le")
        sub(/</, "<=", text)
    else if (replacement == "&true")
        sub(/\(.*\)/, "(true)", text)
    else if (replacement == "&clamp")
        sub(/\?.*/, "", text)
    else
        text = replacement
    return text
}

BEGIN {
    body = 0
    word = "[A-Za-z_][A-Za-z_0-9.]*"
}
/^[ \t]*\/\// || /^LW_/ || /^#/ { print; next }
/__global__/ { body = 1 }
{
    line = $0
    if (!done && body && $0 !~ /__global__/) {
        if (kind == "guard-le" && line !~ /for \(/)
            line = change(line, word "( [-+*] [A-Za-z_0-9]+)* < " word, "&le")
        else if (kind == "guard-dropped")
            line = change(line, "if \\([^()]* < [^()]*\\)", "&true")
        else if (kind == "fill-changed") {
            line = change(line, ": 0\\.0f[;,)]", ": 1.0f;")
            if (!done)
                line = change(line, ": 0;", ": 1;")
            if (!done)
                line = change(line, ": __int_as_float\\(0xff800000\\)", ": 0.0f")
        } else if (kind == "narrowed") {
            line = change(line, "\\(size_t\\)|\\(long long\\)", "(int)")
            if (!done)
                line = change(line, "size_t |long long ", "int ")
        } else if (kind == "clamp-dropped") {
            line = change(line, word " > 0 \\? " word " - 1 : 0", "(int)threadIdx.x - 1")
            if (!done)
                line = change(line, word " (\\+ 1 )?< [^?;]*\\? " word " \\+ 1 : [^;,)]*", "(int)threadIdx.x + 1")
        } else if (kind == "row-dropped")
            line = change(line, " && " word "( [-+*] [A-Za-z_0-9]+)* < " word "( [-+*] [A-Za-z_0-9]+)*", "")
        else if (kind == "block-fixed")
            line = change(line, "blockDim\\.x", "48")
        else if (kind == "mask-widened")
            line = change(line, "__activemask\\(\\)|mask,|0x0000ffffu?", "0xffffffffu,")
        else if (kind == "sync-removed")
            line = change(line, "__sync(threads|warp)\\([^)]*\\);", ";")
        else if (kind == "early-return" && line ~ /__syncthreads\(\);/ && ++seen == number) {
            done = 1
            line = "    if (threadIdx.x == 5) return;\n" line
        }
    }
    print line
}
END { exit !done }
