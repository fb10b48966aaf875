// SPDX-License-Identifier: Apache-2.0
// kernel: grand_total
// grid: 8 1 1
// block: 128 1 1
// arg total: buf f32 len=1 io=out want=1500
// arg part: buf f32 len=8 io=scratch
// arg ticket: buf u32 len=1 io=inout init=0 want=8
// arg in: buf f32 len=1000 io=in init=i%4
// arg n: i32 1000
// expect: none
// why: Store, fence, ticket; and in the last block ticket, fence, load.
__global__ void grand_total(float *total, float *part, unsigned *ticket, const float *in, int n)
{
    __shared__ float s[128];
    __shared__ bool last;
    int t = threadIdx.x;
    int i = blockIdx.x * 128 + t;
    s[t] = i < n ? in[i] : 0.0f;
    __syncthreads();
    for (int h = 64; h > 0; h >>= 1) {
        if (t < h)
            s[t] += s[t + h];
        __syncthreads();
    }
    if (t == 0) {
        part[blockIdx.x] = s[0];
        __threadfence();
        last = atomicAdd(ticket, 1u) == gridDim.x - 1;
        __threadfence();
    }
    __syncthreads();
    if (last && t == 0) {
        float sum = 0.0f;
        for (unsigned k = 0; k < gridDim.x; k++)
            sum += part[k];
        *total = sum;
    }
}
