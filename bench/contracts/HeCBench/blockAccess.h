/* SPDX-License-Identifier: Apache-2.0
 * file: src/blockAccess-cuda/main.cu
 * kernels: reference
 */
LW_BLOCK(256) LW_REQUIRES(n >= 0, n <= 1099511627776, grid.x <= 65536)
void reference(const float *A LW_SHAPE(n), unsigned char *out LW_SHAPE(n), size_t n);
