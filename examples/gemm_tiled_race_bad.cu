// SPDX-License-Identifier: Apache-2.0
// kernel: gemm_tiled
// grid: 2 3 1
// block: 16 16 1
// arg m: u32 37
// arg n: u32 29
// arg k: u32 21
// arg a: buf f32 len=777 shape=37x21 io=in init=i/21+1+i%21%2
// arg b: buf f32 len=609 shape=21x29 io=in init=i/29+i%29
// arg c: buf f32 len=1073 shape=37x29 io=out
// expect: shared-race line=26
// also-accept: shared-race line=22, shared-race line=23, warp-race line=22, warp-race line=23, wrong-result
// why: One barrier a trip is not enough: a warp that is ahead loads the next tile while another still reads this
//      one. The conflict is between two trips of the loop.
__global__ void gemm_tiled(unsigned m, unsigned n, unsigned k, const float *a, const float *b, float *c)
{
    __shared__ float ta[16][16], tb[16][16];
    unsigned tx = threadIdx.x, ty = threadIdx.y;
    unsigned col = blockIdx.x * 16 + tx, row = blockIdx.y * 16 + ty;
    float sum = 0.0f;
    for (unsigned first = 0; first < k; first += 16) {
        ta[ty][tx] = row < m && first + tx < k ? a[row * k + first + tx] : 0.0f;
        tb[ty][tx] = first + ty < k && col < n ? b[(first + ty) * n + col] : 0.0f;
        __syncthreads();
        for (int i = 0; i < 16; i++)
            sum += ta[ty][i] * tb[i][tx];
    }
    if (row < m && col < n)
        c[row * n + col] = sum;
}
