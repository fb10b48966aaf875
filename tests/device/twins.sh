#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The kernels of examples/gemm_views/gemm.cu and their raw twins: the same branches of each use, the same loads, stores and barriers, no trap,
# results of the same bits.
#
#   twins.sh LANEWISE FILE COMPILER
set -u
tool=$1 file=$2 compiler=$3
failed=0
for kind in naive tiled; do
    table=$("$tool" twin --compiler "$compiler" "$file:${kind}_views" "$file:${kind}_raw") || failed=1
    echo "$table"
    # A row of the first part is NAME COUNT COUNT [DIFFERENCE]; loops come after it.
    echo "$table" | awk -v kind="$kind" '
        /^  loop/ { loops = 1 }
        /^  (branches|loads|stores|barriers|traps|divisions)/ && !loops {
            rows++
            if ($0 ~ /[+-][0-9]+$/) { print kind ": differs: " $0; bad = 1 }
        }
        /trap/ { print kind ": has a trap"; bad = 1 }
        /with the same bits/ { same = 1 }
        END { exit !(rows >= 4 && same && !bad) }' || failed=1
done
exit "$failed"
