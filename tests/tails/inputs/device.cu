// SPDX-License-Identifier: Apache-2.0
// One kernel that is right, and faults that a device shows: outside, left out, wrong, without end.
#include <lanewise/contract.h>
#define KERNEL extern "C" __global__

LW_BLOCK(128) LW_DOMAIN(n) LW_REQUIRES(n <= 100000)
KERNEL void off(int n, const float *x LW_SHAPE(n), float *y LW_SHAPE(n))
{
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i <= n)
        y[i] = x[i < n ? i : 0];
}

LW_BLOCK(128) LW_DOMAIN(n) LW_REQUIRES(n <= 100000)
KERNEL void miss(int n, const float *x LW_SHAPE(n), float *y LW_SHAPE(n) LW_WRITES_ALL)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n - 1)
        y[i] = x[i];
}

LW_REFERENCE(wrong)
void wrong_reference(int n, const float *x, float *y)
{
    for (int i = 0; i < n; i++)
        y[i] = 2 * x[i];
}

LW_BLOCK(128) LW_DOMAIN(n) LW_REQUIRES(n <= 100000)
KERNEL void wrong(int n, const float *x LW_SHAPE(n), float *y LW_SHAPE(n) LW_WRITES_ALL)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n)
        y[i] = i == 77 ? 0 : 2 * x[i];
}

LW_BLOCK(128) LW_DOMAIN(n) LW_REQUIRES(n <= 100000)
KERNEL void right(int n, const float *x LW_SHAPE(n), float *y LW_SHAPE(n) LW_WRITES_ALL)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n)
        y[i] = x[i] * 3.0f + 1.0f;
}
