// SPDX-License-Identifier: Apache-2.0
#include <lanewise/contract.h>
LW_BLOCK(128) LW_DOMAIN(n) LW_REQUIRES(n>=0,n<=1000000)
__global__ void dis_raw(float *out LW_SHAPE(n) LW_DISJOINT, int n) { int i=blockIdx.x*blockDim.x+threadIdx.x; if (i<n) out[i/2]=1; }
