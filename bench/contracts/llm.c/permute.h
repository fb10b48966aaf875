/* SPDX-License-Identifier: Apache-2.0
 * file: dev/cuda/permute.cu
 * kernels: permute_kernel
 * cflags: -std=c++17
 */
LW_BLOCK(256) LW_DOMAIN(dim1 * dim2 * dim3 * dim4) LW_REQUIRES(dim1 >= 1, dim2 >= 1, dim3 >= 1, dim4 >= 1, dim1 * dim2 * dim3 * dim4 <= 1073741824)
void permute_kernel(const float *matrix LW_SHAPE(dim1 * dim2 * dim3 * dim4), float *out_matrix LW_SHAPE(dim1 * dim2 * dim3 * dim4), int dim1, int dim2, int dim3, int dim4);
