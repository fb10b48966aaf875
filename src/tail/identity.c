/* SPDX-License-Identifier: Apache-2.0
 *
 * LW401: a constant that a reduction takes up and that changes its result.
 *
 * A candidate is a constant that a register holds where something else was not put there: the other arm of a guarded load, the start of an
 * accumulator, the other side of a select.  The constant is marked by exchanging it for the least and for the greatest value of its
 * type, and the launch runs again.  A maximum betrays itself: where the greatest value went in it comes out, where the least went in
 * the data come out.  If then the constant itself comes out larger than the data it is no identity: a warning, since the operator was
 * inferred.  Where LW_REDUCES names the operator, its identity is put in; if that alone makes the reduction right, it is an error.
 *
 * Limits: constants of one register at a time; eight candidates a kernel; launches of moderate size; data decide what is seen.
 */
#include "tail/private.h"

#include <math.h>
#include <string.h>

enum { SITES = 8, ELEMENTS = 1 << 20, STEPS_FACTOR = 4, STEPS_MORE = 4096 };
#define INSTRUCTIONS ((uint64_t)1 << 20)

enum domain { DOMAIN_F32, DOMAIN_F64, DOMAIN_S32, DOMAIN_U32, DOMAIN_S64, DOMAIN_COUNT };

static const struct {
    enum value_type type;
    unsigned bits;
    uint64_t least, greatest;
} domains[DOMAIN_COUNT] = {
    [DOMAIN_F32] = {VALUE_F32, 32, 0xff800000u, 0x7f800000u},
    [DOMAIN_F64] = {VALUE_F64, 64, 0xfff0000000000000u, 0x7ff0000000000000u},
    [DOMAIN_S32] = {VALUE_I32, 32, 0x80000000u, 0x7fffffffu},
    [DOMAIN_U32] = {VALUE_U32, 32, 0, 0xffffffffu},
    [DOMAIN_S64] = {VALUE_I64, 64, 0x8000000000000000u, 0x7fffffffffffffffu},
};

/* ---- candidates ---------------------------------------------------------------------------------------------- */

/* Where a constant stands: operand `operand` of `instruction`. */
struct mark {
    uint32_t instruction, operand;
};

struct candidate {
    uint32_t reg;
    uint64_t bits;      /* the constant */
    unsigned width;     /* bits */
    bool is_real;       /* the register is one for reals */
    uint32_t location;
    VEC(struct mark) marks;
};

struct search {
    struct arena *arena;
    const struct ptx_module *module;
    uint32_t function;
    const struct launch *launch;
    const struct contract *contract;
    struct launch_run *run;
    struct report_kernel *kernel;
    uint8_t *definitions; /* by register: how many, up to 2 */
    uint32_t *copied_to;  /* by register: a register with several definitions that it is moved to */
    VEC(struct candidate) candidates;
};

static bool is_immediate(const struct ptx_operand *operand)
{
    return operand->kind == PTX_OPERAND_INTEGER || operand->kind == PTX_OPERAND_FLOAT;
}

static void count_definition(void *context, uint32_t id, bool is_definition)
{
    struct search *search = context;
    if (is_definition && search->definitions[id] < 2)
        search->definitions[id]++;
}

/* The bits of an immediate in an operation of that width. */
static uint64_t bits_of(const struct ptx_operand *operand, unsigned width)
{
    uint64_t bits = (uint64_t)operand->value;
    if (operand->kind == PTX_OPERAND_FLOAT && operand->is_double && width == 32) {
        double real;
        float single;
        uint32_t half;
        memcpy(&real, &bits, sizeof real);
        single = (float)real;
        memcpy(&half, &single, sizeof half);
        return half;
    }
    return width == 32 ? (uint32_t)bits : bits;
}

