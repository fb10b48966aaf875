/* SPDX-License-Identifier: Apache-2.0 */
void scale(int n, float a[n][kk], const float b[n * 2], float alpha);
LW_BLOCK(len)
void scale2(int n, float a[alpha], float alpha);
void scale3(int n, float *p LW_SHAPE(nn));
void scale4(int n, float p[n][-1], void *q LW_SHAPE(n));
LW_FOR(_Z5scalePf) void scale5(float *p);
int x = unknown;
