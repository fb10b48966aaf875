/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs expression programs, a batch of elements at a time.  Touches nothing but its own stack: buffers are filled from several threads.
 *
 * Faults (division by zero, an element outside a buffer, an endless loop) travel beside the values, and count only where C would have
 * evaluated the operand: the faulting side of `?:`, `&&` and `||` is forgotten when it is not taken.
 */
#include "launch/column.h"

#include <math.h>
#include <string.h>

typedef struct expression_column column;

enum { TRIP_WEIGHT = 32 }; /* what a loop trip costs, in elements, beside its elements */

struct evaluation {
    const struct expression *expression;
    unsigned count;
    const int64_t *variables[EXPRESSION_VARIABLES];
    column *stack;
    unsigned top;    /* columns in use */
    int64_t *budget; /* loop trips left, weighed by elements; shared with the buffers that are read */
};

const char *expression_fault_text(enum expression_fault fault)
{
    static const char *const texts[] = {"is fine", "divides by zero", "reads outside a buffer",
                                        "runs too many loop trips"};
    return texts[fault];
}

#define LANES for (unsigned n = 0; n < count; n++)

static void evaluate_steps(struct evaluation *run, uint32_t first, uint32_t last);
static void evaluate_within(const struct expression *expression, const int64_t *elements,
                            unsigned count, int64_t *budget, column *result);

/* ---- two operands --------------------------------------------------------------------------------- */

static void merge_faults(column *a, const column *b, unsigned count)
{
    LANES if (a->fault[n] == 0) a->fault[n] = b->fault[n];
}

static void binary(struct evaluation *run, const struct expression_step *step)
{
    column *b = &run->stack[--run->top], *a = b - 1;
    if (run->expression->may_fault)
        merge_faults(a, b, run->count);
    if (expression_type_is_float((enum expression_type)step->from))
        column_real_binary(a, b, run->count, step);
    else
        column_integer_binary(a, b, run->count, step, run->expression->may_fault);
}

/* ---- choice, calls, bits --------------------------------------------------------------------------- */

static void logic(struct evaluation *run, const struct expression_step *step)
{
    unsigned count = run->count;
    column *b = &run->stack[--run->top], *a = b - 1;
    bool is_and = step->op == OP_BOTH;
    LANES
    {
        bool left = a->as.integer[n] != 0;
        if (run->expression->may_fault && left == is_and && a->fault[n] == 0)
            a->fault[n] = b->fault[n];
        a->as.integer[n] = is_and ? left & (b->as.integer[n] != 0) : left | (b->as.integer[n] != 0);
    }
}

static void choose(struct evaluation *run)
{
    unsigned count = run->count;
    column *c = &run->stack[run->top - 1], *b = c - 1, *a = b - 1;
    run->top -= 2;
    LANES
    {
        const column *taken = a->as.integer[n] != 0 ? b : c;
        if (run->expression->may_fault && a->fault[n] == 0)
            a->fault[n] = taken->fault[n];
        a->as.integer[n] = taken->as.integer[n]; /* the bits, whatever they are */
    }
}

static void call(struct evaluation *run, const struct expression_step *step)
{
    unsigned count = run->count;
    unsigned arity = step->op == OP_CALL1 ? 1 : step->op == OP_CALL2 ? 2 : 3;
    run->top -= arity - 1;
    column *a = &run->stack[run->top - 1];
    for (unsigned k = 1; k < arity && run->expression->may_fault; k++)
        merge_faults(a, a + k, count);
    if (arity == 1)
        LANES a->as.real[n] = step->as.function.one(a->as.real[n]);
    else if (arity == 2)
        LANES a->as.real[n] = step->as.function.two(a->as.real[n], a[1].as.real[n]);
    else
        LANES a->as.real[n] =
            step->as.function.three(a->as.real[n], a[1].as.real[n], a[2].as.real[n]);
    if (step->type == TYPE_F32)
        LANES a->as.real[n] = (float)a->as.real[n];
}

static void reinterpret(column *a, unsigned count, const struct expression_step *step)
{
    LANES
    {
        float single;
        int32_t bits;
        if (step->op == OP_FLOAT_BITS) {
            single = (float)a->as.real[n];
            memcpy(&bits, &single, sizeof bits);
            a->as.integer[n] = bits;
        } else {
            bits = (int32_t)a->as.integer[n];
            memcpy(&single, &bits, sizeof single);
            a->as.real[n] = single;
        }
    }
}

/* ---- buffers and loops ------------------------------------------------------------------------------ */

