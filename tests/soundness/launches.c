/* SPDX-License-Identifier: Apache-2.0
 *
 * Launches: scalars mostly small, sometimes at the ends of their types; blocks of a few threads; of a huge grid only some blocks.
 * Arrays are exactly as long as their shapes say and filled with random numbers that obey LW_VALUES.
 */
#include "launches.h"

static uint64_t mix(uint64_t x)
{
    x ^= x >> 31;
    x *= 0x9e3779b97f4a7c15u;
    x ^= x >> 29;
    x *= 0xbf58476d1ce4e5b9u;
    return x ^ x >> 32;
}

struct chooser {
    uint64_t state;
};

static uint64_t choose(struct chooser *c, uint64_t bound)
{
    c->state += 0x9e3779b97f4a7c15u;
    return mix(c->state) % bound;
}

/* ---- contents -------------------------------------------------------------------------------------- */

struct contents {
    uint64_t seed;
    uint32_t size; /* of an element */
    bool ranged;
    int64_t low;
    uint64_t span; /* high - low */
};

static void fill(void *context, uint64_t offset, void *data, uint64_t size)
{
    const struct contents *c = context;
    char *bytes = data;
    uint32_t step = c->size > 8 ? 8 : c->size;
    for (uint64_t i = 0; i < size; i += step) {
        uint64_t word = mix(c->seed + offset + i);
        /* The ends of the range often; without a range small numbers often. */
        uint64_t value = c->ranged                ? (uint64_t)c->low + ((word >> 60) == 0  ? 0
                                                                        : (word >> 60) < 4 ? c->span - 1
                                                                                           : word % c->span)
                         : (word & 1u << 20) != 0 ? word & 3
                                                  : word;
        memcpy(bytes + i, &value, size - i < step ? size - i : step);
    }
}

/* ---- numbers ---------------------------------------------------------------------------------------- */

static contract_integer choose_scalar(struct chooser *c, const struct contract_parameter *p)
{
    static const int64_t far[] = {
        31,    32,      33,       64,        100,        255,        1000,       32767,
        65535, 1000000, 16777216, 715827882, 1073741823, 2147482623, 2147483647, 4294967295};
    int64_t value;
    uint64_t kind = choose(c, 100);
    if (kind < 84)
        value = (int64_t)choose(c, choose(c, 3) == 0 ? 20 : 9);
    else if (kind < 88)
        value = -1 - (int64_t)choose(c, 3);
    else if (kind < 97)
        value = far[choose(c, COUNT_OF(far))] - (int64_t)choose(c, 2);
    else
        value = (int64_t)(mix(c->state) >> choose(c, 64));
    uint32_t drop = 64 - p->bits;
    contract_integer wrapped = p->is_signed
                                   ? (contract_integer)((int64_t)((uint64_t)value << drop) >> drop)
                                   : (contract_integer)((uint64_t)value << drop >> drop);
    return wrapped;
}

static void choose_geometry(struct chooser *c, const struct plan *plan,
                            const struct contract *contract, struct launch_numbers *l)
{
    uint32_t axes = (plan->axes & 1) + (plan->axes >> 1 & 1) + (plan->axes >> 2 & 1);
    for (uint32_t axis = 0; axis < 3; axis++) {
        bool used = (plan->axes >> axis & 1) != 0;
        l->values.block[axis] = used ? 1 + choose(c, axes == 1 ? 8 : axis == 2 ? 2 : 4) : 1;
        l->values.grid[axis] = used ? 1 + choose(c, 3) : 1;
        if (used && choose(c, 14) == 0) { /* positions that wrap */
            static const uint32_t far[] = {65535,     65535,      8388608,
                                           536870912, 1073741824, 2147483647};
            l->values.grid[axis] = far[choose(c, axis == 0 ? COUNT_OF(far) : 2)];
        }
    }
    if (axes == 1 && choose(c, 10) == 0)
        l->values.block[0] = choose(c, 2) == 0   ? 32 + choose(c, 2) * 32
                             : choose(c, 3) == 0 ? 1024
                                                 : 33;
    if (plan->block_multiple != NULL) {
        int64_t multiple = strtol(plan->block_multiple, NULL, 10);
        l->values.block[0] = multiple * (contract_integer)(1 + choose(c, multiple < 16 ? 3 : 2));
    }
    if (contract_is_given(&contract->block[0]))
        contract_block(contract, &l->values);
    l->values.has_grid = true;
    bool no_work = false;
    if (contract_is_given(&contract->domain[0]))
        l->values.has_grid = contract_geometry(contract, &l->values, &no_work) && !no_work;
}

