// kernel: rows
// grid: 2
// block: 8
// arg x: buf i32 len=20 shape=2x10 io=inout init=100
// arg n: i32 10
// expect: row-crossing line=9
extern "C" __global__ void rows(int *x, int n)
{
    x[blockIdx.x * n + threadIdx.x] = threadIdx.x;
}
