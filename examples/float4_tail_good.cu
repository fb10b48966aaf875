// SPDX-License-Identifier: Apache-2.0
// kernel: scale4
// grid: 2 1 1
// block: 128 1 1
// arg y: buf f32 len=1003 io=out want=0.5f*i
// arg x: buf f32 len=1003 io=in init=i
// arg a: f32 0.5
// arg n: i32 1003
// expect: none
// why: Whole vectors first; the n % 4 elements that are left go one by one.
__global__ void scale4(float *y, const float *x, float a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n / 4) {
        float4 v = ((const float4 *)x)[i];
        v.x *= a;
        v.y *= a;
        v.z *= a;
        v.w *= a;
        ((float4 *)y)[i] = v;
    }
    int rest = n / 4 * 4 + i;
    if (rest < n)
        y[rest] = a * x[rest];
}
