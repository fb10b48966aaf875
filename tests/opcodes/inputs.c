// SPDX-License-Identifier: Apache-2.0
//
// The operands of the opcode tests: edge values of each type, paired, then random values from a fixed generator. They
// depend on the types and styles of the form alone, never on its place in the table, so a recorded result stays valid
// while forms around it come and go.
#include "opcodes.h"

#include <string.h>

#define COUNT(array) (unsigned)(sizeof(array) / sizeof *(array))

enum { CORE = 8 }; // the first values of each list: all their pairs are tested

static const uint64_t edges_f64[] = {
    0x0000000000000000, 0x8000000000000000, 0x3ff0000000000000,
    0xbff8000000000000, // 0 -0 1 -1.5
    0x7ff0000000000000, 0xfff0000000000000, 0x7ff8123456789abc,
    0x000fffffffffffff, // inf -inf NaN, largest denormal
    0x7ff0123456789abc, 0x8000000000000001, 0x0010000000000000,
    0x7fefffffffffffff, // signalling NaN
    0xffefffffffffffff, 0x3fe0000000000000, 0xbfe0000000000000,
    0x3ff8000000000000, // 0.5 -0.5 1.5
    0x4004000000000000, 0xc004000000000000, 0x41dfffffffc00000,
    0x41e0000000000000, // 2.5 -2.5 2^31-1 2^31
    0xc1e0000000000000, 0xc1e0000000200000, 0x41dfffffffe00000,
    0x41efffffffe00000, // -2^31 -2^31-1 2^31-0.5 2^32-1
    0x41efffffffffffff, 0x41f0000000000000, 0x43dfffffffffffff,
    0x43e0000000000000, // 2^32 2^63
    0xc3e0000000000000, 0xc3e0000000000001, 0x43efffffffffffff,
    0x43f0000000000000, // -2^63 2^64
    0x405fe00000000000, 0x4060000000000000, 0xc060100000000000,
    0x406ff00000000000, // 127.5 128 -128.5 255.5
    0x40dfffc000000000, 0xc0e0000000000000, 0x40effff000000000,
    0x40effe0000000000, // 32767 -32768 65535.5
    0x40effdffffffffff, 0x40efff0000000000, 0x3e60000000000000,
    0x3e70000000000000, // near the largest half
    0x3e70000000000001, 0x3f10000000000000, 0x47efffffe0000000,
    0x47efffffefffffff, // near the largest float
    0x47effffff0000000, 0x36a0000000000000, 0x3690000000000000,
    0x3690000000000001, // the smallest float, half of it
    0x380fffffffffffff, 0x3810000000000000, 0x3ff0000000000001, 0x3fefffffffffffff,
    0x400921fb54442d18, 0x432fffffffffffff, 0x4330000000000000, 0x4340000000000001,
    0x3ff0000010000000, 0x3ff0000030000000, 0x3ff0020000000000, 0x3ff0060000000000,
    0xbcafffffffffffff, 0xfff8000000000000,
};

static const uint64_t edges_f32[] = {
    0x00000000, 0x80000000, 0x3f800000, 0xbfc00000, 0x7f800000, 0xff800000, // 0 -0 1 -1.5 inf -inf
    0x7fc12345, 0x007fffff, 0x7f812345, 0x80000001, 0x00800000, 0x7f7fffff, // NaN, denormal, signalling NaN
    0xff7fffff, 0x3f000000, 0xbf000000, 0x3fc00000, 0x40200000, 0xc0200000, // 0.5 -0.5 1.5 2.5 -2.5
    0x4effffff, 0x4f000000, 0xcf000000, 0xcf000001, 0x4f7fffff, 0x4f800000, // around 2^31 and 2^32
    0x5effffff, 0x5f000000, 0xdf000000, 0xdf000001, 0x5f7fffff, 0x5f800000, // around 2^63 and 2^64
    0x42ff0000, 0x43000000, 0xc3008000, 0x437f8000, 0x46fffe00, 0xc7000000, // 127.5 128 -128.5 255.5 32767 -32768
    0x477fff80, 0x477fe000, 0x477fefff, 0x477ff000, 0x33000000, 0x33800000, // 65535.5, largest half, smallest half
    0x33000001, 0x387fc000, 0x387fe000, 0x7f7f8000, 0x7f7f7fff, 0x00010000, // largest bfloat
    0x00008000, 0x3f800001, 0x3f7fffff, 0x40490fdb, 0x4affffff, 0x4b000000, // pi, 2^23
    0x4b800001, 0x3f801000, 0x3f803000, 0x3f808000, 0x3f818000, 0xb27fffff, 0x80800000,
    0x807fffff, 0xffc00000, 0x43ff0000, 0x4b7fffff, 0x42fe0000,
};

