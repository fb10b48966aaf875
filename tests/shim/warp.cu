// SPDX-License-Identifier: Apache-2.0
// Shuffles, votes, match and reduce. "here: TEXT" asks for an instruction that contains TEXT, at this line.

#define FULL 0xffffffffu

__global__ void shuffles(int *i, unsigned *u, float *f, double *d, long long *l, unsigned long *w) {
    int t = threadIdx.x;
    i[t] = __shfl_sync(FULL, i[t], 3);           // here: shfl.sync.idx.b32
    u[t] = __shfl_up_sync(FULL, u[t], 1);        // here: shfl.sync.up.b32
    f[t] = __shfl_down_sync(FULL, f[t], 2);      // here: shfl.sync.down.b32
    f[t] += __shfl_xor_sync(FULL, f[t], 16, 16); // here: shfl.sync.bfly.b32
    d[t] = __shfl_down_sync(FULL, d[t], 4);      // here: shfl.sync.down.b32
    l[t] = __shfl_xor_sync(FULL, l[t], 8);       // here: shfl.sync.bfly.b32
    w[t] = __shfl_sync(FULL, w[t], 0);           // here: shfl.sync.idx.b32
}

__global__ void votes(int *p, unsigned *m) {
    int t = threadIdx.x;
    p[t] = __all_sync(FULL, p[t]);    // here: vote.sync.all.pred
    p[t] += __any_sync(FULL, p[t]);   // here: vote.sync.any.pred
    p[t] += __uni_sync(FULL, p[t]);   // here: vote.sync.uni.pred
    m[t] = __ballot_sync(FULL, p[t]); // here: vote.sync.ballot.b32
    m[t] += __activemask();           // here: activemask.b32
    __syncwarp();                     // here: bar.warp.sync
    m[t] += 1;
    __syncwarp(m[t]); // here: bar.warp.sync
}

__global__ void matches(int *p, unsigned *m, double *d) {
    int t = threadIdx.x;
    int all;
    m[t] = __match_any_sync(FULL, p[t]);        // here: match.any.sync.b32
    m[t] += __match_any_sync(FULL, d[t]);       // here: match.any.sync.b64
    m[t] += __match_all_sync(FULL, p[t], &all); // here: match.all.sync.b32
    p[t] = all;
}

__global__ void reduces(int *p, unsigned *m) {
    int t = threadIdx.x;
    p[t] = __reduce_add_sync(FULL, p[t]); // here: redux.sync.add.s32
    p[t] = __reduce_min_sync(FULL, p[t]); // here: redux.sync.min.s32
    m[t] = __reduce_max_sync(FULL, m[t]); // here: redux.sync.max.u32
    m[t] = __reduce_and_sync(FULL, m[t]); // here: redux.sync.and.b32
    m[t] = __reduce_or_sync(FULL, m[t]);  // here: redux.sync.or.b32
    m[t] = __reduce_xor_sync(FULL, m[t]); // here: redux.sync.xor.b32
}
