// SPDX-License-Identifier: Apache-2.0
// What --split cuts, and what it must not cut.
#include <lanewise/contract.h>

#define KERNEL extern "C" __global__

LW_BLOCK(256) LW_DOMAIN(n) LW_REQUIRES(n <= 2147483391)
KERNEL void scale(unsigned n, float f, const float *x LW_SHAPE(n), float *y LW_SHAPE(n))
{
    unsigned i = blockIdx.x * 256 + threadIdx.x;
    if (i < n)
        y[i] = f * x[i];
}

// The block is the launch's own, the grid is looked at.
LW_DOMAIN(n) LW_REQUIRES(n >= 0, n <= 1000000000)
KERNEL void places(int n, int *y LW_SHAPE(n))
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    y[i] = i * 7 + gridDim.x * 1000 + blockDim.x * 100000 + blockIdx.x;
}

LW_BLOCK(32, 8) LW_DOMAIN(w, h) LW_REQUIRES(w >= 0, h >= 0, w * h <= 1073741824)
KERNEL void stencil(int w, int h, const float *in LW_SHAPE(h, w), float *out LW_SHAPE(h, w))
{
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x < w && y < h) {
        int left = x > 0 ? x - 1 : x, right = x < w - 1 ? x + 1 : x;
        out[y * w + x] = in[y * w + x] + in[y * w + left] * 0.5f + in[y * w + right] * 0.25f + gridDim.y;
    }
}

LW_BLOCK(8, 4, 4) LW_DOMAIN(a, b, c) LW_REQUIRES(a >= 0, b >= 0, c >= 0, a <= 1000, b <= 1000, c <= 1000)
KERNEL void volume(int a, int b, int c, const float *in LW_SHAPE(c, b, a), float *out LW_SHAPE(c, b, a))
{
    int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y, z = blockIdx.z * 4 + threadIdx.z;
    if (x >= a || y >= b || z >= c)
        return;
    out[(z * b + y) * a + x] = in[(z * b + y) * a + x] * 3.0f + blockIdx.z;
}

