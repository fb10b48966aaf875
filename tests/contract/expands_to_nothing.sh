#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: expands_to_nothing.sh LANGUAGE INCLUDE_FOLDER HEADER
#
# Compilers take a header with every macro, and the preprocessor leaves nothing of them.

set -u
language=$1 include=$2 header=$3
[ "$language" = c ] && standard=c99 || standard=c++11
tried=0
for compiler in cc gcc clang-19; do
    command -v "$compiler" >/dev/null 2>&1 || continue
    "$compiler" -x "$language" -std=$standard -Wall -Wextra -pedantic -Werror -fsyntax-only -I"$include" "$header" || exit 1
    "$compiler" -x "$language" -std=$standard -E -P -I"$include" "$header" | grep -E 'LW_|lanewise' && exit 1
    tried=$((tried + 1))
done
[ "$tried" -gt 0 ]
