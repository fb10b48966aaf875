// SPDX-License-Identifier: Apache-2.0
__device__ int one(void)
{
    return 1;
}
