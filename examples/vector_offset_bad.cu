// SPDX-License-Identifier: Apache-2.0
// kernel: sum_of_four
// grid: 2 1 1
// block: 64 1 1
// arg out: buf f32 len=100 io=out
// arg in: buf f32 len=402 io=in init=i
// arg first: i32 2
// arg n: i32 100
// expect: misaligned line=15
// why: A float4 wants an address that is a multiple of 16 bytes; in + 2 is 8 bytes off, and the launch fails.
__global__ void sum_of_four(float *out, const float *in, int first, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float4 v = ((const float4 *)(in + first))[i];
        out[i] = v.x + v.y + v.z + v.w;
    }
}
