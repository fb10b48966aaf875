/* SPDX-License-Identifier: Apache-2.0 */
#define EDGE 4
struct view {
    float *data LW_SHAPE(rows, cols);
    int rows, cols;
};

LW_BLOCK(16, 16) LW_DOMAIN(n, m) LW_REQUIRES(k >= 1)
void sgemm(unsigned m, unsigned n, unsigned k, float alpha, const float a[m][k], const float b[restrict static k][n],
           float beta, float c[m][n] LW_DISJOINT);

/* Two instances of one template. */
LW_FOR("_Z5scaleIfEvPT_mb") LW_BLOCK(EDGE * 8)
void scale_float(float *y LW_SHAPE(n), size_t n, bool f);
LW_FOR("_Z5scaleIdEvPT_mb")
void scale_double(double *y LW_SHAPE(n + EDGE), size_t n, bool f);

void halve(unsigned short *x LW_SHAPE(n, 2), long n);
void deep(int *y LW_SHAPE(n), int n);
__global__ void views(struct view v, int32_t cube[v.rows][2][EDGE], float open[], const double fixed[16]);
/* Of two kernels of this name, the one that it fits. */
void over(int y[3]);
