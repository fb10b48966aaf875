// SPDX-License-Identifier: Apache-2.0
// __half and __half2.

#include <cuda_fp16.h>

__global__ void singles(half *h, float *f, int *i) {
    h[0] = __hadd(h[1], h[2]);                     // here: add.
    h[1] = h[1] * h[2];                            // here: mul.
    h[2] = __hfma(h[1], h[2], h[3]);               // here: fma.rn.f16
    h[3] = __hadd_rn(h[3], h[4]);                  // here: add.rn.f16
    f[0] = __half2float(h[4]);                     // here: cvt.f32.f16
    h[4] = __float2half(f[1]);                     // here: cvt.rn.f16.f32
    h[5] = __float2half_rz(f[2]);                  // here: cvt.rz.f16.f32
    i[0] = __half2int_rz(h[6]);                    // here: cvt.rzi.s32.f16
    h[6] = __int2half_rn(i[1]);                    // here: cvt.rn.f16.s32
    h[7] = __hmax(h[7], h[8]);                     // here: max.f16
    h[8] = -h[9];       
    i[2] = h[1] < h[2];                            // here: setp.
    h[9] = __shfl_down_sync(0xffffffffu, h[9], 1); // here: shfl.sync.down.b32
    h[10] = hexp(h[10]);                           // here: ex2.approx.f32
    atomicAdd(h + 11, h[12]);                      // here: atom.add.noftz.f16
}

__global__ void pairs(half2 *h, float2 *f) {
    h[0] = __hadd2(h[1], h[2]);          // here: add.
    h[1] = __hmul2(h[1], h[2]);          // here: mul.
    h[2] = __hfma2(h[1], h[2], h[3]);    // here: fma.rn.f16x2
    f[0] = __half22float2(h[3]);         // here: cvt.f32.f16
    h[3] = __float22half2_rn(f[1]);      // here: cvt.rn.f16x2.f32
    h[4] = __floats2half2_rn(1.5f, f[2].x); // here: cvt.rn.f16x2.f32
    h[5] = __hmin2(h[5], h[6]);          // here: min.f16x2
    atomicAdd(h + 6, h[7]);              // here: atom.add.noftz.f16x2
}

int main() {
    half h = __float2half(2.5f);
    h = h * h + __half(1);
    return (int)__half2float(h);
}
