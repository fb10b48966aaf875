// SPDX-License-Identifier: Apache-2.0
// kernel: mark_row
// grid: 196 1 1
// block: 256 1 1
// arg image: buf u8 len=2500000000 shape=50000x50000 io=inout init=0 want=i>=2499950000?1:0
// arg row: i32 49999
// arg w: i32 50000
// expect: none
// why: Widen before the product. The buffer costs no more memory than the row that is touched.
__global__ void mark_row(unsigned char *image, int row, int w)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x < w)
        image[(long long)row * w + x] = 1;
}
