// SPDX-License-Identifier: Apache-2.0
// case: four_a_thread
// verdict: proved
// why: four elements a thread, each with its own guard
#include <lanewise/contract.h>

LW_BLOCK(256) LW_DOMAIN((n + 3) / 4) LW_REQUIRES(n >= 1, n <= 1000000000)
__global__ void four(float *y LW_SHAPE(n), const float *x LW_SHAPE(n), int n)
{
    int base = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
    for (int k = 0; k < 4; k++)
        if (base + k < n)
            y[base + k] = 2 * x[base + k];
}