static const uint64_t edges_f16[] = {
    0x0000, 0x8000, 0x3c00, 0xbe00, 0x7c00, 0xfc00, 0x7e12, 0x03ff, // 0 -0 1 -1.5 inf -inf NaN, denormal
    0x7d12, 0x8001, 0x0400, 0x7bff, 0xfbff, 0x3800, 0xb800, 0x3e00, 0x4100, 0xc100, 0x57f8,
    0x5800, 0xd804, 0x5bfc, 0x5c00, 0x77ff, 0x7800, 0xf800, 0x0001, 0x8400, 0x3c01, 0x3bff,
    0x4248, 0x63ff, 0x6400, 0x6801, 0x1400, 0x1000, 0x83ff, 0xfe00, 0x7800, 0x5640,
};

static const uint64_t edges_bf16[] = {
    0x0000, 0x8000, 0x3f80, 0xbfc0, 0x7f80, 0xff80, 0x7fd2, 0x007f, // 0 -0 1 -1.5 inf -inf NaN, denormal
    0x7f92, 0x8001, 0x0080, 0x7f7f, 0xff7f, 0x3f00, 0xbf00, 0x3fc0, 0x4020, 0xc020,
    0x42ff, 0x4300, 0xc301, 0x4380, 0x4700, 0xc700, 0x0001, 0x8080, 0x3f81, 0x3f7f,
    0x4049, 0x437f, 0x4f00, 0xcf00, 0x5f00, 0x1f80, 0x2000, 0x6000, 0x807f, 0xffc0,
};

static uint64_t mix(uint64_t value)
{ // splitmix64
    value += 0x9e3779b97f4a7c15;
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
    value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
    return value ^ (value >> 31);
}

static uint64_t low_bits(uint64_t value, unsigned bits)
{
    return bits >= 64 ? value : value & ((UINT64_C(1) << bits) - 1);
}

