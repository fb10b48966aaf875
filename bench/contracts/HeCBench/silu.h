/* SPDX-License-Identifier: Apache-2.0
 * file: src/silu-cuda/main.cu
 * kernels: silu_forward_kernel silu_forward_kernel2 silu_backward_kernel silu_backward_kernel2 silu_backward_kernel3
 */
LW_REQUIRES(N >= 1, N <= 1099511627776, grid.x == (N + block.x - 1) / block.x)
void silu_forward_kernel(const float *x LW_SHAPE(N), float *out LW_SHAPE(N), uint64_t N);
LW_REQUIRES(N >= 4, N <= 1099511627776, grid.x == (N / 4 + block.x - 1) / block.x)
void silu_forward_kernel2(const float *x LW_SHAPE(N), float *out LW_SHAPE(N), uint64_t N);
LW_REQUIRES(N >= 1, N <= 1099511627776, grid.x == (N + block.x - 1) / block.x)
void silu_backward_kernel(const float *dout LW_SHAPE(N), const float *x LW_SHAPE(N), float *dx LW_SHAPE(N), uint64_t N);
LW_REQUIRES(N >= 1, N <= 1099511627776, grid.x == (N + block.x - 1) / block.x)
void silu_backward_kernel2(const float *dout LW_SHAPE(N), const float *x LW_SHAPE(N), float *dx LW_SHAPE(N), uint64_t N);
LW_REQUIRES(N >= 4, N <= 1099511627776, grid.x == (N / 4 + block.x - 1) / block.x)
void silu_backward_kernel3(const float *dout LW_SHAPE(N), const float *x LW_SHAPE(N), float *dx LW_SHAPE(N), uint64_t N);
