// SPDX-License-Identifier: Apache-2.0
// kernel: copy_2d
// grid: 4 3 1
// block: 16 16 1
// arg out: buf f32 len=1850 shape=37x50 io=out want=i
// arg in: buf f32 len=1850 shape=37x50 io=in init=i
// arg w: i32 50
// arg h: i32 37
// expect: none
// why: First the two checks, then the index, from the row length of the array.
__global__ void copy_2d(float *out, const float *in, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h) {
        int i = y * w + x;
        out[i] = in[i];
    }
}