static uint64_t double_bits(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static uint32_t float_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static bool type_is_float(const struct opcode_type *type)
{
    return type->kind == OPCODE_FLOAT || type->kind == OPCODE_BFLOAT;
}

// Edges of an integer of `bits` bits: 32 of them, in the order of interest.
static uint64_t integer_edge(unsigned bits, unsigned index)
{
    uint64_t top = UINT64_C(1) << (bits - 1), ones = low_bits(UINT64_MAX, bits);
    const uint64_t values[] = {0,
                               1,
                               ones,
                               top,
                               top - 1,
                               ones - 1,
                               7,
                               ones / 3,
                               2,
                               3,
                               top + 1,
                               top - 2,
                               ones / 3 * 2,
                               0x80,
                               0xff,
                               0x7f,
                               0x100,
                               0x8000,
                               0x7fff,
                               0xffff,
                               0x10000,
                               0x7fffffff,
                               0x80000000,
                               0xffffffff,
                               0x100000000,
                               5,
                               ones - 4,
                               0x12345678,
                               0x1000001,
                               0x20000000000001,
                               ones << (bits / 2),
                               ones >> (bits / 2)};
    return low_bits(values[index % COUNT(values)], bits);
}

static unsigned edge_count(const struct opcode_type *type)
{
    if (!type_is_float(type))
        return type->kind == OPCODE_PRED ? 2 : 32;
    if (type->kind == OPCODE_BFLOAT)
        return COUNT(edges_bf16);
    return type->bits == 16   ? COUNT(edges_f16)
           : type->bits == 32 ? COUNT(edges_f32)
                              : COUNT(edges_f64);
}

static uint64_t edge_value(const struct opcode_type *type, unsigned index)
{
    if (type->kind == OPCODE_PRED)
        return index & 1;
    if (!type_is_float(type))
        return integer_edge(type->bits, index);
    index %= edge_count(type);
    if (type->kind == OPCODE_BFLOAT)
        return edges_bf16[index];
    return type->bits == 16   ? edges_f16[index]
           : type->bits == 32 ? edges_f32[index]
                              : edges_f64[index];
}

struct layout {
    unsigned mantissa, exponent;
};

static struct layout float_layout(const struct opcode_type *type)
{
    if (type->kind == OPCODE_BFLOAT)
        return (struct layout){7, 8};
    return type->bits == 16   ? (struct layout){10, 5}
           : type->bits == 32 ? (struct layout){23, 8}
                              : (struct layout){52, 11};
}

// A float with an exponent in [-range, range] and a random mantissa.
static uint64_t float_moderate(const struct opcode_type *type, uint64_t random, unsigned range)
{
    struct layout layout = float_layout(type);
    uint64_t bias = (UINT64_C(1) << (layout.exponent - 1)) - 1;
    uint64_t exponent = bias - range + mix(random) % (2 * range + 1);
    uint64_t sign = random >> 63;
    return sign << (layout.mantissa + layout.exponent) | exponent << layout.mantissa |
           low_bits(random, layout.mantissa);
}

// A float that lies on, or one unit beside, the middle between two values of a narrower format.
static uint64_t float_tie(const struct opcode_type *type, uint64_t random)
{
    static const unsigned narrow_to_f64[] = {23, 10, 7}, narrow_to_f32[] = {10, 7, 10};
    struct layout layout = float_layout(type);
    if (layout.mantissa < 23)
        return float_moderate(type, random, 3);
    uint64_t choice = mix(random ^ 0x71e);
    const unsigned *narrow = layout.mantissa == 52 ? narrow_to_f64 : narrow_to_f32;
    unsigned kept = narrow[choice % 3], lost = layout.mantissa - kept;
    unsigned denormal = (choice >> 8) % 4 == 0 ? (unsigned)((choice >> 16) % kept) : 0;
    unsigned shift = lost + denormal;
    uint64_t mantissa = low_bits(random, layout.mantissa) >> shift << shift | UINT64_C(1)
                                                                                  << (shift - 1);
    mantissa += (choice >> 24) % 3 - 1;
    int64_t exponent = (int64_t)((choice >> 32) % 9) - 4;
    if (denormal)
        exponent = (kept == 10                           ? -14
                    : kept == 7 && layout.mantissa == 23 ? -100
                                                         : -126) -
                   (int64_t)denormal;
    uint64_t bias = (UINT64_C(1) << (layout.exponent - 1)) - 1;
    return (random >> 63) << (layout.mantissa + layout.exponent) |
           (bias + (uint64_t)exponent) << layout.mantissa | low_bits(mantissa, layout.mantissa);
}

// An integer whose conversion to a float falls on, or one unit beside, the middle between two floats.
static uint64_t integer_tie(unsigned bits, uint64_t random)
{
    static const unsigned precisions[] = {24, 53, 11};
    unsigned precision = precisions[mix(random) % 3];
    if (precision + 2 > bits)
        precision = 11;
    if (precision + 2 > bits)
        return low_bits(random, bits);
    unsigned lost = 1 + (unsigned)(mix(random ^ 9) % (bits - precision - 1));
    uint64_t head = low_bits(random, precision) | UINT64_C(1) << (precision - 1);
    uint64_t value = head << lost | UINT64_C(1) << (lost - 1);
    value += mix(random ^ 11) % 3 - 1;
    return low_bits(random >> 63 ? 0 - value : value, bits);
}

static uint64_t random_value(const struct opcode_type *type, uint64_t random, unsigned thread)
{
    unsigned flavour = thread % 4;
    if (type->kind == OPCODE_PRED)
        return random >> 40 & 1;
    if (type_is_float(type)) {
        if (flavour == 0)
            return low_bits(random, type->bits);
        return flavour == 3 ? float_tie(type, random)
                            : float_moderate(type, random, type->bits == 16 ? 4 : 8);
    }
    if (flavour == 1) {
        unsigned shift = (unsigned)(mix(random) % type->bits);
        uint64_t value = low_bits(random, type->bits) >> shift;
        return random >> 62 & 1 ? low_bits(0 - value, type->bits) : value;
    }
    return flavour == 3 ? integer_tie(type->bits, random) : low_bits(random, type->bits);
}

// Two operands that are close to each other: comparisons on the edge, sums that cancel.
static uint64_t near_value(const struct opcode_type *type, uint64_t other, uint64_t random)
{
    uint64_t value = other + random % 5 - 2;
    if (type_is_float(type) && (random >> 32) % 4 != 0)
        value ^= UINT64_C(1) << (type->bits - 1);
    return low_bits(value, type->bits);
}

static uint64_t half_value(const struct opcode_form *form, unsigned operand, unsigned thread,
                           unsigned half)
{
    const struct opcode_type *type = &form->input[operand].type;
    uint64_t random =
        mix(mix(thread * 4U + operand) ^ ((uint64_t)half << 32) ^ (uint64_t)type->bits << 40);
    unsigned edges = edge_count(type), count = form->input_count;
    if (form->threads <= 32) {
        bool edge = random >> 20 & 1;
        return edge ? edge_value(type, (unsigned)(random >> 32) % edges)
                    : random_value(type, random, thread);
    }
    if (count == 1)
        return thread < edges ? edge_value(type, thread + half * 5)
                              : random_value(type, random, thread);
    if (thread < CORE * CORE) {
        unsigned index = operand == 0   ? thread % CORE
                         : operand == 1 ? thread / CORE
                                        : (unsigned)(random >> 32) % CORE;
        return edge_value(type, index + half * 3);
    }
    if (thread < CORE * CORE + 32)
        return edge_value(type, (unsigned)(random >> 32) % edges);
    if (thread % 4 == 2 && operand == 1 && form->input[0].type.bits == type->bits &&
        form->input[0].type.kind == type->kind)
        return near_value(type, half_value(form, 0, thread, half), random);
    return random_value(type, random, thread);
}

static uint64_t fused_value(const struct opcode_form *form, unsigned operand, unsigned thread)
{
    if (thread < CORE * CORE + 32 || thread % 4 != 2)
        return half_value(form, operand, thread, 0);
    const struct opcode_type *type = &form->input[operand].type;
    uint64_t left = opcode_input_value(form, 0, thread),
             right = opcode_input_value(form, 1, thread);
    if (type->bits == 32) {
        float x, y;
        uint32_t words[] = {(uint32_t)left, (uint32_t)right};
        memcpy(&x, &words[0], sizeof x);
        memcpy(&y, &words[1], sizeof y);
        return float_bits(-(x * y));
    }
    double x, y;
    memcpy(&x, &left, sizeof x);
    memcpy(&y, &right, sizeof y);
    return double_bits(-(x * y));
}

// A double as a value of a float type: exact or towards zero; what is too small for a half becomes zero.
static uint64_t float_from_double(const struct opcode_type *type, double value)
{
    if (type->bits == 64)
        return double_bits(value);
    uint32_t bits = float_bits((float)value), exponent = bits >> 23 & 0xff;
    if (type->kind == OPCODE_BFLOAT)
        return bits >> 16;
    if (type->bits == 32)
        return bits;
    return (bits >> 16 & 0x8000) |
           (exponent <= 112 ? 0 : (exponent - 112) << 10 | (bits >> 13 & 0x3ff));
}

static uint64_t span_value(const struct opcode_type *type, double bound, unsigned thread)
{
    static const double special[] = {0.0, -0.0, 1.0, -1.0, 0.5, 2.0, 1e-3, -1e-3};
    double value = (double)(mix(thread ^ 0x5bad) >> 11) * 0x1p-52 * bound - bound;
    if (thread < COUNT(special) && special[thread] <= bound)
        value = special[thread];
    return float_from_double(type, value);
}

static uint64_t plain_value(const struct opcode_form *form, unsigned operand, unsigned thread,
                            unsigned half)
{
    static const uint32_t shifts[] = {
        0,  1,  2,  7,  8,  15, 16, 17, 24, 30,  31,  32,         33,         40,
        47, 48, 62, 63, 64, 65, 95, 96, 97, 127, 128, 0x7fffffff, 0x80000001, 0xffffffff};
    static const uint32_t positions[] = {0,  1,  4,  8,  15, 16,  24,  31, 32,
                                         33, 48, 63, 64, 65, 100, 128, 255};
    static const uint32_t segments[] = {0x1f,   0x00, 0x1c03, 0x1803, 0x101f, 0x1007,
                                        0x181f, 0x0f, 0x1c1f, 0x1c00, 0x1f};
    const struct opcode_input *input = &form->input[operand];
    uint64_t random = mix(((uint64_t)thread << 8) ^ operand ^ (uint64_t)half << 50);
    switch (input->style) {
    case STYLE_EDGES:
        break;
    case STYLE_NONZERO: {
        uint64_t value = half_value(form, operand, thread, half);
        return value ? value : 1 + thread % 7;
    }
    case STYLE_SHIFT:
        return thread % 2 ? random % 70 : shifts[random % COUNT(shifts)];
    case STYLE_POSITION:
        return thread % 2 ? random % 34 : positions[random % COUNT(positions)];
    case STYLE_BELOW:
        return random % (uint64_t)input->bound;
    case STYLE_LANE:
        return thread % 32;
    case STYLE_SEGMENT:
        return segments[thread / 32 % COUNT(segments)];
    case STYLE_SPAN:
        return span_value(&input->type, input->bound, thread + 1000 * operand * (thread >= 8));
    case STYLE_INTEGER:
        return float_from_double(&input->type, (double)(random % 17) - 8);
    case STYLE_FUSED:
        return fused_value(form, operand, thread);
    case STYLE_SAME:
        return low_bits(mix(thread / 32 * 8 + operand), input->type.bits);
    }
    return half_value(form, operand, thread, half);
}

uint64_t opcode_input_value(const struct opcode_form *form, unsigned operand, unsigned thread)
{
    const struct opcode_type *type = &form->input[operand].type;
    uint64_t value = plain_value(form, operand, thread, 0);
    if (type->pair)
        return low_bits(value, 16) | low_bits(plain_value(form, operand, thread, 1), 16) << 16;
    // What stands above the value in a wider register must not matter.
    if (type->register_bits > type->bits && thread % 2)
        value = low_bits(value, type->bits) | mix(thread + 77) << type->bits;
    return value;
}

static uint64_t small_element(const struct opcode_type *type, uint64_t random)
{
    double value = (double)(random % 17) - 8;
    return type_is_float(type) ? float_from_double(type, value) : (uint64_t)(int64_t)value;
}

static uint64_t memory_word(const struct opcode_form *form, unsigned thread, unsigned word)
{
    const struct opcode_type *type = &form->element;
    unsigned bits = type->bits, count = 64 / bits;
    uint64_t value = 0;
    for (unsigned i = 0; i < count; i++) {
        uint64_t random = mix(mix(thread * 4U + word) ^ ((uint64_t)i << 32) ^ 0x3e3);
        if (form->memory_small) {
            value |= low_bits(small_element(type, random), bits) << (i * bits % 64);
            continue;
        }
        uint64_t element = random >> 20 & 1
                               ? edge_value(type, (unsigned)(random >> 32) % edge_count(type))
                               : random_value(type, random, thread);
        value |= low_bits(element, bits) << (i * bits % 64);
    }
    return value;
}

static void word_store(unsigned char *bytes, uint64_t value)
{
    for (unsigned i = 0; i < 8; i++)
        bytes[i] = (unsigned char)(value >> (8 * i));
}

void opcode_inputs_fill(const struct opcode_form *form, unsigned char *buffer)
{
    size_t stride = opcode_input_stride(form);
    memset(buffer, 0, opcode_input_size(form));
    bool memory =
        form->memory != MEMORY_NONE && stride >= OPCODE_MEMORY_BYTES + form->input_count * 8U;
    for (unsigned thread = 0; thread < form->threads; thread++) {
        unsigned char *at = buffer + thread * stride;
        for (unsigned word = 0; memory && word < OPCODE_MEMORY_BYTES / 8; word++, at += 8)
            word_store(at, memory_word(form, thread, word));
        for (unsigned operand = 0; operand < form->input_count; operand++, at += 8)
            word_store(at, opcode_input_value(form, operand, thread));
    }
}

void opcode_const_fill(unsigned char bytes[OPCODE_CONST_BYTES])
{
    for (unsigned i = 0; i < OPCODE_CONST_BYTES; i++)
        bytes[i] = (unsigned char)(mix(i + 0xc0) >> 17);
}

void opcode_area_fill(unsigned char bytes[OPCODE_AREA_BYTES])
{
    for (unsigned i = 0; i < OPCODE_AREA_BYTES; i++)
        bytes[i] = (unsigned char)(mix(i + 0xa0) >> 17);
}
