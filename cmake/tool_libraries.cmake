# SPDX-License-Identifier: Apache-2.0
#
# What the tool links and the library does not: libclang 19 (reads contracts) and Z3 (proves).  Gives CLANG_INCLUDE, CLANG_LIBRARY,
# Z3_INCLUDE and Z3_LIBRARY.

find_path(CLANG_INCLUDE clang-c/Index.h PATHS /usr/lib/llvm-19/include NO_DEFAULT_PATH)
find_path(CLANG_INCLUDE clang-c/Index.h)
find_library(CLANG_LIBRARY NAMES clang-19 PATHS /usr/lib/llvm-19/lib)
find_library(CLANG_LIBRARY NAMES clang)
if(NOT CLANG_INCLUDE OR NOT CLANG_LIBRARY)
  message(FATAL_ERROR "libclang 19 not found (Debian: libclang-19-dev)")
endif()

find_path(Z3_INCLUDE z3.h PATH_SUFFIXES z3)
find_library(Z3_LIBRARY z3)
if(NOT Z3_INCLUDE OR NOT Z3_LIBRARY)
  message(FATAL_ERROR "Z3 not found (Debian: libz3-dev)")
endif()
