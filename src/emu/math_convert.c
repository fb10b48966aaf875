/* SPDX-License-Identifier: Apache-2.0
 *
 * Number formats as data, a value as sign, 64-bit mantissa and exponent, and one rounding for all of them (PTX ISA, cvt).
 */
#include "emu/math_convert.h"

#include "ptx/ptx.h"

/* A float format of 1 + exponent + mantissa bits.  `largest` is the encoding of the largest number without the sign; a format
 * without infinities (e4m3) uses the next one for NaN. */
struct format {
    uint8_t bits, exponent, mantissa;
    bool infinities;
    uint64_t largest, nan;
    uint8_t low; /* bits below the mantissa that are always zero (tf32) */
};

static const struct format formats[PTX_TYPE_COUNT] = {
    [PTX_F16] = {16, 5, 10, true, 0x7bff, 0x7fff, 0},
    [PTX_BF16] = {16, 8, 7, true, 0x7f7f, 0x7fff, 0},
    [PTX_TF32] = {32, 8, 10, true, 0x3fbff, 0x3ffff, 13},
    [PTX_F32] = {32, 8, 23, true, 0x7f7fffff, 0x7fffffff, 0},
    [PTX_F64] = {64, 11, 52, true, 0x7fefffffffffffff, 0x7fffffffffffffff, 0},
    [PTX_E4M3] = {8, 4, 3, false, 0x7e, 0x7f, 0},
    [PTX_E5M2] = {8, 5, 2, true, 0x7b, 0x7f, 0},
};

static const struct {
    uint8_t bits;
    bool is_signed;
} integers[PTX_TYPE_COUNT] = {
    [PTX_U8] = {8, false},   [PTX_S8] = {8, true},   [PTX_U16] = {16, false}, [PTX_S16] = {16, true}, [PTX_U32] = {32, false},
    [PTX_S32] = {32, true},  [PTX_U64] = {64, false}, [PTX_S64] = {64, true},  [PTX_U4] = {4, false},  [PTX_S4] = {4, true},
    [PTX_U2] = {2, false},   [PTX_S2] = {2, true},
};

unsigned math_type_bits(unsigned type)
{
    return formats[type].bits ? formats[type].bits : integers[type].bits;
}

/* (-1)^negative * mantissa * 2^exponent. */
enum number_class { NUMBER_ZERO, NUMBER_FINITE, NUMBER_INFINITE, NUMBER_NAN };
struct number {
    enum number_class class;
    bool negative;
    uint64_t mantissa; /* finite: the top bit is set; NaN: the mantissa's bits from the top */
    int exponent;
};

static void number_normalise(struct number *number)
{
    if (number->mantissa == 0) {
        number->class = NUMBER_ZERO;
        return;
    }
    const int shift = __builtin_clzll(number->mantissa);
    number->mantissa <<= shift;
    number->exponent -= shift;
}

static uint64_t low_ones(unsigned bits)
{
    return bits < 64 ? ((uint64_t)1 << bits) - 1 : UINT64_MAX;
}

static struct number decode_integer(unsigned type, uint64_t value)
{
    const unsigned bits = integers[type].bits;
    value &= low_ones(bits);
    const bool negative = integers[type].is_signed && value >> (bits - 1) & 1;
    struct number number = {NUMBER_FINITE, negative, negative ? (0 - value) & low_ones(bits) : value, 0};
    number_normalise(&number);
    return number;
}

static struct number decode_float(unsigned type, uint64_t value)
{
    const struct format *format = &formats[type];
    value = value >> format->low & low_ones(format->bits - format->low);
    const unsigned bits = 1u + format->exponent + format->mantissa;
    const uint64_t magnitude = value & low_ones(bits - 1);
    struct number number = {NUMBER_FINITE, value >> (bits - 1) & 1, 0, 0};
    if (magnitude > format->largest) {
        number.class = format->infinities && magnitude == format->largest + 1 ? NUMBER_INFINITE : NUMBER_NAN;
        number.mantissa = magnitude << (64 - format->mantissa);
        return number;
    }
    const int bias = (int)low_ones(format->exponent - 1);
    const int exponent = (int)(magnitude >> format->mantissa);
    number.mantissa = magnitude & low_ones(format->mantissa);
    if (exponent)
        number.mantissa |= (uint64_t)1 << format->mantissa;
    number.exponent = (exponent ? exponent : 1) - bias - format->mantissa;
    number_normalise(&number);
    return number;
}

/* mantissa / 2^shift as an integer. */
static uint64_t shift_rounded(uint64_t mantissa, int shift, unsigned round, bool negative)
{
    if (shift <= 0)
        return mantissa;
    const uint64_t kept = shift < 64 ? mantissa >> shift : 0;
    const uint64_t rest = shift < 64 ? mantissa & low_ones((unsigned)shift) : mantissa;
    /* Past 64 places the rest is below one half: the mantissa's top bit stands for less. */
    const uint64_t half = shift <= 64 ? (uint64_t)1 << (shift - 1) : UINT64_MAX;
    bool up;
    switch (round) {
    case PTX_ROUND_ZERO: up = false; break;
    case PTX_ROUND_DOWN: up = rest && negative; break;
    case PTX_ROUND_UP: up = rest && !negative; break;
    case PTX_ROUND_NEAREST_AWAY: up = shift <= 64 && rest >= half; break;
    default: up = shift <= 64 && (rest > half || (rest == half && kept & 1)); break;
    }
    return kept + up;
}

