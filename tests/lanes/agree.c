/* SPDX-License-Identifier: Apache-2.0
 *
 * Every form of every register operation gives the same bits on every instruction set, leaves the lanes outside the mask alone, and
 * gives the same when its destination is also a source.
 */
#include "harness.h"

#include <stdio.h>
#include <string.h>

/* `<a,b>` stands for either; `$1` for what the first <> of the line chose. */
static const char *const forms[] = {
    "add.<u16,s16> %h0, %h1, %h2;", "<add,sub>.<u32,s32> %r0, %r1, %r2;", "<add,sub>.<u64,s64> %d0, %d1, %d2;",
    "<add,sub>.sat.s32 %r0, %r1, %r2;", "add.<u16x2,s16x2> %r0, %r1, %r2;", "<add,sub>.cc.<u32,s32> %r0, %r1, %r2;",
    "<addc,subc>.<u64,s64> %d0, %d1, %d2;", "<addc,subc>.cc.u32 %r0, %r1, %r2;", "mul.<lo,hi>.<u16,s16> %h0, %h1, %h2;",
    "mul.<lo,hi>.<u32,s32> %r0, %r1, %r2;", "mul.<lo,hi>.<u64,s64> %d0, %d1, %d2;", "mul.wide.<u16,s16> %r0, %h1, %h2;",
    "mul.wide.<u32,s32> %d0, %r1, %r2;", "mad.<lo,hi>.<u16,s16> %h0, %h1, %h2, %h3;", "mad.<lo,hi>.<u32,s32> %r0, %r1, %r2, %r3;",
    "mad.<lo,hi>.<u64,s64> %d0, %d1, %d2, %d3;", "mad.wide.<u16,s16> %r0, %h1, %h2, %r3;", "mad.wide.<u32,s32> %d0, %r1, %r2, %d3;",
    "mad.hi.sat.s32 %r0, %r1, %r2, %r3;", "mad.<lo,hi>.cc.<u32,s32> %r0, %r1, %r2, %r3;", "madc.<lo,hi>.<u64,s64> %d0, %d1, %d2, %d3;",
    "mul24.<lo,hi>.<u32,s32> %r0, %r1, %r2;", "mad24.<lo,hi>.<u32,s32> %r0, %r1, %r2, %r3;", "mad24.hi.sat.s32 %r0, %r1, %r2, %r3;",
    "sad.<u16,s16> %h0, %h1, %h2, %h3;", "sad.<u32,s32> %r0, %r1, %r2, %r3;", "sad.<u64,s64> %d0, %d1, %d2, %d3;",
    "<div,rem>.<u16,s16> %h0, %h1, %h2;", "<div,rem>.<u32,s32> %r0, %r1, %r2;", "<div,rem>.<u64,s64> %d0, %d1, %d2;",
    "<abs,neg>.s16 %h0, %h1;", "<abs,neg>.s32 %r0, %r1;", "<abs,neg>.s64 %d0, %d1;", "<min,max>.<u16,s16> %h0, %h1, %h2;",
    "<min,max>.<u32,s32,u16x2,s16x2> %r0, %r1, %r2;", "<min,max>.<u64,s64> %d0, %d1, %d2;", "<min,max>.relu.<s32,s16x2> %r0, %r1, %r2;",
    "dp4a.<u32,s32>.<u32,s32> %r0, %r1, %r2, %r3;", "dp2a.<lo,hi>.<u32,s32>.<u32,s32> %r0, %r1, %r2, %r3;",
    "<and,or,xor>.b16 %h0, %h1, %h2;", "<and,or,xor>.b32 %r0, %r1, %r2;", "<and,or,xor>.b64 %d0, %d1, %d2;",
    "<and,or,xor>.pred %p0, %p1, !%p2;", "<not,cnot>.b16 %h0, %h1;", "<not,cnot>.b32 %r0, %r1;", "<not,cnot>.b64 %d0, %d1;",
    "not.pred %p0, %p1;", "<shl,shr>.b16 %h0, %h1, %r2;", "<shl,shr>.b32 %r0, %r1, %r2;", "<shl,shr>.b64 %d0, %d1, %r2;",
    "shr.s16 %h0, %h1, %r2;", "shr.s32 %r0, %r1, %r2;", "shr.s64 %d0, %d1, %r2;", "shf.<l,r>.<wrap,clamp>.b32 %r0, %r1, %r2, %r3;",
    "lop3.b32 %r0, %r1, %r2, %r3, <0x80,0xfe,0x96,0xea,0xca,0xe8,0x6a,0x1b,0>;", "lop3.<or,and,xor>.b32 %r0|%p0, %r1, %r2, %r3, 0x1b, %p1;",
    "prmt.b32 %r0, %r1, %r2, %r3;", "prmt.b32.<f4e,b4e,rc8,ecl,ecr,rc16> %r0, %r1, %r2, %r3;", "<popc,clz>.b32 %r0, %r1;",
    "<popc,clz>.b64 %r0, %d1;", "bfind.<u32,s32> %r0, %r1;", "bfind.shiftamt.<u64,s64> %r0, %d1;", "fns.b32 %r0, %r1, 7, 3;",
    "brev.b32 %r0, %r1;", "brev.b64 %d0, %d1;", "bfe.<u32,s32> %r0, %r1, %r2, %r3;", "bfe.<u64,s64> %d0, %d1, %r2, %r3;",
    "bfi.b32 %r0, %r1, %r2, %r3, %r4;", "bfi.b64 %d0, %d1, %d2, %r3, %r4;", "bmsk.<clamp,wrap>.b32 %r0, %r1, %r2;",
    "szext.<clamp,wrap>.<u32,s32> %r0, %r1, %r2;",
    "setp.<eq,ne,lt,le,gt,ge>.<u16,s16> %p0, %h1, %h2;", "setp.<eq,ne,lt,le,gt,ge>.<u32,s32> %p0, %r1, %r2;",
    "setp.<lo,ls,hi,hs>.u64 %p0, %d1, %d2;", "setp.<lt,ge>.s64 %p0, %d1, %d2;",
    "setp.<eq,ne,lt,le,gt,ge,equ,neu,ltu,leu,gtu,geu,num,nan>.f32 %p0, %r1, %r2;",
    "setp.<eq,ne,lt,le,gt,ge,equ,neu,ltu,leu,gtu,geu,num,nan>.f64 %p0, %d1, %d2;",
    "setp.<eq,lt,gtu,nan>.ftz.f32 %p0|%p1, %r1, %r2;", "setp.<lt,neu>.<f16,bf16> %p0, %h1, %h2;", "setp.<lt,ne>.<and,or,xor>.s32 %p0|%p1, %r1, %r2, !%p2;",
    "setp.<lt,neu>.<f16x2,bf16x2> %p0|%p1, %r1, %r2;", "set.<lt,ge>.<u32,s32,f32>.f64 %r0, %d1, %d2;", "set.gt.f16x2.f16x2 %r0, %r1, %r2;",
    "set.eq.f16.f16 %h0, %h1, %h2;", "selp.b16 %h0, %h1, %h2, %p3;", "selp.b32 %r0, %r1, %r2, %p3;", "selp.f64 %d0, %d1, %d2, %p3;",
    "slct.b32.<s32,f32> %r0, %r1, %r2, %r3;", "slct.ftz.u64.f32 %d0, %d1, %d2, %r3;",
    "testp.<finite,infinite,number,notanumber,normal,subnormal>.f32 %p0, %r1;", "testp.normal.f64 %p0, %d1;",
    "mov.pred %p0, %p1;", "mov.b16 %h0, %h1;", "mov.f32 %r0, %r1;", "mov.u64 %d0, %d1;", "mov.b128 %q0, %q1;",
    "mov.b32 %r0, {%h1, %h2};", "mov.b64 %d0, {%r1, %r2};", "mov.b64 %d0, {%h1, %h2, %h3, %h4};", "mov.b32 {%h0, %h1}, %r1;",
    "mov.b64 {%r0, _}, %d1;", "mov.b64 {%h0, %h1, %h2, %h3}, %d1;", "mov.b128 %q0, {%d1, %d2};", "mov.b128 {%d0, %d1}, %q1;",
    "cvt.<u8,s8,u16,s16>.<u8,s8,u16,s16> %h0, %h1;", "cvt.<u8,s8,u16,s16>.<u32,s32> %h0, %r1;", "cvt.<u32,s32>.<u8,s8,u16,s16> %r0, %h1;",
    "cvt.<u32,s32>.<u8,s8,u16,s16> %r0, %r1;", "cvt.<u64,s64>.<u8,s8,u16,s16> %d0, %h1;", "cvt.<u64,s64>.<u32,s32> %d0, %r1;",
    "cvt.<u32,s32>.<u64,s64> %r0, %d1;", "cvt.sat.<u8,s8>.<s32,u32> %h0, %r1;", "cvt.<u8,s8>.u32 %d0, %r1;",
    "cvt.<rni,rzi,rmi,rpi>.<u32,s32>.f32 %r0, %r1;", "cvt.<rni,rzi,rmi,rpi>.<u64,s64>.f32 %d0, %r1;",
    "cvt.<rni,rzi,rmi,rpi>.<u32,s32>.f64 %r0, %d1;", "cvt.<rni,rzi,rmi,rpi>.<u64,s64>.f64 %d0, %d1;", "cvt.<rni,rzi,rmi,rpi>.ftz.s32.f32 %r0, %r1;",
    "cvt.<rni,rzi,rmi,rpi>.<u16,s16,s8>.f16 %h0, %h1;", "cvt.<rn,rz,rm,rp>.f32.<u32,s32> %r0, %r1;", "cvt.<rn,rz,rm,rp>.f32.<u64,s64> %r0, %d1;",
    "cvt.<rn,rz,rm,rp>.f64.<u64,s64> %d0, %d1;", "cvt.rn.f64.<u32,s32> %d0, %r1;", "cvt.rn.f32.<u8,s8,u16,s16> %r0, %h1;",
    "cvt.rn.f16.s32 %h0, %r1;", "cvt.f64.f32 %d0, %r1;", "cvt.ftz.f64.f32 %d0, %r1;", "cvt.<rn,rz,rm,rp>.f32.f64 %r0, %d1;",
    "cvt.rn.ftz.f32.f64 %r0, %d1;", "cvt.<rni,rzi,rmi,rpi>.f32.f32 %r0, %r1;", "cvt.<rni,rmi>.ftz.f32.f32 %r0, %r1;",
    "cvt.<rni,rzi,rmi,rpi>.f64.f64 %d0, %d1;", "cvt.sat.f32.f32 %r0, %r1;", "cvt.ftz.sat.f32.f32 %r0, %r1;", "cvt.f32.<f16,bf16> %r0, %h1;",
    "cvt.<rn,rz>.<f16,bf16>.f32 %h0, %r1;", "cvt.<rn,rz>.<f16x2,bf16x2>.f32 %r0, %r1, %r2;", "cvt.rn.relu.f16x2.f32 %r0, %r1, %r2;",
    "cvt.rna.tf32.f32 %r0, %r1;", "cvt.rn.satfinite.<e4m3x2,e5m2x2>.f32 %h0, %r1, %r2;", "cvt.rn.f16x2.<e4m3x2,e5m2x2> %r0, %h1;",
    "<add,sub,mul>.f32 %r0, %r1, %r2;", "<add,sub,mul>.ftz.f32 %r0, %r1, %r2;", "<add,sub,mul>.sat.f32 %r0, %r1, %r2;",
    "<add,sub,mul>.<rz,rm,rp>.ftz.sat.f32 %r0, %r1, %r2;", "<add,sub,mul>.f64 %d0, %d1, %d2;", "<add,sub,mul>.<rz,rm,rp>.f64 %d0, %d1, %d2;",
    "fma.<rn,rz,rm,rp>.f32 %r0, %r1, %r2, %r3;", "fma.rn.ftz.sat.f32 %r0, %r1, %r2, %r3;", "fma.<rn,rz,rm,rp>.f64 %d0, %d1, %d2, %d3;",
    "mad.rn.f32 %r0, %r1, %r2, %r3;", "div.<rn,rz,full,approx>.f32 %r0, %r1, %r2;", "div.<rn,rm>.f64 %d0, %d1, %d2;",
    "<rcp,sqrt>.<rn,rp,approx>.f32 %r0, %r1;", "<rcp,sqrt>.<rn,rp>.f64 %d0, %d1;", "rsqrt.approx.f32 %r0, %r1;", "rsqrt.approx.f64 %d0, %d1;",
    "<rcp,rsqrt>.approx.ftz.f64 %d0, %d1;", "<sin,cos,lg2,ex2,tanh>.approx.f32 %r0, %r1;", "<sin,cos,lg2,ex2>.approx.ftz.f32 %r0, %r1;",
    "<min,max>.f32 %r0, %r1, %r2;", "<min,max>.ftz.f32 %r0, %r1, %r2;", "<min,max>.NaN.f32 %r0, %r1, %r2;", "<min,max>.f64 %d0, %d1, %d2;",
    "<min,max>.xorsign.abs.f32 %r0, %r1, %r2;", "<min,max>.f32 %r0, %r1, %r2, %r3;", "<abs,neg>.f32 %r0, %r1;", "<abs,neg>.ftz.f32 %r0, %r1;",
    "<abs,neg>.f64 %d0, %d1;", "copysign.f32 %r0, %r1, %r2;", "copysign.f64 %d0, %d1, %d2;",
    "<add,sub,mul>.<f16,bf16> %h0, %h1, %h2;", "<add,sub,mul>.<f16x2,bf16x2> %r0, %r1, %r2;", "<add,mul>.ftz.sat.f16 %h0, %h1, %h2;",
    "fma.rn.<f16,bf16> %h0, %h1, %h2, %h3;", "fma.rn.<f16x2,bf16x2> %r0, %r1, %r2, %r3;", "fma.rn.relu.f16x2 %r0, %r1, %r2, %r3;",
    "<min,max>.<f16,bf16> %h0, %h1, %h2;", "<min,max>.NaN.<f16x2,bf16x2> %r0, %r1, %r2;", "<min,max>.xorsign.abs.f16 %h0, %h1, %h2;",
    "<abs,neg>.<f16,bf16> %h0, %h1;", "<abs,neg>.<f16x2,bf16x2> %r0, %r1;", "<ex2,tanh>.approx.f16 %h0, %h1;", "tanh.approx.<f16x2,bf16x2> %r0, %r1;",
    "ex2.approx.ftz.bf16x2 %r0, %r1;",
    "shfl.sync.<up,down,bfly,idx>.b32 %r0|%p0, %r1, %r2, %r3, -1;", "shfl.sync.idx.b32 _|%p0, %r1, %r2, %r3, -1;",
    "match.all.sync.b32 _|%p0, %r1, -1;", "setp.lt.s32 _|%p1, %r1, %r2;", "vote.sync.<all,any,uni>.pred %p0, !%p1, -1;",
    "vote.sync.ballot.b32 %r0, %p1, -1;", "match.any.sync.b32 %r0, %r1, -1;", "match.any.sync.b64 %r0, %d1, -1;",
    "match.all.sync.b32 %r0|%p0, %r1, -1;", "redux.sync.<add,min,max>.<u32,s32> %r0, %r1, -1;", "redux.sync.<and,or,xor>.b32 %r0, %r1, -1;",
    "redux.sync.<min,max>.abs.NaN.f32 %r0, %r1, -1;", "activemask.b32 %r0;", "elect.sync %r0|%p0, -1;",
    "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%r0, %r1, %r2, %r3}, {%r4, %r5, %r6, %r7}, {%r8, %r9}, {%r0, %r1, %r2, %r3};",
    "mma.sync.aligned.m16n8k8.row.col.f32.<tf32.tf32>.f32 {%r0, %r1, %r2, %r3}, {%r4, %r5, %r6, %r7}, {%r8, %r9}, {%r0, %r1, %r2, %r3};",
    "mma.sync.aligned.m16n8k32.row.col.satfinite.s32.<s8,u8>.<s8,u8>.s32 {%r0, %r1, %r2, %r3}, {%r4, %r5, %r6, %r7}, {%r8, %r9}, {%r0, %r1, %r2, %r3};",
    "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%d0, %d1}, {%d2}, {%d3}, {%d4, %d5};",
    "movmatrix.sync.aligned.m8n8.trans.b16 %r0, %r1;",
    "<vadd,vsub,vabsdiff,vmin,vmax>.<u32,s32>.s32.u32.sat %r0.h1, %r1.b2, %r2.h0, %r3;", "<vshl,vshr>.s32.s32.u32.clamp %r0, %r1, %r2;",
    "vmad.s32.s32.u32.sat.shr7 %r0, %r1, %r2.h1, %r3;", "vset.s32.u32.lt.add %r0, %r1, %r2, %r3;",
    "<vadd2,vsub2,vavrg2,vabsdiff2,vmin2,vmax2>.s32.s32.u32.sat %r0, %r1, %r2, %r3;",
    "<vadd4,vsub4,vavrg4,vabsdiff4,vmin4,vmax4>.u32.u32.s32.add %r0, %r1.b7210, %r2, %r3;", "vset4.u32.s32.ge %r0.b31, %r1, %r2, %r3;",
};

