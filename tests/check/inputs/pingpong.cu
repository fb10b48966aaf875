// SPDX-License-Identifier: Apache-2.0
// Pointers that are a choice, and buffers that change places from trip to trip.
#include <lanewise/contract.h>
LW_BLOCK(64) LW_REQUIRES(grid.x == 1)
__global__ void two_ptr(int *x LW_SHAPE(64), int *y LW_SHAPE(64), bool c) { int *p = c ? x : y; p[threadIdx.x] = 4; }
LW_BLOCK(64) LW_REQUIRES(grid.x == 1)
__global__ void two_ptr_bad(int *x LW_SHAPE(64), int *y LW_SHAPE(64), bool c) { int *p = threadIdx.x < 33 ? x : y; p[threadIdx.x & 31] = threadIdx.x; }
LW_BLOCK(64) LW_REQUIRES(grid.x == 1)
__global__ void halves(int *x LW_SHAPE(64), int *y LW_SHAPE(64)) { int t = threadIdx.x; int *p = t < 32 ? x : y; p[t & 31] = 4; }
LW_BLOCK(64) LW_REQUIRES(grid.x == 1, n <= 64)
__global__ void swap(float *x LW_SHAPE(64), float *y LW_SHAPE(64), int n) { float *in = x, *out = y; int t = threadIdx.x; for (int k = 0; k < n; k++) { float v = in[63 - t]; out[t] = v; __syncthreads(); float *h = in; in = out; out = h; } }
LW_BLOCK(64) LW_REQUIRES(grid.x == 1, n <= 64)
__global__ void swap_bad(float *x LW_SHAPE(64), float *y LW_SHAPE(64), int n) { float *in = x, *out = y; int t = threadIdx.x; for (int k = 0; k < n; k++) { out[t] = in[63 - t]; float *h = in; in = out; out = h; } }
LW_BLOCK(64) LW_REQUIRES(grid.x == 1, n <= 64)
__global__ void shared_swap(float *x LW_SHAPE(64), int n) { __shared__ float s[2][64]; int t = threadIdx.x; float *in = s[0], *out = s[1]; in[t] = x[t]; __syncthreads(); for (int k = 0; k < n; k++) { out[t] = in[63 - t]; __syncthreads(); float *h = in; in = out; out = h; } x[t] = in[t]; }
LW_BLOCK(64) LW_REQUIRES(grid.x == 1, n <= 64)
__global__ void pout(float *x LW_SHAPE(64), int n) { __shared__ float s[128]; int t = threadIdx.x, out = 0, in = 1; s[t] = x[t]; __syncthreads(); for (int d = 1; d < n; d *= 2) { out = 1 - out; in = 1 - out; s[out * 64 + t] = s[in * 64 + t] + (t >= d ? s[in * 64 + t - d] : 0); __syncthreads(); } x[t] = s[out * 64 + t]; }
LW_BLOCK(64) LW_REQUIRES(grid.x == 1, n <= 64)
__global__ void pxor(float *x LW_SHAPE(64), int n) { __shared__ float s[128]; int t = threadIdx.x, b = 0; s[t] = x[t]; __syncthreads(); for (int d = 0; d < n; d++) { s[(b ^ 64) + t] = s[b + 63 - t] + 1; b ^= 64; __syncthreads(); } x[t] = s[b + t]; }
LW_BLOCK(64) LW_REQUIRES(grid.x == 1, n <= 64)
__global__ void pxor_bad(float *x LW_SHAPE(64), int n) { __shared__ float s[128]; int t = threadIdx.x, b = 0; s[t] = x[t]; __syncthreads(); for (int d = 0; d < n; d++) { s[(b ^ 64) + t] = s[b + 63 - t] + 1; b ^= 64; } x[t] = s[b + t]; }
LW_BLOCK(64) LW_REQUIRES(grid.x == 1, n <= 64)
__global__ void swap_short(float *x LW_SHAPE(64), float *y LW_SHAPE(63), int n) { float *in = x, *out = y; int t = threadIdx.x; for (int k = 0; k < n; k++) { float v = in[63 - t]; out[t] = v; __syncthreads(); float *h = in; in = out; out = h; } }
