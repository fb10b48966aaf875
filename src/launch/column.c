/* SPDX-License-Identifier: Apache-2.0
 *
 * Arithmetic of expressions on columns: plain loops that the compiler vectorises.
 */
#include "launch/column.h"

#include <math.h>

typedef struct expression_column column;

#define LANES for (unsigned n = 0; n < count; n++)

static int64_t narrow_value(int64_t value, unsigned bits, bool is_signed)
{
    uint64_t low = (uint64_t)value << (64 - bits);
    return is_signed ? (int64_t)low >> (64 - bits) : (int64_t)(low >> (64 - bits));
}

void column_convert(column *a, unsigned count, enum expression_type from,
                           enum expression_type to)
{
    bool from_real = expression_type_is_float(from), to_real = expression_type_is_float(to);
    if (!from_real && to_real) {
        if (from == TYPE_U64)
            LANES a->as.real[n] = (double)(uint64_t)a->as.integer[n];
        else
            LANES a->as.real[n] = (double)a->as.integer[n];
    } else if (from_real && !to_real) {
        /* As value_store does it: towards zero, saturating. */
        enum value_type type = to == TYPE_U32   ? VALUE_U32
                               : to == TYPE_U64 ? VALUE_U64
                               : to == TYPE_I32 ? VALUE_I32
                                                : VALUE_I64;
        LANES {
            struct value value = {.is_float = true, .as.real = a->as.real[n]};
            unsigned char bytes[8];
            value_store(type, value, bytes);
            a->as.integer[n] = value_load(type, bytes).as.integer;
        }
    }
    if (to == TYPE_F32)
        LANES a->as.real[n] = (float)a->as.real[n];
    else if (to == TYPE_U32)
        LANES a->as.integer[n] &= 0xffffffff;
}

/* ---- arithmetic ---------------------------------------------------------------------------------- */

#define INTEGERS(expression)                                                                       \
    LANES                                                                                          \
    {                                                                                              \
        uint64_t x = (uint64_t)a->as.integer[n], y = (uint64_t)b->as.integer[n];                   \
        a->as.integer[n] = (int64_t)(expression);                                                  \
    }
#define SIGNED(expression)                                                                         \
    LANES                                                                                          \
    {                                                                                              \
        int64_t x = a->as.integer[n], y = b->as.integer[n];                                        \
        a->as.integer[n] = (int64_t)(expression);                                                  \
    }
#define REALS(expression)                                                                          \
    LANES                                                                                          \
    {                                                                                              \
        double x = a->as.real[n], y = b->as.real[n];                                               \
        a->as.real[n] = (expression);                                                              \
    }
#define REAL_TESTS(expression)                                                                     \
    LANES                                                                                          \
    {                                                                                              \
        double x = a->as.real[n], y = b->as.real[n];                                               \
        a->as.integer[n] = (expression);                                                           \
    }

static void divide_integers(column *a, const column *b, unsigned count,
                            const struct expression_step *step, bool may_fault)
{
    bool is_remainder = step->op == OP_REMAINDER;
    bool is_unsigned = step->from == TYPE_U64;
    LANES
    {
        int64_t x = a->as.integer[n], y = b->as.integer[n];
        int64_t result;
        if (y == 0) {
            if (may_fault && a->fault[n] == 0)
                a->fault[n] = FAULT_DIVISION;
            result = 0;
        } else if (is_unsigned) {
            result = (int64_t)(is_remainder ? (uint64_t)x % (uint64_t)y
                                            : (uint64_t)x / (uint64_t)y);
        } else if (y == -1) { /* INT64_MIN / -1 wraps instead of trapping */
            result = is_remainder ? 0 : (int64_t)(0 - (uint64_t)x);
        } else {
            result = is_remainder ? x % y : x / y;
        }
        a->as.integer[n] = result;
    }
}

static void shift(column *a, const column *b, unsigned count, const struct expression_step *step)
{
    /* `1 << 40` is undefined in C for an int: here it is what was meant. */
    unsigned width = step->type == TYPE_U32 ? 32 : 64;
    LANES
    {
        uint64_t x = (uint64_t)a->as.integer[n];
        unsigned by = (unsigned)b->as.integer[n] & (width - 1);
        if (step->op == OP_SHIFT_LEFT)
            x <<= by;
        else if (step->type == TYPE_U32 || step->type == TYPE_U64)
            x >>= by;
        else
            x = (uint64_t)((int64_t)x >> by);
        a->as.integer[n] = (int64_t)x;
    }
}