/* Expands the first <> of `text` in every way, and calls `visit` with texts that have none left. */
static void expand(const char *text, void (*visit)(const char *text))
{
    const char *open = strchr(text, '<');
    if (open == NULL) {
        visit(text);
        return;
    }
    const char *close = strchr(open, '>');
    for (const char *choice = open + 1; choice < close;) {
        const size_t size = strcspn(choice, ",>");
        char next[400];
        snprintf(next, sizeof next, "%.*s%.*s%s", (int)(open - text), text, (int)size, choice, close + 1);
        expand(next, visit);
        choice += size + 1;
    }
}

static unsigned forms_seen;

static void assert_same_file(const char *text, const char *what, const struct register_file *a, const struct register_file *b)
{
    if (memcmp(a, b, sizeof *a) == 0)
        return;
    for (size_t i = 0; i < sizeof *a / 4; i++)
        if (((const uint32_t *)(const void *)a)[i] != ((const uint32_t *)(const void *)b)[i])
            fail_msg("`%s`: %s: word %zu is %08x, not %08x", text, what, i, ((const uint32_t *)(const void *)b)[i],
                     ((const uint32_t *)(const void *)a)[i]);
}

static void check_agreement(const char *text)
{
    static const uint32_t masks[] = {EMU_FULL_MASK, 0x00000001, 0x80000000, 0x0000ffff, 0x5a5a1234, 0xfffffffe};
    struct lane_case lane_case;
    uint64_t state = 42;
    lane_case_init(&lane_case, text);
    for (unsigned round = 0; round < 24; round++) {
        static struct register_file start, plain, other;
        const uint32_t mask = masks[round % COUNT_OF(masks)];
        random_file(&state, &start);
        plain = start;
        if (!lane_case_run(&lane_case, EMU_ISA_PLAIN, &plain, mask))
            fail_msg("no operation for `%s`", text);
        for (unsigned isa = EMU_ISA_AVX2; isa <= emu_lanes_best_isa(); isa++) {
            other = start;
            assert_true(lane_case_run(&lane_case, isa, &other, mask));
            assert_same_file(text, isa == EMU_ISA_AVX2 ? "avx2" : "avx512", &plain, &other);
        }
    }
    lane_case_free(&lane_case);
    forms_seen++;
}

