/* SPDX-License-Identifier: Apache-2.0
 * file: src/filter-cuda/main.cu
 * kernels: filter filter2
 *
 * Where an element goes depends on counters in memory, which no contract can bound.
 */
LW_DOMAIN(n) LW_REQUIRES(n >= 1, n <= 1073741824)
void filter(int *dst LW_SHAPE(n), int *nres LW_SHAPE(1), const int *src LW_SHAPE(n), int n);
LW_DOMAIN(n) LW_REQUIRES(n >= 1, n <= 1073741824)
void filter2(int *dst LW_SHAPE(n), int *nres LW_SHAPE(1), const int *src LW_SHAPE(n), int n);
