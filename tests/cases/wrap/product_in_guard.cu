// case: product_in_guard
// kernel: fill
// grid: 1 1 1
// block: 64 1 1
// arg out: buf f32 len=64 io=out
// arg rows: i32 70000
// arg columns: i32 70000
// expect: index-wrap line=14
// why: rows * columns passes 2^31 before it guards the store: the guard lets fewer threads through than it should
extern "C" __global__ void fill(float *out, int rows, int columns)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int total;
    total = rows * columns;
    if (i < total)
        out[i] = 1.0f;
}
