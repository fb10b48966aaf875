/* SPDX-License-Identifier: Apache-2.0
 *
 * Elements of buffers: types, conversion to and from bytes, text, and when two results count as equal.
 * Half precision is converted here with integers alone, rounding to nearest even.
 */
#include "launch/launch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct value_type_info infos[VALUE_TYPE_COUNT] = {
    [VALUE_I8] = {"i8", 1, false, true, 0, "|i1"},
    [VALUE_I16] = {"i16", 2, false, true, 0, "<i2"},
    [VALUE_I32] = {"i32", 4, false, true, 0, "<i4"},
    [VALUE_I64] = {"i64", 8, false, true, 0, "<i8"},
    [VALUE_U8] = {"u8", 1, false, false, 0, "|u1"},
    [VALUE_U16] = {"u16", 2, false, false, 0, "<u2"},
    [VALUE_U32] = {"u32", 4, false, false, 0, "<u4"},
    [VALUE_U64] = {"u64", 8, false, false, 0, "<u8"},
    /* Half types cannot hold 1e-5: one unit in the last place. */
    [VALUE_F16] = {"f16", 2, true, true, 0x1p-10, "<f2"},
    [VALUE_BF16] = {"bf16", 2, true, true, 0x1p-7, "<u2"},
    [VALUE_F32] = {"f32", 4, true, true, 1e-5, "<f4"},
    [VALUE_F64] = {"f64", 8, true, true, 1e-5, "<f8"},
};

const struct value_type_info *value_type_info(enum value_type type)
{
    return &infos[type];
}

enum value_type value_type_find(const char *name, size_t size)
{
    for (unsigned i = 0; i < VALUE_TYPE_COUNT; i++)
        if (strlen(infos[i].name) == size && memcmp(infos[i].name, name, size) == 0)
            return (enum value_type)i;
    return VALUE_TYPE_COUNT;
}

double value_as_double(struct value value)
{
    if (value.is_float)
        return value.as.real;
    return value.is_unsigned ? (double)(uint64_t)value.as.integer : (double)value.as.integer;
}

/* ---- half precision ---------------------------------------------------------------------------- */

/* A format with `exponent_bits` and `mantissa_bits` below its sign. */
struct small_float {
    int exponent_bits, mantissa_bits;
};

static const struct small_float half = {5, 10}, brain = {8, 7};

static uint16_t small_float_encode(struct small_float format, double real)
{
    int bias = (1 << (format.exponent_bits - 1)) - 1;
    uint32_t sign = signbit(real) ? 1u << (format.exponent_bits + format.mantissa_bits) : 0;
    uint32_t infinity = ((1u << format.exponent_bits) - 1) << format.mantissa_bits;
    if (isnan(real))
        return (uint16_t)(infinity | ((1u << format.mantissa_bits) - 1)); /* the canonical NaN */
    real = fabs(real);
    if (isinf(real))
        return (uint16_t)(sign | infinity);
    int exponent;
    frexp(real, &exponent); /* real = f * 2^exponent, 0.5 <= f < 1 */
    int least = 1 - bias;   /* exponent of the smallest normal number */
    int scale = (exponent - 1 < least || real == 0 ? least : exponent - 1) - format.mantissa_bits;
    /* Units of the last place, rounded to even by nearbyint in the default mode; a carry moves into the exponent by itself. */
    double units = nearbyint(ldexp(real, -scale));
    uint32_t bits = (uint32_t)units;
    if (bits >= 1u << format.mantissa_bits)
        bits += (uint32_t)(scale + format.mantissa_bits + bias - 1) << format.mantissa_bits;
    return (uint16_t)(sign | (bits > infinity ? infinity : bits));
}

static double small_float_decode(struct small_float format, uint16_t bits)
{
    int bias = (1 << (format.exponent_bits - 1)) - 1;
    int exponent = bits >> format.mantissa_bits & ((1 << format.exponent_bits) - 1);
    int mantissa = bits & ((1 << format.mantissa_bits) - 1);
    double sign = bits >> (format.exponent_bits + format.mantissa_bits) ? -1.0 : 1.0;
    if (exponent == (1 << format.exponent_bits) - 1)
        return mantissa != 0 ? (double)NAN : sign * (double)INFINITY;
    if (exponent == 0)
        return sign * ldexp(mantissa, 1 - bias - format.mantissa_bits);
    return sign * ldexp(mantissa + (1 << format.mantissa_bits),
                        exponent - bias - format.mantissa_bits);
}

