#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Makes FOLDER/raw.ptx, checked.ptx and all.ptx out of kernels.cu; needs no GPU.
#   prepare.sh FOLDER [LANEWISE]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
folder=${1:?usage: prepare.sh FOLDER [LANEWISE]}
lanewise=${2:-$here/../../build/lanewise}
mkdir -p "$folder/out"
"$lanewise" build "$here/kernels.cu" -o "$folder/out" --keep-ptx "$folder/raw.ptx" >"$folder/report.txt" || [ $? -eq 1 ]
mv "$folder/out/kernels.ptx" "$folder/checked.ptx"
"$lanewise" build --check-all "$here/kernels.cu" -o "$folder/out" >"$folder/report_all.txt" || [ $? -eq 1 ]
mv "$folder/out/kernels.ptx" "$folder/all.ptx"
