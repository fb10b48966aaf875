// SPDX-License-Identifier: Apache-2.0
// Every row of the tables once. What counts here is that all of it compiles and, where NVIDIA's assembler is installed,
// assembles: inline PTX is checked by nobody else.

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_pipeline.h>
#include <mma.h>

// ---- memory.h: every type through every cache operator ----

template <typename T> __device__ void cached(void *memory) {
    T *p = (T *)memory;
    p[0] = __ldg(p + 1);
    p[2] = __ldca(p + 3);
    p[4] = __ldcg(p + 5);
    p[6] = __ldcs(p + 7);
    p[8] = __ldlu(p + 9);
    p[10] = __ldcv(p + 11);
    __stwb(p + 12, p[13]);
    __stcg(p + 14, p[15]);
    __stcs(p + 16, p[17]);
    __stwt(p + 18, p[19]);
}
template <typename... T> __device__ void cached_all(void *memory) { (cached<T>(memory), ...); }
__global__ void caches(void *memory) {
    cached_all<char, signed char, unsigned char, short, unsigned short, int, unsigned, long, unsigned long, long long,
               unsigned long long, float, double>(memory);
    cached_all<char2, uchar2, short2, ushort2, int2, uint2, longlong2, ulonglong2, float2, double2>(memory);
    cached_all<char4, uchar4, short4, ushort4, int4, uint4, float4>(memory);
    cached_all<__half, __half2, __nv_bfloat16, __nv_bfloat162>(memory);
}

// ---- conversions.h, arithmetic.h: every rounding ----

#define ROUNDINGS_1(name, to, from) to[0] = name##_rn(from[1]), to[1] = name##_rz(from[2]), to[2] = name##_rd(from[3]), to[3] = name##_ru(from[4])
#define ROUNDINGS_2(name, p)                                                                                   \
    p[0] = name##_rn(p[1], p[2]), p[1] = name##_rz(p[2], p[3]), p[2] = name##_rd(p[3], p[4]), p[3] = name##_ru(p[4], p[5])
#define ROUNDINGS_3(name, p)                                                                                   \
    p[0] = name##_rn(p[1], p[2], p[3]), p[1] = name##_rz(p[2], p[3], p[4]), p[2] = name##_rd(p[3], p[4], p[5]), \
    p[3] = name##_ru(p[4], p[5], p[6])

__global__ void roundings(float *f, double *d, int *i, unsigned *u, long long *l, unsigned long long *w) {
    ROUNDINGS_1(__float2int, i, f), ROUNDINGS_1(__float2uint, u, f), ROUNDINGS_1(__float2ll, l, f);
    ROUNDINGS_1(__float2ull, w, f), ROUNDINGS_1(__double2int, i, d), ROUNDINGS_1(__double2uint, u, d);
    ROUNDINGS_1(__double2ll, l, d), ROUNDINGS_1(__double2ull, w, d), ROUNDINGS_1(__int2float, f, i);
    ROUNDINGS_1(__uint2float, f, u), ROUNDINGS_1(__ll2float, f, l), ROUNDINGS_1(__ull2float, f, w);
    ROUNDINGS_1(__ll2double, d, l), ROUNDINGS_1(__ull2double, d, w), ROUNDINGS_1(__double2float, f, d);
    ROUNDINGS_2(__fadd, f), ROUNDINGS_2(__fsub, f), ROUNDINGS_2(__fmul, f), ROUNDINGS_2(__fdiv, f);
    ROUNDINGS_2(__dadd, d), ROUNDINGS_2(__dsub, d), ROUNDINGS_2(__dmul, d), ROUNDINGS_2(__ddiv, d);
    ROUNDINGS_3(__fmaf, f), ROUNDINGS_3(__fmaf_ieee, f), ROUNDINGS_3(__fma, d);
    ROUNDINGS_1(__frcp, f, f), ROUNDINGS_1(__fsqrt, f, f), ROUNDINGS_1(__drcp, d, d), ROUNDINGS_1(__dsqrt, d, d);
    f[0] = __tanhf(f[1]) + __frsqrt_rn(f[2]) + __exp10f(f[3]) + __log10f(f[4]) + __log2f(f[5]);
    d[0] = rsqrt(d[1]);
}

