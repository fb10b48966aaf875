#include <lanewise/contract.h>

LW_BLOCK(256) LW_DOMAIN(width, rows) LW_REQUIRES(width >= 1, rows >= 1, width <= 1048576, rows <= 65535)
__global__ void fill_rows(float *out LW_SHAPE(rows, width), unsigned rows, unsigned width, float v)
{
    unsigned x = blockIdx.x * 256 + threadIdx.x;
    if (x < width && blockIdx.y < rows)
        out[blockIdx.y * width + x] = v;
}
