#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The kernels in docs/findings do what their pages say: verify_pages.sh LANEWISE FOLDER [OPTIONS OF VERIFY]
# Each page has a wrong and a right kernel; those with a launch comment are taken out and verified.

set -u
tool=$1
pages=$2
shift 2
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT

for page in "$pages"/LW*.md; do
    awk -v base="$folder/$(basename "$page" .md)" '
        /^```cuda/ { file = base (++count == 1 ? "_wrong.cu" : "_right.cu"); inside = 1; next }
        /^```/ { inside = 0; next }
        inside { print >file }
        END { if (count != 2) { print base ": not two kernels"; exit 1 } }' "$page" || exit 1
done
cd "$folder" || exit 2
kernels=$(grep -l '^// kernel:' ./*.cu)
[ "$(echo "$kernels" | wc -l)" -ge 36 ] || {
    echo "too few kernels: $kernels"
    exit 1
}
# shellcheck disable=SC2086 # a list of file names without blanks
"$tool" verify "$@" $kernels