__global__ void narrow_conversions(__half *h, __nv_bfloat16 *b, float *f, double *d, int *i, unsigned *u, short *s,
                                   unsigned short *t, long long *l, unsigned long long *w) {
    ROUNDINGS_1(__half2int, i, h), ROUNDINGS_1(__half2uint, u, h), ROUNDINGS_1(__half2short, s, h);
    ROUNDINGS_1(__half2ushort, t, h), ROUNDINGS_1(__half2ll, l, h), ROUNDINGS_1(__half2ull, w, h);
    ROUNDINGS_1(__int2half, h, i), ROUNDINGS_1(__uint2half, h, u), ROUNDINGS_1(__short2half, h, s);
    ROUNDINGS_1(__ushort2half, h, t), ROUNDINGS_1(__ll2half, h, l), ROUNDINGS_1(__ull2half, h, w);
    ROUNDINGS_1(__float2half, h, f), ROUNDINGS_1(__float2bfloat16, b, f), ROUNDINGS_1(__bfloat162int, i, b);
    ROUNDINGS_1(__int2bfloat16, b, i), ROUNDINGS_1(__ull2bfloat16, b, w), ROUNDINGS_1(__bfloat162ll, l, b);
    h[0] = __double2half(d[0]);
    b[0] = __double2bfloat16(d[1]);
    h[1] = (__half)b[1];
    b[2] = (__nv_bfloat16)h[2];
    h[3] = (__half)i[0];
    f[0] = (int)h[4] + (float)__nv_fp8_e5m2(f[1]);
}

// ---- narrow_float.h: every operation of both formats ----

template <typename One, typename Two> __device__ void narrow(One *x, Two *y, unsigned *m) {
    x[0] = __hadd(x[1], x[2]) + __hsub(x[1], x[2]) * __hmul(x[1], x[2]) / __hdiv(x[1], x[2]);
    x[1] = __hadd_rn(x[1], x[2]) - __hsub_rn(x[1], x[2]) + __hmul_rn(x[1], x[2]);
    x[2] = __hadd_sat(x[1], x[2]) - __hsub_sat(x[1], x[2]) + __hmul_sat(x[1], x[2]);
    x[3] = __hmin(__hmax(x[1], x[2]), __hmin_nan(x[3], __hmax_nan(x[4], x[5])));
    x[4] = __hfma(__hfma_sat(x[4], x[5], x[6]), __hfma_relu(x[4], x[5], x[6]), __hneg(__habs(x[7])));
    x[5] = hsin(x[1]) + hcos(x[2]) + hsqrt(x[3]) + hrsqrt(x[4]) + hrcp(x[5]) + htanh(x[6]) + htanh_approx(x[7]);
    x[6] = hexp(x[1]) + hexp2(x[2]) + hexp10(x[3]) + hlog(x[4]) + hlog2(x[5]) + hlog10(x[6]);
    x[7] = hceil(x[1]) + hfloor(x[2]) + hrint(x[3]) + htrunc(x[4]);
    x[8]++;
    y[0] = __hadd2(y[1], y[2]) + __hsub2(y[1], y[2]) * __hmul2(y[1], y[2]) / __h2div(y[1], y[2]);
    y[1] = __hadd2_rn(y[1], y[2]) - __hsub2_rn(y[1], y[2]) + __hmul2_rn(y[1], y[2]);
    y[2] = __hadd2_sat(y[1], y[2]) - __hsub2_sat(y[1], y[2]) + __hmul2_sat(y[1], y[2]);
    y[3] = __hmin2(__hmax2(y[1], y[2]), __hmin2_nan(y[3], __hmax2_nan(y[4], y[5])));
    y[4] = __hfma2(__hfma2_sat(y[4], y[5], y[6]), __hfma2_relu(y[4], y[5], y[6]), __hneg2(__habs2(y[7])));
    y[5] = __hcmadd(y[5], y[6], h2exp(y[7]));
    y[6] = __heq2(y[1], y[2]) + __hneu2(y[1], y[2]) + __hltu2(y[1], y[2]) + __hisnan2(y[3]);
    m[0] = __hgt2_mask(y[1], y[2]) + __hisinf(x[1]) + __hbeq2(y[1], y[2]) + (x[1] >= x[2]) + (y[1] != y[2]);
    atomicAdd(x + 20, x[21]);
    atomicAdd(y + 20, y[21]);
}
__global__ void narrow_operations(__half *a, __half2 *b, __nv_bfloat16 *c, __nv_bfloat162 *d, unsigned *m) {
    narrow(a, b, m);
    narrow(c, d, m);
}

