// SPDX-License-Identifier: Apache-2.0
// kernel: keep_positive
// grid: 8 1 1
// block: 128 1 1
// arg out: buf f32 len=333 io=out want=1
// arg count: buf u32 len=1 io=inout init=0 want=333
// arg in: buf f32 len=1000 io=in init=i%3-1
// arg n: i32 1000
// expect: none
// why: All lanes vote; the shuffle inside the branch names just the lanes that the vote counted.
__global__ void keep_positive(float *out, unsigned *count, const float *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x % 32;
    float v = i < n ? in[i] : 0.0f;
    unsigned taken = __ballot_sync(0xffffffffu, v > 0.0f);
    if (v > 0.0f) {
        int leader = __ffs(taken) - 1;
        unsigned first = 0;
        if (lane == leader)
            first = atomicAdd(count, __popc(taken));
        first = __shfl_sync(taken, first, leader);
        out[first + __popc(taken & ((1u << lane) - 1u))] = v;
    }
}
