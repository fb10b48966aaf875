// SPDX-License-Identifier: Apache-2.0
// kernel: scale4
// grid: 2 1 1
// block: 128 1 1
// arg y: buf f32 len=1003 io=out
// arg x: buf f32 len=1003 io=in init=i
// arg a: f32 0.5
// arg n: i32 1003
// expect: oob-global line=16
// expect: oob-global line=21
// why: The number of vectors is rounded up: the last one has 3 elements inside the arrays and one past the end.
__global__ void scale4(float *y, const float *x, float a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < (n + 3) / 4) {
        float4 v = ((const float4 *)x)[i];
        v.x *= a;
        v.y *= a;
        v.z *= a;
        v.w *= a;
        ((float4 *)y)[i] = v;
    }
}
