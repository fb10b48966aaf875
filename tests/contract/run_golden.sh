#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: run_golden.sh PRINT_CONTRACTS FILE.cu [OPTIONS]
#
# The contracts of FILE.cu, or what is wrong with them, must be as FILE.want has them.  A first line `// with: OPTIONS` adds options.
# Mangled names are left out: compilers differ in them.  `LANEWISE_UPDATE=1` writes FILE.want.

set -u
program=$1
folder=$(dirname "$2")
name=$(basename "$2" .cu)
shift 2
cd "$folder" || exit 2
options=$(sed -n '1s/^\/\/ with: //p' "$name.cu")
# shellcheck disable=SC2086 # options are words
got=$("$program" "$@" $options "$name.cu" 2>&1)
status=$?
got=$(printf '%s\n' "$got" | sed 's/^\(kernel .*\) \[[^]]*\]/\1/')
[ "${LANEWISE_UPDATE:-0}" = 1 ] && printf '%s\n' "$got" >"$name.want"
if [ "$got" != "$(cat "$name.want")" ]; then
    printf '%s\n' "$got" | diff -u "$name.want" -
    exit 1
fi
case $folder in
*bad) [ "$status" = 1 ] ;;
*) [ "$status" = 0 ] ;;
esac || {
    echo "exit status $status"
    exit 1
}
