// SPDX-License-Identifier: Apache-2.0
//
// What a CUDA source sees before its first line: the compiler driver includes this file ahead of it, so that a source
// without any #include compiles as it does under nvcc. It gives the language's words, built-in variables and types, all
// device functions that need no header, the runtime API, and those headers of the C and C++ libraries that nvcc
// includes too, where they are installed. Without them it needs nothing but the compiler's own <stddef.h>.
//
// The order matters: device functions stand before the C++ library, so that the library's constexpr functions of the
// same name do not become device functions (they would call a C library that no GPU has).

#ifndef LANEWISE_SHIM_CUDA_PRELUDE_H
#define LANEWISE_SHIM_CUDA_PRELUDE_H

#include "device/macros.h"

// nvcc takes these with at most a warning; sources have them. The setting holds for the rest of the translation unit.
#pragma clang diagnostic ignored "-Wregister"
#pragma clang diagnostic ignored "-Wc++11-narrowing"
#pragma clang diagnostic ignored "-Wc++11-narrowing-const-reference"

#pragma clang system_header

#include "vector_functions.h"
#include "vector_types.h"

#include "device/builtin_variables.h"
#include "device/system.h"

#include "device/barriers.h"
#include "device/warp.h"

#include "device/atomics.h"
#include "device/ordered_atomics.h"

#include "device/integer.h"
#include "device/simd.h"

#include "device/arithmetic.h"
#include "device/conversions.h"
#include "device/math.h"
#include "device/min_max.h"

#include "device/memory.h"

#if __has_include(<stdlib.h>)
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#endif
#if __has_include(<utility>) && __has_include(<cmath>)
#include <cmath>
#include <cstdlib>
#include <new>
#include <utility>
#include <__clang_cuda_complex_builtins.h>
#endif

#include "cuda_runtime_api.h"
#include "device/texture.h"
#include "host/math.h"
#include "host/runtime_templates.h"

#endif
