// SPDX-License-Identifier: Apache-2.0
// kernel: block_mean
// grid: 3 1 1
// block: 32 1 1
// dynamic-shared-bytes: 260
// arg out: buf f64 len=3 io=out want=32*i+22.5
// arg in: buf f64 len=96 io=in init=i
// arg offset: buf i32 len=1 io=in init=7
// expect: none
// why: Dynamic shared memory is aligned to 16 bytes: doubles first, then the int.
__global__ void block_mean(double *out, const double *in, const int *offset)
{
    extern __shared__ char pool[];
    double *vals = (double *)pool;
    int *shift = (int *)(pool + 32 * sizeof(double));
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
