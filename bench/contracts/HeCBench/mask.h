/* SPDX-License-Identifier: Apache-2.0
 * file: src/mask-cuda/main.cu
 * kernels: _Z18sequenceMaskKernelIiEviiiPKT_PKiS0_PS0_ _Z16windowMaskKernelIiEviiiPKT_PKiiS0_PS0_ _Z15upperMaskKernelIiEviiiPKT_S0_PS0_
 *
 * B planes of N rows of M elements, with a number for each row.
 */
LW_FOR("_Z18sequenceMaskKernelIiEviiiPKT_PKiS0_PS0_") LW_BLOCK(256) LW_REQUIRES(N >= 1, M >= 1, B >= 1, B * N * M <= 1073741824, grid.x <= 65536)
void sequence_mask(int N, int M, int B, const int *in LW_SHAPE(B, N, M), const int *seq_lengths LW_SHAPE(N), int fill_val, int *out LW_SHAPE(B, N, M));
LW_FOR("_Z16windowMaskKernelIiEviiiPKT_PKiiS0_PS0_") LW_BLOCK(256) LW_REQUIRES(N >= 1, M >= 1, B >= 1, B * N * M <= 1073741824, grid.x <= 65536)
void window_mask(int N, int M, int B, const int *in LW_SHAPE(B, N, M), const int *window_centers LW_SHAPE(N), int radius, int fill_val, int *out LW_SHAPE(B, N, M));
LW_FOR("_Z15upperMaskKernelIiEviiiPKT_S0_PS0_") LW_BLOCK(256) LW_REQUIRES(N >= 1, M >= 1, B >= 1, B * N * M <= 1073741824, grid.x <= 65536)
void upper_mask(int N, int M, int B, const int *in LW_SHAPE(B, N, M), int fill_val, int *out LW_SHAPE(B, N, M));
