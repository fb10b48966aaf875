/* SPDX-License-Identifier: Apache-2.0
 *
 * Contracts of kernels in examples/ and tests/cases/run, which have a launch comment alone: for mutants.sh.
 */

LW_BLOCK(256) LW_DOMAIN(w) LW_REQUIRES(w >= 1, w <= 65536, row >= 0, row < 65536)
void mark_row(unsigned char *image LW_SHAPE(row + 1, w) LW_DISJOINT, int row, int w);

LW_BLOCK(256) LW_DOMAIN(n) LW_REQUIRES(n >= 0, n <= 2147483392)
void block_sum(float *out LW_SHAPE((n + 255) / 256) LW_WRITES_ALL LW_DISJOINT LW_REDUCES(sum, in), const float *in LW_SHAPE(n), int n);

LW_BLOCK_MULTIPLE(32) LW_DOMAIN(w, h) LW_REQUIRES(w >= 0, h >= 0, w * h <= 2147483647, w <= 1000000, h <= 1000000)
void copy_2d(float *out LW_SHAPE(h, w) LW_WRITES_ALL LW_DISJOINT, const float *in LW_SHAPE(h, w), int w, int h);

LW_BLOCK(128) LW_DOMAIN(n) LW_REQUIRES(n >= 0, n <= 2147483392) LW_SHARED_BYTES(block.x * 8)
void block_argmax(int *out LW_SHAPE((n + 127) / 128) LW_WRITES_ALL LW_DISJOINT, const float *in LW_SHAPE(n), int n);

LW_BLOCK(16, 16) LW_DOMAIN(n, m) LW_REQUIRES(m * k <= 4294967295, k * n <= 4294967295, m * n <= 4294967295)
void gemm(unsigned m, unsigned n, unsigned k, const float *a LW_SHAPE(m, k), const float *b LW_SHAPE(k, n),
          float *c LW_SHAPE(m, n) LW_WRITES_ALL LW_DISJOINT);

LW_BLOCK(16, 16) LW_DOMAIN(n, m) LW_REQUIRES(k <= 4294967000, m * k <= 4294967295, k * n <= 4294967295, m * n <= 4294967295)
void gemm_tiled(unsigned m, unsigned n, unsigned k, const float *a LW_SHAPE(m, k), const float *b LW_SHAPE(k, n),
                float *c LW_SHAPE(m, n) LW_WRITES_ALL LW_DISJOINT);

LW_BLOCK(128) LW_REQUIRES(n >= 0, n <= 1000000000, grid.x <= 65536)
void histogram(unsigned *count LW_SHAPE(64), const unsigned *value LW_SHAPE(n), int n);

LW_BLOCK(128) LW_REQUIRES(n >= 0, n <= 2147483392, grid.x == (n + 127) / 128)
void grand_total(float *total LW_SHAPE(1) LW_WRITES_ALL LW_REDUCES(sum, in), float *part LW_SHAPE(grid.x) LW_WRITES_ALL LW_DISJOINT,
                 unsigned *ticket LW_SHAPE(1) LW_VALUES(0, 1), const float *in LW_SHAPE(n), int n);

LW_BLOCK(256) LW_DOMAIN(n) LW_REQUIRES(n >= 0, n <= 2147483392)
void reverse_tile(float *out LW_SHAPE(n) LW_WRITES_ALL LW_DISJOINT, const float *in LW_SHAPE(n), int n);

LW_BLOCK(128) LW_REQUIRES(cols >= 1, cols <= 128, grid.x <= 1000000)
void row_max(float *out LW_SHAPE(grid.x) LW_WRITES_ALL LW_DISJOINT LW_REDUCES(max, in), const float *in LW_SHAPE(grid.x, cols), int cols);

LW_BLOCK_MULTIPLE(32) LW_DOMAIN(n) LW_REQUIRES(n >= 0, n <= 2147482623)
void scale(float *y LW_SHAPE(n) LW_WRITES_ALL LW_DISJOINT, const float *x LW_SHAPE(n), float a, int n);

LW_BLOCK(128) LW_DOMAIN(n) LW_REQUIRES(n >= 0, n <= 2147483392)
void block_scan(int *out LW_SHAPE(n) LW_WRITES_ALL LW_DISJOINT, const int *in LW_SHAPE(n), int n);

