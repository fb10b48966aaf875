// with: --contract ptx_disagrees.h
__global__ void scale(float *a, long n)
{
    a[n] = 1;
}
__global__ void shorter(float *a, int n)
{
    a[n] = 1;
}
__global__ void real(int *a, float x)
{
    a[0] = x;
}
