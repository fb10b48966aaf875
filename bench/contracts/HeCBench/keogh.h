/* SPDX-License-Identifier: Apache-2.0
 * file: src/keogh-cuda/main.cu
 * kernels: lb_keogh
 */
LW_BLOCK(256) LW_DOMAIN(N - M + 1) LW_SHARED_BYTES((M + 256) * 4) LW_REQUIRES(M >= 1, M <= N, N <= 1073741824)
void lb_keogh(const float *subject LW_SHAPE(N), const float *avgs LW_SHAPE(N - M + 1), const float *stds LW_SHAPE(N - M + 1), float *lb_keogh LW_SHAPE(N - M + 1),
              const float *lower_bound LW_SHAPE(M), const float *upper_bound LW_SHAPE(M), int M, int N);
