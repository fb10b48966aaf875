// SPDX-License-Identifier: Apache-2.0
// kernel: block_argmax
// grid: 8 1 1
// block: 128 1 1
// dynamic-shared-bytes: 1024
// arg out: buf i32 len=8 io=out want=128*i+83
// arg in: buf f32 len=1000 io=in init=i%128*37%128
// arg n: i32 1000
// expect: none
// why: 128 threads, 4 bytes of value and 4 bytes of place each: 1024 bytes.
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
            where[t] = where[t + h];
        }
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = where[0];
}
