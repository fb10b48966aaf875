/* SPDX-License-Identifier: Apache-2.0
 * file: src/atomicReduction-cuda/reduction.cu
 * kernels: atomic_reduction atomic_reduction_v2 atomic_reduction_v4
 *
 * The length is whatever the program is told. The kernels that take two and four elements at once read past an end that is no multiple: a real fault, see README.md.
 */
LW_REQUIRES(arrayLength >= 1, arrayLength <= 1073741824, block.x * grid.x <= 1048576)
void atomic_reduction(int *in LW_SHAPE(arrayLength), int *out LW_SHAPE(1), int arrayLength);
LW_REQUIRES(arrayLength >= 1, arrayLength <= 1073741824, block.x * grid.x <= 1048576)
void atomic_reduction_v2(int *in LW_SHAPE(arrayLength), int *out LW_SHAPE(1), int arrayLength);
LW_REQUIRES(arrayLength >= 1, arrayLength <= 1073741824, block.x * grid.x <= 1048576)
void atomic_reduction_v4(int *in LW_SHAPE(arrayLength), int *out LW_SHAPE(1), int arrayLength);
