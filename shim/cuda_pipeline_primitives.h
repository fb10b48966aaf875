// SPDX-License-Identifier: Apache-2.0
//
// __pipeline_memcpy_async, __pipeline_commit and __pipeline_wait_prior.

#ifndef LANEWISE_SHIM_CUDA_PIPELINE_PRIMITIVES_H
#define LANEWISE_SHIM_CUDA_PIPELINE_PRIMITIVES_H

#include "lanewise_cuda_prelude.h"
#include "device/async_copy.h"

#endif
