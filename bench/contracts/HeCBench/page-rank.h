/* SPDX-License-Identifier: Apache-2.0
 * file: src/page-rank-cuda/main.cu
 * kernels: map reduce
 */
LW_DOMAIN(n) LW_REQUIRES(n >= 1, n <= 1048576)
void map(const int *pages LW_SHAPE(n, n), const float *page_ranks LW_SHAPE(n), float *maps LW_SHAPE(n, n), const unsigned *noutlinks LW_SHAPE(n), int n);

LW_DOMAIN(n) LW_REQUIRES(n >= 1, n <= 1048576)
void reduce(float *page_ranks LW_SHAPE(n), const float *maps LW_SHAPE(n, n), int n, float *dif LW_SHAPE(n));
