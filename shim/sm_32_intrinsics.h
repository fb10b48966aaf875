// SPDX-License-Identifier: Apache-2.0
//
// Part of what nvcc includes of its own accord; here all of it is in the prelude.

#include "lanewise_cuda_prelude.h"
