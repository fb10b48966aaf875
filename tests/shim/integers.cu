// SPDX-License-Identifier: Apache-2.0
// Integer intrinsics, bit casts, SIMD words.

__global__ void scalars(int *i, unsigned *u, unsigned long long *l) {
    i[0] = __popc(u[0]);                     // here: popc.b32
    i[1] = __popcll(l[0]);                   // here: popc.b64
    i[2] = __clz(i[2]);                      // here: clz.b32
    i[3] = __clzll((long long)l[1]);         // here: clz.b64
    u[1] = __brev(u[1]);                     // here: brev.b32
    u[2] = __byte_perm(u[2], u[3], 0x1230);  // here: prmt.b32
    i[4] = __mulhi(i[4], i[5]);              // here: mul.hi.s32
    l[2] = __umul64hi(l[2], l[3]);           // here: mul.hi.u64
    i[5] = __mul24(i[6], i[7]);              // here: mul24.lo.s32
    u[3] = __sad(i[8], i[9], u[4]);          // here: sad.s32
    u[4] = __funnelshift_l(u[5], u[6], 7);   // here: shf.l.wrap.b32
    u[5] = __funnelshift_rc(u[5], u[6], 40); // here: shf.r.clamp.b32
    i[6] = __dp4a(i[10], i[11], i[12]);      // here: dp4a.s32.s32
    u[6] = __vabsdiffu4(u[7], u[8]);         // here: vabsdiff4.u32.u32.u32
    i[7] = __ffs(i[13]) + __hadd(i[14], i[15]) + __rhadd(i[14], i[15]);
    u[7] = __vadd4(u[9], u[10]) ^ __vmaxs2(u[9], u[10]) ^ __vcmpgtu4(u[9], u[10]) ^ __vsubss2(u[9], u[10]);
}

__global__ void casts(float *f, double *d, int *i, long long *l) {
    i[0] = __float_as_int(f[0]);
    f[1] = __int_as_float(i[1]);
    l[0] = __double_as_longlong(d[0]);
    d[1] = __hiloint2double(i[2], i[3]);
}
