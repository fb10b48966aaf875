/* SPDX-License-Identifier: Apache-2.0
 *
 * Conversions and half-precision arithmetic against slow, exact references: math_convert for cvt, and for halves the exact result in
 * double precision (or an integer of 128 bits), rounded once.
 */
#include "harness.h"

#include "emu/math_convert.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static double as_double(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint64_t as_bits(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static double half_value(unsigned type, uint32_t half)
{
    const struct math_conversion conversion = {.to = PTX_F64, .from = (uint8_t)type};
    return as_double(math_convert(&conversion, half));
}

static uint32_t half_rounded(unsigned type, double value)
{
    const struct math_conversion conversion = {.to = (uint8_t)type, .from = PTX_F64, .round = PTX_ROUND_NEAREST};
    return (uint32_t)math_convert(&conversion, as_bits(value));
}

/* ---- the reference itself, on values that anybody can check ---- */

static void test_reference_on_known_values(void **state)
{
    static const struct {
        uint8_t to, from, round;
        uint64_t value, expected;
    } rows[] = {
        {PTX_F16, PTX_F32, PTX_ROUND_NEAREST, 0x3f800000, 0x3c00},
        {PTX_F16, PTX_F32, PTX_ROUND_NEAREST, 0x477fefff, 0x7bff}, /* just below 65520 */
        {PTX_F16, PTX_F32, PTX_ROUND_NEAREST, 0x477ff000, 0x7c00}, /* 65520 */
        {PTX_F16, PTX_F32, PTX_ROUND_ZERO, 0x7f7fffff, 0x7bff},
        {PTX_F16, PTX_F32, PTX_ROUND_UP, 0x00000001, 0x0001},
        {PTX_F16, PTX_F32, PTX_ROUND_NEAREST, 0x33000000, 0x0000}, /* half of the least subnormal: to even */
        {PTX_F16, PTX_F32, PTX_ROUND_NEAREST, 0x33000001, 0x0001},
        {PTX_BF16, PTX_F32, PTX_ROUND_NEAREST, 0x3f808000, 0x3f80},
        {PTX_BF16, PTX_F32, PTX_ROUND_NEAREST, 0x3f818000, 0x3f82},
        {PTX_F32, PTX_F16, 0, 0x0001, 0x33800000},
        {PTX_F32, PTX_S32, PTX_ROUND_NEAREST, 0x7fffffff, 0x4f000000},
        {PTX_F32, PTX_S32, PTX_ROUND_ZERO, 0x7fffffff, 0x4effffff},
        {PTX_F32, PTX_U64, PTX_ROUND_NEAREST, 0xffffffffffffffff, 0x5f800000},
        {PTX_F64, PTX_S64, PTX_ROUND_NEAREST, 0x8000000000000000, 0xc3e0000000000000},
        {PTX_S32, PTX_F32, PTX_ROUND_NEAREST, 0x3fc00000, 2}, /* 1.5 */
        {PTX_S32, PTX_F32, PTX_ROUND_NEAREST, 0x40200000, 2}, /* 2.5 */
        {PTX_S32, PTX_F32, PTX_ROUND_DOWN, 0xbf000000, 0xffffffff},
        {PTX_S32, PTX_F32, PTX_ROUND_ZERO, 0x7fc00000, 0},
        {PTX_S32, PTX_F64, PTX_ROUND_ZERO, 0x7ff8000000000000, 0x80000000},
        {PTX_S64, PTX_F32, PTX_ROUND_ZERO, 0x7fc00000, 0x8000000000000000},
        {PTX_U8, PTX_F32, PTX_ROUND_ZERO, 0x43960000, 255}, /* 300 */
        {PTX_S8, PTX_F32, PTX_ROUND_ZERO, 0xc3960000, 0x80},
        {PTX_U32, PTX_F32, PTX_ROUND_NEAREST, 0xbf800000, 0},
        {PTX_E4M3, PTX_F32, PTX_ROUND_NEAREST, 0x3f800000, 0x38},
        {PTX_E5M2, PTX_F32, PTX_ROUND_NEAREST, 0x3f800000, 0x3c},
        {PTX_F16, PTX_E4M3, 0, 0x7e, 0x5f00}, /* 448 */
        {PTX_TF32, PTX_F32, PTX_ROUND_NEAREST_AWAY, 0x3f801000, 0x3f802000},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const struct math_conversion conversion = {.to = rows[i].to, .from = rows[i].from, .round = rows[i].round};
        if (math_convert(&conversion, rows[i].value) != rows[i].expected)
            fail_msg("row %zu: got %llx", i, (unsigned long long)math_convert(&conversion, rows[i].value));
    }
    const struct math_conversion finite = {.to = PTX_E4M3, .from = PTX_F32, .round = PTX_ROUND_NEAREST, .finite = true};
    assert_int_equal(math_convert(&finite, 0x7f800000), 0x7e);
    assert_int_equal(math_convert(&finite, 0x7fc00000), 0x7f);
    const struct math_conversion bounded = {.to = PTX_F32, .from = PTX_F32, .saturate = true};
    assert_int_equal(math_convert(&bounded, 0x7fc00000), 0);
    assert_int_equal(math_convert(&bounded, 0x40000000), 0x3f800000);
    assert_int_equal(math_convert(&bounded, 0x80000000), 0);
}

