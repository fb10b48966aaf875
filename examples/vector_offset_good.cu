// SPDX-License-Identifier: Apache-2.0
// kernel: sum_of_four
// grid: 2 1 1
// block: 64 1 1
// arg out: buf f32 len=100 io=out want=16*i+14
// arg in: buf f32 len=402 io=in init=i
// arg first: i32 2
// arg n: i32 100
// expect: none
// why: The vector load is for offsets that keep the alignment; others are read element by element.
__global__ void sum_of_four(float *out, const float *in, int first, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const float *four = in + first + 4 * i;
    if (first % 4 == 0) {
        float4 v = *(const float4 *)four;
        out[i] = v.x + v.y + v.z + v.w;
    } else {
        out[i] = four[0] + four[1] + four[2] + four[3];
    }
}
