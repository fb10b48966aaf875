// SPDX-License-Identifier: Apache-2.0
// Atomics of every type in the three scopes, and the ordered family.

__global__ void device_scope(int *i, unsigned *u, unsigned long long *l, float *f, double *d, unsigned short *s) {
    i[0] = atomicAdd(i + 1, 2);          // here: add.u32
    i[2] = atomicSub(i + 1, i[9]);       // here: add.u32
    i[3] = atomicMin(i + 1, 2);          // here: min.s32
    u[0] = atomicMax(u + 1, 2u);         // here: max.u32
    u[2] = atomicInc(u + 1, 9u);         // here: inc.u32
    u[3] = atomicDec(u + 1, 9u);         // here: dec.u32
    u[4] = atomicAnd(u + 1, 9u);         // here: and.b32
    u[5] = atomicOr(u + 1, 9u);          // here: or.b32
    u[6] = atomicXor(u + 1, 9u);         // here: xor.b32
    u[7] = atomicExch(u + 1, 9u);        // here: exch.b32
    u[8] = atomicCAS(u + 1, 9u, 3u);     // here: cas.b32
    l[0] = atomicAdd(l + 1, 2ull);       // here: add.u64
    l[2] = atomicCAS(l + 1, 9ull, 3ull); // here: cas.b64
    l[3] = atomicMax(l + 1, 9ull);       // here: max.u64
    f[0] = atomicAdd(f + 1, 2.0f);       // here: add.f32
    d[0] = atomicAdd(d + 1, 2.0);        // here: add.f64
    f[2] = atomicExch(f + 1, 2.0f);      // here: exch.b32
    s[0] = atomicCAS(s + 1, s[2], s[3]); // here: cas.b16
}

__global__ void other_scopes(int *i, unsigned *u, float *f) {
    i[0] = atomicAdd_block(i + 1, 2);         // here: cta.add.s32
    i[2] = atomicAdd_system(i + 1, 2);        // here: sys.add.s32
    u[0] = atomicCAS_system(u + 1, 2u, 3u);   // here: sys.cas.b32
    f[0] = atomicAdd_block(f + 1, 2.0f);      // here: cta.add.f32
}

__global__ void ordered(int *i, unsigned long long *l) {
    i[0] = __nv_atomic_load_n(i + 1, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE); // here: ld.acquire.gpu.b32
    l[0] = __nv_atomic_load_n(l + 1, __NV_ATOMIC_RELAXED);                           // here: ld.relaxed.sys.b64
    __nv_atomic_store_n(i + 2, 5, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_BLOCK);     // here: st.release.cta.b32
    i[3] = __nv_atomic_fetch_add(i + 4, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE); // here: add.u32
    __nv_atomic_thread_fence(__NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_DEVICE);         // here: fence.sc.gpu
}
