// SPDX-License-Identifier: Apache-2.0
// kernel: gemm
// grid: 2 3 1
// block: 16 16 1
// arg m: u32 37
// arg n: u32 29
// arg k: u32 21
// arg a: buf f32 len=777 shape=37x21 io=in init=i/21+1+i%21%2
// arg b: buf f32 len=609 shape=21x29 io=in init=i/29+i%29
// arg c: buf f32 len=1073 shape=37x29 io=out want=(i/29+1)*(210+21*(i%29))+100+10*(i%29)
// expect: none
// why: Both the row and the column are tested.
__global__ void gemm(unsigned m, unsigned n, unsigned k, const float *a, const float *b, float *c)
{
    unsigned col = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= m || col >= n)
        return;
    float sum = 0.0f;
    for (unsigned i = 0; i < k; i++)
        sum += a[row * k + i] * b[i * n + col];
    c[row * n + col] = sum;
}
