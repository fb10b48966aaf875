// with: --contract header.h
#include <cuda_fp16.h>

struct view {
    float *data;
    int rows, cols;
};

__global__ void sgemm(unsigned m, unsigned n, unsigned k, float alpha, const float *a, const float *b, float beta, float *c)
{
    c[0] = a[m] * b[n] * alpha * beta + k;
}
template <class T> __global__ void scale(T *y, size_t n, bool f)
{
    if (f)
        y[n] = 3;
}
template __global__ void scale<float>(float *, size_t, bool);
template __global__ void scale<double>(double *, size_t, bool);
extern "C" __global__ void halve(__half *x, long n)
{
    x[n] = x[0];
}
namespace ns {
__global__ void deep(int *y, int n)
{
    y[n] = 3;
}
} // namespace ns
__global__ void views(view v, int *cube, float *open, const double *fixed)
{
    v.data[0] = cube[0] + open[0] + fixed[0];
}
__global__ void over(int *y)
{
    y[0] = 1;
}
__global__ void over(int *y, int n)
{
    y[n] = 1;
}
