// SPDX-License-Identifier: Apache-2.0
#include <lanewise/contract.h>

LW_BLOCK_MULTIPLE(32) LW_DOMAIN(n) LW_REQUIRES(n <= 1000000)
void half(float *x LW_SHAPE(n), unsigned n);