/* The element as the buffer's type holds it. */
static void round_trip(column *a, unsigned count, enum value_type type, enum expression_type from)
{
    bool to_real = value_type_info(type)->is_float;
    if (from == TYPE_F64 && type == VALUE_F64)
        return;
    LANES
    {
        struct value value = {.is_float = expression_type_is_float(from),
                              .is_unsigned = from == TYPE_U64};
        unsigned char bytes[8];
        if (value.is_float)
            value.as.real = a->as.real[n];
        else
            value.as.integer = a->as.integer[n];
        value_store(type, value, bytes);
        value = value_load(type, bytes);
        if (to_real)
            a->as.real[n] = value.as.real;
        else
            a->as.integer[n] = value.as.integer;
    }
}

static void read_buffer(struct evaluation *run, const struct expression_step *step)
{
    const struct expression_name *name = step->as.name;
    unsigned count = run->count;
    column *a = &run->stack[run->top - 1];
    int64_t elements[EXPRESSION_BATCH];
    uint8_t faults[EXPRESSION_BATCH];
    LANES
    {
        bool inside = a->as.integer[n] >= 0 && (uint64_t)a->as.integer[n] < name->length;
        faults[n] = a->fault[n] != 0 ? a->fault[n] : inside ? 0 : FAULT_INDEX;
        elements[n] = inside ? a->as.integer[n] : 0;
    }
    if (name->init == NULL || name->length == 0) {
        memset(&a->as, 0, sizeof a->as);
    } else {
        evaluate_within(name->init, elements, count, run->budget, a);
        LANES if (faults[n] == 0 && name->init->may_fault) faults[n] = a->fault[n];
        round_trip(a, count, name->type, name->init->type);
    }
    memcpy(a->fault, faults, sizeof faults[0] * count);
}

static void fold(column *total, const column *value, unsigned count, const uint8_t *active,
                 const struct expression_step *step)
{
    bool is_real = expression_type_is_float((enum expression_type)step->type);
    LANES
    {
        if (!active[n])
            continue;
        if (total->fault[n] == 0)
            total->fault[n] = value->fault[n];
        double x = total->as.real[n], y = value->as.real[n];
        int64_t p = total->as.integer[n], q = value->as.integer[n];
        switch (step->fold) {
        case FOLD_SUM:
            p = (int64_t)((uint64_t)p + (uint64_t)q);
            x += y;
            break;
        case FOLD_PRODUCT:
            p = (int64_t)((uint64_t)p * (uint64_t)q);
            x *= y;
            break;
        case FOLD_MINIMUM:
            p = p < q ? p : q;
            x = fmin(x, y);
            break;
        default:
            p = p > q ? p : q;
            x = fmax(x, y);
            break;
        }
        if (is_real)
            total->as.real[n] = x;
        else
            total->as.integer[n] = p;
    }
}

static void fold_start(column *total, unsigned count, const struct expression_step *step)
{
    static const double reals[] = {0, 1, (double)INFINITY, -(double)INFINITY};
    static const int64_t integers[] = {0, 1, INT64_MAX, INT64_MIN};
    bool is_real = expression_type_is_float((enum expression_type)step->type);
    LANES
    {
        if (is_real)
            total->as.real[n] = reals[step->fold];
        else
            total->as.integer[n] = integers[step->fold];
    }
}

/* sum(k, low, high, body): all elements of the batch together; those whose range is over no longer take part. */
static void loop(struct evaluation *run, uint32_t at)
{
    const struct expression_step *step = &run->expression->steps[at];
    unsigned count = run->count;
    column *high = &run->stack[--run->top], *low = high - 1;
    int64_t from[EXPRESSION_BATCH], to[EXPRESSION_BATCH], k[EXPRESSION_BATCH];
    uint8_t active[EXPRESSION_BATCH];
    int64_t trips = 0;
    merge_faults(low, high, count);
    LANES
    {
        from[n] = low->as.integer[n];
        to[n] = high->as.integer[n];
        int64_t mine = 0;
        if (to[n] > from[n] && __builtin_sub_overflow(to[n], from[n], &mine))
            mine = INT64_MAX;
        if (mine > *run->budget / (count + TRIP_WEIGHT)) {
            if (low->fault[n] == 0)
                low->fault[n] = FAULT_LENGTH;
            mine = 0;
            to[n] = from[n];
        }
        trips = mine > trips ? mine : trips;
    }
    *run->budget -= trips * (count + TRIP_WEIGHT);
    column *total = low; /* the range is saved: its column becomes the total */
    fold_start(total, count, step);
    const int64_t *outer = run->variables[step->argument];
    run->variables[step->argument] = k;
    for (int64_t trip = 0; trip < trips; trip++) {
        LANES
        {
            active[n] = trip < to[n] - from[n];
            k[n] = active[n] ? from[n] + trip : from[n];
        }
        evaluate_steps(run, at + 1, step->last);
        fold(total, &run->stack[--run->top], count, active, step);
    }
    run->variables[step->argument] = outer;
    if (step->type == TYPE_U32)
        LANES total->as.integer[n] &= 0xffffffff;
}

