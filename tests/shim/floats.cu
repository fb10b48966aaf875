// SPDX-License-Identifier: Apache-2.0
// Rounded arithmetic, conversions, approximations and device math.

__global__ void arithmetic(float *f, double *d) {
    f[0] = __fadd_rn(f[1], f[2]);       // here: add.rn.f32
    f[1] = __fsub_rz(f[1], f[2]);       // here: sub.rz.f32
    f[2] = __fmul_rd(f[1], f[2]);       // here: mul.rm.f32
    f[3] = __fdiv_ru(f[1], f[2]);       // here: div.rp.f32
    f[4] = __fmaf_rn(f[1], f[2], f[3]); // here: fma.rn.f32
    f[5] = __frcp_rn(f[1]);             // here: rcp.rn.f32
    f[6] = __fsqrt_rn(f[1]);            // here: sqrt.rn.f32
    d[0] = __dadd_rd(d[1], d[2]);       // here: add.rm.f64
    d[1] = __dmul_rn(d[1], d[2]);       // here: mul.rn.f64
    d[2] = __ddiv_rn(d[1], d[2]);       // here: div.rn.f64
    d[3] = __fma_rz(d[1], d[2], d[3]);  // here: fma.rz.f64
    f[7] = __saturatef(f[8]);           // here: cvt.sat.f32.f32
}

__global__ void conversions(float *f, double *d, int *i, unsigned *u, long long *l) {
    i[0] = __float2int_rn(f[0]);   // here: cvt.rni.s32.f32
    i[1] = __float2int_rd(f[0]);   // here: cvt.rmi.s32.f32
    u[0] = __float2uint_rz(f[0]);  // here: cvt.rzi.u32.f32
    l[0] = __double2ll_ru(d[0]);   // here: cvt.rpi.s64.f64
    f[1] = __int2float_rz(i[2]);   // here: cvt.rz.f32.s32
    f[2] = __double2float_rn(d[1]); // here: cvt.rn.f32.f64
}

__global__ void approximations(float *f) {
    f[0] = __expf(f[0]);             // here: ex2.approx.f32
    f[1] = __logf(f[1]);             // here: lg2.approx.f32
    f[2] = __sinf(f[2]);             // here: sin.approx.f32
    f[3] = __cosf(f[3]);             // here: cos.approx.f32
    f[4] = __powf(f[4], f[5]);       // here: lg2.approx.f32
    f[5] = __fdividef(f[5], f[6]);   // here: div.approx.f32
    f[6] = rsqrtf(f[6]);             // here: rsqrt.approx.f32
    f[7] = __tanf(f[7]);             // here: div.approx.f32
}

__global__ void functions(float *f, double *d, int *i) {
    f[0] = sinf(f[0]);             // here: __nv_sinf
    f[1] = sin(f[1]);              // here: __nv_sinf
    d[0] = sin(d[0]);              // here: __nv_sin
    d[1] = sin(i[0]);              // here: __nv_sin
    f[2] = powf(f[2], f[3]);       // here: __nv_powf
    f[3] = pow(f[3], 3);           // here: __nv_powif
    d[2] = pow(d[2], f[4]);        // here: __nv_pow
    f[4] = sqrtf(f[4]);            // here: sqrt.rn.f32
    d[3] = floor(d[3]);            // here: cvt.rmi.f64.f64
    f[5] = fminf(f[5], f[6]);      // here: min.f32
    f[6] = max(f[6], f[7]);        // here: max.f32
    i[1] = min(i[1], i[2]);        // here -O2: min.s32
    i[2] = isnan(f[8]);
    f[7] = tgammaf(f[9]);          // here: __nv_tgammaf
    d[4] = erf(d[4]);              // here: __nv_erf
    f[8] = fmaf(f[8], f[9], f[1]); // here: fma.rn.f32
    f[9] = fabsf(f[9]);            // here: abs.f32
    i[3] = lroundf(f[1]) + (int)round(d[5]); // here: add.rz.f64
}

#if __has_include(<cmath>)
#include <algorithm>
#include <cmath>
__global__ void standard(float *f, double *d, int *i) {
    f[0] = std::sin(f[0]);          // here: __nv_sinf
    d[0] = std::sqrt(d[0]);         // here: sqrt.rn.f64
    d[1] = std::exp(i[0]);          // here: __nv_exp
    f[1] = std::abs(f[1]);          // here: abs.f32
    f[2] = std::pow(f[2], f[3]);    // here: __nv_powf
    i[1] = std::max(i[1], i[2]);
    i[2] = std::isinf(d[2]) + std::isnan(f[4]);
}
#endif
