// SPDX-License-Identifier: Apache-2.0
// wmma.

#include <mma.h>

using namespace nvcuda;

__global__ void product(const half *a, const half *b, float *c) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> left;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> right;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    wmma::fill_fragment(sum, 0.0f);
    wmma::load_matrix_sync(left, a, 16);                      // here: wmma.load.a.sync.aligned.row.m16n16k16
    wmma::load_matrix_sync(right, b, 16);                     // here: wmma.load.b.sync.aligned.col.m16n16k16
    wmma::mma_sync(sum, left, right, sum);                    // here: wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32
    wmma::store_matrix_sync(c, sum, 16, wmma::mem_row_major); // here: wmma.store.d.sync.aligned.row.m16n16k16
}
