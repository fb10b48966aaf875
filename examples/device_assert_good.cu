// SPDX-License-Identifier: Apache-2.0
// kernel: place
// grid: 1 1 1
// block: 64 1 1
// arg out: buf i32 len=40 io=inout init=-1 want=i*7%40
// arg slot: buf i32 len=40 io=in init=i*23%40
// arg n: i32 40
// expect: none
// why: The same kernel with data that keep the promise.
#include <assert.h>

__global__ void place(int *out, const int *slot, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int before = atomicExch(&out[slot[i]], i);
        assert(before == -1);
    }
}
