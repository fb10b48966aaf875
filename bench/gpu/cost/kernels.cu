// SPDX-License-Identifier: Apache-2.0
//
// Ten kernels (and one that cannot agree, at the end) whose counts are compared: `lanewise cost` of each (launches.txt) beside what a profiler reads when this file, compiled by nvcc with
// -DWITH_MAIN, launches them on a GPU.  Arrays hold the same numbers in both.
#include <lanewise/contract.h>

LW_DOMAIN(n)
__global__ void scale(float *y LW_SHAPE(n), const float *x LW_SHAPE(n), float a, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i];
}

LW_DOMAIN(n)
__global__ void scale_100(float *y LW_SHAPE(n), const float *x LW_SHAPE(n), float a, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i];
}

LW_DOMAIN(n)
__global__ void parity(float *x LW_SHAPE(n), unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float v = x[i];
    if (i % 2 == 0) {
#pragma unroll 1
        for (int t = 0; t < 8; t++)
            v = v * 0.5f + 1.0f;
    } else {
#pragma unroll 1
        for (int t = 0; t < 5; t++)
            v = v * v - 0.25f;
    }
    x[i] = v;
}

LW_DOMAIN((n + 1) / 2)
__global__ void remap(float *x LW_SHAPE(n), unsigned n)
{
    unsigned i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) {
        float v = x[i];
#pragma unroll 1
        for (int t = 0; t < 8; t++)
            v = v * 0.5f + 1.0f;
        x[i] = v;
    }
    if (i + 1 < n) {
        float v = x[i + 1];
#pragma unroll 1
        for (int t = 0; t < 5; t++)
            v = v * v - 0.25f;
        x[i + 1] = v;
    }
}

LW_DOMAIN(n)
__global__ void by_kind(float *y LW_SHAPE(n), const float *x LW_SHAPE(n), const int *kind LW_SHAPE(n) LW_VALUES(0, 3), unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float v = x[i];
    if (kind[i] == 1) {
#pragma unroll 1
        for (int t = 0; t < 12; t++)
            v = v * 0.5f + 1.0f;
    } else {
#pragma unroll 1
        for (int t = 0; t < 7; t++)
            v = v * v - 0.25f;
    }
    y[i] = v;
}

LW_BLOCK(32, 8) LW_DOMAIN(w, h)
__global__ void transpose_plain(float *out LW_SHAPE(w, h), const float *in LW_SHAPE(h, w), unsigned w, unsigned h)
{
    unsigned x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x < w && y < h)
        out[x * h + y] = in[y * w + x];
}

LW_BLOCK(32, 32) LW_DOMAIN(w, h)
__global__ void transpose_tile(float *out LW_SHAPE(w, h), const float *in LW_SHAPE(h, w), unsigned w, unsigned h)
{
    __shared__ float tile[32][33];
    unsigned x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    if (x < w && y < h)
        tile[threadIdx.y][threadIdx.x] = in[y * w + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    if (x < h && y < w)
        out[y * h + x] = tile[threadIdx.x][threadIdx.y];
}

LW_BLOCK(256) LW_DOMAIN(n)
__global__ void block_sum(float *out LW_SHAPE((n + 255) / 256), const float *in LW_SHAPE(n), unsigned n)
{
    __shared__ float s[256];
    unsigned t = threadIdx.x, i = blockIdx.x * 256 + t;
    s[t] = i < n ? in[i] : 0.0f;
    __syncthreads();
    for (unsigned h = 128; h > 0; h >>= 1) {
        if (t < h)
            s[t] += s[t + h];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = s[0];
}

LW_DOMAIN(n)
__global__ void ragged(float *y LW_SHAPE(n), const int *trips LW_SHAPE(n) LW_VALUES(0, 17), unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float v = 1.0f;
    int count = trips[i];
#pragma unroll 1
    for (int t = 0; t < count; t++)
        v = v * 1.5f - 0.125f;
    y[i] = v;
}

LW_BLOCK(16, 16) LW_DOMAIN(n, m)
LW_REQUIRES(m * k <= 4294967295, k * n <= 4294967295, m * n <= 4294967295)
__global__ void gemm(unsigned m, unsigned n, unsigned k, const float *a LW_SHAPE(m, k), const float *b LW_SHAPE(k, n), float *c LW_SHAPE(m, n))
{
    unsigned col = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
    if (row >= m || col >= n)
        return;
    float sum = 0.0f;
    for (unsigned i = 0; i < k; i++)
        sum += a[row * k + i] * b[i * n + col];
    c[row * n + col] = sum;
}

// Square roots and divisions, which the machine makes sequences of, with branches of their own: the counts must differ.
LW_DOMAIN(n)
__global__ void roots(float *x LW_SHAPE(n), unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float v = x[i];
    if (i % 2 == 0) {
#pragma unroll 1
        for (int t = 0; t < 8; t++)
            v = sqrtf(v * v + 1.0f);
    } else {
#pragma unroll 1
        for (int t = 0; t < 5; t++)
            v = 1.0f / (v * v + 2.0f);
    }
    x[i] = v;
}

#ifdef WITH_MAIN
#include <cstdio>
#include <cstdlib>
#include <vector>

static void check(cudaError_t error)
{
    if (error == cudaSuccess)
        return;
    std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
    std::exit(1);
}

template <typename T> static T *array(size_t count, T (*value)(size_t))
{
    std::vector<T> host(count);
    T *device;
    for (size_t i = 0; i < count; i++)
        host[i] = value(i);
    check(cudaMalloc(&device, count * sizeof(T)));
    check(cudaMemcpy(device, host.data(), count * sizeof(T), cudaMemcpyHostToDevice));
    return device;
}

static float real(size_t i)
{
    return (float)((double)(i * 7919 % 1024) / 512.0 - 1);
}
static int below_3(size_t i)
{
    return (int)(i % 3);
}
static int below_17(size_t i)
{
    return (int)(i % 17);
}

int main()
{
    const unsigned n = 1000000, w = 1000, h = 777, gm = 200, gn = 333, gk = 128;
    float *x = array<float>(n, real), *y = array<float>(n, real);
    int *kind = array<int>(n, below_3), *trips = array<int>(n, below_17);
    scale<<<3907, 256>>>(y, x, 1.0f, n);
    scale_100<<<10000, 100>>>(y, x, 1.0f, n);
    parity<<<3907, 256>>>(x, n);
    remap<<<1954, 256>>>(x, n);
    by_kind<<<3907, 256>>>(y, x, kind, n);
    transpose_plain<<<dim3(32, 98), dim3(32, 8)>>>(y, x, w, h);
    transpose_tile<<<dim3(32, 25), dim3(32, 32)>>>(y, x, w, h);
    block_sum<<<3907, 256>>>(y, x, n);
    ragged<<<3907, 256>>>(y, trips, n);
    gemm<<<dim3(21, 13), dim3(16, 16)>>>(gm, gn, gk, x, y, x + 500000);
    roots<<<3907, 256>>>(x, n);
    check(cudaDeviceSynchronize());
    return 0;
}
#endif
