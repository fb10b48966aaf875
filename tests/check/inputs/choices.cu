// SPDX-License-Identifier: Apache-2.0
// A 32-bit index that is a number from memory or one more: read as signed it fits where something larger was seen, read as unsigned it need not.
#include <lanewise/contract.h>
#define KERNEL extern "C" __global__

LW_BLOCK(256) LW_DOMAIN(n) LW_REQUIRES(n >= 0, n <= 2147483391)
KERNEL void leaves(int n, const unsigned *start LW_SHAPE(n), const int *c LW_SHAPE(n), const float *x, float *y LW_SHAPE(n))
{
    int row = blockIdx.x * 256 + threadIdx.x;
    if (row < n) {
        unsigned s = start[row];
        if (s >= 10u && s <= 0x80000005u) {
            if (c[row]) {
                s = s + 1;
                y[row] = 1;
            }
            y[row] += x[(int)s];
        }
    }
}

LW_BLOCK(256) LW_DOMAIN(n) LW_REQUIRES(n >= 0, n <= 2147483391)
KERNEL void fits(int n, const int *start LW_SHAPE(n), const int *c LW_SHAPE(n), const float *x, float *y LW_SHAPE(n))
{
    int row = blockIdx.x * 256 + threadIdx.x;
    if (row < n) {
        int s = start[row];
        if (s < c[row]) {
            if (c[row] & 1) {
                s = s + 1;
                y[row] = 1;
            }
            y[row] += x[s];
        }
    }
}
