// SPDX-License-Identifier: Apache-2.0
// kernel: add_one
// grid: 4 1 1
// block: 128 1 1
// arg vals: buf f32 len=1000 io=inout init=i
// arg n: i32 1000
// expect: global-race line=14
// also-accept: wrong-result
// why: The loop steps by one block and not by the whole grid: every block visits nearly every element, and they add to
//      the same ones with nothing between.
__global__ void add_one(float *vals, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x)
        vals[i] += 1.0f;
}
