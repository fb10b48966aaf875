// SPDX-License-Identifier: Apache-2.0
// kernel: block_scan
// grid: 8 1 1
// block: 128 1 1
// arg out: buf i32 len=1000 io=out
// arg in: buf i32 len=1000 io=in init=i
// arg n: i32 1000
// expect: shared-race line=20
// also-accept: warp-race line=20, wrong-result
// why: In one step a thread reads its neighbour's cell while the neighbour adds to it: old or new sum, as it comes.
__global__ void block_scan(int *out, const int *in, int n)
{
    __shared__ int s[128];
    int t = threadIdx.x;
    int i = blockIdx.x * 128 + t;
    s[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int d = 1; d < 128; d *= 2) {
        if (t >= d)
            s[t] += s[t - d];
        __syncthreads();
    }
    if (i < n)
        out[i] = s[t];
}