/* ---- the fast conversions agree with it ---- */

static const struct {
    const char *name;
    uint8_t type;
    char bank;
} types[] = {{"u8", PTX_U8, 'h'},   {"s8", PTX_S8, 'h'},   {"u16", PTX_U16, 'h'}, {"s16", PTX_S16, 'h'}, {"u32", PTX_U32, 'r'},
             {"s32", PTX_S32, 'r'}, {"u64", PTX_U64, 'd'}, {"s64", PTX_S64, 'd'}, {"f16", PTX_F16, 'h'}, {"bf16", PTX_BF16, 'h'},
             {"f32", PTX_F32, 'r'}, {"f64", PTX_F64, 'd'}};

static bool is_float(unsigned type)
{
    return ptx_type_is_float((enum ptx_type)type);
}

static uint64_t bank_value(const struct register_file *file, char bank, unsigned number, unsigned lane)
{
    return bank == 'h' ? file->h[number][lane] : bank == 'r' ? file->r[number][lane] : file->d[number][lane];
}

static uint64_t low_bits(uint64_t value, unsigned bits)
{
    return bits < 64 ? value & (((uint64_t)1 << bits) - 1) : value;
}

/* Which NaN it is is open where the source or destination is bf16 or f64. */
static bool same_result(unsigned type, uint64_t a, uint64_t b)
{
    if (a == b || !is_float(type))
        return a == b;
    if (type == PTX_F64)
        return isnan(as_double(a)) && isnan(as_double(b));
    const uint64_t infinity = type == PTX_F16 ? 0x7c00 : type == PTX_BF16 ? 0x7f80 : 0x7f800000;
    const uint64_t magnitude = type == PTX_F32 ? 0x7fffffff : 0x7fff;
    return (a & magnitude) > infinity && (b & magnitude) > infinity;
}

static void check_conversion(unsigned to, unsigned from, unsigned round, const char *modifier)
{
    static const char *const roundings[][2] = {{"", ""}, {".rn", ".rni"}, {".rz", ".rzi"}, {".rm", ".rmi"}, {".rp", ".rpi"}};
    const bool integral = is_float(types[from].type) && (to == from || !is_float(types[to].type));
    char text[80];
    snprintf(text, sizeof text, "cvt%s%s.%s.%s %%%c0, %%%c1;", roundings[round][integral], modifier, types[to].name,
             types[from].name, types[to].bank, types[from].bank);
    struct lane_case lane_case;
    lane_case_init(&lane_case, text);
    const struct math_conversion conversion = {.to = types[to].type, .from = types[from].type, .round = (uint8_t)round,
                                               .integral = integral && round, .flush = strcmp(modifier, ".ftz") == 0};
    const unsigned bits = math_type_bits(types[to].type);
    uint64_t state = to * 100 + from;
    for (unsigned i = 0; i < 40; i++) {
        static struct register_file file;
        random_file(&state, &file);
        const struct register_file before = file;
        if (!lane_case_run(&lane_case, EMU_ISA_BEST, &file, EMU_FULL_MASK))
            fail_msg("no operation for `%s`", text);
        for (unsigned l = 0; l < EMU_LANES; l++) {
            const uint64_t value = bank_value(&before, types[from].bank, 1, l);
            const uint64_t expected = math_convert(&conversion, value), got = low_bits(bank_value(&file, types[to].bank, 0, l), bits);
            if (!same_result(types[to].type, expected, got))
                fail_msg("`%s` of %llx: %llx, not %llx", text, (unsigned long long)value, (unsigned long long)got,
                         (unsigned long long)expected);
        }
    }
    lane_case_free(&lane_case);
}