static void add_mark(struct search *search, uint32_t reg, uint32_t index, uint32_t operand)
{
    const struct ptx_function *function = &search->module->functions.data[search->function];
    const struct ptx_instruction *instruction = &function->instructions.data[index];
    unsigned width = ptx_type_size((enum ptx_type)instruction->type) * 8;
    struct candidate *candidate = NULL;
    if (width != 32 && width != 64)
        return;
    uint64_t bits = bits_of(&instruction->operands[operand], width);
    for (uint32_t c = 0; c < search->candidates.count && candidate == NULL; c++)
        if (search->candidates.data[c].reg == reg && search->candidates.data[c].bits == bits &&
            search->candidates.data[c].width == width)
            candidate = &search->candidates.data[c];
    if (candidate == NULL) {
        candidate = vec_push(search->arena, &search->candidates);
        *candidate = (struct candidate){
            .reg = reg,
            .bits = bits,
            .width = width,
            .is_real = ptx_type_is_float((enum ptx_type)instruction->type),
            .location = instruction->location,
        };
    }
    *vec_push(search->arena, &candidate->marks) = (struct mark){index, operand};
}

static void find_candidates(struct search *search)
{
    const struct ptx_function *function = &search->module->functions.data[search->function];
    search->definitions = ARENA_ARRAY(search->arena, uint8_t, function->registers.count + 1);
    search->copied_to = ARENA_ARRAY(search->arena, uint32_t, function->registers.count + 1);
    for (uint32_t n = 0; n < function->instructions.count; n++)
        ptx_visit_registers(&function->instructions.data[n], count_definition, search);
    for (uint32_t r = 0; r < function->registers.count; r++)
        search->copied_to[r] = PTX_NONE;
    for (uint32_t n = 0; n < function->instructions.count; n++) {
        const struct ptx_instruction *instruction = &function->instructions.data[n];
        if (instruction->op == PTX_OP_mov && instruction->operands[0].kind == PTX_OPERAND_REGISTER &&
            instruction->operands[1].kind == PTX_OPERAND_REGISTER && search->definitions[instruction->operands[0].id] > 1)
            search->copied_to[instruction->operands[1].id] = instruction->operands[0].id;
    }
    for (uint32_t n = 0; n < function->instructions.count; n++) {
        const struct ptx_instruction *instruction = &function->instructions.data[n];
        if ((instruction->op != PTX_OP_mov && instruction->op != PTX_OP_selp) ||
            instruction->operands[0].kind != PTX_OPERAND_REGISTER)
            continue;
        uint32_t target = instruction->operands[0].id;
        if (instruction->op == PTX_OP_selp) {
            for (uint32_t o = 1; o <= 2; o++)
                if (is_immediate(&instruction->operands[o]) && !is_immediate(&instruction->operands[3 - o]))
                    add_mark(search, target, n, o);
        } else if (is_immediate(&instruction->operands[1])) {
            if (search->definitions[target] > 1)
                add_mark(search, target, n, 1);
            else if (search->copied_to[target] != PTX_NONE)
                add_mark(search, search->copied_to[target], n, 1);
        }
    }
}

/* ---- runs with another constant --------------------------------------------------------------------------------- */

/* The module with other bits at the marks of one candidate. */
static struct ptx_module *exchange(const struct search *search, struct arena *arena, const struct candidate *candidate, uint64_t bits)
{
    struct ptx_module *module = arena_copy(arena, search->module, sizeof *module);
    const struct ptx_function *old = &search->module->functions.data[search->function];
    module->functions.data = arena_copy(arena, module->functions.data, module->functions.count * sizeof *module->functions.data);
    struct ptx_function *function = &module->functions.data[search->function];
    function->instructions.data =
        arena_copy(arena, old->instructions.data, old->instructions.count * sizeof *old->instructions.data);
    for (uint32_t m = 0; m < candidate->marks.count; m++) {
        struct ptx_instruction *instruction = &function->instructions.data[candidate->marks.data[m].instruction];
        instruction->operands =
            arena_copy(arena, instruction->operands, instruction->operand_count * sizeof *instruction->operands);
        struct ptx_operand *operand = &instruction->operands[candidate->marks.data[m].operand];
        if (operand->kind == PTX_OPERAND_FLOAT)
            operand->is_double = candidate->width == 64;
        operand->value = (int64_t)bits;
    }
    return module;
}

