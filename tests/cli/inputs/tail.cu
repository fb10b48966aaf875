// kernel: halve
// grid: 3 1 1
// block: 128 1 1
// arg x: buf f32 len=300 io=inout init=i
// expect: oob-global line=10
// why: the last block has 84 threads without an element
extern "C" __global__ void halve(float *x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    x[i] = x[i] * 0.5f;
}
