// SPDX-License-Identifier: Apache-2.0
// case: launch_overflow_good
// verdict: proved
// why: a ceiling that cannot leave its type, and one in a type that is wide enough
#include <lanewise/contract.h>

LW_BLOCK(1024) LW_DOMAIN(n) LW_REQUIRES(n >= 1) __global__ void flip(signed char *v LW_SHAPE(n) LW_DISJOINT, int n)
{
    long long i = blockIdx.x * 1024ll + threadIdx.x;
    if (i < n)
        v[i] = -v[i];
}

void run(signed char *v, int n)
{
    flip<<<n / 1024 + (n % 1024 != 0), 1024>>>(v, n);
    flip<<<(n - 1) / 1024 + 1, 1024>>>(v, n);
    flip<<<unsigned((n + 1023ll) / 1024), 1024>>>(v, n);
}