static void choose_focus(struct chooser *c, struct launch_numbers *l)
{
    contract_integer blocks = l->values.grid[0] * l->values.grid[1] * l->values.grid[2];
    l->focus_count = 0;
    if (blocks <= 40)
        return;
    uint64_t last = (uint64_t)blocks - 1, candidates[8] = {0,
                                                           1,
                                                           last / 2 - 1,
                                                           last / 2,
                                                           last / 2 + 1 + choose(c, last / 4),
                                                           last - choose(c, 8) - 2,
                                                           last - 1,
                                                           last};
    for (uint32_t i = 0; i < COUNT_OF(candidates); i++)
        if (i == 0 || candidates[i] > l->focus[l->focus_count - 1])
            l->focus[l->focus_count++] = candidates[i];
}

/* Chooses numbers; false when the contract does not admit them. */
static bool choose_numbers(struct chooser *c, struct arena *arena, const struct plan *plan,
                           const struct contract *contract, struct launch_numbers *l)
{
    for (uint32_t i = 0; i < contract->parameters.count; i++)
        if (contract->parameters.data[i].kind == CONTRACT_INTEGER)
            l->values.scalars[i] = choose_scalar(c, &contract->parameters.data[i]);
    choose_geometry(c, plan, contract, l);
    if (!l->values.has_grid)
        return false;
    for (uint32_t i = 0; i < contract->parameters.count; i++)
        if (contract->parameters.data[i].kind == CONTRACT_POINTER &&
            !contract_extent(contract, i, &l->values, &l->values.lengths[i]))
            return false;
    contract_violations violations = {0};
    contract_integer shared = 0;
    if (!contract_evaluate(contract, arena, &l->values, &violations))
        return false;
    if (contract_is_given(&contract->shared_bytes))
        contract_evaluate_expression(contract, &contract->shared_bytes, &l->values, &shared);
    l->dynamic_shared = (uint64_t)shared;
    choose_focus(c, l);
    return true;
}

/* ---- running ------------------------------------------------------------------------------------------ */

struct session {
    struct emu_machine *machine;
    struct emu_program *program;
    const struct plan *plan;
    const struct ptx_module *module;
    const struct contract *contract;
    uint32_t function, block_size;
    uint32_t *offsets;
    uint64_t *addresses;
    struct contents *contents;
    uint8_t *block;
};

static bool allocate(struct session *s, const struct launch_numbers *l, uint32_t i, uint64_t seed)
{
    const struct contract_parameter *p = &s->contract->parameters.data[i];
    contract_integer low = 0, high = 0;
    struct contents *c = &s->contents[i];
    *c = (struct contents){.seed = seed + i, .size = p->element_size};
    if (contract_is_given(&p->value_low)) {
        contract_evaluate_expression(s->contract, &p->value_low, &l->values, &low);
        contract_evaluate_expression(s->contract, &p->value_high, &l->values, &high);
        if (l->values.lengths[i] != 0 && low >= high)
            return false; /* no element could obey */
        c->ranged = low < high;
        c->low = (int64_t)low;
        c->span = (uint64_t)(high - low);
    }
    contract_integer bytes = l->values.lengths[i] * p->element_size;
    if (bytes > (contract_integer)1 << 38)
        return false; /* neighbours are not much farther away */
    struct emu_buffer buffer = {.name = p->name,
                                .size = (uint64_t)bytes,
                                .element_size = p->element_size,
                                .initialised = true,
                                .fill = fill,
                                .context = c};
    s->addresses[i] = emu_memory_allocate(s->machine, &buffer);
    return s->addresses[i] != 0;
}

static bool place_parameters(struct session *s, const struct launch_numbers *l, uint64_t seed)
{
    memset(s->addresses, 0, s->contract->parameters.count * sizeof *s->addresses);
    for (uint32_t i = 0; i < s->contract->parameters.count; i++) {
        const struct contract_parameter *p = &s->contract->parameters.data[i];
        int64_t value = (int64_t)l->values.scalars[i];
        if (p->kind == CONTRACT_POINTER && !allocate(s, l, i, seed))
            return false;
        if (p->kind == CONTRACT_POINTER)
            memcpy(s->block + s->offsets[i], &s->addresses[i], 8);
        else
            memcpy(s->block + s->offsets[i], &value, p->bits / 8);
    }
    return true;
}

