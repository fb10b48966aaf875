/* SPDX-License-Identifier: Apache-2.0 */
LW_BLOCK(128)
void scale(float *a LW_SHAPE(n), int n);
