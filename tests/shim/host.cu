// SPDX-License-Identifier: Apache-2.0
// The runtime API as programs use it: both halves must compile.

#include <cublas_v2.h>
#include <cuda.h>
#include <cuda_runtime.h>
#include <curand_kernel.h>

__constant__ float coefficients[8];
__managed__ int total;

__global__ void scale(float *p, int n, float by) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] = p[i] * by * coefficients[i & 7]; // here: ld.
}
template <typename T> __global__ void fill(T *p, T value) { p[threadIdx.x] = value; }

__global__ void draw(float *p) {
    curandStatePhilox4_32_10_t state;
    curand_init(1, threadIdx.x, 0, &state);
    p[threadIdx.x] = curand_uniform(&state);
}

int main() {
    float *p = nullptr, host[8] = {};
    void *arguments[] = {&p};
    cudaDeviceProp properties;
    cudaStream_t stream;
    cudaEvent_t start, stop;
    float elapsed;
    int blocks, size, attribute;
    dim3 grid(4, 2), block(64);

    if (cudaGetDeviceProperties(&properties, 0) != cudaSuccess) return 1;
    cudaDeviceGetAttribute(&attribute, cudaDevAttrMaxThreadsPerBlock, 0);
    cudaMalloc(&p, 1024 * sizeof(float));
    cudaMalloc((void **)&p, 1024 * sizeof(float));
    cudaMemcpyToSymbol(coefficients, host, sizeof host);
    cudaStreamCreate(&stream);
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
    cudaEventRecord(start, stream);
    scale<<<grid, block, 0, stream>>>(p, 1000, 2.0f);
    fill<int><<<1, 32>>>((int *)p, 3);
    cudaEventRecord(stop);
    cudaEventSynchronize(stop);
    cudaEventElapsedTime(&elapsed, start, stop);
    cudaMemcpyAsync(host, p, sizeof host, cudaMemcpyDeviceToHost, stream);
    cudaFuncSetAttribute(scale, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536);
    cudaOccupancyMaxPotentialBlockSize(&blocks, &size, scale);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, fill<float>, 128, 0);
    cudaLaunchKernel((void *)draw, grid, block, arguments, 0, stream);
    cudaError_t error = cudaGetLastError();
    const char *text = cudaGetErrorString(error);
    total = max(blocks, size);
    return text[0] + total + (cudaFree(p) != cudaSuccess);
}