/* ---- the program ------------------------------------------------------------------------------------- */

static void push(struct evaluation *run, const struct expression_step *step)
{
    unsigned count = run->count;
    column *a = &run->stack[run->top++];
    if (step->op == OP_VARIABLE)
        memcpy(a->as.integer, run->variables[step->argument], count * sizeof(int64_t));
    else
        LANES a->as.integer[n] = step->as.integer; /* a real's bits too */
    if (run->expression->may_fault)
        memset(a->fault, 0, sizeof a->fault);
}

static void evaluate_steps(struct evaluation *run, uint32_t first, uint32_t last)
{
    for (uint32_t at = first; at < last; at++) {
        const struct expression_step *step = &run->expression->steps[at];
        column *top = run->stack + run->top - 1;
        unsigned count = run->count;
        switch ((enum expression_op)step->op) {
        case OP_CONSTANT:
        case OP_VARIABLE:
            push(run, step);
            break;
        case OP_CONVERT:
            column_convert(top - step->argument, count, (enum expression_type)step->from,
                           (enum expression_type)step->type);
            break;
        case OP_NARROW:
            column_narrow(top, count, step->argument, step->from == TYPE_I32);
            break;
        case OP_NEGATE:
        case OP_NOT:
        case OP_COMPLEMENT:
        case OP_TRUTH:
        case OP_ABSOLUTE:
        case OP_POPULATION:
            column_unary(top, count, step);
            break;
        case OP_BOTH:
        case OP_EITHER:
            logic(run, step);
            break;
        case OP_SELECT:
            choose(run);
            break;
        case OP_CALL1:
        case OP_CALL2:
        case OP_CALL3:
            call(run, step);
            break;
        case OP_FLOAT_BITS:
        case OP_BITS_FLOAT:
            reinterpret(top, count, step);
            break;
        case OP_BUFFER:
            read_buffer(run, step);
            break;
        case OP_LOOP:
            loop(run, at);
            at = step->last - 1;
            break;
        default:
            binary(run, step);
            break;
        }
    }
}

static void evaluate_within(const struct expression *expression, const int64_t *elements,
                            unsigned count, int64_t *budget, column *result)
{
    if (expression->data != NULL) {
        expression_read_data(expression, elements, count, result);
        return;
    }
    column stack[EXPRESSION_STACK];
    struct evaluation run = {
        .expression = expression, .count = count, .stack = stack, .budget = budget};
    for (unsigned i = 0; i < EXPRESSION_VARIABLES; i++)
        run.variables[i] = elements;
    evaluate_steps(&run, 0, expression->count);
    *result = stack[0];
}

void expression_evaluate(const struct expression *expression, const int64_t *elements,
                         unsigned count, struct expression_column *result)
{
    int64_t budget = EXPRESSION_BUDGET;
    evaluate_within(expression, elements, count, &budget, result);
}

enum expression_fault expression_store(const struct expression *expression, enum value_type type,
                                       uint64_t first, uint64_t count, void *out, uint64_t *at)
{
    enum expression_fault fault = FAULT_NONE;
    unsigned char *bytes = out;
    unsigned size = value_type_info(type)->size;
    struct expression_column result;
    bool is_real = expression_type_is_float(expression->type);
    if (expression->data != NULL && expression->data_type == type && first <= expression->data_count &&
        count <= expression->data_count - first) {
        memcpy(bytes, expression->data + first * size, count * size); /* also what NaNs hold */
        return FAULT_NONE;
    }
    if (expression->is_constant) {
        value_store(type, expression->value, bytes);
        for (uint64_t n = 1; n < count; n++)
            memcpy(bytes + n * size, bytes, size);
        return FAULT_NONE;
    }
    for (uint64_t done = 0; done < count; done += EXPRESSION_BATCH) {
        unsigned batch = count - done < EXPRESSION_BATCH ? (unsigned)(count - done)
                                                         : EXPRESSION_BATCH;
        int64_t elements[EXPRESSION_BATCH];
        for (unsigned n = 0; n < batch; n++)
            elements[n] = (int64_t)(first + done + n);
        expression_evaluate(expression, elements, batch, &result);
        for (unsigned n = 0; n < batch; n++) {
            struct value value = {.is_float = is_real, .is_unsigned = expression->type == TYPE_U64};
            if (expression->may_fault && result.fault[n] != 0) {
                if (fault == FAULT_NONE) {
                    fault = (enum expression_fault)result.fault[n];
                    *at = first + done + n;
                }
                value.as.integer = 0;
                value.is_float = false;
            } else {
                value.as.integer = result.as.integer[n];
            }
            value_store(type, value, bytes + (done + n) * size);
        }
    }
    return fault;
}
