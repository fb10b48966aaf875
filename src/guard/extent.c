/* SPDX-License-Identifier: Apache-2.0
 *
 * Expressions of a contract as code in a kernel.
 *
 * Requires: a body whose entry block is being written.  Gives: the exact value in a 64-bit signed register.  Ranges of the operands are
 * followed, and a test stands only where a value can leave 64 bits or a divisor can be 0; then `bad` is true.  An extent that cannot be
 * formed is 0: nothing is inside of an array that no launch can have.
 * Gives up on: len(x), which a kernel does not know.
 */
#include "guard/rewrite.h"

static const contract_integer lowest = -((contract_integer)1 << 63);
static const contract_integer highest = ((contract_integer)1 << 63) - 1;

const char *guard_expression_obstacle(struct arena *arena, const struct contract *contract, uint32_t root)
{
    const struct contract_node *node = &contract->nodes.data[root];
    const char *obstacle = NULL;
    switch (node->kind) {
    case CONTRACT_LITERAL:
    case CONTRACT_SCALAR:
    case CONTRACT_BLOCK:
    case CONTRACT_GRID:
        return NULL;
    case CONTRACT_LENGTH:
        return arena_printf(arena, "a kernel does not know len(%s)", contract->parameters.data[node->operand].name);
    case CONTRACT_NEGATE:
        return guard_expression_obstacle(arena, contract, node->left);
    default:
        obstacle = guard_expression_obstacle(arena, contract, node->left);
        return obstacle != NULL ? obstacle : guard_expression_obstacle(arena, contract, node->right);
    }
}

static void add_bad(struct guard_evaluation *evaluation, const char *predicate)
{
    if (evaluation->bad == NULL) {
        evaluation->bad = predicate;
        return;
    }
    const char *both = guard_new_predicate(evaluation->body);
    guard_emit(evaluation->body, evaluation->out, "or.pred %s, %s, %s", both, evaluation->bad, predicate);
    evaluation->bad = both;
}

static void add_bad_if(struct guard_evaluation *evaluation, const char *compare, const char *left, const char *right)
{
    const char *predicate = guard_new_predicate(evaluation->body);
    guard_emit(evaluation->body, evaluation->out, "setp.%s.s64 %s, %s, %s", compare, predicate, left, right);
    add_bad(evaluation, predicate);
}

static struct guard_number constant(struct guard_evaluation *evaluation, contract_integer value)
{
    char text[48];
    if (value < lowest || value > highest) {
        add_bad_if(evaluation, "eq", "0", "0");
        value = 0;
    }
    return (struct guard_number){.is_constant = true,
                                 .low = value,
                                 .high = value,
                                 .text = arena_string(evaluation->body->rewrite->arena, contract_format(value, text))};
}

static struct guard_number in_register(struct guard_evaluation *evaluation, contract_integer low, contract_integer high)
{
    return (struct guard_number){.low = low < lowest ? lowest : low,
                                 .high = high > highest ? highest : high,
                                 .text = guard_new_long(evaluation->body)};
}

/* ---- leaves ---------------------------------------------------------------------------------------------------------- */

static struct guard_number load_scalar(struct guard_evaluation *evaluation, uint32_t index)
{
    struct guard_body *body = evaluation->body;
    const struct contract_parameter *parameter = &evaluation->contract->parameters.data[index];
    const struct ptx_module *module = body->rewrite->module;
    const struct ptx_function *kernel = &module->functions.data[body->plan->result->function];
    unsigned bits = parameter->bits == 8 || parameter->bits == 16 || parameter->bits == 32 ? parameter->bits : 64;
    contract_integer half = (contract_integer)1 << (bits - 1);
    struct guard_number number = in_register(evaluation, parameter->is_signed ? -half : 0,
                                             parameter->is_signed ? half - 1 : 2 * half - 1);
    if (parameter->position >= kernel->parameters.count) {
        evaluation->obstacle = "the contract has more parameters than the kernel";
        return number;
    }
    const char *name = module->variables.data[kernel->parameters.data[parameter->position]].name;
    guard_emit(body, evaluation->out, "ld.param.%c%u %s, [%s+%u]", parameter->is_signed ? 's' : 'u', bits, number.text, name,
               parameter->offset);
    return number;
}

static struct guard_number scalar(struct guard_evaluation *evaluation, uint32_t index)
{
    struct guard_number *known = &evaluation->body->scalars[index];
    const struct contract_parameter *parameter = &evaluation->contract->parameters.data[index];
    if (known->text == NULL)
        *known = load_scalar(evaluation, index);
    if (!parameter->is_signed && known->high == highest)
        add_bad_if(evaluation, "lt", known->text, "0"); /* at least 2^63 */
    return *known;
}

