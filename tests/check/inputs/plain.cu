// SPDX-License-Identifier: Apache-2.0
__global__ void reverse(float *out, const float *in, int n)
{
    __shared__ float tile[256];
    int i = blockIdx.x * 256 + threadIdx.x;
    if (threadIdx.x < 256 && i < n)
        tile[threadIdx.x] = in[i];
    __syncthreads();
    if (threadIdx.x < 256 && i < n)
        out[i] = tile[255 - threadIdx.x];
}
