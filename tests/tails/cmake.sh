#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: cmake.sh LANEWISE: a project that uses lanewise_add_test: clean kernels pass, wrong ones fail, also in parts.

set -u
tool=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
cat >"$folder/CMakeLists.txt" <<TEXT
cmake_minimum_required(VERSION 3.25)
project(uses_lanewise LANGUAGES NONE)
enable_testing()
include($here/../../cmake/lanewise.cmake)
lanewise_add_test(NAME scale FILE $here/inputs/scale.cu SHARDS 2)
lanewise_add_test(NAME pairs FILE $here/inputs/missing.cu OPTIONS --kernel pairs)
TEXT
cmake -S "$folder" -B "$folder/build" -DLANEWISE_EXECUTABLE="$tool" >"$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
ctest --test-dir "$folder/build" >"$folder/log" 2>&1
grep -q 'scale-1 .*Passed' "$folder/log" && grep -q 'scale-2 .*Passed' "$folder/log" && grep -q 'pairs .*Failed' "$folder/log" ||
    { cat "$folder/log"; exit 1; }
