/* SPDX-License-Identifier: Apache-2.0
 * file: src/heat-cuda/heat.cu
 * kernels: initial_value zero solve
 */
LW_BLOCK(256) LW_DOMAIN(n * n) LW_REQUIRES(n >= 1, n <= 32768)
void initial_value(unsigned n, double dx, double length, double *u LW_SHAPE(n, n));

LW_BLOCK(256) LW_DOMAIN(n * n) LW_REQUIRES(n >= 1, n <= 32768)
void zero(unsigned n, double *u LW_SHAPE(n, n));

LW_BLOCK(256) LW_DOMAIN(n * n) LW_REQUIRES(n >= 1, n <= 32768)
void solve(unsigned n, double alpha, double dx, double dt, double r, double r2, double *u LW_SHAPE(n, n), double *u_tmp LW_SHAPE(n, n));