LW_BLOCK(16, 16) LW_DOMAIN(w, h) LW_REQUIRES(w >= 1, h >= 1, w <= 40000, h <= 40000)
void laplace(float *out LW_SHAPE(h, w) LW_WRITES_ALL LW_DISJOINT, const float *in LW_SHAPE(h, w), int w, int h);

LW_BLOCK(128) LW_DOMAIN(n) LW_REQUIRES(n >= 1, n <= 2147483392)
void second_difference(float *out LW_SHAPE(n) LW_WRITES_ALL LW_DISJOINT, const float *in LW_SHAPE(n), int n);

LW_BLOCK(64) LW_REQUIRES(n >= 0, n <= 2147483000, grid.x == 1)
void neighbour_sum(float *out LW_SHAPE(64) LW_WRITES_ALL LW_DISJOINT, const float *in LW_SHAPE(n), int n);

LW_BLOCK(16, 16) LW_DOMAIN(w, h) LW_REQUIRES(w >= 1, h >= 1, w <= 40000, h <= 40000)
void transpose(float *out LW_SHAPE(w, h) LW_WRITES_ALL LW_DISJOINT, const float *in LW_SHAPE(h, w), int w, int h);

LW_BLOCK(128) LW_DOMAIN(n) LW_REQUIRES(n >= 0, n <= 2147483392)
void warp_reverse(float *out LW_SHAPE(n) LW_WRITES_ALL LW_DISJOINT, const float *in LW_SHAPE(n), int n);

LW_BLOCK(128) LW_DOMAIN(n) LW_REQUIRES(n >= 0, n <= 2147483392)
void warp_sum(float *out LW_SHAPE((n + 31) / 32) LW_WRITES_ALL LW_DISJOINT LW_REDUCES(sum, in), const float *in LW_SHAPE(n), int n);

LW_BLOCK_MULTIPLE(32) LW_DOMAIN(n) LW_REQUIRES(n >= 0, n <= 2147482623)
void keep_positive(float *out LW_SHAPE(n), unsigned *count LW_SHAPE(1) LW_VALUES(0, 1), const float *in LW_SHAPE(n), int n);

LW_BLOCK(32) LW_REQUIRES(grid.x == 1)
void half_warp_sum(const float *in LW_SHAPE(32), float *out LW_SHAPE(1) LW_WRITES_ALL);

LW_REQUIRES(grid.x == 1, block.x <= 1024)
void warp_totals(const float *in LW_SHAPE(block.x), float *out LW_SHAPE((block.x + 31) / 32) LW_WRITES_ALL LW_DISJOINT LW_REDUCES(sum, in));

LW_BLOCK_MULTIPLE(32) LW_DOMAIN(n) LW_REQUIRES(n >= 0, n <= 2147482623)
void accumulate(float *sum LW_SHAPE(n) LW_WRITES_ALL LW_DISJOINT, const float *x LW_SHAPE(n), int n);

LW_BLOCK_MULTIPLE(32) LW_DOMAIN(n) LW_REQUIRES(n >= 0, n <= 2147482623)
void square(int *out LW_SHAPE(n) LW_WRITES_ALL LW_DISJOINT, int n);

LW_BLOCK_MULTIPLE(32) LW_REQUIRES(n >= 0, n <= 1000000000, grid.x <= 65536)
void add_one(float *vals LW_SHAPE(n) LW_WRITES_ALL LW_DISJOINT, int n);

LW_BLOCK(256) LW_DOMAIN(n) LW_REQUIRES(n >= 0, n <= 2147483392)
void reverse_live(float *out LW_SHAPE(n) LW_WRITES_ALL LW_DISJOINT, const float *in LW_SHAPE(n), int n);

LW_BLOCK(128) LW_DOMAIN(n) LW_REQUIRES(n >= 0, n <= 2147483392)
void three_sum(float *out LW_SHAPE(n) LW_WRITES_ALL LW_DISJOINT, const float *in LW_SHAPE(n), int n);

LW_BLOCK_MULTIPLE(32) LW_DOMAIN(n) LW_REQUIRES(n >= 1, n <= 1073741823)
void ring_sum(float *out LW_SHAPE(n) LW_WRITES_ALL LW_DISJOINT, const float *in LW_SHAPE(n), int n);

LW_BLOCK_MULTIPLE(32) LW_DOMAIN(n) LW_REQUIRES(n >= 0, n <= 1000000000, taps >= 0, taps <= 5)
void filter(float *out LW_SHAPE(n) LW_WRITES_ALL LW_DISJOINT, const float *in LW_SHAPE(n + 5), int taps, int n);
