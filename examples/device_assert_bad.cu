// SPDX-License-Identifier: Apache-2.0
// kernel: place
// grid: 1 1 1
// block: 64 1 1
// arg out: buf i32 len=40 io=inout init=-1
// arg slot: buf i32 len=50 io=in init=i%40
// arg n: i32 50
// expect: device-assert line=17
// why: The kernel states what it relies on, one value a slot, and the data break it: 10 slots come twice.
#include <assert.h>

__global__ void place(int *out, const int *slot, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int before = atomicExch(&out[slot[i]], i);
        assert(before == -1);
    }
}
