# SPDX-License-Identifier: Apache-2.0
#
# Prints the preprocessor flags (-I, -D, -std and the two nvcc language switches) that a Makefile gives to its compiler,
# one a line. It reads what the corpora use: assignments, +=, ifeq/ifneq/ifdef with else and endif, $(NAME), and recipe
# lines that compile. It runs nothing; shell functions and patterns expand to nothing, and a flag that still holds a
# variable nobody sets is dropped.

function trim(text) {
    gsub(/^[ \t]+|[ \t]+$/, "", text)
    return text
}

function expand(text,    depth, before, name, after) {
    for (depth = 0; depth < 200 && match(text, /\$(\([A-Za-z0-9_.-]+\)|\{[A-Za-z0-9_.-]+\})/); depth++) {
        before = substr(text, 1, RSTART - 1)
        name = substr(text, RSTART + 2, RLENGTH - 3)
        after = substr(text, RSTART + RLENGTH)
        if (!(name in value)) unset_seen = 1
        text = before ((name in value) ? value[name] : "\001") after
    }
    return text
}

# A condition is true when both sides are the same text after expansion.
function condition_holds(line,    sides, inner) {
    if (line ~ /^ifdef|^ifndef/) {
        inner = trim(substr(line, index(line, " ")))
        return (line ~ /^ifdef/) == ((inner in value) && value[inner] != "")
    }
    inner = line
    sub(/^ifn?eq[ \t]*/, "", inner)
    if (inner ~ /^\(/) {
        inner = substr(inner, 2)
        sub(/\)[ \t]*$/, "", inner)
        split(inner, sides, ",")
    } else {
        gsub(/"[ \t]+"/, "\002", inner)
        gsub(/"/, "", inner)
        split(inner, sides, "\002")
    }
    sides[1] = trim(expand(sides[1]))
    sides[2] = trim(expand(sides[2]))
    gsub(/\001/, "", sides[1])
    gsub(/\001/, "", sides[2])
    return (line ~ /^ifeq/) == (sides[1] == sides[2])
}

function take_flags(text,    words, count, i, word) {
    text = expand(text)
    gsub(/-I[ \t]+/, "-I", text)
    gsub(/-D[ \t]+/, "-D", text)
    gsub(/--std/, "-std", text)
    count = split(text, words, /[ \t]+/)
    for (i = 1; i <= count; i++) {
        word = words[i]
        if (word !~ /^(-I.|-D.|-std=|--?extended-lambda|--?expt-extended-lambda|--?expt-relaxed-constexpr|--?use_fast_math)/) continue
        if (word ~ /\001/ || word ~ /\$/ || (word in printed)) continue
        printed[word] = 1
        print word
    }
}

function take_line(line,    name, operator, text) {
    if (line ~ /^\t/) {
        if (line ~ / -c( |$)/ || line ~ /\.cu( |$)/) take_flags(line)
        return
    }
    sub(/^[ \t]*(override|export)[ \t]+/, "", line)
    if (match(line, /^[ \t]*[A-Za-z0-9_.-]+[ \t]*(:=|::=|\+=|\?=|=)/)) {
        name = substr(line, RSTART, RLENGTH)
        text = trim(substr(line, RSTART + RLENGTH))
        match(name, /(:=|::=|\+=|\?=|=)$/)
        operator = substr(name, RSTART)
        name = trim(substr(name, 1, RSTART - 1))
        if (operator == "+=") value[name] = value[name] " " text
        else if (operator != "?=" || !(name in value)) value[name] = text
        order[++assigned] = name
    }
}

BEGIN { active = 1 }

{
    sub(/\r$/, "")
    held = held $0
    if (held ~ /\\$/) {
        sub(/\\$/, " ", held)
        next
    }
    line = held
    held = ""
    sub(/(^|[ \t])#.*$/, "", line)
    stripped = trim(line)
    if (stripped ~ /^(ifeq|ifneq|ifdef|ifndef)([ \t(]|$)/) {
        saved[++level] = active
        taken[level] = active && condition_holds(stripped)
        active = taken[level]
        next
    }
    if (stripped ~ /^else([ \t]|$)/ && level > 0) {
        sub(/^else[ \t]*/, "", stripped)
        active = saved[level] && !taken[level] && (stripped == "" || condition_holds(stripped))
        taken[level] = taken[level] || active
        next
    }
    if (stripped ~ /^endif/ && level > 0) {
        active = saved[level--]
        next
    }
    if (active) lines[++count] = line
    # Assignments must act at once: conditions that follow read them.
    if (active && line !~ /^\t/) take_line(line)
}

END {
    for (i = 1; i <= assigned; i++)
        if (order[i] ~ /FLAGS|INC|DEF|OPT|CXX|NVCC|SPEC|TIMER|OUTPUT|TEST/ && order[i] !~ /^LD/) take_flags(value[order[i]])
    for (i = 1; i <= count; i++)
        if (lines[i] ~ /^\t/) take_line(lines[i])
}
