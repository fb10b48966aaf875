// SPDX-License-Identifier: Apache-2.0
// Odd and even by row, by lane and by element.
#include <lanewise/contract.h>

LW_BLOCK(5, 3, 3)
__global__ void by_row(float *y LW_SHAPE(64), float a)
{
    unsigned i = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    float v = a;
    if (threadIdx.y & 1)
        v = sqrtf(v * v + 1.0f) / (v * v + 2.0f);
    else
        v = v / (sqrtf(v * v + 3.0f) + 4.0f);
    y[i] = v;
}

__global__ void by_lane(float *y LW_SHAPE(512), float a)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = a;
    if (threadIdx.x & 1)
        v = sqrtf(v * v + 1.0f) / (v * v + 2.0f);
    else
        v = v / (sqrtf(v * v + 3.0f) + 4.0f);
    y[i] = v;
}

__global__ void one_sided(float *y LW_SHAPE(64), float a)
{
    unsigned i = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    if (threadIdx.y & 1)
        y[i] = 1.0f;
    else
        y[i] = sinf(2.0f + a);
}
