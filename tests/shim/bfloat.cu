// SPDX-License-Identifier: Apache-2.0
// __nv_bfloat16 and __nv_bfloat162, and 8-bit floats.

#include <cuda_bf16.h>
#include <cuda_fp8.h>

__global__ void singles(__nv_bfloat16 *b, float *f) {
    b[0] = __hadd(b[1], b[2]);         // here: fma.rn.bf16
    b[1] = b[1] * b[2];                // here: fma.rn.bf16
    b[2] = __float2bfloat16(f[0]);     // here: cvt.rn.bf16.f32
    f[1] = __bfloat162float(b[3]);
    b[4] = __hmax(b[4], b[5]);         // here: max.bf16
    b[5] = __ldcs(b + 6);              // here: ld.global.cs.u16
    atomicAdd(b + 7, b[8]);            // here: cas.b16
}

__global__ void pairs(__nv_bfloat162 *b) {
    b[0] = __hfma2(b[0], b[1], b[2]);           // here: fma.rn.bf16x2
    b[1] = __floats2bfloat162_rn(1.0f, b[1].x); // here: cvt.rn.bf16x2.f32
    b[2] = __shfl_xor_sync(0xffffffffu, b[2], 1); // here: shfl.sync.bfly.b32
}

__global__ void bytes(__nv_fp8_e4m3 *e, float *f) {
    e[0] = __nv_fp8_e4m3(f[0]);
    f[1] = (float)e[1];
}