static struct guard_number special(struct guard_evaluation *evaluation, const char *name, uint32_t axis, contract_integer most)
{
    struct guard_number number = in_register(evaluation, 1, most);
    const char *word = guard_new_word(evaluation->body);
    guard_emit(evaluation->body, evaluation->out, "mov.u32 %s, %s.%c", word, name, "xyz"[axis % 3]);
    guard_emit(evaluation->body, evaluation->out, "cvt.u64.u32 %s, %s", number.text, word);
    return number;
}

/* ---- operations -------------------------------------------------------------------------------------------------------- */

static void range_of(enum contract_node_kind kind, const struct guard_number *a, const struct guard_number *b, contract_integer *low,
                     contract_integer *high)
{
    if (kind == CONTRACT_ADD) {
        *low = a->low + b->low;
        *high = a->high + b->high;
        return;
    }
    if (kind == CONTRACT_SUBTRACT) {
        *low = a->low - b->high;
        *high = a->high - b->low;
        return;
    }
    contract_integer corners[4] = {a->low * b->low, a->low * b->high, a->high * b->low, a->high * b->high};
    *low = *high = corners[0];
    for (int i = 1; i < 4; i++) {
        *low = corners[i] < *low ? corners[i] : *low;
        *high = corners[i] > *high ? corners[i] : *high;
    }
}

static void test_sum(struct guard_evaluation *evaluation, bool subtracts, const char *a, const char *b, const char *sum)
{
    struct guard_body *body = evaluation->body;
    const char *first = guard_new_long(body), *second = guard_new_long(body), *both = guard_new_long(body);
    /* The result's sign differs from a's, and b's sign allows that: from a's when adding (a ^ s) & (b ^ s), else (a ^ b) & (a ^ s). */
    guard_emit(body, evaluation->out, "xor.b64 %s, %s, %s", first, a, sum);
    guard_emit(body, evaluation->out, "xor.b64 %s, %s, %s", second, subtracts ? a : sum, b);
    guard_emit(body, evaluation->out, "and.b64 %s, %s, %s", both, first, second);
    add_bad_if(evaluation, "lt", both, "0");
}

static void test_product(struct guard_evaluation *evaluation, const char *a, const char *b, const char *product)
{
    struct guard_body *body = evaluation->body;
    const char *upper = guard_new_long(body), *sign = guard_new_long(body);
    guard_emit(body, evaluation->out, "mul.hi.s64 %s, %s, %s", upper, a, b);
    guard_emit(body, evaluation->out, "shr.s64 %s, %s, 63", sign, product);
    add_bad_if(evaluation, "ne", upper, sign);
}

/* An immediate may stand on the right only. */
static const char *as_register(struct guard_evaluation *evaluation, const struct guard_number *number)
{
    if (!number->is_constant)
        return number->text;
    const char *copy = guard_new_long(evaluation->body);
    guard_emit(evaluation->body, evaluation->out, "mov.u64 %s, %s", copy, number->text);
    return copy;
}

static struct guard_number combine(struct guard_evaluation *evaluation, enum contract_node_kind kind, struct guard_number a,
                                   struct guard_number b)
{
    static const char *const names[] = {
        [CONTRACT_ADD] = "add.s64", [CONTRACT_SUBTRACT] = "sub.s64", [CONTRACT_MULTIPLY] = "mul.lo.s64"};
    contract_integer low, high;
    range_of(kind, &a, &b, &low, &high);
    if (a.is_constant && b.is_constant)
        return constant(evaluation, low);
    struct guard_number result = in_register(evaluation, low, high);
    const char *left = as_register(evaluation, &a), *right = b.text; /* an immediate may stand there */
    guard_emit(evaluation->body, evaluation->out, "%s %s, %s, %s", names[kind], result.text, left, right);
    if (low < lowest || high > highest) {
        if (kind == CONTRACT_MULTIPLY)
            test_product(evaluation, left, right, result.text);
        else
            test_sum(evaluation, kind == CONTRACT_SUBTRACT, left, right, result.text);
    }
    return result;
}

