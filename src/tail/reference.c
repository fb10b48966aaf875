/* SPDX-License-Identifier: Apache-2.0
 *
 * LW405: what a kernel left against what the host's own function makes of the same arguments; and the fold of an array with LW_REDUCES
 * against the fold of its source.
 *
 * Arrays that the kernel only writes start as a pattern for the reference; what it leaves as that pattern it did not mean to write.
 */
#include "tail/private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PATTERN = 0xa5, EXAMPLES = 4, CHUNK = 2048, FOLDED = 1 << 22 };
#define REFERENCE_BYTES ((uint64_t)64 << 20)

/* ---- arguments -------------------------------------------------------------------------------------------------- */

static bool put_scalar(struct arena *arena, const struct report_kernel *kernel, const char *name, void **out)
{
    for (uint32_t i = 0; i < kernel->launch.scalars.count; i++) {
        const struct report_scalar *scalar = &kernel->launch.scalars.data[i];
        if (strcmp(scalar->name, name) != 0)
            continue;
        enum value_type type = value_type_find(scalar->type, strlen(scalar->type));
        struct value value = {.is_float = value_type_info(type)->is_float, .is_unsigned = !value_type_info(type)->is_signed};
        if (value.is_float)
            value.as.real = strtod(scalar->value, NULL);
        else if (value.is_unsigned)
            value.as.integer = (int64_t)strtoull(scalar->value, NULL, 10);
        else
            value.as.integer = strtoll(scalar->value, NULL, 10);
        *out = arena_alloc(arena, 16);
        value_store(type, value, *out);
        return true;
    }
    return false;
}

static uint64_t buffer_bytes(const struct launch_buffer *buffer)
{
    return buffer->length * value_type_info(buffer->argument->type)->size;
}

static void put_array(struct arena *arena, const struct launch_buffer *buffer, uint32_t position, struct tail_call *call)
{
    uint64_t size = buffer_bytes(buffer), at;
    struct tail_array *array = &call->arrays[call->array_count++];
    void **pointer = arena_alloc(arena, sizeof *pointer);
    *array = (struct tail_array){position, arena_alloc(arena, size + 1), size};
    if (!buffer->initialised)
        memset(array->data, PATTERN, size);
    else if (buffer->init != NULL)
        expression_store(buffer->init, buffer->argument->type, 0, buffer->length, array->data, &at);
    *pointer = array->data;
    call->arguments[position] = pointer;
}

/* The arguments on the host; false when some cannot be passed. */
static bool make_call(struct arena *arena, const struct launch *launch, struct launch_run *run, const struct report_kernel *kernel,
                      struct tail_call *call)
{
    uint64_t bytes = 0;
    call->arguments = ARENA_ARRAY(arena, void *, launch->arguments.count + 1);
    call->arrays = ARENA_ARRAY(arena, struct tail_array, launch->arguments.count + 1);
    for (uint32_t b = 0; b < launch_run_buffer_count(run); b++)
        bytes += buffer_bytes(launch_run_buffer_at(run, b));
    if (bytes > REFERENCE_BYTES)
        return false;
    for (uint32_t i = 0; i < launch->arguments.count; i++) {
        const struct launch_argument *argument = &launch->arguments.data[i];
        struct launch_buffer *buffer = launch_run_buffer(run, argument->name);
        if (argument->role != ROLE_PARAMETER)
            return false; /* a struct with pointers */
        if (argument->kind == ARGUMENT_BUFFER && buffer != NULL)
            put_array(arena, buffer, call->count, call);
        else if (argument->kind != ARGUMENT_SCALAR || !put_scalar(arena, kernel, argument->name, &call->arguments[call->count]))
            return false;
        call->count++;
    }
    return true;
}

/* ---- comparing ------------------------------------------------------------------------------------------------------ */

struct wrong {
    uint64_t count, compared;
    uint64_t examples[EXAMPLES];
    uint8_t got[EXAMPLES][8], wanted[EXAMPLES][8];
    bool is_written[EXAMPLES];
};

static bool is_pattern(const uint8_t *bytes, unsigned width)
{
    for (unsigned i = 0; i < width; i++)
        if (bytes[i] != PATTERN)
            return false;
    return true;
}

