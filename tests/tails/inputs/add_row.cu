#include <lanewise/contract.h>

LW_BLOCK_MULTIPLE(32) LW_DOMAIN(cols, rows) LW_REQUIRES(rows >= 1, cols >= 1, rows <= 1000, cols <= 1000)
__global__ void add_row(float *m LW_SHAPE(rows, cols), const float *row LW_SHAPE(cols), unsigned rows, unsigned cols)
{
    unsigned c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
    if (c < cols && r < rows)
        m[r * cols + c] += row[c];
}
