/* SPDX-License-Identifier: Apache-2.0
 * file: src/nn-cuda/nearestNeighbor.cu
 * kernels: nn
 */
struct place {
    float lat, lng;
};

LW_BLOCK(64) LW_DOMAIN(numRecords) LW_REQUIRES(numRecords >= 1, numRecords <= 1073741824)
void nn(int numRecords, float lat, float lng, const struct place *locations LW_SHAPE(numRecords), float *distances LW_SHAPE(numRecords));
