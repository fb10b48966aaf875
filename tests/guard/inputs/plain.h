/* SPDX-License-Identifier: Apache-2.0 */
#include <lanewise/contract.h>

LW_FOR("_Z4fillPfi") void fill(float *y LW_SHAPE(n - 1), int n);
