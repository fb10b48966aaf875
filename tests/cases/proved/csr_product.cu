// SPDX-License-Identifier: Apache-2.0
// case: csr_product
// verdict: proved
// why: row bounds and columns come from memory, in declared ranges
#include <lanewise/contract.h>

LW_BLOCK(128) LW_DOMAIN(rows) LW_REQUIRES(rows >= 1, rows <= 1000000000, nnz >= 0, cols >= 1)
__global__ void csr(float *y LW_SHAPE(rows), const int *ptr LW_SHAPE(rows + 1) LW_VALUES(0, nnz + 1), const int *idx LW_SHAPE(nnz) LW_VALUES(0, cols),
                    const float *val LW_SHAPE(nnz), const float *x LW_SHAPE(cols), int rows, int nnz, int cols)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows)
        return;
    float s = 0;
    for (int j = ptr[r]; j < ptr[r + 1]; j++)
        s += val[j] * x[idx[j]];
    y[r] = s;
}