static void compare_array(struct launch_run *run, const struct launch_buffer *buffer, const uint8_t *wanted, struct wrong *wrong)
{
    enum value_type type = buffer->argument->type;
    unsigned width = value_type_info(type)->size;
    uint8_t got[CHUNK * 8], defined[CHUNK];
    for (uint64_t at = 0; at < buffer->length; at += CHUNK) {
        uint64_t count = buffer->length - at < CHUNK ? buffer->length - at : CHUNK;
        if (!launch_run_read(run, buffer, at, count, got, defined))
            return;
        for (uint64_t i = 0; i < count; i++) {
            const uint8_t *mine = got + i * width, *right = wanted + (at + i) * width;
            if (!buffer->initialised && is_pattern(right, width))
                continue; /* the reference does not speak of it */
            wrong->compared++;
            if (defined[i] && value_matches(type, mine, right, 1e-4))
                continue;
            if (wrong->count < EXAMPLES) {
                wrong->examples[wrong->count] = at + i;
                wrong->is_written[wrong->count] = defined[i];
                memcpy(wrong->got[wrong->count], mine, width);
                memcpy(wrong->wanted[wrong->count], right, width);
            }
            wrong->count++;
        }
    }
}

static const char *describe(struct arena *arena, const struct launch_buffer *buffer, const struct wrong *wrong, uint64_t n,
                            bool is_note)
{
    char got[32], wanted[32];
    const char *name = buffer->argument->name;
    value_format(buffer->argument->type, wrong->wanted[n], wanted);
    value_format(buffer->argument->type, wrong->got[n], got);
    if (!wrong->is_written[n])
        return arena_printf(arena, "%s `%s[%llu]`, wanted %s", is_note ? "never wrote" : "never writes", name,
                            (unsigned long long)wrong->examples[n], wanted);
    return arena_printf(arena, "%s %s in `%s[%llu]`, wanted %s", is_note ? "left" : "leaves", got, name,
                        (unsigned long long)wrong->examples[n], wanted);
}

static void report_wrong(const struct tail_subject *subject, const struct launch_buffer *buffer, const struct wrong *wrong,
                         struct report_kernel *kernel)
{
    struct arena *arena = subject->arena;
    struct finding *finding = tail_add_finding(arena, kernel, FINDING_WRONG_RESULT, subject->options->kernel_place);
    char count[28], compared[28];
    finding->message = describe(arena, buffer, wrong, 0, false);
    finding->label = arena_printf(arena, "%s of %s results differ from `%s`", text_group_digits(wrong->count, count),
                                  text_group_digits(wrong->compared, compared), subject->options->reference_name);
    finding->array = buffer->argument->name;
    finding->has_index = true;
    finding->index = (int64_t)wrong->examples[0];
    finding->extent = buffer->length;
    finding->element_size = value_type_info(buffer->argument->type)->size;
    finding->count = wrong->count;
    for (uint64_t n = 1; n < wrong->count && n < EXAMPLES; n++)
        *vec_push(arena, &finding->notes) = (struct finding_note){.message = describe(arena, buffer, wrong, n, true)};
}

void tail_compare_reference(const struct tail_subject *subject, const struct launch *launch, struct launch_run *run,
                            struct report_kernel *kernel)
{
    const struct tail_options *options = subject->options;
    struct tail_call call = {0};
    if (options->reference == NULL || !make_call(subject->arena, launch, run, kernel, &call))
        return;
    if (!options->reference(options->reference_context, subject->arena, &call)) {
        if (call.trouble != NULL && kernel->stopped == NULL)
            kernel->stopped = arena_printf(subject->arena, "the reference `%s` %s", options->reference_name, call.trouble);
        return;
    }
    for (uint32_t a = 0; a < call.array_count; a++) {
        const struct launch_argument *argument = &launch->arguments.data[call.arrays[a].position];
        const struct launch_buffer *buffer = launch_run_buffer(run, argument->name);
        struct wrong wrong = {0};
        if (buffer->argument->io == IO_IN)
            continue;
        compare_array(run, buffer, call.arrays[a].data, &wrong);
        kernel->results_compared += wrong.compared;
        if (wrong.count != 0)
            report_wrong(subject, buffer, &wrong, kernel);
    }
}

/* ---- reductions ---------------------------------------------------------------------------------------------------------- */

struct fold {
    bool is_float, is_unsigned, is_known;
    double real, weight; /* weight: sum of magnitudes, for the tolerance */
    double up, down;     /* of a product: powers of two by which its factors enlarge and reduce it */
    uint64_t integer;
};

static void weigh_factor(struct fold *fold, double factor)
{
    double power = factor == 0 || !isfinite(factor) ? 0 : log2(fabs(factor));
    fold->up += power > 0 ? power : 0;
    fold->down -= power < 0 ? power : 0;
}

/* Some order of the factors leaves the range of the type on the way: then the order decides what comes out, and each is right. */
static bool product_leaves_range(const struct fold *fold, enum value_type type)
{
    double powers = type == VALUE_F64 ? 1022 : type == VALUE_F16 ? 14 : 126;
    return fold->up > powers || fold->down > powers;
}