static struct guard_number divide(struct guard_evaluation *evaluation, bool remainder, struct guard_number a, struct guard_number b)
{
    struct guard_body *body = evaluation->body;
    if (b.is_constant && b.low == 0) {
        add_bad_if(evaluation, "eq", "0", "0");
        return constant(evaluation, 0);
    }
    if (a.is_constant && b.is_constant)
        return constant(evaluation, remainder ? a.low % b.low : a.low / b.low);
    const char *left = as_register(evaluation, &a), *right = as_register(evaluation, &b);
    if (b.low <= 0 && b.high >= 0) {
        const char *is_zero = guard_new_predicate(body), *divisor = guard_new_long(body);
        guard_emit(body, evaluation->out, "setp.eq.s64 %s, %s, 0", is_zero, right);
        guard_emit(body, evaluation->out, "selp.b64 %s, 1, %s, %s", divisor, right, is_zero);
        add_bad(evaluation, is_zero);
        right = divisor;
    }
    if (a.low == lowest && b.low <= -1 && b.high >= -1) /* the one quotient that leaves 64 bits */
        add_bad_if(evaluation, "eq", left, "-9223372036854775808");
    contract_integer most = a.high > -a.low ? a.high : -a.low;
    bool positive = a.low >= 0 && b.low >= 0;
    contract_integer part = remainder && b.low >= 0 && b.high - 1 < most ? b.high - 1 : most;
    struct guard_number result = in_register(evaluation, positive ? 0 : -part, part);
    guard_emit(body, evaluation->out, "%s.s64 %s, %s, %s", remainder ? "rem" : "div", result.text, left, right);
    return result;
}

struct guard_number guard_evaluate(struct guard_evaluation *evaluation, uint32_t root)
{
    const struct contract_node *node = &evaluation->contract->nodes.data[root];
    struct guard_number left;
    switch (node->kind) {
    case CONTRACT_LITERAL:
        return constant(evaluation, node->value);
    case CONTRACT_SCALAR:
        return scalar(evaluation, node->operand);
    case CONTRACT_LENGTH:
        evaluation->obstacle = guard_expression_obstacle(evaluation->body->rewrite->arena, evaluation->contract, root);
        return constant(evaluation, 0);
    case CONTRACT_BLOCK:
        return special(evaluation, "%ntid", node->operand, 1024);
    case CONTRACT_GRID:
        return special(evaluation, "%nctaid", node->operand, 2147483647);
    case CONTRACT_NEGATE:
        return combine(evaluation, CONTRACT_SUBTRACT, constant(evaluation, 0), guard_evaluate(evaluation, node->left));
    default:
        left = guard_evaluate(evaluation, node->left);
        struct guard_number right = guard_evaluate(evaluation, node->right);
        if (node->kind == CONTRACT_DIVIDE || node->kind == CONTRACT_REMAINDER)
            return divide(evaluation, node->kind == CONTRACT_REMAINDER, left, right);
        return combine(evaluation, (enum contract_node_kind)node->kind, left, right);
    }
}

/* ---- extents ------------------------------------------------------------------------------------------------------------ */

struct guard_number guard_evaluate_extent(struct guard_evaluation *evaluation, uint32_t index)
{
    struct guard_body *body = evaluation->body;
    const struct contract_parameter *parameter = &evaluation->contract->parameters.data[index];
    uint32_t needed = parameter->shape_kind == CONTRACT_SHAPE_PITCHED ? 2 : parameter->dimensions;
    for (uint32_t d = 0; d < needed; d++) {
        /* A dimension below 0 is a violation at launch; two of them would make a positive product.  Pitched: none are no elements. */
        contract_integer least = parameter->shape_kind == CONTRACT_SHAPE_PITCHED ? 1 : 0;
        struct guard_number dimension = guard_evaluate(evaluation, parameter->shape[d].root);
        if (dimension.is_constant && dimension.low < least)
            return constant(evaluation, 0);
        if (!dimension.is_constant && dimension.low < least)
            add_bad_if(evaluation, "lt", dimension.text, least == 0 ? "0" : "1");
    }
    uint32_t size = parameter->element_size == 0 ? 1 : parameter->element_size;
    struct guard_number elements = guard_evaluate(evaluation, parameter->extent.root);
    struct guard_number bytes = size == 1 ? elements : combine(evaluation, CONTRACT_MULTIPLY, elements, constant(evaluation, size));
    if (evaluation->bad == NULL)
        return bytes;
    struct guard_number chosen = in_register(evaluation, bytes.low < 0 ? bytes.low : 0, bytes.high);
    guard_emit(body, evaluation->out, "selp.b64 %s, 0, %s, %s", chosen.text, bytes.text, evaluation->bad);
    return chosen;
}