/* The launch with other bits; NULL when it did not come to its end. */
static struct launch_run *run_with(const struct search *search, struct arena *arena, const struct candidate *candidate, uint64_t bits)
{
    struct diagnostic_list ignored;
    struct report_kernel *kernel = ARENA_NEW(arena, struct report_kernel);
    struct launch_run_options *options = ARENA_NEW(arena, struct launch_run_options);
    *options = (struct launch_run_options){
        .emu = {.jobs = 1,
                .max_steps = search->kernel->warp_instructions * STEPS_FACTOR + STEPS_MORE,
                .no_races = true,
                .no_init = true},
        .kernel_place = search->kernel->place,
    };
    diagnostic_list_init(&ignored, arena);
    struct launch_run *run = launch_run_begin(arena, exchange(search, arena, candidate, bits), search->function, search->launch,
                                              options, kernel, &ignored);
    if (run == NULL)
        return NULL;
    if (launch_run_execute(run) && kernel->has_run && kernel->stopped == NULL)
        return run;
    launch_run_end(run);
    return NULL;
}

/* ---- what changed ------------------------------------------------------------------------------------------------- */

struct outcome {
    bool is_maximum, is_minimum; /* so far, for every element that depends on the constant */
    uint64_t wrong;
    const char *array;
    uint64_t element;
    uint8_t got[8], wanted[8];
};

static bool is_type(const struct launch_buffer *buffer, enum value_type type)
{
    return buffer->argument->io != IO_IN && buffer->argument->type == type;
}

static int order(enum value_type type, const uint8_t *a, const uint8_t *b)
{
    struct value x = value_load(type, a), y = value_load(type, b);
    if (x.is_float)
        return x.as.real < y.as.real ? -1 : x.as.real > y.as.real;
    if (x.is_unsigned)
        return (uint64_t)x.as.integer < (uint64_t)y.as.integer ? -1 : (uint64_t)x.as.integer > (uint64_t)y.as.integer;
    return x.as.integer < y.as.integer ? -1 : x.as.integer > y.as.integer;
}

/* One element: as it was, with the least and with the greatest value in place of the constant. */
static void judge_element(struct outcome *outcome, enum domain domain, uint64_t constant, const uint8_t *was, const uint8_t *least,
                          const uint8_t *greatest, const struct launch_buffer *buffer, uint64_t element)
{
    enum value_type type = domains[domain].type;
    unsigned width = domains[domain].bits / 8;
    bool low_came = memcmp(least, &domains[domain].least, width) == 0;
    bool high_came = memcmp(greatest, &domains[domain].greatest, width) == 0;
    const uint8_t *bits = (const uint8_t *)&constant;
    if (memcmp(least, greatest, width) == 0)
        return;
    /* Of a maximum: max(data, x) for x least, the constant, greatest. */
    bool is_maximum = high_came && !low_came && order(type, was, order(type, least, bits) < 0 ? bits : least) == 0;
    bool is_minimum = low_came && !high_came && order(type, was, order(type, greatest, bits) > 0 ? bits : greatest) == 0;
    outcome->is_maximum &= is_maximum;
    outcome->is_minimum &= is_minimum;
    const uint8_t *right = is_maximum ? least : greatest;
    if ((is_maximum || is_minimum) && order(type, was, right) != 0) {
        if (outcome->wrong++ == 0) {
            outcome->array = buffer->argument->name;
            outcome->element = element;
            memcpy(outcome->got, was, width);
            memcpy(outcome->wanted, right, width);
        }
    }
}