// ---- atomics.h, ordered_atomics.h ----

#define SCOPES(name, p, value) p[0] = name(p + 1, value), p[2] = name##_block(p + 1, value), p[3] = name##_system(p + 1, value)

__global__ void atomics(int *i, unsigned *u, unsigned long long *w, long long *l, float *f, double *d, unsigned short *s) {
    SCOPES(atomicAdd, i, 1), SCOPES(atomicAdd, u, 1u), SCOPES(atomicAdd, w, 1ull), SCOPES(atomicAdd, f, 1.0f);
    SCOPES(atomicAdd, d, 1.0), SCOPES(atomicSub, i, 1), SCOPES(atomicSub, u, 1u), SCOPES(atomicExch, i, 1);
    SCOPES(atomicExch, u, 1u), SCOPES(atomicExch, w, 1ull), SCOPES(atomicExch, f, 1.0f), SCOPES(atomicMin, i, 1);
    SCOPES(atomicMin, u, 1u), SCOPES(atomicMin, l, 1ll), SCOPES(atomicMin, w, 1ull), SCOPES(atomicMax, i, 1);
    SCOPES(atomicMax, u, 1u), SCOPES(atomicMax, l, 1ll), SCOPES(atomicMax, w, 1ull), SCOPES(atomicInc, u, 1u);
    SCOPES(atomicDec, u, 1u), SCOPES(atomicAnd, i, 1), SCOPES(atomicAnd, u, 1u), SCOPES(atomicAnd, w, 1ull);
    SCOPES(atomicOr, i, 1), SCOPES(atomicOr, u, 1u), SCOPES(atomicOr, w, 1ull), SCOPES(atomicXor, i, 1);
    SCOPES(atomicXor, u, 1u), SCOPES(atomicXor, w, 1ull);
    s[0] = atomicCAS(s + 1, s[2], s[3]) + atomicCAS_block(s + 1, s[2], s[3]) + atomicCAS_system(s + 1, s[2], s[3]);
    i[0] = atomicCAS(i + 1, 2, 3) + atomicCAS_block(i + 1, 2, 3) + atomicCAS_system(i + 1, 2, 3);
    w[0] = atomicCAS(w + 1, 2ull, 3ull) + atomicCAS_block(w + 1, 2ull, 3ull) + atomicCAS_system(w + 1, 2ull, 3ull);
    atomicAdd((float4 *)f, make_float4(1, 2, 3, 4));

    l[0] = __nv_atomic_fetch_add(l + 1, 5, __NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_BLOCK);
    l[1] = __nv_atomic_fetch_min(l + 1, 5, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE);
    f[0] = __nv_atomic_load_n(f + 1, __NV_ATOMIC_SEQ_CST);
    s[4] = __nv_atomic_load_n(s + 5, __NV_ATOMIC_RELAXED);
    __nv_atomic_store_n(d + 1, 2, __NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_DEVICE);
    int expected = 3;
    i[7] = __nv_atomic_compare_exchange_n(i + 8, &expected, 4, false, __NV_ATOMIC_ACQ_REL, __NV_ATOMIC_ACQUIRE,
                                          __NV_THREAD_SCOPE_SYSTEM) + expected;
}

// ---- texture.h ----

__global__ void textures(cudaTextureObject_t t, cudaSurfaceObject_t s, float4 *v, int *i, uchar4 *c) {
    v[0] = tex1D<float4>(t, 1.0f);
    v[1] = tex3D<float4>(t, 1.0f, 2.0f, 3.0f);
    v[2] = tex2DLod<float4>(t, 1.0f, 2.0f, 3.0f);
    v[3] = tex1DLod<float4>(t, 1.0f, 3.0f);
    v[4] = tex3DLod<float4>(t, 1.0f, 2.0f, 3.0f, 1.0f);
    i[0] = tex2DLayered<int>(t, 1.0f, 2.0f, 3) + tex1DLayered<int>(t, 1.0f, 3);
    c[0] = tex1Dfetch<uchar4>(t, 3);
    v[5] = surf2Dread<float4>(s, 16, 2);
    c[1] = surf1Dread<uchar4>(s, 4);
    surf2Dwrite(v[6], s, 16, 3, cudaBoundaryModeClamp);
    surf2Dwrite((unsigned char)3, s, 4, 4);
    surf1Dwrite(c[2], s, 4, cudaBoundaryModeZero);
}

