#include <lanewise/contract.h>

LW_BLOCK(128) LW_DOMAIN(n / 2)
__global__ void pairs(float *y LW_SHAPE(n) LW_WRITES_ALL, const float *x LW_SHAPE(n), int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n / 2) {
        y[2 * i] = 2 * x[2 * i];
        y[2 * i + 1] = 2 * x[2 * i + 1];
    }
}

// In place: its elements have contents before.
LW_BLOCK(128) LW_DOMAIN(n)
__global__ void bump(int *v LW_SHAPE(n) LW_WRITES_ALL, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + 1 < n)
        v[i] += 1;
}

LW_BLOCK(64) LW_DOMAIN(n)
__global__ void header(int *v LW_SHAPE(n + 1) LW_WRITES_ALL, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        v[i + 1] = 1;
    if (i == 0)
        v[0] = (int)n;
}

LW_BLOCK(16, 16) LW_DOMAIN(cols, rows) LW_REQUIRES(rows >= 0, cols >= 0, cols <= pitch, rows <= 64, pitch <= 64)
__global__ void clear(float *m LW_PITCHED(rows, cols, pitch), int rows, int cols, int pitch)
{
    int c = blockIdx.x * 16 + threadIdx.x, r = blockIdx.y * 16 + threadIdx.y;
    if (c < pitch && r < rows && r * pitch + c < (rows - 1) * pitch + cols)
        m[r * pitch + c] = 0;
}
