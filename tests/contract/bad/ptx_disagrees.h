/* SPDX-License-Identifier: Apache-2.0 */
void scale(float *a LW_SHAPE(n), int n);
void shorter(float *a, int n, int m);
void real(int *a, int x);
