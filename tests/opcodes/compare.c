// SPDX-License-Identifier: Apache-2.0
//
// When is a result right? Bit by bit, except that all NaNs are one value, or within the bound that the manual gives.
#include "opcodes.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static uint64_t low_bits(uint64_t value, unsigned bits)
{
    return bits >= 64 ? value : value & ((UINT64_C(1) << bits) - 1);
}

static bool type_is_float(const struct opcode_type *type)
{
    return type->kind == OPCODE_FLOAT || type->kind == OPCODE_BFLOAT;
}

static unsigned mantissa_bits(const struct opcode_type *type)
{
    return type->kind == OPCODE_BFLOAT ? 7 : type->bits == 16 ? 10 : type->bits == 32 ? 23 : 52;
}

static bool float_is_nan(const struct opcode_type *type, uint64_t value)
{
    uint64_t infinity = low_bits(UINT64_MAX, type->bits - 1) >> mantissa_bits(type)
                                                                    << mantissa_bits(type);
    return low_bits(value, type->bits - 1) > infinity;
}

static double float_as_double(const struct opcode_type *type, uint64_t value)
{
    if (type->bits == 64) {
        double real;
        memcpy(&real, &value, sizeof real);
        return real;
    }
    if (type->bits == 32 || type->kind == OPCODE_BFLOAT) {
        uint32_t word = (uint32_t)value << (type->bits == 32 ? 0 : 16);
        float real;
        memcpy(&real, &word, sizeof real);
        return real;
    }
    int exponent = value >> 10 & 31;
    double mantissa = (double)(value & 1023), sign = value & 0x8000 ? -1 : 1;
    if (exponent == 31)
        return sign * (mantissa > 0 ? NAN : INFINITY);
    return sign * (exponent == 0 ? ldexp(mantissa, -24) : ldexp(mantissa + 1024, exponent - 25));
}

// Floats as integers that count the representable values in order.
static int64_t float_rank(const struct opcode_type *type, uint64_t value)
{
    int64_t magnitude = (int64_t)low_bits(value, type->bits - 1);
    return value >> (type->bits - 1) & 1 ? -magnitude : magnitude;
}

static bool float_equal(const struct opcode_compare *compare, const struct opcode_type *type,
                        uint64_t expected, uint64_t got)
{
    if (float_is_nan(type, expected) || float_is_nan(type, got))
        return float_is_nan(type, expected) && float_is_nan(type, got);
    if (((expected ^ got) & compare->mask) == 0)
        return true;
    double want = float_as_double(type, expected), have = float_as_double(type, got);
    if (isinf(want) || isinf(have))
        return false;
    /* The bounds speak of the exact value; half a unit more is what rounding it costs. */
    double beside = float_as_double(type, got ^ 1), half_unit = fabs(have - beside) / 2;
    double difference = fabs(want - have) - half_unit;
    if (compare->ulp > 0 &&
        fabs((double)(float_rank(type, expected) - float_rank(type, got))) <= compare->ulp)
        return true;
    return (compare->relative > 0 && difference <= compare->relative * fabs(want)) ||
           (compare->absolute > 0 && difference <= compare->absolute);
}

bool opcode_value_equal(const struct opcode_form *form, unsigned value, uint64_t expected,
                        uint64_t got)
{
    const struct opcode_compare *compare = &form->compare;
    struct opcode_type type = opcode_value_type(form, value);
    unsigned bits = type.register_bits;
    expected = low_bits(expected, bits);
    got = low_bits(got, bits);
    if (!type_is_float(&type) || compare->bits)
        return ((expected ^ got) & compare->mask) == 0;
    for (unsigned at = 0; at < bits; at += type.bits)
        if (!float_equal(compare, &type, low_bits(expected >> at, type.bits),
                         low_bits(got >> at, type.bits)))
            return false;
    return true;
}

void opcode_value_print(FILE *file, const struct opcode_type *type, uint64_t value)
{
    if (type->kind == OPCODE_PRED) {
        fprintf(file, "%u", (unsigned)(value & 1));
        return;
    }
    value = low_bits(value, type->register_bits);
    fprintf(file, "0x%0*" PRIx64, (int)type->register_bits / 4, value);
    if (type_is_float(type) && !type->pair && type->bits == type->register_bits)
        fprintf(file, " (%.9g)", float_as_double(type, value));
}
