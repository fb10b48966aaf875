// SPDX-License-Identifier: Apache-2.0
__global__ void ones(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    x[i] = n / (i + 1.0f);
}
