/* SPDX-License-Identifier: Apache-2.0
 *
 * A first contract for a kernel that has none, or not enough of one.
 *
 * Requires: names and types of its parameters.  Gives: a contract with what there was, an extent for each array where its accesses show one, and
 * the relations that these rest on.  Each round proves the kernel with the contract so far, asks what is missing (suggest_extent.c,
 * condition.c) and adds it; what later turns out to help nothing is taken out again.  The last round's sites say what the whole is worth.
 * It is a suggestion: whether callers keep it is theirs to say.
 */
#include "check/suggest.h"

#include <string.h>

enum { MOST_ROUNDS = 4, MOST_RELATIONS = 18, MOST_CALLS = 300, MOST_STRIDES = 3, MANY_CALLS = 150, MOST_SIGNS = 8, MANY_RELATIONS = 3 };

static struct contract *copy_contract(struct arena *arena, const struct contract *from)
{
    struct contract *copy = arena_copy(arena, from, sizeof *from);
    copy->arena = arena;
    copy->nodes.data = arena_copy(arena, from->nodes.data, from->nodes.count * sizeof *from->nodes.data);
    copy->nodes.capacity = copy->nodes.count;
    copy->relations.data = arena_copy(arena, from->relations.data, from->relations.count * sizeof *from->relations.data);
    copy->relations.capacity = copy->relations.count;
    copy->parameters.data = arena_copy(arena, from->parameters.data, from->parameters.count * sizeof *from->parameters.data);
    copy->parameters.capacity = copy->parameters.count;
    return copy;
}

static struct place own_place(void)
{
    return (struct place){.file = "suggestion", .line = 1, .column = 1};
}

static bool parse(struct contract *contract, const char *text, struct contract_expression *expression)
{
    struct diagnostic_list unheard;
    diagnostic_list_init(&unheard, contract->arena);
    return contract_parse_expression(contract, text, strlen(text), own_place(), expression, &unheard);
}

static bool add_relation(struct contract *contract, const char *text)
{
    struct diagnostic_list unheard;
    struct contract_relation relation;
    diagnostic_list_init(&unheard, contract->arena);
    for (uint32_t i = 0; i < contract->relations.count; i++)
        if (strcmp(contract->relations.data[i].text, text) == 0)
            return false;
    if (contract->relations.count >= MOST_RELATIONS ||
        !contract_parse_relation(contract, text, strlen(text), own_place(), &relation, &unheard))
        return false;
    *vec_push(contract->arena, &contract->relations) = relation;
    contract->has_annotations = true;
    return true;
}

static bool add_extent(struct contract *contract, const struct suggest_extent *extent)
{
    struct contract_parameter *parameter = &contract->parameters.data[extent->parameter];
    struct contract_expression expression;
    if (parameter->dimensions != 0 || !parse(contract, extent->text, &expression))
        return false;
    parameter = &contract->parameters.data[extent->parameter];
    parameter->shape_kind = CONTRACT_SHAPE_ROWS;
    parameter->dimensions = 1;
    parameter->shape[0] = expression;
    contract_set_extent(contract, extent->parameter);
    contract->has_annotations = true;
    return true;
}

static void set_block(struct contract *contract, const struct ptx_function *function, const uint64_t block[3])
{
    uint64_t size[3] = {1, 1, 1};
    unsigned count = 0;
    for (unsigned axis = 0; axis < 3; axis++) {
        uint64_t required = function->required_threads[axis];
        size[axis] = function->required_threads[0] != 0 ? required : block != NULL ? block[axis] : 0;
        if (size[axis] > 1 || (axis == 0 && size[axis] == 1))
            count = axis + 1;
    }
    if (contract->block[0].root != CONTRACT_NONE || contract->block_multiple.root != CONTRACT_NONE)
        return;
    for (unsigned axis = 0; axis < count; axis++)
        parse(contract, arena_printf(contract->arena, "%llu", (unsigned long long)(size[axis] == 0 ? 1 : size[axis])),
              &contract->block[axis]);
}

/* ---- what it is worth --------------------------------------------------------------------------------------------- */

static bool is_access_to(const struct check_site *site, const char *name)
{
    return site->kind == FINDING_OOB_GLOBAL && site->array != NULL && strcmp(site->array, name) == 0;
}

static void count_sites(const struct check_result *result, struct check_extent *extent, const char *name)
{
    extent->sites = extent->proved = 0;
    extent->reason = NULL;
    for (uint32_t i = 0; i < result->sites.count; i++) {
        const struct check_site *site = &result->sites.data[i];
        if (!is_access_to(site, name) || site->verdict == CHECK_UNREACHABLE)
            continue;
        extent->sites++;
        extent->proved += site->verdict == CHECK_PROVED;
        if (site->verdict != CHECK_PROVED && extent->reason == NULL)
            extent->reason = site->reason;
    }
}

static uint32_t count_proved(const struct check_result *result)
{
    uint32_t proved = 0;
    for (uint32_t i = 0; i < result->sites.count; i++)
        proved += result->sites.data[i].verdict == CHECK_PROVED || result->sites.data[i].verdict == CHECK_UNREACHABLE;
    return proved;
}