// ---- the rest ----

__global__ void others(unsigned *u, long long *l, int *i) {
    u[0] = __fns(u[1], 0, 2) + __funnelshift_lc(u[2], u[3], u[4]) + __funnelshift_r(u[2], u[3], u[4]);
    i[0] = __dp2a_lo(i[1], i[2], i[3]) + __dp2a_hi(i[1], i[2], i[3]);
    u[5] = __dp4a(u[1], u[2], u[3]) + __vsadu4(u[7], u[8]) + __vsadu2(u[1], u[2]) + __vabsdiffu2(u[3], u[4]);
    l[0] = __globaltimer();
    __prof_trigger(3);
    __barrier_sync(1);
    __barrier_sync_count(2, 64);
    nvcuda::experimental::pipeline pipeline;
    __shared__ float4 target;
    nvcuda::experimental::memcpy_async(target, *(float4 *)u, pipeline);
    pipeline.commit();
    pipeline.wait_prior<0>();
    u[20] = (unsigned)target.x;
    if (u[9]) __exit();
}

namespace cg = cooperative_groups;
__global__ void groups(float *f, int *i) {
    __shared__ float tile_memory[256];
    cg::thread_block block = cg::this_thread_block();
    cg::memcpy_async(block, tile_memory, f, 1024);
    cg::wait(block);
    f[3] = tile_memory[3];
    cg::coalesced_group active = cg::coalesced_threads();
    i[0] = active.match_any(i[3]) + active.ballot(i[4]) + cg::labeled_partition(active, i[7]).size();
    i[6] = cg::binary_partition(active, i[8] > 0).thread_rank();
    f[11] = cg::reduce(active, f[12], cg::plus<float>());
    auto tile = cg::tiled_partition<4>(cg::tiled_partition<32>(block));
    i[9] = tile.match_any(3) + tile.meta_group_size() + cg::reduce(tile, i[21], cg::bit_xor<int>());
    f[9] = cg::exclusive_scan(tile, f[10]);
    f[20] = tile.shfl(1.5, 2) + tile.shfl(make_float3(f[1], f[2], f[3]), 1).y;
    cg::thread_group any = tile;
    any.sync();
    cg::sync(block);
}

using namespace nvcuda::wmma;
template <typename Element, int M, int N, int K, typename Stored, typename Sum>
__device__ void product(const Stored *a, Sum *c) {
    fragment<matrix_a, M, N, K, Element, row_major> x;
    fragment<matrix_b, M, N, K, Element, col_major> y;
    fragment<accumulator, M, N, K, Sum> z;
    load_matrix_sync(x, a, 64);
    load_matrix_sync(y, a + 512, 64);
    load_matrix_sync(z, c, 64, mem_row_major);
    mma_sync(z, x, y, z);
    store_matrix_sync(c, z, 64, mem_col_major);
}
__global__ void products(__half *h, float *f, signed char *c, unsigned char *u, int *i, __nv_bfloat16 *b, double *d) {
    product<__half, 16, 16, 16>(h, f);
    product<__half, 32, 8, 16>(h, f);
    product<__half, 8, 32, 16>(h, h);
    product<signed char, 16, 16, 16>(c, i);
    product<unsigned char, 32, 8, 16>(u, i);
    product<__nv_bfloat16, 16, 16, 16>(b, f);
    product<__nv_bfloat16, 8, 32, 16>(b, f);
    product<precision::tf32, 16, 16, 8>(f, f);
    product<double, 8, 8, 4>(d, d);
}
// in PTX: wmma.mma.sync
// in PTX: suld.b.2d.b64.trap
// in PTX: tex.level.3d.v4.f32.f32
// in PTX: fence.sc.gpu
