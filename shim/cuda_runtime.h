// SPDX-License-Identifier: Apache-2.0
//
// What nvcc includes of its own accord: device side and runtime API. The compiler driver has included it already.

#include "lanewise_cuda_prelude.h"
