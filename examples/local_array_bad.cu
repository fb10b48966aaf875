// SPDX-License-Identifier: Apache-2.0
// kernel: digit_kinds
// grid: 4 1 1
// block: 256 1 1
// arg out: buf i32 len=1000 io=out
// arg value: buf u32 len=1000 io=in init=i
// arg base: u32 10
// arg n: i32 1000
// expect: oob-local line=19
// why: Each thread counts digits in an array of 8, and the base of the launch is 10: digits 8 and 9 write past it,
//      into whatever else the thread keeps there.
__global__ void digit_kinds(int *out, const unsigned *value, unsigned base, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int seen[8] = {0};
    for (unsigned v = value[i]; v > 0; v /= base)
        seen[v % base]++;
    int kinds = 0;
    for (int d = 0; d < 8; d++)
        kinds += seen[d] > 0;
    out[i] = kinds;
}
