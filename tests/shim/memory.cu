// SPDX-License-Identifier: Apache-2.0
// Cached loads and stores, address spaces, asynchronous copies, vector types, textures.

#include <cuda_pipeline.h>

__global__ void cached(float *f, float4 *v, char *c, double2 *d) {
    f[0] = __ldg(f + 1);   // here: ld.global.nc.f32
    v[0] = __ldg(v + 1);   // here: ld.global.nc.v4.f32
    c[0] = __ldg(c + 1);   // here: ld.global.nc.s8
    d[0] = __ldcs(d + 1);  // here: ld.global.cs.v2.f64
    f[2] = __ldcg(f + 3);  // here: ld.global.cg.f32
    __stcs(f + 4, f[5]);   // here: st.global.cs.f32
    __stcg(v + 2, v[3]);   // here: st.global.cg.v4.f32
}

__global__ void vectors(float4 *v, int2 *w) {
    v[0] = make_float4(v[1].x, v[1].y, v[2].z, v[2].w);
    w[0] = make_int2(w[1].y, w[1].x);
}
static_assert(sizeof(float3) == 12 && alignof(float3) == 4 && alignof(float4) == 16 && alignof(double4) == 16, "");
static_assert(alignof(short4) == 8 && alignof(char4) == 4 && sizeof(longlong2) == 16 && alignof(ulonglong2) == 16, "");
static_assert(sizeof(dim3) == 12 && sizeof(uint3) == 12 && alignof(double2) == 16 && alignof(int2) == 8, "");

__global__ void spaces(unsigned *u, const float *from) {
    __shared__ __align__(16) float tile[64];
    u[0] = (unsigned)__cvta_generic_to_shared(tile);
    u[1] = __isShared(tile) + __isGlobal(u);
    __pipeline_memcpy_async(tile, from, 16); // here: cp.async.cg.shared.global
    __pipeline_commit();                     // here: cp.async.commit_group
    __pipeline_wait_prior(0);                // here: cp.async.wait_group
    __syncthreads();
    u[2] = (unsigned)tile[threadIdx.x];
}

__global__ void textures(cudaTextureObject_t t, float4 *v, float *f) {
    v[0] = tex2D<float4>(t, 0.5f, 1.5f); // here: tex.2d.v4.f32.f32
    f[0] = tex1Dfetch<float>(t, 3);      // here: tex.1d.v4.f32.s32
}
