/* SPDX-License-Identifier: Apache-2.0
 * file: src/simpleSpmv-cuda/kernels.cu
 * kernels: mv_csr _Z13vector_mv_csrILi2EEvmPKmS1_PKfS3_Pf _Z13vector_mv_csrILi8EEvmPKmS1_PKfS3_Pf _Z13vector_mv_csrILi32EEvmPKmS1_PKfS3_Pf mv_dense
 *
 * Rows begin where `row_indices` says, within the values; columns lie within the vector.
 */
#define ROWS LW_DOMAIN(num_rows) LW_REQUIRES(num_rows >= 1, num_rows <= 1073741824)

ROWS
void mv_csr(size_t num_rows, const size_t *row_indices LW_SHAPE(num_rows + 1) LW_VALUES(0, len(values) + 1),
            const size_t *col_indices LW_SHAPE(len(values)) LW_VALUES(0, num_rows), const float *values, const float *x LW_SHAPE(num_rows),
            float *y LW_SHAPE(num_rows));

LW_FOR("_Z13vector_mv_csrILi2EEvmPKmS1_PKfS3_Pf")
LW_REQUIRES(num_rows >= 1, num_rows <= 1073741824, block.x == 2, grid.x == (num_rows + block.y - 1) / block.y)
void by_2_lanes(size_t num_rows, const size_t *row_indices LW_SHAPE(num_rows + 1) LW_VALUES(0, len(values) + 1),
                const size_t *col_indices LW_SHAPE(len(values)) LW_VALUES(0, num_rows), const float *values, const float *x LW_SHAPE(num_rows),
                float *y LW_SHAPE(num_rows));

LW_FOR("_Z13vector_mv_csrILi8EEvmPKmS1_PKfS3_Pf")
LW_REQUIRES(num_rows >= 1, num_rows <= 1073741824, block.x == 8, grid.x == (num_rows + block.y - 1) / block.y)
void by_8_lanes(size_t num_rows, const size_t *row_indices LW_SHAPE(num_rows + 1) LW_VALUES(0, len(values) + 1),
                const size_t *col_indices LW_SHAPE(len(values)) LW_VALUES(0, num_rows), const float *values, const float *x LW_SHAPE(num_rows),
                float *y LW_SHAPE(num_rows));

LW_FOR("_Z13vector_mv_csrILi32EEvmPKmS1_PKfS3_Pf")
LW_REQUIRES(num_rows >= 1, num_rows <= 1073741824, block.x == 32, grid.x == (num_rows + block.y - 1) / block.y)
void by_32_lanes(size_t num_rows, const size_t *row_indices LW_SHAPE(num_rows + 1) LW_VALUES(0, len(values) + 1),
                 const size_t *col_indices LW_SHAPE(len(values)) LW_VALUES(0, num_rows), const float *values, const float *x LW_SHAPE(num_rows),
                 float *y LW_SHAPE(num_rows));

ROWS
void mv_dense(size_t num_rows, const float *matrix LW_SHAPE(num_rows, num_rows), const float *x LW_SHAPE(num_rows), float *y LW_SHAPE(num_rows));
