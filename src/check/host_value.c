/* SPDX-License-Identifier: Apache-2.0
 *
 * Integer expressions of host code, computed as C++ does on every host of CUDA: two's complement, with a note of what left its type.
 */
#include "check/geometry.h"

static contract_integer reduce(contract_integer value, unsigned bits, bool is_signed)
{
    contract_integer size = (contract_integer)1 << bits, low = value & (size - 1);
    return is_signed && low >= size / 2 ? low - size : low;
}

static struct geometry_number unknown(uint8_t state)
{
    return (struct geometry_number){.state = state};
}

/* What it takes of its operands' marks. */
static struct geometry_number join(struct geometry_number a, struct geometry_number b)
{
    if (a.state != GEOMETRY_KNOWN || b.state != GEOMETRY_KNOWN)
        return unknown(a.state == GEOMETRY_TIED || b.state == GEOMETRY_TIED ? GEOMETRY_TIED : GEOMETRY_FREE);
    return (struct geometry_number){.overflowed = a.overflowed || b.overflowed, .wrapped = a.wrapped || b.wrapped};
}

static struct geometry_number cast(const struct host_node *node, struct geometry_number a)
{
    if (a.state != GEOMETRY_KNOWN)
        return a;
    contract_integer before = a.value;
    a.value = node->bits == 1 ? before != 0 : reduce(before, node->bits, node->is_signed);
    a.wrapped |= node->bits != 1 && a.value != before;
    return a;
}

static bool compares(enum host_node_kind kind, contract_integer a, contract_integer b)
{
    static const uint8_t compares_as[] = {[HOST_LESS] = CONTRACT_LESS,       [HOST_LESS_EQUAL] = CONTRACT_LESS_EQUAL,
                                          [HOST_GREATER] = CONTRACT_GREATER, [HOST_GREATER_EQUAL] = CONTRACT_GREATER_EQUAL,
                                          [HOST_EQUAL] = CONTRACT_EQUAL,     [HOST_NOT_EQUAL] = CONTRACT_NOT_EQUAL};
    return contract_compare_holds((enum contract_compare)compares_as[kind], a, b);
}

/* The exact result; false where C++ has none. */
static bool compute(const struct host_node *node, contract_integer a, contract_integer b, contract_integer *value)
{
    bool shifts = node->kind == HOST_SHIFT_LEFT || node->kind == HOST_SHIFT_RIGHT;
    bool divides = node->kind == HOST_DIVIDE || node->kind == HOST_REMAINDER;
    if ((shifts && (b < 0 || b >= node->bits)) || (divides && b == 0))
        return false;
    switch (node->kind) {
    case HOST_NEGATE: *value = -a; break;
    case HOST_INVERT: *value = reduce(~a, node->bits, node->is_signed); break;
    case HOST_ADD: *value = a + b; break;
    case HOST_SUBTRACT: *value = a - b; break;
    case HOST_MULTIPLY: return !__builtin_mul_overflow(a, b, value);
    case HOST_DIVIDE: *value = a / b; break;
    case HOST_REMAINDER: *value = a % b; break;
    case HOST_SHIFT_LEFT: return !__builtin_mul_overflow(a, (contract_integer)1 << b, value);
    case HOST_SHIFT_RIGHT: *value = a >> b; break;
    case HOST_BIT_AND: *value = a & b; break;
    case HOST_BIT_OR: *value = a | b; break;
    case HOST_BIT_XOR: *value = a ^ b; break;
    case HOST_MINIMUM: *value = a < b ? a : b; break;
    case HOST_MAXIMUM: *value = a > b ? a : b; break;
    default: *value = compares((enum host_node_kind)node->kind, a, b); break;
    }
    return true;
}

static struct geometry_number operate(const struct host_node *node, struct geometry_number a, struct geometry_number b)
{
    struct geometry_number result = join(a, b);
    if (result.state != GEOMETRY_KNOWN)
        return result;
    if (!compute(node, a.value, b.value, &result.value))
        return unknown(GEOMETRY_TIED);
    if (node->bits == 1)
        return result;
    contract_integer exact = result.value;
    result.value = reduce(exact, node->bits, node->is_signed);
    result.overflowed |= node->is_signed && result.value != exact;
    result.wrapped |= !node->is_signed && result.value != exact;
    return result;
}

/* && and ||: the second operand is not looked at where the first decides; nor is the first where the second does. */
static struct geometry_number connect(bool both, struct geometry_number a, struct geometry_number b)
{
    if (a.state == GEOMETRY_KNOWN && (a.value == 0) == both)
        return a;
    if (b.state == GEOMETRY_KNOWN && (b.value == 0) == both)
        return b;
    struct geometry_number result = join(a, b);
    result.value = both;
    return result;
}

static struct geometry_number number_of(const struct host_node *node, const contract_integer *variables, const bool *is_bound,
                                        const struct geometry_number *numbers)
{
    static const struct geometry_number nothing = {.state = GEOMETRY_KNOWN};
    struct geometry_number operands[3], result;
    for (unsigned i = 0; i < 3; i++)
        operands[i] = node->operands[i] != HOST_NONE && node->kind != HOST_VARIABLE ? numbers[node->operands[i]] : nothing;
    switch (node->kind) {
    case HOST_CONSTANT:
        result = nothing;
        result.value = reduce(node->value, node->bits == 1 ? 8 : node->bits, node->is_signed);
        return result;
    case HOST_VARIABLE:
        result = is_bound[node->operands[0]] ? nothing : unknown(GEOMETRY_TIED);
        if (is_bound[node->operands[0]])
            result.value = reduce(variables[node->operands[0]], node->bits == 1 ? 8 : node->bits, node->is_signed);
        return result;
    case HOST_CAST:
        return cast(node, operands[0]);
    case HOST_NOT:
        operands[0].value = operands[0].value == 0;
        return operands[0];
    case HOST_BOTH:
    case HOST_EITHER:
        return connect(node->kind == HOST_BOTH, operands[0], operands[1]);
    case HOST_CHOICE:
        if (operands[0].state != GEOMETRY_KNOWN)
            return unknown(GEOMETRY_TIED);
        return operands[operands[0].value != 0 ? 1 : 2];
    case HOST_UNKNOWN:
        return unknown(node->value != 0 ? GEOMETRY_TIED : GEOMETRY_FREE);
    default:
        return operate(node, operands[0], operands[1]);
    }
}

void geometry_evaluate(const struct host_launch *launch, const contract_integer *variables, const bool *is_bound,
                       struct geometry_number *numbers)
{
    /* Operands come before what is made of them. */
    for (uint32_t n = 0; n < launch->nodes.count; n++)
        numbers[n] = number_of(&launch->nodes.data[n], variables, is_bound, numbers);
}
