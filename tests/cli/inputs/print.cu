// kernel: talk
// grid: 2
// block: 2
// arg x: buf f16 len=4 shape=2x2 io=out want=i*0.5f
#include <cuda_fp16.h>
#include <stdio.h>
extern "C" __global__ void talk(__half *x)
{
    int i = blockIdx.x * 2 + threadIdx.x;
    x[i] = __float2half(i * 0.5f);
    printf("thread %d\n", i);
}
