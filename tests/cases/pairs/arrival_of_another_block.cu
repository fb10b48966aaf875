// SPDX-License-Identifier: Apache-2.0
// kernel: left_over
// grid: 301 1 1
// block: 128 1 1
// arg out: buf i32 len=301 io=out
// expect: shared-race line=26
// also-accept: shared-race line=29
// why: in the first blocks two warps arrive and nobody waits; what they handed over is of no use to the blocks after them
extern "C" __global__ void left_over(int *out)
{
    __shared__ int s[4];
    int t = threadIdx.x, warp = t / 32;
    if (blockIdx.x < 300) {
        for (int i = 0; i < 5; i++) {
            if (t == 0)
                s[1] = i;
            __syncthreads();
        }
        if (warp < 2)
            asm volatile("bar.arrive 1, 96;" ::: "memory");
        if (t == 0)
            out[blockIdx.x] = 0;
        return;
    }
    if (t == 0)
        s[0] = blockIdx.x;
    if (warp == 3) {
        asm volatile("bar.sync 1, 64;" ::: "memory");
        int v = s[0];
        if (t == 96)
            out[blockIdx.x] = v;
    } else if (warp == 2) {
        asm volatile("bar.arrive 1, 64;" ::: "memory");
    }
}
