// SPDX-License-Identifier: Apache-2.0
// kernel: block_mean
// grid: 3 1 1
// block: 32 1 1
// dynamic-shared-bytes: 260
// arg out: buf f64 len=3 io=out
// arg in: buf f64 len=96 io=in init=i
// arg offset: buf i32 len=1 io=in init=7
// expect: misaligned line=21
// also-accept: misaligned line=26
// why: An int is carved off first, so the doubles behind it start at byte 4 and every access to them is misaligned.
//      The cure (dynamic_shared_align_good.cu) puts the widest type first.
__global__ void block_mean(double *out, const double *in, const int *offset)
{
    extern __shared__ char pool[];
    int *shift = (int *)pool;
    double *vals = (double *)(pool + sizeof(int));
    int t = threadIdx.x;
    if (t == 0)
        *shift = *offset;
    vals[t] = in[blockIdx.x * 32 + t];
    __syncthreads();
    if (t == 0) {
        double sum = 0.0;
        for (int k = 0; k < 32; k++)
            sum += vals[k];
        out[blockIdx.x] = sum / 32 + *shift;
    }
}