/* ---- rounds ---------------------------------------------------------------------------------------------------------- */

struct suggesting {
    struct arena *arena;
    const struct ptx_module *module;
    uint32_t function;
    struct diagnostic_list *diagnostics;
    uint64_t block[3]; /* see suggest_round */
    double seconds;
};

static struct check_result *prove_with(struct suggesting *state, const struct contract *contract, struct suggest_round *round)
{
    struct check_options options = {.no_candidates = true, .bounds_only = true, .round = round};
    struct check_result *result = check_kernel(state->arena, state->module, state->function, contract, &options, state->diagnostics);
    state->seconds += result->seconds;
    return result;
}

/* Takes out relations without which as much is proved. */
static struct contract *without_needless(struct suggesting *state, struct contract *contract, uint32_t first, struct check_result **result)
{
    uint32_t proved = count_proved(*result);
    if ((*result)->solver_calls > MOST_CALLS)
        return contract; /* it would take too long */
    for (uint32_t r = contract->relations.count; r-- > first && contract->relations.count - first > 1;) {
        struct contract *less = copy_contract(state->arena, contract);
        for (uint32_t i = r; i + 1 < less->relations.count; i++)
            less->relations.data[i] = less->relations.data[i + 1];
        less->relations.count--;
        struct check_result *without = prove_with(state, less, NULL);
        if (count_proved(without) < proved)
            continue;
        contract = less;
        *result = without;
    }
    return contract;
}

/* False if there is nothing new in it. */
static bool add_round(struct contract *contract, const struct suggest_round *round)
{
    bool is_new = false;
    for (uint32_t i = 0; i < round->relations.count; i++)
        is_new |= add_relation(contract, round->relations.data[i]);
    for (uint32_t i = 0; i < round->extents.count; i++)
        is_new |= add_extent(contract, &round->extents.data[i]);
    return is_new;
}

/* The contract with all that the proofs ask for. */
static struct contract *extend(struct suggesting *state, struct contract *now, struct check_result **result)
{
    const struct contract *before = now;
    *result = NULL;
    for (int number = 0; number <= MOST_ROUNDS; number++) {
        struct suggest_round round = {.relations = {0}};
        struct check_result *then = prove_with(state, now, number < MOST_ROUNDS ? &round : NULL);
        if (then->contract_contradicts && *result != NULL) /* too much was asked for */
            return copy_contract(state->arena, before);
        *result = then;
        if (number == 0)
            memcpy(state->block, round.block, sizeof state->block);
        struct contract *next = copy_contract(state->arena, now);
        if (!add_round(next, &round))
            break;
        before = now;
        now = next;
    }
    return now;
}

/* "n + block.x * grid.x <= 2147483647": sizes are one stride of the grid below the ends of their types.  NULL: of no use for this parameter. */
static struct contract *with_stride(struct arena *arena, const struct contract *contract, uint32_t p, const char **text)
{
    const struct contract_parameter *parameter = &contract->parameters.data[p];
    if (parameter->kind != CONTRACT_INTEGER || parameter->bits != 32)
        return NULL;
    struct contract *next = copy_contract(arena, contract);
    *text = arena_printf(arena, "%s + block.x * grid.x <= %s", parameter->name, parameter->is_signed ? "2147483647" : "4294967295");
    return add_relation(next, *text) ? next : NULL;
}

/* Only a kernel that reads how many blocks there are can step by the grid. */
static bool reads_grid(const struct ptx_module *module, uint32_t kernel)
{
    for (uint32_t f = 0; f < module->functions.count; f++) {
        const struct ptx_function *function = &module->functions.data[f];
        for (uint32_t i = 0; i < function->instructions.count && (f == kernel || !function->is_entry); i++)
            for (uint32_t o = 0; o < function->instructions.data[i].operand_count; o++) {
                const struct ptx_operand *operand = &function->instructions.data[i].operands[o];
                if (operand->kind == PTX_OPERAND_SPECIAL && operand->special == PTX_SPECIAL_nctaid)
                    return true;
            }
    }
    return false;
}

static bool is_open_wrap(const struct check_site *site)
{
    return site->kind == FINDING_INDEX_WRAP && site->verdict == CHECK_UNPROVED && site->condition == NULL;
}

/* The same site in another proof of the kernel. */
static const struct check_site *same_site(const struct check_result *result, const struct check_site *site)
{
    for (uint32_t i = 0; i < result->sites.count; i++) {
        const struct check_site *other = &result->sites.data[i];
        bool same_array = text_equal(site->array, other->array);
        if (other->kind == site->kind && other->place.line == site->place.line && same_array)
            return other;
    }
    return NULL;
}

/* What the other proof shows that this one did not. */
static bool take_conditions(struct check_result *result, const struct check_result *then, const char *text)
{
    bool any = false;
    for (uint32_t i = 0; i < result->sites.count && !then->contract_contradicts; i++) {
        struct check_site *site = &result->sites.data[i];
        const struct check_site *now = same_site(then, site);
        if (site->verdict != CHECK_UNPROVED || site->condition != NULL || now == NULL || now->verdict != CHECK_PROVED)
            continue;
        site->condition = text;
        any = true;
    }
    return any;
}