static void test_instruction_sets_agree(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(forms); i++)
        expand(forms[i], check_agreement);
    assert_true(forms_seen > 600);
}

/* Lanes outside the mask keep what they had, and inside it the result does not depend on the mask.  Operations in which lanes see
 * each other are left out of the second part. */
static void check_mask(const char *text)
{
    const bool meets = strstr(text, ".sync") || strncmp(text, "activemask", 10) == 0;
    struct lane_case lane_case;
    uint64_t state = 7;
    lane_case_init(&lane_case, text);
    for (unsigned round = 0; round < 4; round++) {
        static struct register_file start, full, part;
        const uint32_t mask = (uint32_t)random_next(&state);
        random_file(&state, &start);
        full = part = start;
        lane_case_run(&lane_case, EMU_ISA_BEST, &full, EMU_FULL_MASK);
        lane_case_run(&lane_case, EMU_ISA_BEST, &part, mask);
        for (unsigned l = 0; l < EMU_LANES; l++) {
            const bool inside = mask >> l & 1;
            const struct register_file *expected = inside ? &full : &start;
            if (inside && meets)
                continue;
            for (unsigned i = 0; i < FILE_PREDICATES; i++)
                assert_int_equal(part.p[i][0] >> l & 1, expected->p[i][0] >> l & 1);
            for (unsigned i = 0; i < FILE_HALVES; i++)
                assert_int_equal(part.h[i][l], expected->h[i][l]);
            for (unsigned i = 0; i < FILE_WORDS; i++)
                assert_int_equal(part.r[i][l], expected->r[i][l]);
            for (unsigned i = 0; i < FILE_LONGS; i++)
                assert_int_equal(part.d[i][l], expected->d[i][l]);
        }
    }
    lane_case_free(&lane_case);
}

