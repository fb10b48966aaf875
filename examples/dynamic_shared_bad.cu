// SPDX-License-Identifier: Apache-2.0
// kernel: block_argmax
// grid: 8 1 1
// block: 128 1 1
// dynamic-shared-bytes: 512
// arg out: buf i32 len=8 io=out
// arg in: buf f32 len=1000 io=in init=i%128*37%128
// arg n: i32 1000
// expect: oob-shared line=19
// also-accept: oob-shared line=24, oob-shared line=25, oob-shared line=30
// why: The kernel carves two arrays out of the dynamic shared memory; the launch brings the bytes of one.
__global__ void block_argmax(int *out, const float *in, int n)
{
    extern __shared__ float best[];
    int *where = (int *)(best + blockDim.x);
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    best[t] = i < n ? in[i] : __int_as_float(0xff800000); /* -infinity */
    where[t] = i;
    __syncthreads();
    for (int h = blockDim.x / 2; h > 0; h >>= 1) {
        if (t < h && best[t + h] > best[t]) {
            best[t] = best[t + h];
            int other = where[t + h];
            where[t] = other;
        }
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = where[0];
}