static void fold_element(struct fold *fold, enum contract_reduction reduction, struct value value)
{
    uint64_t bits = (uint64_t)value.as.integer;
    bool less = value.is_unsigned ? bits < fold->integer : value.as.integer < (int64_t)fold->integer;
    switch (reduction) {
    case CONTRACT_SUM:
        fold->real += value.as.real;
        fold->integer += bits;
        break;
    case CONTRACT_PRODUCT:
        fold->real *= value.as.real;
        fold->integer *= bits;
        weigh_factor(fold, value.is_float ? value.as.real : 0);
        break;
    case CONTRACT_MIN:
        fold->real = value.is_float ? fmin(fold->real, value.as.real) : 0;
        fold->integer = less ? bits : fold->integer;
        break;
    case CONTRACT_MAX:
        fold->real = value.is_float ? fmax(fold->real, value.as.real) : 0;
        fold->integer = less ? fold->integer : bits;
        break;
    case CONTRACT_AND:
        fold->integer &= bits;
        break;
    case CONTRACT_OR:
        fold->integer |= bits;
        break;
    default:
        fold->integer ^= bits;
        break;
    }
    fold->weight += value.is_float ? fabs(value.as.real) : 0;
}

/* All elements, as the launch left them or (`initial`) as it found them. */
static bool fold_buffer(struct launch_run *run, const struct launch_buffer *buffer, bool initial,
                        enum contract_reduction reduction, struct fold *fold)
{
    enum value_type type = buffer->argument->type;
    unsigned width = value_type_info(type)->size;
    uint8_t bytes[CHUNK * 8], defined[CHUNK];
    uint64_t fault;
    memset(fold, 0, sizeof *fold);
    if (buffer->length > FOLDED || buffer->length == 0)
        return false;
    for (uint64_t at = 0; at < buffer->length; at += CHUNK) {
        uint64_t count = buffer->length - at < CHUNK ? buffer->length - at : CHUNK;
        memset(bytes, 0, sizeof bytes);
        memset(defined, 1, sizeof defined);
        if (initial && buffer->init != NULL)
            expression_store(buffer->init, type, at, count, bytes, &fault);
        else if (!initial && !launch_run_read(run, buffer, at, count, bytes, defined))
            return false;
        for (uint64_t i = 0; i < count; i++) {
            struct value value = value_load(type, bytes + i * width);
            if (!defined[i] || (value.is_float && !isfinite(value.as.real) && initial))
                return false;
            if (at + i == 0) {
                *fold = (struct fold){.is_float = value.is_float,
                                      .real = value.is_float ? value.as.real : 0,
                                      .weight = value.is_float ? fabs(value.as.real) : 0,
                                      .integer = value.is_float ? 0 : (uint64_t)value.as.integer};
                weigh_factor(fold, fold->real);
            } else {
                fold_element(fold, reduction, value);
            }
        }
    }
    return true;
}

bool tail_reduction_holds(struct arena *arena, struct launch_run *run, const struct contract *contract, uint32_t parameter,
                          const char **wanted, const char **got)
{
    const struct contract_parameter *array = &contract->parameters.data[parameter];
    struct fold right, mine;
    if (array->reduction == CONTRACT_REDUCES_NOTHING || array->reduces == CONTRACT_NONE)
        return true;
    struct launch_buffer *to = tail_find_array(run, arena, array);
    struct launch_buffer *from = tail_find_array(run, arena, &contract->parameters.data[array->reduces]);
    if (to == NULL || from == NULL || to->argument->io == IO_IN || !from->initialised ||
        !fold_buffer(run, from, true, (enum contract_reduction)array->reduction, &right) ||
        !fold_buffer(run, to, false, (enum contract_reduction)array->reduction, &mine) || right.is_float != mine.is_float)
        return true;
    if (!right.is_float) {
        unsigned bits = value_type_info(to->argument->type)->size * 8u;
        uint64_t mask = bits == 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
        *wanted = arena_printf(arena, "%lld", (long long)right.integer);
        *got = arena_printf(arena, "%lld", (long long)mine.integer);
        return ((right.integer ^ mine.integer) & mask) == 0;
    }
    if (array->reduction == CONTRACT_PRODUCT && product_leaves_range(&right, from->argument->type))
        return true;
    *wanted = arena_printf(arena, "%.9g", right.real);
    *got = arena_printf(arena, "%.9g", mine.real);
    double scale = array->reduction == CONTRACT_SUM ? right.weight : fabs(right.real);
    return fabs(right.real - mine.real) <= 1e-4 * scale + 1e-30 || right.real == mine.real;
}