static void test_other_lanes_are_left_alone(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(forms); i++)
        expand(forms[i], check_mask);
}

/* The same instruction with register 1 as its destination: compare with the copy moved afterwards. */
static void check_in_place(const char *text)
{
    const char *space = strchr(text, ' ');
    const char bank = space[2];
    if (space[1] != '%' || space[3] != '0' || space[4] != ',' || strchr("hrd", bank) == NULL || strchr(space + 4, bank) == NULL)
        return;
    char in_place[400], source[4] = {'%', bank, '1', 0};
    if (strstr(space + 4, source) == NULL)
        return;
    snprintf(in_place, sizeof in_place, "%.*s %%%c1%s", (int)(space - text), text, bank, space + 4);
    struct lane_case apart, same;
    uint64_t state = 11;
    lane_case_init(&apart, text);
    lane_case_init(&same, in_place);
    for (unsigned isa = EMU_ISA_PLAIN; isa <= emu_lanes_best_isa(); isa++) {
        static struct register_file a, b;
        random_file(&state, &a);
        b = a;
        lane_case_run(&apart, isa, &a, 0xff00ff0f);
        lane_case_run(&same, isa, &b, 0xff00ff0f);
        for (unsigned l = 0; l < EMU_LANES; l++) {
            if (!(0xff00ff0f >> l & 1))
                continue;
            if (bank == 'h')
                assert_int_equal(b.h[1][l], a.h[0][l]);
            else if (bank == 'r')
                assert_int_equal(b.r[1][l], a.r[0][l]);
            else
                assert_int_equal(b.d[1][l], a.d[0][l]);
        }
    }
    lane_case_free(&apart);
    lane_case_free(&same);
}

