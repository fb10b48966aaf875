// SPDX-License-Identifier: Apache-2.0
// kernel: block_scan
// grid: 8 1 1
// block: 128 1 1
// arg out: buf i32 len=1000 io=out want=(i/128*128+i)*(i%128+1)/2
// arg in: buf i32 len=1000 io=in init=i
// arg n: i32 1000
// expect: none
// why: Read, meet, write, meet: all reads of a step come before all of its writes.
__global__ void block_scan(int *out, const int *in, int n)
{
    __shared__ int s[128];
    int t = threadIdx.x;
    int i = blockIdx.x * 128 + t;
    s[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int d = 1; d < 128; d *= 2) {
        int before = t >= d ? s[t - d] : 0;
        __syncthreads();
        s[t] += before;
        __syncthreads();
    }
    if (i < n)
        out[i] = s[t];
}
