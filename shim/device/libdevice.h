// SPDX-License-Identifier: Apache-2.0
//
// The device math library as external functions, under the names of NVIDIA's libdevice. Their calls stay calls in the
// PTX: the emulator computes them itself, and a build for a GPU links libdevice. This is the whole list that the headers
// can emit. All are pure but those that take a pointer.

#ifndef LANEWISE_SHIM_DEVICE_LIBDEVICE_H
#define LANEWISE_SHIM_DEVICE_LIBDEVICE_H

#include "macros.h"

#pragma clang system_header

#define LW_LIBDEVICE extern "C" __device__ __attribute__((const))

// One float and one double function of one, two, three and four values.
#define LW_EXTERNAL_1(name)                                                                                    \
    LW_LIBDEVICE float __nv_##name##f(float);                                                                  \
    LW_LIBDEVICE double __nv_##name(double);
#define LW_EXTERNAL_2(name)                                                                                    \
    LW_LIBDEVICE float __nv_##name##f(float, float);                                                           \
    LW_LIBDEVICE double __nv_##name(double, double);
#define LW_EXTERNAL_3(name)                                                                                    \
    LW_LIBDEVICE float __nv_##name##f(float, float, float);                                                    \
    LW_LIBDEVICE double __nv_##name(double, double, double);
#define LW_EXTERNAL_4(name)                                                                                    \
    LW_LIBDEVICE float __nv_##name##f(float, float, float, float);                                             \
    LW_LIBDEVICE double __nv_##name(double, double, double, double);

LW_EXTERNAL_1(acos)
LW_EXTERNAL_1(acosh)
LW_EXTERNAL_1(asin)
LW_EXTERNAL_1(asinh)
LW_EXTERNAL_1(atan)
LW_EXTERNAL_1(atanh)
LW_EXTERNAL_1(cbrt)
LW_EXTERNAL_1(cos)
LW_EXTERNAL_1(cosh)
LW_EXTERNAL_1(cospi)
LW_EXTERNAL_1(cyl_bessel_i0)
LW_EXTERNAL_1(cyl_bessel_i1)
LW_EXTERNAL_1(erf)
LW_EXTERNAL_1(erfc)
LW_EXTERNAL_1(erfcinv)
LW_EXTERNAL_1(erfcx)
LW_EXTERNAL_1(erfinv)
LW_EXTERNAL_1(exp)
LW_EXTERNAL_1(exp10)
LW_EXTERNAL_1(exp2)
LW_EXTERNAL_1(expm1)
LW_EXTERNAL_1(j0)
LW_EXTERNAL_1(j1)
LW_EXTERNAL_1(lgamma)
LW_EXTERNAL_1(log)
LW_EXTERNAL_1(log10)
LW_EXTERNAL_1(log1p)
LW_EXTERNAL_1(log2)
LW_EXTERNAL_1(logb)
LW_EXTERNAL_1(normcdf)
LW_EXTERNAL_1(normcdfinv)
LW_EXTERNAL_1(rcbrt)
LW_EXTERNAL_1(sin)
LW_EXTERNAL_1(sinh)
LW_EXTERNAL_1(sinpi)
LW_EXTERNAL_1(tan)
LW_EXTERNAL_1(tanh)
LW_EXTERNAL_1(tgamma)
LW_EXTERNAL_1(y0)
LW_EXTERNAL_1(y1)

LW_EXTERNAL_2(atan2)
LW_EXTERNAL_2(fmod)
LW_EXTERNAL_2(hypot)
LW_EXTERNAL_2(nextafter)
LW_EXTERNAL_2(pow)
LW_EXTERNAL_2(remainder)
LW_EXTERNAL_2(rhypot)

LW_EXTERNAL_3(norm3d)
LW_EXTERNAL_3(rnorm3d)
LW_EXTERNAL_4(norm4d)
LW_EXTERNAL_4(rnorm4d)

#undef LW_EXTERNAL_1
#undef LW_EXTERNAL_2
#undef LW_EXTERNAL_3
#undef LW_EXTERNAL_4

LW_LIBDEVICE float __nv_powif(float, int);
LW_LIBDEVICE double __nv_powi(double, int);
LW_LIBDEVICE float __nv_ldexpf(float, int);
LW_LIBDEVICE double __nv_ldexp(double, int);
LW_LIBDEVICE int __nv_ilogbf(float);
LW_LIBDEVICE int __nv_ilogb(double);
LW_LIBDEVICE float __nv_jnf(int, float);
LW_LIBDEVICE double __nv_jn(int, double);
LW_LIBDEVICE float __nv_ynf(int, float);
LW_LIBDEVICE double __nv_yn(int, double);
LW_LIBDEVICE float __nv_frsqrt_rn(float);

#undef LW_LIBDEVICE

extern "C" __device__ float __nv_remquof(float, float, int *);
extern "C" __device__ double __nv_remquo(double, double, int *);

#endif