static void test_a_destination_may_be_a_source(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(forms); i++)
        expand(forms[i], check_in_place);
}

/* Modifiers that an operation does not know must never be ignored. */
static void test_unknown_forms_have_no_operation(void **state)
{
    static const char *const unknown[] = {
        "add.f32.f16 %r0, %h1, %r2;",
        "add.s32 _, %r1, %r2;",
        "cvt.rn.f16x2.f32 %r0, %r1;",
        "cvt.u32.u64 _, %d1;",
        "lop3.b32 _, %r1, %r2, %r3, 5;",
        "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 %r0, %r1, %r2, %r3;",
        "mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 {%r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7}, {%r8, %r9}, {%r10, %r11}, {%r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7};"};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(unknown); i++) {
        struct lane_case lane_case;
        static struct register_file file;
        lane_case_init(&lane_case, unknown[i]);
        assert_false(lane_case_run(&lane_case, EMU_ISA_BEST, &file, EMU_FULL_MASK));
        lane_case_free(&lane_case);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_instruction_sets_agree),
        cmocka_unit_test(test_other_lanes_are_left_alone),
        cmocka_unit_test(test_a_destination_may_be_a_source),
        cmocka_unit_test(test_unknown_forms_have_no_operation),
    };
    return cmocka_run_group_tests_name("lanes agree", tests, NULL, NULL);
}
