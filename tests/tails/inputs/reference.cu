#include <lanewise/contract.h>

LW_BLOCK(128) LW_DOMAIN(n) LW_REQUIRES(n >= 0)
__global__ void saxpy(float *y LW_SHAPE(n), const float *x LW_SHAPE(n), float a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] += a * x[i];
}

LW_REFERENCE(saxpy)
void saxpy_reference(float *y, const float *x, float a, int n)
{
    for (int i = 0; i < n; i++)
        y[i] += a * x[i];
}

LW_BLOCK(32) LW_DOMAIN(n) LW_REQUIRES(n >= 0)
__global__ void reverse(int *y LW_SHAPE(n), const int *x LW_SHAPE(n), int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = x[n - 1 - i] + (i == 32);
}

LW_REFERENCE(reverse)
void reverse_reference(int *y, const int *x, int n)
{
    for (int i = 0; i < n; i++)
        y[i] = x[n - 1 - i];
}

LW_BLOCK(32) LW_DOMAIN(n) LW_REQUIRES(n >= 0)
__global__ void zero(int *y LW_SHAPE(n), int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = 0;
}

LW_REFERENCE(zero)
void zero_reference(int *y, int n)
{
    *(volatile int *)(y + n - n - (1 << 28)) = 0;
}
