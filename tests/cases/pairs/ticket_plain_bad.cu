// SPDX-License-Identifier: Apache-2.0
// kernel: total
// grid: 4 1 1
// block: 64 1 1
// arg part: buf f32 len=256 io=scratch
// arg ticket: buf u32 len=1 io=inout init=0
// arg out: buf f32 len=1 io=out
// arg in: buf f32 len=256 io=in init=1
// expect: global-race line=21
// also-accept: global-race line=22
// also-accept: global-race line=29
// why: a ticket that is read and stored plainly is handed out twice
extern "C" __global__ void total(float *part, unsigned *ticket, float *out, const float *in)
{
    __shared__ int last;
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    part[i] = in[i] * in[i];
    __syncthreads();
    if (t == 0) {
        __threadfence();
        last = *ticket == gridDim.x - 1;
        *ticket += 1;
        __threadfence();
    }
    __syncthreads();
    if (last && t == 0) {
        float sum = 0;
        for (unsigned k = 0; k < 64 * gridDim.x; ++k)
            sum += part[k];
        out[0] = sum;
    }
}
