// SPDX-License-Identifier: Apache-2.0
// kernel: gemm_tiled
// grid: 2 3 1
// block: 16 16 1
// arg m: u32 37
// arg n: u32 29
// arg k: u32 21
// arg a: buf f32 len=777 shape=37x21 io=in init=i/21+1+i%21%2
// arg b: buf f32 len=609 shape=21x29 io=in init=i/29+i%29
// arg c: buf f32 len=1073 shape=37x29 io=out want=(i/29+1)*(210+21*(i%29))+100+10*(i%29)
// expect: uninit-read line=29
// expect: wrong-result
// why: Outside the matrices the tiles are not loaded, and not filled either. The second tile along k has 5 live
//      columns: the other 11 still hold the first tile and are added once more. In the blocks at the edge some
//      elements were never written at all.
__global__ void gemm_tiled(unsigned m, unsigned n, unsigned k, const float *a, const float *b, float *c)
{
    __shared__ float ta[16][16], tb[16][16];
    unsigned tx = threadIdx.x, ty = threadIdx.y;
    unsigned col = blockIdx.x * 16 + tx, row = blockIdx.y * 16 + ty;
    float sum = 0.0f;
    for (unsigned first = 0; first < k; first += 16) {
        if (row < m && first + tx < k)
            ta[ty][tx] = a[row * k + first + tx];
        if (first + ty < k && col < n)
            tb[ty][tx] = b[(first + ty) * n + col];
        __syncthreads();
        for (int i = 0; i < 16; i++)
            sum += ta[ty][i] * tb[i][tx];
        __syncthreads();
    }
    if (row < m && col < n)
        c[row * n + col] = sum;
}