/* The value as an integer, in the number's own form. */
static void round_integral(struct number *number, unsigned round)
{
    if (number->class != NUMBER_FINITE || number->exponent >= 0)
        return;
    number->mantissa = shift_rounded(number->mantissa, -number->exponent, round, number->negative);
    number->exponent = 0;
    number_normalise(number);
}

static bool overflow_is_infinite(unsigned round, bool negative)
{
    switch (round) {
    case PTX_ROUND_ZERO: return false;
    case PTX_ROUND_DOWN: return negative;
    case PTX_ROUND_UP: return !negative;
    default: return true;
    }
}

/* To and from double precision a NaN keeps its sign and the top of its payload, made quiet; else there is one. */
static uint64_t nan_result(const struct math_conversion *conversion, const struct number *number)
{
    const struct format *format = &formats[conversion->to];
    const bool keeps = (conversion->to == PTX_F64 || conversion->from == PTX_F64) && format->infinities && !conversion->relu &&
                       !(conversion->flush && conversion->from == PTX_F32);
    if (!keeps)
        return format->nan << format->low;
    const uint64_t infinity = format->largest + 1, quiet = (uint64_t)1 << (format->mantissa - 1);
    const uint64_t payload = number->mantissa >> (64 - format->mantissa);
    return ((uint64_t)number->negative << (format->bits - 1)) | infinity | quiet | payload;
}

static uint64_t encode_float(const struct math_conversion *conversion, const struct number *number)
{
    const struct format *format = &formats[conversion->to];
    const uint64_t sign = (uint64_t)number->negative << (format->bits - 1);
    uint64_t magnitude = 0;
    if (number->class == NUMBER_NAN)
        return nan_result(conversion, number);
    if (number->class == NUMBER_INFINITE) {
        magnitude = format->largest + !conversion->finite;
    } else if (number->class == NUMBER_FINITE) {
        const int bias = (int)low_ones(format->exponent - 1);
        const int exponent = number->exponent + 63 + bias;
        const int shift = 63 - format->mantissa + (exponent < 1 ? 1 - exponent : 0);
        const uint64_t kept = shift_rounded(number->mantissa, shift, conversion->round, number->negative);
        /* The hidden bit adds one to the exponent, and so does a carry out of the mantissa. */
        magnitude = kept + (exponent > 1 ? (uint64_t)(exponent - 1) << format->mantissa : 0);
        if (magnitude > format->largest)
            magnitude = format->largest + (!conversion->finite && overflow_is_infinite(conversion->round, number->negative));
    }
    return sign | magnitude << format->low;
}

static uint64_t encode_integer(const struct math_conversion *conversion, const struct number *number)
{
    const unsigned bits = integers[conversion->to].bits;
    const bool is_signed = integers[conversion->to].is_signed;
    const uint64_t most = low_ones(bits - is_signed), least = is_signed ? most + 1 : 0; /* magnitudes */
    if (number->class == NUMBER_NAN)
        return conversion->from == PTX_F64 || bits == 64 ? (uint64_t)1 << (bits - 1) : 0;
    const uint64_t bound = number->negative ? least : most;
    uint64_t magnitude = 0;
    if (number->class == NUMBER_INFINITE || (number->class == NUMBER_FINITE && number->exponent > 0))
        magnitude = bound;
    else if (number->class == NUMBER_FINITE)
        magnitude = number->mantissa >> -number->exponent; /* integral, hence not below 1 */
    if (magnitude > bound)
        magnitude = bound;
    return (number->negative ? 0 - magnitude : magnitude) & low_ones(bits);
}

static bool is_subnormal32(uint64_t value)
{
    return !(value & 0x7f800000u) && value & 0x007fffffu;
}

/* .sat and .relu on the bits of a float result. */
static uint64_t bound_float(const struct math_conversion *conversion, const struct number *number, uint64_t result)
{
    const struct format *format = &formats[conversion->to];
    const uint64_t one = low_ones(format->exponent - 1) << format->mantissa << format->low;
    if (conversion->saturate) {
        if (number->class == NUMBER_NAN || number->negative)
            return 0;
        return result > one ? one : result;
    }
    return conversion->relu && number->negative && number->class != NUMBER_NAN ? 0 : result;
}

uint64_t math_convert(const struct math_conversion *conversion, uint64_t value)
{
    const bool from_float = formats[conversion->from].bits, to_float = formats[conversion->to].bits;
    if (!from_float && !to_float && !conversion->saturate) {
        const unsigned bits = integers[conversion->from].bits;
        const uint64_t kept = value & low_ones(bits);
        const bool negative = integers[conversion->from].is_signed && kept >> (bits - 1) & 1;
        return (negative ? kept | ~low_ones(bits) : kept) & low_ones(integers[conversion->to].bits);
    }
    /* tf32 only cuts a NaN short. */
    if (conversion->from == PTX_F32 && conversion->to == PTX_TF32 && !conversion->relu && (value & 0x7fffffffu) > 0x7f800000u)
        return value & 0xffffe000u;
    /* The manual lets .ftz flush here too, but sm_80 and sm_90 have no such conversion to half: it changes nothing there. */
    if (conversion->from == PTX_F32 && conversion->flush && conversion->to != PTX_F16 && is_subnormal32(value))
        value &= 0x80000000u;
    struct number number = from_float ? decode_float(conversion->from, value) : decode_integer(conversion->from, value);
    if (conversion->integral || !to_float)
        round_integral(&number, conversion->round);
    if (!to_float)
        return encode_integer(conversion, &number);
    uint64_t result = encode_float(conversion, &number);
    if (conversion->to == PTX_F32 && conversion->flush && is_subnormal32(result))
        result &= 0x80000000u;
    return bound_float(conversion, &number, result);
}
