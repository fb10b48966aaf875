// kernel: scale
// grid: 2
// block: 64
// arg y: buf f32 len=100 io=inout init=i want=i*2
// arg a: f32 2
// arg n: i32 100
extern "C" __global__ void scale(float *y, float a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] *= a;
}