static void judge_runs(const struct search *search, struct arena *arena, enum domain domain, uint64_t constant,
                       struct launch_run *least, struct launch_run *greatest, struct outcome *outcome)
{
    unsigned width = domains[domain].bits / 8;
    for (uint32_t b = 0; b < launch_run_buffer_count(search->run); b++) {
        const struct launch_buffer *buffer = launch_run_buffer_at(search->run, b);
        struct launch_run *runs[] = {search->run, least, greatest};
        uint8_t *bytes[3], *defined[3];
        bool good = is_type(buffer, domains[domain].type) && buffer->length <= ELEMENTS;
        for (unsigned r = 0; r < 3 && good; r++) {
            bytes[r] = arena_alloc(arena, buffer->length * width + 1);
            defined[r] = arena_alloc(arena, buffer->length + 1);
            good = launch_run_read(runs[r], launch_run_buffer_at(runs[r], b), 0, buffer->length, bytes[r], defined[r]);
        }
        for (uint64_t e = 0; e < buffer->length && good; e++)
            if (defined[0][e] && defined[1][e] && defined[2][e])
                judge_element(outcome, domain, constant, bytes[0] + e * width, bytes[1] + e * width, bytes[2] + e * width, buffer, e);
    }
}

/* ---- findings -------------------------------------------------------------------------------------------------------- */

static struct finding *add_finding(const struct search *search, const struct candidate *candidate)
{
    const struct ptx_location *location = ptx_user_location(search->module, candidate->location);
    struct place place = search->kernel->place;
    if (location != NULL && location->line != 0) {
        const char *path = ptx_file_path(search->module, location->file);
        place = (struct place){path != NULL ? path : place.file, location->line, location->column};
    }
    struct finding *finding = tail_add_finding(search->arena, search->kernel, FINDING_WRONG_IDENTITY, place);
    const struct ptx_function *function = &search->module->functions.data[search->function];
    finding->ptx_place = (struct place){search->module->name, function->instructions.data[candidate->marks.data[0].instruction].line, 0};
    return finding;
}

static const char *constant_text(struct arena *arena, enum value_type type, uint64_t bits)
{
    char text[32];
    return arena_string(arena, value_format(type, &bits, text));
}

static void report_inferred(const struct search *search, const struct candidate *candidate, enum domain domain,
                            const struct outcome *outcome)
{
    enum value_type type = domains[domain].type;
    struct finding *finding = add_finding(search, candidate);
    char got[32], wanted[32];
    const char *word = outcome->is_maximum ? "maximum" : "minimum";
    value_format(type, outcome->got, got);
    value_format(type, outcome->wanted, wanted);
    finding->severity = SEVERITY_WARNING;
    finding->status = STATUS_INFERRED;
    finding->message = arena_printf(search->arena, "puts %s into a %s: `%s[%llu]` becomes %s, the data alone give %s",
                                    constant_text(search->arena, type, candidate->bits), word, outcome->array,
                                    (unsigned long long)outcome->element, got, wanted);
    finding->array = outcome->array;
    finding->count = outcome->wrong;
    finding->help = arena_printf(search->arena, "the identity of a %s is %s", word,
                                 constant_text(search->arena, type,
                                               outcome->is_maximum ? domains[domain].least : domains[domain].greatest));
}

/* The operator of a maximum or minimum is inferred. */
static bool try_domain(const struct search *search, const struct candidate *candidate, enum domain domain)
{
    struct arena scratch;
    struct outcome outcome = {.is_maximum = true, .is_minimum = true};
    arena_init(&scratch);
    scratch.handler = search->arena->handler;
    struct launch_run *greatest = run_with(search, &scratch, candidate, domains[domain].greatest);
    struct launch_run *least = greatest == NULL ? NULL : run_with(search, &scratch, candidate, domains[domain].least);
    if (least != NULL)
        judge_runs(search, &scratch, domain, candidate->bits, least, greatest, &outcome);
    if (least != NULL && outcome.wrong != 0 && outcome.is_maximum != outcome.is_minimum)
        report_inferred(search, candidate, domain, &outcome);
    bool found = least != NULL && outcome.wrong != 0 && outcome.is_maximum != outcome.is_minimum;
    if (least != NULL)
        launch_run_end(least);
    if (greatest != NULL)
        launch_run_end(greatest);
    arena_free(&scratch);
    return found;
}