// All threads of the last block meet at the barrier: its tail keeps them.
LW_BLOCK(256) LW_DOMAIN(n) LW_REQUIRES(n <= 2147483391)
KERNEL void block_sum(unsigned n, const float *in LW_SHAPE(n), float *out LW_SHAPE(grid.x))
{
    __shared__ float s[256];
    unsigned t = threadIdx.x, i = blockIdx.x * 256 + t;
    s[t] = i < n ? in[i] : 0.0f;
    __syncthreads();
    for (unsigned half = 128; half > 0; half /= 2) {
        if (t < half)
            s[t] += s[t + half];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = s[0];
}

LW_BLOCK(16, 16) LW_DOMAIN(n, m) LW_REQUIRES(m >= 0, n >= 0, k >= 0, m <= 10000, n <= 10000, k <= 10000)
KERNEL void tiled(int m, int n, int k, const float *a LW_SHAPE(m, k), const float *b LW_SHAPE(k, n), float *c LW_SHAPE(m, n))
{
    __shared__ float ta[16][16], tb[16][17];
    int x = threadIdx.x, y = threadIdx.y, col = blockIdx.x * 16 + x, row = blockIdx.y * 16 + y;
    float sum = 0.0f;
    for (int t = 0; t < k; t += 16) {
        ta[y][x] = row < m && t + x < k ? a[row * k + t + x] : 0.0f;
        tb[y][x] = col < n && t + y < k ? b[(t + y) * n + col] : 0.0f;
        __syncthreads();
        for (int i = 0; i < 16; i++)
            sum += ta[y][i] * tb[i][x];
        __syncthreads();
    }
    if (row < m && col < n)
        c[row * n + col] = sum;
}

// Lanes exchange values.
LW_BLOCK(64) LW_DOMAIN(n) LW_REQUIRES(n <= 2147483391)
KERNEL void neighbours(unsigned n, const int *x LW_SHAPE(n), int *y LW_SHAPE(n))
{
    unsigned i = blockIdx.x * 64 + threadIdx.x;
    int mine = i < n ? x[i] : 0, next = __shfl_down_sync(0xffffffffu, mine, 1);
    if (i < n)
        y[i] = next - mine;
}

// A check stays in all three.
LW_BLOCK(256) LW_DOMAIN(n) LW_REQUIRES(n <= 2147483391)
KERNEL void gather(unsigned n, unsigned cols, const unsigned *at LW_SHAPE(n), const float *x LW_SHAPE(cols), float *y LW_SHAPE(n))
{
    unsigned i = blockIdx.x * 256 + threadIdx.x;
    if (i < n)
        y[i] = x[at[i]];
}

// One thread past the end does something: it must not be left out.
LW_BLOCK(256) LW_DOMAIN(n) LW_REQUIRES(n <= 2147483391)
KERNEL void one_more(unsigned n, const int *x LW_SHAPE(n), int *y LW_SHAPE(n + 1))
{
    unsigned i = blockIdx.x * 256 + threadIdx.x;
    if (i <= n)
        y[i] = i < n ? x[i] : -1;
}

LW_BLOCK(256) LW_DOMAIN(n) LW_REQUIRES(n <= 2147483391)
KERNEL void histogram(unsigned n, unsigned bins, const unsigned *key LW_SHAPE(n) LW_VALUES(0, bins), unsigned *count LW_SHAPE(bins))
{
    unsigned i = blockIdx.x * 256 + threadIdx.x;
    if (i < n)
        atomicAdd(&count[key[i]], 1u);
}

// ---- these stay whole

LW_BLOCK(256) LW_DOMAIN(n) LW_REQUIRES(n <= 2147483391)
KERNEL void tickets(unsigned n, unsigned *count LW_SHAPE(1), unsigned *y LW_SHAPE(n))
{
    unsigned i = blockIdx.x * 256 + threadIdx.x;
    if (i < n)
        y[i] = atomicAdd(count, 1u);
}

LW_BLOCK(256) LW_DOMAIN(n) LW_REQUIRES(n <= 2147483391)
KERNEL void waits(unsigned n, const volatile unsigned *flag LW_SHAPE(1), unsigned *y LW_SHAPE(n))
{
    unsigned i = blockIdx.x * 256 + threadIdx.x;
    if (i < n)
        y[i] = flag[0];
}

// As a grid barrier does.
LW_BLOCK(256) LW_DOMAIN(n) LW_REQUIRES(n <= 2147483391)
KERNEL void environment(unsigned n, unsigned *y LW_SHAPE(n))
{
    unsigned i = blockIdx.x * 256 + threadIdx.x, word;
    asm("mov.u32 %0, %%envreg2;" : "=r"(word));
    if (i < n)
        y[i] = word;
}

LW_BLOCK(256) LW_REQUIRES(n <= 2147483391, grid.x == (n + 255) / 256)
KERNEL void no_domain(unsigned n, unsigned *y LW_SHAPE(n))
{
    unsigned i = blockIdx.x * 256 + threadIdx.x;
    if (i < n)
        y[i] = i;
}

LW_BLOCK(256) LW_DOMAIN(n) LW_REQUIRES(n % 256 == 0, n <= 2147483391)
KERNEL void no_test(unsigned n, unsigned *y LW_SHAPE(n))
{
    y[blockIdx.x * 256 + threadIdx.x] = 1;
}

__device__ __noinline__ unsigned place_of(unsigned n)
{
    unsigned i = blockIdx.x * 256 + threadIdx.x;
    return i < n ? i : 0xffffffffu;
}

LW_BLOCK(256) LW_DOMAIN(n) LW_REQUIRES(n <= 2147483391)
KERNEL void calls(unsigned n, unsigned *y LW_SHAPE(n))
{
    unsigned i = place_of(n);
    if (i < n)
        y[i] = i;
}
