#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
#   launch_slices.sh LANEWISE LIBRARY.a [BACKEND]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$1" build "$here/inputs/part.cu" -o "$folder" >/dev/null
cc -std=c11 -Wall -Wextra -Werror -I"$here/../../include" -I"$folder" -o "$folder/program" "$here/launch_slices.c" "$folder/part_kernels.c" "$2" ${CFLAGS-} -lm -ldl -pthread
"$folder/program" "${3-cpu}" | sed "s|$here/inputs/||" >"$folder/output"
cat "$folder/output"
cat >"$folder/want" <<'WANT'
5 9 -1 -1
7 8 -1
part_by_contract: requirement `count + 5 <= x.length` violated: left side is 11, right side is 10
part: fails a check: 24 is not below 10 (LW404), at part.cu:7, block (0,0,0), thread (0,0,0)
LW404, line 7, 24 of 10
WANT
diff "$folder/want" "$folder/output"