/* The identity of an operator in elements of a type. */
static bool identity_of(enum contract_reduction reduction, enum domain domain, uint64_t *bits)
{
    static const uint64_t ones[DOMAIN_COUNT] = {
        [DOMAIN_F32] = 0x3f800000u, [DOMAIN_F64] = 0x3ff0000000000000u, [DOMAIN_S32] = 1, [DOMAIN_U32] = 1, [DOMAIN_S64] = 1};
    bool is_real = domain == DOMAIN_F32 || domain == DOMAIN_F64;
    *bits = reduction == CONTRACT_PRODUCT                                 ? ones[domain]
            : reduction == CONTRACT_MIN                                   ? domains[domain].greatest
            : reduction == CONTRACT_MAX                                   ? domains[domain].least
            : reduction == CONTRACT_AND && domains[domain].bits == 32     ? UINT32_MAX
            : reduction == CONTRACT_AND                                   ? UINT64_MAX
                                                                          : 0;
    return !is_real || reduction <= CONTRACT_MAX;
}

/* LW_REDUCES: the identity alone makes it right. */
static bool try_declared(const struct search *search, const struct candidate *candidate, enum domain domain, uint32_t parameter)
{
    const struct contract_parameter *array = &search->contract->parameters.data[parameter];
    uint64_t bits;
    struct arena scratch;
    const char *wanted = NULL, *got = NULL, *ignored[2];
    if (!identity_of((enum contract_reduction)array->reduction, domain, &bits) || bits == candidate->bits ||
        tail_reduction_holds(search->arena, search->run, search->contract, parameter, &wanted, &got))
        return false;
    arena_init(&scratch);
    scratch.handler = search->arena->handler;
    struct launch_run *run = run_with(search, &scratch, candidate, bits);
    bool found = run != NULL &&
                 tail_reduction_holds(&scratch, run, search->contract, parameter, &ignored[0], &ignored[1]);
    if (run != NULL)
        launch_run_end(run);
    arena_free(&scratch);
    if (!found)
        return false;
    struct finding *finding = add_finding(search, candidate);
    finding->message =
        arena_printf(search->arena, "puts %s into the reduction of `%s`: it becomes %s, the data alone give %s",
                     constant_text(search->arena, domains[domain].type, candidate->bits),
                     search->contract->parameters.data[array->reduces].name, got, wanted);
    finding->array = array->name;
    finding->help = arena_printf(search->arena, "the identity is %s", constant_text(search->arena, domains[domain].type, bits));
    return true;
}

/* The types that the constant may be of, as far as some output has them. */
static void try_candidate(const struct search *search, const struct candidate *candidate)
{
    for (unsigned d = 0; d < DOMAIN_COUNT; d++) {
        bool is_real = d == DOMAIN_F32 || d == DOMAIN_F64, has_output = false;
        if (domains[d].bits != candidate->width || (candidate->is_real && !is_real))
            continue;
        for (uint32_t b = 0; b < launch_run_buffer_count(search->run); b++)
            has_output |= is_type(launch_run_buffer_at(search->run, b), domains[d].type);
        if (!has_output)
            continue;
        bool found = false;
        for (uint32_t p = 0; search->contract != NULL && p < search->contract->parameters.count && !found; p++)
            if (search->contract->parameters.data[p].reduction != CONTRACT_REDUCES_NOTHING)
                found = try_declared(search, candidate, (enum domain)d, p);
        if (!found)
            found = try_domain(search, candidate, (enum domain)d);
        if (found)
            return;
    }
}

void tail_find_wrong_identities(struct arena *arena, const struct ptx_module *module, uint32_t function, const struct launch *launch,
                                const struct contract *contract, struct launch_run *run, struct report_kernel *kernel)
{
    struct search search = {.arena = arena, .module = module, .function = function, .launch = launch,
                            .contract = contract, .run = run, .kernel = kernel};
    if (kernel->warp_instructions > INSTRUCTIONS || launch->focus.count != 0)
        return;
    find_candidates(&search);
    for (uint32_t c = 0; c < search.candidates.count && c < SITES; c++)
        try_candidate(&search, &search.candidates.data[c]);
}
