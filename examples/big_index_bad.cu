// SPDX-License-Identifier: Apache-2.0
// kernel: mark_row
// grid: 196 1 1
// block: 256 1 1
// arg image: buf u8 len=2500000000 shape=50000x50000 io=inout init=0
// arg row: i32 49999
// arg w: i32 50000
// expect: index-wrap line=15
// also-accept: oob-global line=15
// why: Row and width fit in an int, their product does not: 49999 * 50000 is past 2^31 - 1 and turns negative.
__global__ void mark_row(unsigned char *image, int row, int w)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x < w)
        image[row * w + x] = 1;
}
