/* SPDX-License-Identifier: Apache-2.0
 * file: src/haversine-cuda/distance.cu
 * kernels: compute_haversine_distance
 */
struct __attribute__((aligned(16))) double4 {
    double x, y, z, w;
};

LW_BLOCK(256) LW_DOMAIN(n) LW_REQUIRES(n >= 1, n <= 1073741824)
void compute_haversine_distance(const struct double4 *p LW_SHAPE(n), double *distance LW_SHAPE(n), int n);
