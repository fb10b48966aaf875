/* SPDX-License-Identifier: Apache-2.0
 *
 * Every macro of lanewise/contract.h where it may stand.
 */
#ifndef LANEWISE_TESTS_ALL_MACROS_H
#define LANEWISE_TESTS_ALL_MACROS_H

#include <lanewise/contract.h>

struct view {
    float *data LW_SHAPE(rows, cols) LW_DISJOINT;
    int rows, cols;
};

LW_BLOCK(16, 16)
LW_BLOCK_MULTIPLE(32)
LW_BLOCK_MAX(256) LW_DOMAIN(n, m) LW_REQUIRES(n >= 1, m *n <= 4294967295)
    LW_SHARED_BYTES(block.x * 4) LW_UNCHECKED_INDEXING("hot, and \"tested\"") void kernel(
        int m, int n, float *sum LW_SHAPE(1) LW_REDUCES(and, in) LW_WRITES_ALL,
        const float *in LW_PITCHED(m, n, n + 1) LW_MAY_ALIAS(sum),
        const int *at LW_SHAPE(n) LW_VALUES(0, m), struct view v);

LW_FOR("_Z6kernelv")
void other(void);
LW_REFERENCE(kernel)
void kernel_reference(int m, int n);

#endif
