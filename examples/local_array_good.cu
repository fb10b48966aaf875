// SPDX-License-Identifier: Apache-2.0
// kernel: digit_kinds
// grid: 4 1 1
// block: 256 1 1
// arg out: buf i32 len=1000 io=out want=i==0?0:i<10?1:i<100?1+(i/10!=i%10):1+(i/10%10!=i/100)+(i%10!=i/10%10&&i%10!=i/100)
// arg value: buf u32 len=1000 io=in init=i
// arg base: u32 10
// arg n: i32 1000
// expect: none
// why: The array has an entry for every digit of the largest base, and a larger base is refused.
__global__ void digit_kinds(int *out, const unsigned *value, unsigned base, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n || base < 2 || base > 16)
        return;
    int seen[16] = {0};
    for (unsigned v = value[i]; v > 0; v /= base)
        seen[v % base]++;
    int kinds = 0;
    for (int d = 0; d < 16; d++)
        kinds += seen[d] > 0;
    out[i] = kinds;
}
