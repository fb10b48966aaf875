// SPDX-License-Identifier: Apache-2.0
// kernel: transpose
// grid: 3 4 1
// block: 16 16 1
// arg out: buf f32 len=1850 shape=37x50 io=out want=i%50*37+i/50
// arg in: buf f32 len=1850 shape=50x37 io=in init=i
// arg w: i32 37
// arg h: i32 50
// expect: none
// why: A barrier between writing and reading the tile, and a guard that swaps with the coordinates.
__global__ void transpose(float *out, const float *in, int w, int h)
{
    __shared__ float tile[16][17];
    int tx = threadIdx.x, ty = threadIdx.y;
    int x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty;
    if (x < w && y < h)
        tile[ty][tx] = in[y * w + x];
    __syncthreads();
    x = blockIdx.y * 16 + tx;
    y = blockIdx.x * 16 + ty;
    if (x < h && y < w)
        out[y * h + x] = tile[tx][ty];
}
