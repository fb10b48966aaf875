// kernel: gs
// grid: 4 1 1
// block: 64 1 1
// arg count: buf u32 len=1 io=inout init=0
// arg a: buf i32 len=256 io=out
// arg b: buf i32 len=256 io=out want=255-i
// expect: none
extern "C" __global__ void gs(unsigned *count, int *a, int *b)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    a[i] = i;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(count, 1u);
        while (*(volatile unsigned *)count < gridDim.x)
            ;
        __threadfence();
    }
    __syncthreads();
    b[i] = a[255 - i];
}
