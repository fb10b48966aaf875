/* SPDX-License-Identifier: Apache-2.0
 *
 * A kernel from its PTX to a verdict for each site.
 *
 * Requires: a function of a module without errors.  Gives: see check_kernel.  Gives up on: irreducible flow (the
 * whole kernel), calls that stay calls and unknown instructions (a site each, not analysed).
 */
#include "check/race.h"
#include "check/suggest.h"

#include <string.h>
#include <time.h>

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* ---- what is not looked into --------------------------------------------------------------------------------- */

static void add_unseen(struct prove *prove, uint32_t instruction, const char *reason)
{
    struct prove_answer answer = {.kind = FINDING_OOB_GLOBAL, .verdict = CHECK_NOT_ANALYSED, .reason = reason};
    prove_add(prove, instruction, NULL, &answer);
}

static void add_calls(struct prove *prove)
{
    static const char *const why[] = {
        [IR_LEFT_EXTERNAL] = "its body is not in this module",
        [IR_LEFT_INDIRECT] = "which function it is comes out at run time",
        [IR_LEFT_RECURSIVE] = "it calls itself",
        [IR_LEFT_DEEP] = "calls are nested too deeply",
        [IR_LEFT_LARGE] = "the kernel would become too large",
        [IR_LEFT_ARGUMENTS] = "its arguments do not have the form of its parameters",
    };
    for (uint32_t c = 0; c < prove->ir->call_count; c++) {
        const struct ir_call *call = &prove->ir->calls[c];
        const struct ptx_module *module = prove->ir->module;
        if (call->effect == IR_EFFECT_NONE ||
            (call->callee != IR_NONE && ir_function_is_no_return(module, call->callee)))
            continue;
        const char *name = call->callee == IR_NONE ? "a function" : ptx_demangle(prove->arena, module->functions.data[call->callee].name);
        add_unseen(prove, call->instruction,
                   arena_printf(prove->arena, "what the call of `%s` touches is not followed: %s", name, why[call->left]));
    }
}

static void add_opaque(struct prove *prove)
{
    for (uint32_t i = 0; prove->ir->has_opaque && i < prove->ir->instruction_count; i++) {
        const struct ir_instruction *instruction = &prove->ir->instructions[i];
        if (instruction->op != PTX_OP_OPAQUE || instruction->source == NULL)
            continue;
        const char *text = prove->ir->module->text + instruction->source->text_offset;
        int size = (int)strcspn(text, " \t\n;");
        add_unseen(prove, i, arena_printf(prove->arena, "the instruction `%.*s` is not known", size > 60 ? 60 : size, text));
    }
}

/* Every access of a kernel that is not analysed at all. */
static void add_all_unseen(struct prove *prove, const char *reason)
{
    for (uint32_t a = 0; a < prove->ir->access_count; a++)
        if ((prove->ir->accesses[a].flags & IR_ACCESS_HINT) == 0)
            add_unseen(prove, prove->ir->accesses[a].instruction, reason);
    for (uint32_t i = 0; i < prove->ir->instruction_count; i++)
        if (prove_is_division(prove, i)) {
            struct prove_answer answer = {.kind = FINDING_DIV_BY_ZERO, .verdict = CHECK_NOT_ANALYSED, .reason = reason};
            prove_add(prove, i, NULL, &answer);
        }
}

/* ---- the proof -------------------------------------------------------------------------------------------------- */

static void assume(struct prove *prove, const char *sentence)
{
    *vec_push(prove->arena, &prove->result->assumptions) = sentence;
}

/* ... to functions of which more is known than that they are called. */
static bool calls_through_pointers(const struct ir_function *ir)
{
    for (uint32_t c = 0; c < ir->call_count; c++)
        if (ir->calls[c].callee == IR_NONE && ir->calls[c].effect == IR_EFFECT_NONE)
            return true;
    return false;
}

static void list_assumptions(struct prove *prove)
{
    const struct contract *contract = prove->environment->contract;
    bool has_extent = false, has_values = false;
    for (uint32_t p = 0; contract != NULL && p < contract->parameters.count; p++) {
        has_extent |= prove->environment->extents[p] != SYM_NONE;
        has_values |= prove->environment->value_low[p] != SYM_NONE;
    }
    if (has_extent)
        assume(prove, "arrays are at least as long as the contract says, and none passes 2^47 bytes");
    if (prove->kernel->loads.count != 0)
        assume(prove, "an array that the kernel writes overlaps no other, unless LW_MAY_ALIAS says so");
    if (has_values)
        assume(prove, "elements of arrays that are only read lie in their LW_VALUES");
    if (prove->uses_alignment)
        assume(prove, "base pointers are aligned to the widest access through them");
    if (prove->uses_ticket)
        assume(prove, "a counter that hands out tickets to the blocks is 0 when the launch begins");
    if (calls_through_pointers(prove->ir))
        assume(prove, "a call through a pointer reaches a function of this module whose address is taken");
    if (prove->ir->cfg->loop_count != 0)
        assume(prove, "no loop makes more than 2^62 trips");
}

static void prove_all(struct prove *prove)
{
    /* In the order of the instructions: an access or a division each. */
    for (uint32_t i = 0; i < prove->ir->instruction_count && !prove->region_failed; i++) {
        const struct ir_instruction *instruction = &prove->ir->instructions[i];
        for (uint32_t a = 0; a < instruction->access_count; a++)
            prove_access(prove, instruction->first_access + a);
        if (prove_is_division(prove, i))
            prove_divisor(prove, i);
        if (instruction->op == PTX_OP_trap)
            prove_failing_check(prove, i);
        prove_guard_wraps(prove, i);
    }
}

