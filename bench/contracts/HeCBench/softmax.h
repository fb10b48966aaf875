/* SPDX-License-Identifier: Apache-2.0
 * file: src/softmax-cuda/main.cu
 * kernels: softMax softMax2
 */
LW_BLOCK(256) LW_DOMAIN(numSlice)
LW_REQUIRES(numSlice >= 1, sliceSize >= 1, numSlice * sliceSize <= 1073741824)
void softMax(int numSlice, int sliceSize, const float *src LW_SHAPE(numSlice, sliceSize), float *dest LW_SHAPE(numSlice, sliceSize));

LW_BLOCK(256) LW_DOMAIN(numSlice * 32)
LW_REQUIRES(numSlice >= 1, sliceSize >= 1, numSlice * sliceSize <= 1073741824)
void softMax2(int numSlice, int sliceSize, const float *src LW_SHAPE(numSlice, sliceSize), float *dest LW_SHAPE(numSlice, sliceSize));
