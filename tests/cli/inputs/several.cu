// Two launches of one file, a template among them.
// kernel: fill<int>
// grid: 1
// block: 32
// arg x: buf i32 len=32 io=out want=7
// arg v: i32 7
// kernel: offset::copy
// grid: 1
// block: 32
// arg to: buf i32 len=32 io=out want=i+1
// arg from: buf i32 len=33 io=in init=i
template <typename T> __global__ void fill(T *x, T v)
{
    x[threadIdx.x] = v;
}
template __global__ void fill<int>(int *, int);
template __global__ void fill<float>(float *, float);
namespace offset {
__global__ void copy(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x + 1];
}
}
