// SPDX-License-Identifier: Apache-2.0
// kernel: halves
// grid: 1 1 1
// block: 128 1 1
// arg out: buf i32 len=128 io=out want=(i<64)*(63-i)+(i>=64)*i
// expect: none
// why: two warps make, arrive and go on; two wait for them and take, then those two meet at a barrier of their own
extern "C" __global__ void halves(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t >= 64) {
        s[t - 64] = t - 64;
        asm volatile("bar.arrive 1, 128;" ::: "memory");
        out[t] = t;
    } else {
        asm volatile("bar.sync 1, 128;" ::: "memory");
        int v = s[63 - t];
        asm volatile("bar.sync 2, 64;" ::: "memory");
        out[t] = v;
    }
}