void column_integer_binary(column *a, const column *b, unsigned count,
                           const struct expression_step *step, bool may_fault)
{
    bool is_unsigned = step->from == TYPE_U64;
    switch (step->op) {
    case OP_ADD:
        INTEGERS(x + y)
        break;
    case OP_SUBTRACT:
        INTEGERS(x - y)
        break;
    case OP_MULTIPLY:
        INTEGERS(x * y)
        break;
    case OP_AND:
        INTEGERS(x & y)
        break;
    case OP_OR:
        INTEGERS(x | y)
        break;
    case OP_XOR:
        INTEGERS(x ^ y)
        break;
    case OP_EQUAL:
        INTEGERS(x == y)
        break;
    case OP_NOT_EQUAL:
        INTEGERS(x != y)
        break;
    case OP_DIVIDE:
    case OP_REMAINDER:
        divide_integers(a, b, count, step, may_fault);
        break;
    case OP_SHIFT_LEFT:
    case OP_SHIFT_RIGHT:
        shift(a, b, count, step);
        break;
    case OP_LESS:
        if (is_unsigned)
            INTEGERS(x < y)
        else
            SIGNED(x < y)
        break;
    case OP_LESS_EQUAL:
        if (is_unsigned)
            INTEGERS(x <= y)
        else
            SIGNED(x <= y)
        break;
    case OP_GREATER:
        if (is_unsigned)
            INTEGERS(x > y)
        else
            SIGNED(x > y)
        break;
    case OP_GREATER_EQUAL:
        if (is_unsigned)
            INTEGERS(x >= y)
        else
            SIGNED(x >= y)
        break;
    case OP_MINIMUM:
        if (is_unsigned)
            INTEGERS(x < y ? x : y)
        else
            SIGNED(x < y ? x : y)
        break;
    default: /* OP_MAXIMUM */
        if (is_unsigned)
            INTEGERS(x > y ? x : y)
        else
            SIGNED(x > y ? x : y)
        break;
    }
    if (step->type == TYPE_U32)
        LANES a->as.integer[n] &= 0xffffffff;
}

void column_real_binary(column *a, const column *b, unsigned count,
                        const struct expression_step *step)
{
    switch (step->op) {
    case OP_ADD:
        REALS(x + y)
        break;
    case OP_SUBTRACT:
        REALS(x - y)
        break;
    case OP_MULTIPLY:
        REALS(x * y)
        break;
    case OP_DIVIDE:
        REALS(x / y)
        break;
    case OP_LESS:
        REAL_TESTS(x < y)
        break;
    case OP_LESS_EQUAL:
        REAL_TESTS(x <= y)
        break;
    case OP_GREATER:
        REAL_TESTS(x > y)
        break;
    case OP_GREATER_EQUAL:
        REAL_TESTS(x >= y)
        break;
    case OP_EQUAL:
        REAL_TESTS(x == y)
        break;
    case OP_NOT_EQUAL:
        REAL_TESTS(x != y)
        break;
    case OP_MINIMUM:
        REALS(fmin(x, y))
        break;
    default: /* OP_MAXIMUM */
        REALS(fmax(x, y))
        break;
    }
    if (step->type == TYPE_F32)
        LANES a->as.real[n] = (float)a->as.real[n];
}

void column_unary(column *a, unsigned count, const struct expression_step *step)
{
    bool is_real = expression_type_is_float((enum expression_type)step->from);
    switch (step->op) {
    case OP_NEGATE:
        if (is_real)
            LANES a->as.real[n] = -a->as.real[n];
        else
            LANES a->as.integer[n] = (int64_t)(0 - (uint64_t)a->as.integer[n]);
        break;
    case OP_COMPLEMENT:
        LANES a->as.integer[n] = ~a->as.integer[n];
        break;
    case OP_ABSOLUTE:
        if (is_real)
            LANES a->as.real[n] = fabs(a->as.real[n]);
        else
            LANES if (a->as.integer[n] < 0) a->as.integer[n] =
                (int64_t)(0 - (uint64_t)a->as.integer[n]);
        break;
    case OP_POPULATION:
        LANES a->as.integer[n] = __builtin_popcountll((uint64_t)a->as.integer[n]);
        break;
    default: { /* OP_NOT, OP_TRUTH */
        bool wanted = step->op == OP_TRUTH;
        if (is_real)
            LANES a->as.integer[n] = (a->as.real[n] != 0) == wanted;
        else
            LANES a->as.integer[n] = (a->as.integer[n] != 0) == wanted;
        break;
    }
    }
    if (step->type == TYPE_U32 && !is_real)
        LANES a->as.integer[n] &= 0xffffffff;
}

void column_narrow(column *a, unsigned count, unsigned bits, bool is_signed)
{
    LANES a->as.integer[n] = narrow_value(a->as.integer[n], bits, is_signed);
}