void suggest_strides(struct arena *arena, struct check_result *result, struct diagnostic_list *diagnostics)
{
    struct suggesting state = {.arena = arena, .module = result->module, .function = result->function, .diagnostics = diagnostics};
    bool any = false;
    for (uint32_t i = 0; i < result->sites.count; i++)
        any |= is_open_wrap(&result->sites.data[i]);
    if (!any || result->contract == NULL || result->contract->is_launch || result->contract_contradicts ||
        result->solver_calls > MANY_CALLS || !reads_grid(result->module, result->function))
        return;
    for (uint32_t p = 0, tried = 0; p < result->contract->parameters.count && tried < MOST_STRIDES; p++) {
        const struct contract_parameter *parameter = &result->contract->parameters.data[p];
        const char *text;
        struct contract *next = with_stride(arena, result->contract, p, &text);
        if (next == NULL)
            continue;
        tried++;
        if (take_conditions(result, prove_with(&state, next, NULL), text) || !parameter->is_signed ||
            !add_relation(next, arena_printf(arena, "%s >= 0", parameter->name)))
            continue;
        take_conditions(result, prove_with(&state, next, NULL), arena_printf(arena, "%s >= 0, %s", parameter->name, text));
    }
}

/* What loops over the grid need, and only a new proof shows. */
static struct contract *try_strides(struct suggesting *state, struct contract *now, struct check_result **result)
{
    for (uint32_t p = 0, tried = 0; p < now->parameters.count && tried < MOST_STRIDES; p++) {
        const char *text;
        struct contract *next = with_stride(state->arena, now, p, &text);
        if (next == NULL)
            continue;
        tried++;
        struct check_result *then = prove_with(state, next, NULL);
        if (then->contract_contradicts || count_proved(then) <= count_proved(*result))
            continue;
        return extend(state, next, result);
    }
    return now;
}

/* The block that index arithmetic like 16 * blockIdx.x + threadIdx.x was made for, if more is proved with it, or as much with less. */
static struct contract *try_block(struct suggesting *state, const struct contract *from, struct contract *now, struct check_result **result)
{
    struct check_result *then;
    uint64_t block[3];
    memcpy(block, state->block, sizeof block);
    if (from->block[0].root != CONTRACT_NONE || block[0] * block[1] * block[2] == 0 || block[0] * block[1] * block[2] > 1024 ||
        block[0] + block[1] + block[2] == 3)
        return now;
    struct contract *next = copy_contract(state->arena, from);
    set_block(next, &state->module->functions.data[state->function], block);
    next = extend(state, next, &then);
    uint32_t before = count_proved(*result), after = count_proved(then);
    bool is_simpler = after == before && next->relations.count < now->relations.count;
    if (then->contract_contradicts || (after <= before && !is_simpler))
        return now;
    *result = then;
    return next;
}

/* Sizes are no less than 0: much is quicker to show then, and what does not need it is taken out again. */
static void add_signs(struct contract *contract)
{
    for (uint32_t p = 0, count = 0; p < contract->parameters.count && count < MOST_SIGNS; p++) {
        const struct contract_parameter *parameter = &contract->parameters.data[p];
        if (parameter->kind == CONTRACT_INTEGER && parameter->is_signed && parameter->bits >= 16)
            count += add_relation(contract, arena_printf(contract->arena, "%s >= 0", parameter->name));
    }
}

static bool all_proved(const struct check_result *result)
{
    return count_proved(result) == result->sites.count;
}

struct check_suggestion *check_suggest(struct arena *arena, const struct ptx_module *module, uint32_t function,
                                       const struct contract *contract, const uint64_t block[3], struct diagnostic_list *diagnostics)
{
    struct suggesting state = {.arena = arena, .module = module, .function = function, .diagnostics = diagnostics};
    struct check_suggestion *suggestion = ARENA_NEW(arena, struct check_suggestion);
    struct contract *now = copy_contract(arena, contract);
    struct check_result *result;
    set_block(now, &module->functions.data[function], block);
    add_signs(now);
    struct contract *from = copy_contract(arena, now);
    now = extend(&state, now, &result);
    if (!all_proved(result) || now->relations.count >= from->relations.count + MANY_RELATIONS)
        now = try_block(&state, from, now, &result);
    if (!all_proved(result))
        now = try_strides(&state, now, &result);
    now = without_needless(&state, now, contract->relations.count, &result);
    suggestion->contract = now;
    suggestion->text = suggest_print(arena, now);
    suggestion->seconds = state.seconds;
    for (uint32_t p = 0; p < now->parameters.count; p++) {
        const struct contract_parameter *parameter = &now->parameters.data[p];
        struct check_extent extent = {.parameter = p, .is_new = contract->parameters.data[p].dimensions == 0};
        count_sites(result, &extent, parameter->name);
        if (parameter->kind != CONTRACT_POINTER || extent.sites == 0)
            continue;
        extent.extent = parameter->dimensions != 0 ? parameter->extent.text : NULL;
        *vec_push(arena, &suggestion->arrays) = extent;
    }
    return suggestion;
}