static void test_conversions_agree_with_the_reference(void **state)
{
    (void)state;
    for (unsigned to = 0; to < COUNT_OF(types); to++) {
        for (unsigned from = 0; from < COUNT_OF(types); from++) {
            const unsigned to_bits = math_type_bits(types[to].type), from_bits = math_type_bits(types[from].type);
            const bool to_float = is_float(types[to].type), from_float = is_float(types[from].type);
            const bool widens = to_float && from_float && to_bits > from_bits;
            const bool exact = (!to_float && !from_float) || widens || (to == from && to_float);
            if (exact)
                check_conversion(to, from, 0, "");
            for (unsigned round = 1; round <= 4 && !(exact && to != from) && (to_float || from_float); round++)
                check_conversion(to, from, round, "");
            if (types[from].type == PTX_F32 && !to_float)
                for (unsigned round = 1; round <= 4; round++)
                    check_conversion(to, from, round, ".ftz");
        }
    }
}

/* ---- halves ---- */

static void check_half(const char *name, const char *type_name, unsigned type, double (*exact)(double a, double b))
{
    char text[80];
    snprintf(text, sizeof text, "%s.%s %%h0, %%h1, %%h2;", name, type_name);
    struct lane_case lane_case;
    lane_case_init(&lane_case, text);
    uint64_t state = 5;
    for (unsigned i = 0; i < 200; i++) {
        static struct register_file file;
        random_file(&state, &file);
        lane_case_run(&lane_case, EMU_ISA_BEST, &file, EMU_FULL_MASK);
        for (unsigned l = 0; l < EMU_LANES; l++) {
            const uint32_t expected = half_rounded(type, exact(half_value(type, file.h[1][l]), half_value(type, file.h[2][l])));
            if (!same_result(type, expected, file.h[0][l]))
                fail_msg("`%s` of %04x and %04x: %04x, not %04x", text, file.h[1][l], file.h[2][l], file.h[0][l], expected);
        }
    }
    lane_case_free(&lane_case);
}

static double sum(double a, double b)
{
    return a + b;
}

static double difference(double a, double b)
{
    return a - b;
}

static double product(double a, double b)
{
    return a * b;
}

/* Halves, bfloats of like size, and their sums are exact in double precision; sums of bfloats far apart round to odd by themselves
 * closely enough: their distance is more than the half of a last place that matters. */
static void test_half_arithmetic(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        unsigned type;
    } formats[] = {{"f16", PTX_F16}, {"bf16", PTX_BF16}};
    for (size_t i = 0; i < COUNT_OF(formats); i++) {
        check_half("add", formats[i].name, formats[i].type, sum);
        check_half("sub", formats[i].name, formats[i].type, difference);
        check_half("mul", formats[i].name, formats[i].type, product);
    }
}

/* a * b + c exactly: the product of two halves and the addend are integers times 2^-48. */
static void test_fused_halves_round_once(void **state)
{
    (void)state;
    struct lane_case lane_case;
    uint64_t random = 3;
    lane_case_init(&lane_case, "fma.rn.f16 %h0, %h1, %h2, %h3;");
    for (unsigned i = 0; i < 3000; i++) {
        static struct register_file file;
        random_file(&random, &file);
        lane_case_run(&lane_case, EMU_ISA_BEST, &file, EMU_FULL_MASK);
        for (unsigned l = 0; l < EMU_LANES; l++) {
            const double a = half_value(PTX_F16, file.h[1][l]), b = half_value(PTX_F16, file.h[2][l]), c = half_value(PTX_F16, file.h[3][l]);
            if (!isfinite(a) || !isfinite(b) || !isfinite(c))
                continue;
            const long double exact = (long double)a * b + c; /* at most 64 bits where it matters */
            double rounded = (double)exact;
            if ((long double)rounded != exact) { /* to odd */
                const double back = (double)(exact - rounded);
                uint64_t bits = as_bits(rounded);
                if (!(bits & 1))
                    bits += (back > 0) == (rounded > 0) ? 1 : UINT64_MAX;
                rounded = as_double(bits);
            }
            const uint32_t expected = half_rounded(PTX_F16, rounded);
            if (expected != file.h[0][l] && !(a * b + c == 0))
                fail_msg("fma of %04x %04x %04x: %04x, not %04x", file.h[1][l], file.h[2][l], file.h[3][l], file.h[0][l], expected);
        }
    }
    lane_case_free(&lane_case);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reference_on_known_values),
        cmocka_unit_test(test_conversions_agree_with_the_reference),
        cmocka_unit_test(test_half_arithmetic),
        cmocka_unit_test(test_fused_halves_round_once),
    };
    return cmocka_run_group_tests_name("lanes convert", tests, NULL, NULL);
}