/* ---- storing and loading ----------------------------------------------------------------------- */

/* The integer that a real becomes in a type: towards zero, saturating, NaN as 0. */
static uint64_t real_to_integer(enum value_type type, double real)
{
    unsigned bits = infos[type].size * 8u;
    double low = infos[type].is_signed ? -ldexp(1.0, (int)bits - 1) : 0.0;
    double high = ldexp(1.0, (int)bits - infos[type].is_signed); /* first value past the range */
    if (isnan(real))
        return 0;
    if (real <= low)
        return infos[type].is_signed ? (uint64_t)1 << (bits - 1) : 0;
    if (real >= high)
        return infos[type].is_signed ? ((uint64_t)1 << (bits - 1)) - 1 : UINT64_MAX;
    return infos[type].is_signed ? (uint64_t)(int64_t)real : (uint64_t)real;
}

static float integer_to_float(struct value value)
{
    return value.is_unsigned ? (float)(uint64_t)value.as.integer : (float)value.as.integer;
}

void value_store(enum value_type type, struct value value, void *bytes)
{
    uint16_t small;
    float single;
    double real;
    uint64_t integer;
    switch (type) {
    case VALUE_F16:
    case VALUE_BF16:
        small = small_float_encode(type == VALUE_F16 ? half : brain, value_as_double(value));
        memcpy(bytes, &small, sizeof small);
        break;
    case VALUE_F32:
        single = value.is_float ? (float)value.as.real : integer_to_float(value);
        memcpy(bytes, &single, sizeof single);
        break;
    case VALUE_F64:
        real = value_as_double(value);
        memcpy(bytes, &real, sizeof real);
        break;
    default:
        integer = value.is_float ? real_to_integer(type, value.as.real)
                                 : (uint64_t)value.as.integer;
        memcpy(bytes, &integer, infos[type].size); /* little-endian */
        break;
    }
}

struct value value_load(enum value_type type, const void *bytes)
{
    struct value value = {.is_float = infos[type].is_float, .is_unsigned = !infos[type].is_signed};
    uint64_t bits = 0;
    float single;
    memcpy(&bits, bytes, infos[type].size);
    switch (type) {
    case VALUE_F16:
    case VALUE_BF16:
        value.as.real = small_float_decode(type == VALUE_F16 ? half : brain, (uint16_t)bits);
        break;
    case VALUE_F32:
        memcpy(&single, bytes, sizeof single);
        value.as.real = single;
        break;
    case VALUE_F64:
        memcpy(&value.as.real, bytes, sizeof value.as.real);
        break;
    default:
        if (infos[type].is_signed) {
            unsigned shift = 64 - infos[type].size * 8u;
            value.as.integer = (int64_t)(bits << shift) >> shift;
        } else {
            value.as.integer = (int64_t)bits;
        }
        break;
    }
    return value;
}

const char *value_format(enum value_type type, const void *bytes, char *out)
{
    struct value value = value_load(type, bytes);
    if (!value.is_float) {
        snprintf(out, 32, value.is_unsigned ? "%llu" : "%lld", (long long)value.as.integer);
        return out;
    }
    /* NaN has a sign that says nothing. */
    if (isnan(value.as.real)) {
        snprintf(out, 32, "nan");
        return out;
    }
    /* As many digits as it takes; never fewer than the integer part has: 10, not 1e+01. */
    double size = fabs(value.as.real);
    int first = size >= 1 && size < 1e15 ? (int)floor(log10(size)) + 1 : 1;
    for (int digits = first; digits <= 17; digits++) {
        uint64_t again = 0, bits = 0;
        snprintf(out, 32, "%.*g", digits, value.as.real);
        value_store(type, (struct value){.is_float = true, .as.real = strtod(out, NULL)}, &again);
        memcpy(&bits, bytes, infos[type].size);
        if (again == bits)
            break;
    }
    return out;
}

bool value_matches(enum value_type type, const void *got, const void *wanted, double tolerance)
{
    if (memcmp(got, wanted, infos[type].size) == 0)
        return true;
    if (!infos[type].is_float)
        return false;
    double a = value_load(type, got).as.real, b = value_load(type, wanted).as.real;
    if (isnan(a) || isnan(b))
        return isnan(a) && isnan(b);
    if (a == b)
        return true;
    if (isinf(a) || isinf(b))
        return false;
    double larger = fabs(a) > fabs(b) ? fabs(a) : fabs(b);
    return fabs(a - b) <= fmax(infos[type].tolerance, tolerance) * larger;
}