/* Questions about pairs are many: less effort for each. */
static void prove_two_threads(struct prove *prove)
{
    struct sym_limits limits = prove->kernel->limits;
    prove->kernel->limits = (struct sym_limits){.z3_resources = limits.z3_resources != 0 ? limits.z3_resources : 40000, .max_splits = 16};
    prove_races(prove_sync(prove));
    prove->kernel->limits = limits;
}

static bool prove_once(struct prove *prove, const struct contract *contract, bool no_regions, struct diagnostic_list *diagnostics)
{
    struct check_result *result = prove->result;
    struct ir_options options = {.no_regions = no_regions};
    result->sites.count = result->copies.count = result->needless.count = 0;
    result->assumptions.count = 0;
    prove->opens.count = 0;
    prove->region_failed = prove->uses_alignment = prove->uses_ticket = false;
    prove->candidates = 0;
    prove->ir = ir_function_build(prove->arena, result->module, result->function, &options, diagnostics);
    if (prove->ir == NULL) {
        result->not_analysed = "it is too large";
        return true;
    }
    if (prove->options->instructions)
        result->ir = prove->ir;
    prove->sym = ARENA_NEW(prove->arena, struct sym);
    sym_init(prove->sym, prove->arena);
    if (prove->ir->cfg->has_irreducible) {
        result->not_analysed = "its control flow is irreducible: a loop has several entries";
        add_all_unseen(prove, "the loop can be entered at several places");
        return true;
    }
    prove->environment = sym_environment_build(prove->sym, result->module, result->function, contract);
    struct sym_limits limits = {.z3_resources = prove->options->effort};
    prove->kernel = sym_kernel_build(prove->sym, prove->ir, prove->environment, &limits);
    sym_facts launch = {0};
    for (uint32_t i = 0; i < prove->environment->facts.count; i++)
        sym_facts_add(prove->kernel, &launch, prove->environment->facts.data[i]);
    result->contract_contradicts = contract != NULL && sym_contradict(prove->sym, launch.data, launch.count, &limits) == SYM_PROVED;
    prove_all(prove);
    if (!prove->region_failed) {
        prove_rows(prove);
        if (!prove->options->bounds_only)
            prove_two_threads(prove);
        prove_needless_tests(prove);
    }
    add_calls(prove);
    add_opaque(prove);
    if (!prove->region_failed && (prove->options->conditions || prove->options->round != NULL)) {
        double before = now();
        if (prove->options->round != NULL)
            prove_suggest(prove, prove->options->round);
        else
            prove_conditions(prove);
        prove->seconds_beside += now() - before;
    }
    list_assumptions(prove);
    return !prove->region_failed;
}

struct check_result *check_kernel(struct arena *arena, const struct ptx_module *module, uint32_t function,
                                  const struct contract *contract, const struct check_options *options,
                                  struct diagnostic_list *diagnostics)
{
    struct check_options none = {0};
    struct check_result *result = ARENA_NEW(arena, struct check_result);
    struct prove prove = {.arena = arena, .result = result, .options = options != NULL ? options : &none};
    double start = now();
    result->module = module;
    result->function = function;
    result->contract = contract;
    for (int attempt = 0; attempt < 2; attempt++) {
        bool done = prove_once(&prove, contract, attempt == 1, diagnostics);
        if (prove.sym != NULL) {
            result->queries += prove.sym->stats.queries;
            result->solver_calls += prove.sym->stats.z3_calls;
            sym_end(prove.sym);
        }
        if (done)
            break;
    }
    result->seconds = now() - start - prove.seconds_beside;
    if (prove.options->conditions && result->not_analysed == NULL)
        suggest_strides(arena, result, diagnostics);
    return result;
}

/* The verdict of a family: no site of it is left open. */
static enum verdict family_verdict(const struct check_result *result, enum finding_family family)
{
    uint32_t open = 0, violated = 0, all = 0;
    for (uint32_t i = 0; i < result->sites.count; i++) {
        const struct check_site *site = &result->sites.data[i];
        enum finding_family asked = site->kind == FINDING_DEVICE_ASSERT ? FAMILY_BOUNDS : finding_info(site->kind)->family;
        if (asked != family)
            continue;
        all++;
        violated += site->verdict == CHECK_VIOLATED;
        open += site->verdict == CHECK_UNPROVED || site->verdict == CHECK_NOT_ANALYSED;
    }
    if (violated != 0)
        return VERDICT_VIOLATED;
    if (open != 0 || result->not_analysed != NULL)
        return VERDICT_UNPROVED;
    return all == 0 && family != FAMILY_BOUNDS ? VERDICT_NONE : VERDICT_PROVED;
}

void check_summarise(const struct check_result *result, struct report_kernel *kernel)
{
    uint64_t counts[CHECK_VIOLATED + 1] = {0};
    for (uint32_t i = 0; i < result->sites.count; i++)
        counts[result->sites.data[i].verdict]++;
    kernel->sites_unreachable = counts[CHECK_UNREACHABLE];
    kernel->sites_proved = counts[CHECK_PROVED];
    kernel->sites_not_analysed = counts[CHECK_NOT_ANALYSED];
    kernel->sites_unproved = counts[CHECK_UNPROVED];
    kernel->sites_violated = counts[CHECK_VIOLATED];
    kernel->bounds = family_verdict(result, FAMILY_BOUNDS);
    kernel->sync = family_verdict(result, FAMILY_SYNC);
    kernel->races = family_verdict(result, FAMILY_RACES);
    kernel->seconds = result->seconds;
}
