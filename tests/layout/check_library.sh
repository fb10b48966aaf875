#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: check_library.sh LIBLANEWISE.A
#
# The library refers to neither Z3 nor libclang, does not print or exit, and holds no global state that can change.

set -u
library=$1
bad=0
allowed_state='^fail_countdown$' # base/arena.c: failure injection, one a thread

refers=$(nm -u "$library" | awk 'NF == 2 { print $2 }' | sort -u)
printf '%s\n' "$refers" | grep -E '^(Z3_|clang_)' && {
    echo "the library refers to Z3 or libclang"
    bad=1
}
printf '%s\n' "$refers" | grep -E '^(printf|puts|putchar|vprintf|perror|stdout|stderr|exit|_exit|_Exit|quick_exit)$' && {
    echo "the library prints or exits"
    bad=1
}
# Writable data: .data and .bss (and their thread-local forms), without tables of addresses that are constant once loaded.
state=$(objdump -t "$library" | awk '$2 ~ /O/ || $3 ~ /O/ {
    for (i = 2; i < NF; i++)
        if ($i ~ /^\.(data|bss|tdata|tbss)(\..*)?$/ && $i !~ /^\.data\.rel\.ro/)
            print $NF
}' | sed 's/\.[0-9]*$//' | sort -u | grep -v -E "$allowed_state" | tr '\n' ' ')
[ -n "$state" ] && {
    echo "global state that can change: $state"
    bad=1
}
exit "$bad"