static void run_one(struct session *s, struct arena *arena, const struct launch_numbers *l,
                    uint64_t seed, launch_fault *fault, void *context, struct launches *launches)
{
    if (place_parameters(s, l, seed)) {
        struct emu_launch launch = {.function = s->function,
                                    .dynamic_shared = l->dynamic_shared,
                                    .parameters = s->block,
                                    .parameters_size = s->block_size};
        for (uint32_t axis = 0; axis < 3; axis++) {
            launch.grid[axis] = (uint32_t)l->values.grid[axis];
            launch.block[axis] = (uint32_t)l->values.block[axis];
        }
        if (l->focus_count != 0) {
            launch.focus = l->focus;
            launch.focus_count = l->focus_count;
        }
        struct emu_result result = {0};
        emu_launch_run(s->machine, s->program, &launch, arena, &result);
        if (result.status == EMU_BAD_LAUNCH || result.status == EMU_UNSUPPORTED) {
            launches->trouble = result.stopped != NULL ? result.stopped : "bad launch";
            launches->unsupported++;
        }
        launches->run++;
        launches->step_limit += result.status == EMU_STEP_LIMIT;
        if (result.findings.count != 0)
            fault(context, l, &result);
    }
    for (uint32_t i = 0; i < s->contract->parameters.count; i++)
        if (s->addresses[i] != 0)
            emu_memory_free(s->machine, s->addresses[i]);
}

void launches_run(struct arena *arena, const struct plan *plan, const struct ptx_module *module,
                  uint32_t function, const struct contract *contract, uint32_t budget,
                  launch_fault *fault, void *context, struct launches *launches)
{
    struct emu_options options = {.jobs = 1, .max_steps = 20000, .no_races = true, .no_init = true};
    struct session s = {.plan = plan, .module = module, .contract = contract, .function = function};
    struct diagnostic_list diagnostics;
    uint32_t count = contract->parameters.count;
    memset(launches, 0, sizeof *launches);
    diagnostic_list_init(&diagnostics, arena);
    s.machine = emu_machine_create(&options);
    if (s.machine == NULL) {
        launches->trouble = "no machine";
        return;
    }
    s.program = emu_program_create(s.machine, module, &diagnostics);
    if (s.program == NULL) {
        launches->trouble = "no program";
        emu_machine_free(s.machine);
        return;
    }
    s.offsets = ARENA_ARRAY(arena, uint32_t, count + 1);
    s.addresses = ARENA_ARRAY(arena, uint64_t, count + 1);
    s.contents = ARENA_ARRAY(arena, struct contents, count + 1);
    for (uint32_t i = 0; i < count; i++)
        s.offsets[i] = emu_parameter_offset(module, function, i, &s.block_size);
    s.block = ARENA_ARRAY(arena, uint8_t, s.block_size + 8);
    struct launch_numbers l = {.values.scalars = ARENA_ARRAY(arena, contract_integer, count + 1),
                               .values.lengths = ARENA_ARRAY(arena, contract_integer, count + 1)};
    struct chooser chooser = {mix(plan->seed + 77)};
    for (uint32_t attempt = 0; attempt < budget * 8 && launches->run < budget; attempt++)
        if (choose_numbers(&chooser, arena, plan, contract, &l))
            run_one(&s, arena, &l, chooser.state, fault, context, launches);
    emu_program_free(s.program);
    emu_machine_free(s.machine);
}

void launch_print(const struct contract *contract, const struct launch_numbers *launch,
                  struct buffer *out)
{
    for (uint32_t i = 0; i < contract->parameters.count; i++)
        if (contract->parameters.data[i].kind == CONTRACT_INTEGER)
            buffer_printf(out, "%s=%lld ", contract->parameters.data[i].name,
                          (long long)launch->values.scalars[i]);
    buffer_printf(out, "block=(%d,%d,%d) grid=(%u,%u,%u)", (int)launch->values.block[0],
                  (int)launch->values.block[1], (int)launch->values.block[2],
                  (unsigned)launch->values.grid[0], (unsigned)launch->values.grid[1],
                  (unsigned)launch->values.grid[2]);
}
