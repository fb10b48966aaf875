// SPDX-License-Identifier: Apache-2.0
// kernel: copy_2d
// grid: 4 3 1
// block: 16 16 1
// arg out: buf f32 len=1850 shape=37x50 io=out
// arg in: buf f32 len=1850 shape=37x50 io=in init=i
// arg w: i32 50
// arg h: i32 37
// expect: oob-global line=19
// why: The index is formed before the two checks, from the width of the launch (64) and not from that of the image
//      (50). Both checks are right and do not help: each row starts 14 elements too far, the picture is sheared,
//      and its last rows lie past the end.
__global__ void copy_2d(float *out, const float *in, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int i = y * (gridDim.x * blockDim.x) + x;
    if (x < w && y < h)
        out[i] = in[i];
}
