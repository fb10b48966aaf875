/* SPDX-License-Identifier: Apache-2.0 */
#include <lanewise/contract.h>

LW_BLOCK(32)
LW_REQUIRES(n >= 1,
            m >= 1)
__global__ void scale(float *a LW_SHAPE(n), int n);
