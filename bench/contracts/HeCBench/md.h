/* SPDX-License-Identifier: Apache-2.0
 * file: src/md-cuda/main.cu
 * kernels: md
 * cflags: -std=c++17 -DSINGLE_PRECISION
 */
struct __attribute__((aligned(16))) float4 {
    float x, y, z, w;
};

LW_BLOCK(256) LW_DOMAIN(nAtom) LW_REQUIRES(nAtom >= 1, maxNeighbors >= 1, maxNeighbors * nAtom <= 1073741824)
void md(const struct float4 *position LW_SHAPE(nAtom), struct float4 *force LW_SHAPE(nAtom), const int *neighborList LW_SHAPE(maxNeighbors, nAtom) LW_VALUES(0, nAtom),
        int nAtom, int maxNeighbors, float lj1_t, float lj2_t, float cutsq_t);
