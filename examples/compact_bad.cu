// SPDX-License-Identifier: Apache-2.0
// kernel: keep_positive
// grid: 8 1 1
// block: 128 1 1
// arg out: buf f32 len=1000 io=out
// arg count: buf u32 len=1 io=inout init=0
// arg in: buf f32 len=1000 io=in init=i%3-1
// arg n: i32 1000
// expect: shuffle-inactive line=19
// also-accept: shuffle-inactive line=24
// why: The vote and the shuffle stand inside the branch, with a mask that names all lanes: those whose value is not
//      positive are named and never come.
__global__ void keep_positive(float *out, unsigned *count, const float *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x % 32;
    float v = i < n ? in[i] : 0.0f;
    if (v > 0.0f) {
        unsigned taken = __ballot_sync(0xffffffffu, 1);
        int leader = __ffs(taken) - 1;
        unsigned first = 0;
        if (lane == leader)
            first = atomicAdd(count, __popc(taken));
        first = __shfl_sync(0xffffffffu, first, leader);
        out[first + __popc(taken & ((1u << lane) - 1u))] = v;
    }
}
