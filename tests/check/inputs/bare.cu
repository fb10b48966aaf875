// SPDX-License-Identifier: Apache-2.0
// Kernels without contracts, some with ones that say too little.
#include <lanewise/contract.h>

__global__ void scale(float *y, const float *x, float a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i];
}

__global__ void difference(float *out, const float *in, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i + 1] - in[i];
}

__global__ void reduce(float *out, const float *in, int n)
{
    __shared__ float part[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    part[threadIdx.x] = i < n ? in[i] : 0;
    __syncthreads();
    for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
        if (threadIdx.x < half)
            part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        out[blockIdx.x] = part[0];
}

__global__ void stride(float *y, const float *x, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        y[i] = x[i];
}

__global__ void table(float *out, const float *in)
{
    if (threadIdx.x < 10)
        out[threadIdx.x] = in[threadIdx.x * 3];
}

__global__ void gather(float *out, const float *table, const int *index, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = table[index[i]];
}

LW_BLOCK(16, 16) LW_DOMAIN(w, h)
__global__ void rows(float *out LW_SHAPE(h, w), const float *in, unsigned w, unsigned h)
{
    unsigned x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x < w && y < h)
        out[(size_t)y * w + x] = in[(size_t)y * w + x];
}
