#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: check_install.sh CMAKE BUILD_FOLDER
#
# Installs into a scratch folder, moves that elsewhere, and expects the tool to work from there with its own headers.

set -u
cmake=$1
build=$2
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT

fail() {
    echo "$*"
    exit 1
}

"$cmake" --install "$build" --prefix "$scratch/first" >"$scratch/log" 2>&1 || fail "cannot install: $(cat "$scratch/log")"
mv "$scratch/first" "$scratch/moved"
cd "$scratch/moved" || exit 2
for file in bin/lanewise share/man/man1/lanewise.1 share/bash-completion/completions/lanewise \
    share/lanewise/shim/cuda_runtime.h share/doc/lanewise/LICENSE; do
    [ -s "$file" ] || fail "$file is missing or empty"
done

# A mark in the installed headers shows that they are the ones in use.
echo '#define LANEWISE_INSTALLED_MARK 1' >>share/lanewise/shim/cuda_runtime.h
cat >mark.cu <<'KERNEL'
// kernel: mark
// grid: 1 1 1
// block: 32 1 1
// arg out: buf i32 len=32 io=out want=1
#include <cuda_runtime.h>
__global__ void mark(int *out)
{
    out[threadIdx.x] = LANEWISE_INSTALLED_MARK;
}
KERNEL
bin/lanewise run mark.cu || fail "the installed tool ended with status $?"
