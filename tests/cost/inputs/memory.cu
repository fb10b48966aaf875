// SPDX-License-Identifier: Apache-2.0
// Accesses whose sectors and passes can be counted on paper; every kernel runs one warp.
#include <lanewise/contract.h>

LW_BLOCK(32) LW_DOMAIN(32)
__global__ void strides(float *out LW_SHAPE(32), const float *x LW_SHAPE(1100), const float2 *wide LW_SHAPE(32))
{
    unsigned i = threadIdx.x;
    float a = x[i];
    float b = x[2 * i];
    float c = x[32 * i];
    float d = x[i + 1];
    float e = x[0];
    float2 f = wide[i];
    out[i] = a + b + c + d + e + f.x + f.y;
}

LW_BLOCK(32) LW_DOMAIN(32) LW_REQUIRES(k < 32)
__global__ void banks(float *out LW_SHAPE(32), unsigned k)
{
    __shared__ float plain[32][32];
    __shared__ float padded[32][33];
    __shared__ double wide[64];
    unsigned i = threadIdx.x;
    plain[i][k] = 1.0f;
    padded[i][k] = 2.0f;
    wide[i] = 3.0;
    wide[32 + i] = 4.0;
    __syncthreads();
    float a = plain[i][k] + padded[i][k];
    float b = (float)wide[2 * i];
    out[i] = a + b + (float)wide[k];
}
