#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: check_installed.sh CMAKE BUILD_FOLDER SOURCE_FOLDER
#
# Installs under DESTDIR, builds host programs from there (CMake with the shared library, pkg-config with either), and runs them on the CPU; on a
# GPU too where there is one.

set -u
cmake=$1 build=$2 source=$3
here=$source/tests/library
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT

fail() {
    echo "$*"
    exit 1
}

command -v "${LANEWISE_CLANG:-clang-19}" >/dev/null || command -v clang >/dev/null || { echo "skipped: no clang"; exit 0; }
DESTDIR=$scratch/root "$cmake" --install "$build" --prefix /usr >"$scratch/log" 2>&1 || fail "cannot install: $(cat "$scratch/log")"
prefix=$scratch/root/usr

# CMake, twice: a program of its own, and the examples of the documentation.
for project in tests/library/project examples/host_sgemm examples/split_launch; do
    name=$(basename "$project")
    "$cmake" -S "$source/$project" -B "$scratch/$name" -DCMAKE_PREFIX_PATH="$prefix" >"$scratch/log" 2>&1 &&
        "$cmake" --build "$scratch/$name" >"$scratch/log" 2>&1 || fail "$project: $(cat "$scratch/log")"
done
"$scratch/project/host" >"$scratch/output" 2>&1 || fail "$(grep -v ': ok$' "$scratch/output")"
for name in host_sgemm split_launch; do
    "$scratch/$name/$name" >"$scratch/output" 2>&1 || fail "$name: $(cat "$scratch/output")"
done
"$scratch/project/host" --device cuda >"$scratch/output" 2>&1
status=$?
[ "$status" -eq 0 ] || [ "$status" -eq 5 ] || fail "on the GPU: $(grep -v ': ok$' "$scratch/output")"
[ "$status" -eq 5 ] && echo "no GPU here: $(head -n 1 "$scratch/output")"

# pkg-config, shared and static.
command -v pkg-config >/dev/null || exit 0
PKG_CONFIG_PATH=$prefix/lib/pkgconfig
export PKG_CONFIG_PATH
"$prefix/bin/lanewise" build "$here/kernels.cu" -o "$scratch/kernels" -q || fail "lanewise build ended with $?"
for kind in '' --static; do
    flags=$(pkg-config --define-prefix --cflags --libs $kind lanewise) || fail "pkg-config"
    [ "$kind" = --static ] && flags=$(echo "$flags" | sed "s#-llanewise#$prefix/lib/liblanewise.a#")
    # shellcheck disable=SC2086 # flags are words
    cc -std=c99 -Wall -Wextra -Wpedantic -Werror -I"$scratch/kernels" "$here/host.c" "$scratch/kernels/kernels_kernels.c" $flags \
        -o "$scratch/host$kind" || fail "cc with $flags"
    LD_LIBRARY_PATH=$prefix/lib "$scratch/host$kind" >"$scratch/output" 2>&1 || fail "$(grep -v ': ok$' "$scratch/output")"
done
