/* SPDX-License-Identifier: Apache-2.0
 *
 * From unproved to violated: launches that the contract admits are run in the emulator until every open site was seen to fail, or the
 * budget is spent.  Budgets are counts, so the answer is the same everywhere.
 *
 * A fault counts only if it does not hang on memory contents that the contract leaves open: it must happen with every fill, at a site
 * that the prover knows not to depend on data.  A launch comment is run as it stands, contents included, and what it shows is shown.
 * A fault at a site that was proved is an error of Lanewise itself and is handed on as such.
 */
#include "check/confirm.h"
#include "check/row.h"
#include "witness/witness.h"

#include <string.h>

enum {
    LAUNCHES = 300,           /* tried for the open sites of a kernel */
    APART_LAUNCHES = 60,      /* tried again with lanes that run apart */
    SHRINK_LAUNCHES = 48,     /* tried to make the witness of one site smaller */
    SHRUNK_SITES = 8,         /* sites whose witnesses are made smaller */
    STEPS = 1 << 16,          /* warp instructions of a block */
    LAUNCH_STEPS = 1 << 24,   /* of a block of a launch comment */
    INSTRUCTIONS = 1 << 22,   /* warp instructions of all tries */
    MEMORY = 1 << 28,         /* bytes */
};

/* Where a fault was seen. */
struct hit {
    bool is_found;
    contract_integer *point;
    unsigned fill;       /* the bounded one */
    bool is_adversarial; /* lanes had to run apart */
};

struct confirmation {
    struct arena *arena;
    struct check_result *result;
    struct report_kernel *kernel;
    struct witness_space space;
    struct contract_values values; /* of the point being tried */
    struct hit *hits;              /* by site */
    uint32_t open;                 /* sites that may still be found */
    bool asks_races;               /* some of them are about races */
    bool is_adversarial;           /* lanes run apart in the launches tried now */
    uint64_t instructions;
};

/* ---- findings and sites ------------------------------------------------------------------------------------- */

static bool is_race(enum finding_kind kind)
{
    return finding_info(kind)->family == FAMILY_RACES;
}

static bool is_asked(enum finding_kind kind)
{
    if (is_race(kind) || kind == FINDING_BARRIER_DIVERGENCE || kind == FINDING_SHUFFLE_INACTIVE)
        return true;
    return kind == FINDING_OOB_GLOBAL || kind == FINDING_OOB_SHARED || kind == FINDING_OOB_LOCAL ||
           kind == FINDING_OOB_CONST || kind == FINDING_MISALIGNED || kind == FINDING_DIV_BY_ZERO ||
           kind == FINDING_INDEX_WRAP || kind == FINDING_DEVICE_ASSERT;
}

static bool is_proved(const struct check_site *site)
{
    return site->verdict == CHECK_PROVED || site->verdict == CHECK_UNREACHABLE;
}

/* The site has the contract's name, the finding that of a launch, or already the site's. */
static bool same_array(const char *site, const char *finding)
{
    return site != NULL && finding != NULL && (text_equal(site, finding) || contract_is_launch_name(site, finding));
}

static bool is_at(const struct check_site *site, const struct finding *finding)
{
    /* Where lanes of a warp were not asked about on their own, the site of the array covers them. */
    bool same = site->kind == finding->kind || (finding->kind == FINDING_WARP_RACE && is_race(site->kind));
    if (!same)
        return false;
    if (site->ptx_line != 0 && site->ptx_line == finding->ptx_place.line)
        return true;
    const char *file = site->place.file, *other = finding->place.file;
    return site->place.line == finding->place.line &&
           (file == NULL || other == NULL || strcmp(file, other) == 0);
}

/* A run reports a wrap at the operation that left the width, a proof asks about the number that is used: it may stand further on.
 * The open sites of the same array are meant then, or all open ones. */
static void match_wraps(const struct check_result *result, const struct finding *finding, struct bitset *matched)
{
    uint32_t here = 0, named = 0, open = 0;
    for (uint32_t s = 0; s < result->sites.count; s++) {
        const struct check_site *site = &result->sites.data[s];
        if (site->kind != FINDING_INDEX_WRAP || is_proved(site))
            continue;
        open++;
        here += is_at(site, finding);
        named += same_array(site->array, finding->array);
    }
    for (uint32_t s = 0; s < result->sites.count; s++) {
        const struct check_site *site = &result->sites.data[s];
        bool is_open = site->kind == FINDING_INDEX_WRAP && !is_proved(site);
        if (open == 0 ? is_at(site, finding)
                      : is_open && (here != 0    ? is_at(site, finding)
                                    : named != 0 ? same_array(site->array, finding->array)
                                                 : true))
            bitset_add(matched, s);
    }
}

static bool has_own_site(const struct check_result *result, const struct finding *finding)
{
    for (uint32_t s = 0; s < result->sites.count; s++)
        if (result->sites.data[s].kind == finding->kind && is_at(&result->sites.data[s], finding))
            return true;
    return false;
}

/* The sites that a finding is about: of those at its line the ones of its array, where that can be told. */
static void match_sites(const struct check_result *result, const struct finding *finding,
                        struct bitset *matched)
{
    uint32_t count = 0, exact = 0, named = 0;
    bitset_clear(matched);
    if (finding->kind == FINDING_INDEX_WRAP) {
        match_wraps(result, finding, matched);
        return;
    }
    bool own = has_own_site(result, finding);
    for (uint32_t s = 0; s < result->sites.count; s++) {
        const struct check_site *site = &result->sites.data[s];
        if (!is_at(site, finding) || (own && site->kind != finding->kind))
            continue;
        count++;
        exact += same_array(site->array, finding->array);
        named += site->array != NULL;
    }
    for (uint32_t s = 0; s < result->sites.count; s++) {
        const struct check_site *site = &result->sites.data[s];
        if (!is_at(site, finding) || (own && site->kind != finding->kind))
            continue;
        bool takes = exact != 0       ? same_array(site->array, finding->array)
                     : named == count ? count == 1 || finding->array == NULL
                                      : site->array == NULL;
        if (takes)
            bitset_add(matched, s);
    }
}

static void add_unsound(struct confirmation *state, const struct finding *finding,
                        const char *launch)
{
    struct check_result *result = state->result;
    const char *name = finding_info(finding->kind)->kind;
    const char *text = arena_printf(
        state->arena, "%s at line %u was proved not to happen, and happens: %s%s", name,
        finding->place.line, finding->message == NULL ? "" : finding->message,
        launch == NULL ? "" : arena_printf(state->arena, ", in the launch '%s'", launch));
    if (result->unsound.count < 8)
        *vec_push(state->arena, &result->unsound) = text;
}

/* A fault at a proved site, or anywhere when nothing was left open, says that a proof is wrong. */
static void check_soundness(struct confirmation *state, const struct finding *finding,
                            const struct bitset *matched, const char *launch)
{
    const struct check_result *result = state->result;
    bool any = bitset_count(matched) != 0,
         all_proved = result->sites.count != 0 && result->not_analysed == NULL;
    bool wrong = any;
    for (uint32_t s = 0; s < result->sites.count; s++) {
        all_proved &= is_proved(&result->sites.data[s]);
        if (bitset_has(matched, s))
            wrong &= is_proved(&result->sites.data[s]);
    }
    if (wrong || (!any && all_proved))
        add_unsound(state, finding, launch);
}

static bool is_open(const struct confirmation *state, uint32_t site)
{
    const struct check_site *data = &state->result->sites.data[site];
    bool concrete = state->result->launch != NULL;
    if (data->kind == FINDING_ROW_CROSSING)
        return false; /* no run reports it: row_witness.c */
    return (data->verdict == CHECK_UNPROVED && (concrete || !data->depends_on_data)) ||
           (data->verdict == CHECK_NOT_ANALYSED && concrete);
}

/* Does the finding make its sites wrong?  Not if all threads store the same value, nor if a mask names lanes that nothing reads. */
static bool is_wrong(const struct finding *finding)
{
    bool is_plain = !is_race(finding->kind) && finding->kind != FINDING_SHUFFLE_INACTIVE;
    return is_asked(finding->kind) && (is_plain || finding->severity == SEVERITY_ERROR);
}

/* The open sites that a run has shown to fail. */
static void collect(struct confirmation *state, const struct report_kernel *run, const char *launch,
                    struct bitset *failed)
{
    struct bitset matched;
    bitset_init(&matched, state->arena, state->result->sites.count + 1);
    bitset_clear(failed);
    for (uint32_t f = 0; f < run->findings.count; f++) {
        const struct finding *finding = &run->findings.data[f];
        if (!is_asked(finding->kind) || (finding->kind == FINDING_SHUFFLE_INACTIVE && !is_wrong(finding)))
            continue;
        match_sites(state->result, finding, &matched);
        check_soundness(state, finding, &matched, launch);
        if (!is_wrong(finding))
            continue;
        for (uint32_t s = 0; s < state->result->sites.count; s++)
            if (bitset_has(&matched, s) && is_open(state, s))
                bitset_add(failed, s);
    }
}

/* ---- one launch ------------------------------------------------------------------------------------------------ */

static struct witness_limits try_limits(const struct confirmation *state)
{
    return (struct witness_limits){
        .steps = STEPS, .memory = MEMORY, .races = state->asks_races, .adversarial = state->is_adversarial,
        .contract = state->result->contract};
}

/* Runs state->values with one fill.  False when it could not be run. */
static bool run_fill(struct confirmation *state, struct witness_fill fill, struct bitset *failed)
{
    struct arena scratch;
    struct buffer text;
    struct report_kernel run;
    arena_init(&scratch);
    scratch.handler = state->arena->handler;
    buffer_init(&text, &scratch);
    bool good = witness_launch_text(&state->space, &state->values, fill, &text) &&
                witness_run_text(&scratch, state->space.module, state->space.function, text.data,
                                 state->kernel->place, try_limits(state), &run);
    if (good) {
        state->instructions += run.warp_instructions + 64; /* the launch itself is not free */
        collect(state, &run, text.data, failed);
    }
    arena_free(&scratch);
    return good;
}

/* Keeps in `failed` what fails with every content of memory that the contract leaves open. */
static void run_other_fills(struct confirmation *state, unsigned bounded, struct bitset *failed)
{
    struct bitset again;
    bitset_init(&again, state->arena, state->result->sites.count + 1);
    for (unsigned free = 1; free < WITNESS_FREE_FILLS && bitset_count(failed) != 0; free++) {
        if (!run_fill(state, (struct witness_fill){.bounded = bounded, .free = free}, &again))
            bitset_clear(&again);
        for (uint32_t s = 0; s < state->result->sites.count; s++)
            if (!bitset_has(&again, s))
                bitset_remove(failed, s);
    }
}

/* The open sites that fail in the launch at `point`; false when it could not be run at all. */
static bool try_bounded(struct confirmation *state, unsigned bounded, struct bitset *failed)
{
    bool good = run_fill(state, (struct witness_fill){.bounded = bounded}, failed);
    if (good)
        run_other_fills(state, bounded, failed);
    return good;
}

static bool try_point(struct confirmation *state, const contract_integer *point)
{
    struct bitset failed;
    unsigned fills = witness_has_bounded(&state->space, &state->values) ? WITNESS_BOUNDED_FILLS : 1;
    bool good = true;
    bitset_init(&failed, state->arena, state->result->sites.count + 1);
    for (unsigned bounded = 0; bounded < fills && good; bounded++) {
        good = try_bounded(state, bounded, &failed);
        for (uint32_t s = 0; s < state->result->sites.count && good; s++) {
            struct hit *hit = &state->hits[s];
            if (!bitset_has(&failed, s) || hit->is_found)
                continue;
            *hit = (struct hit){
                .is_found = true,
                .point =
                    arena_copy(state->arena, point, (state->space.axes.count + 1) * sizeof *point),
                .fill = bounded,
                .is_adversarial = state->is_adversarial,
            };
            state->open--;
        }
    }
    return good;
}

/* ---- the search -------------------------------------------------------------------------------------------------- */

static const char *describe(struct confirmation *state)
{
    struct buffer text;
    char digits[48];
    const struct contract *contract = state->space.contract;
    buffer_init(&text, state->arena);
    for (int which = 0; which < 2; which++) {
        const contract_integer *sizes = which == 0 ? state->values.grid : state->values.block;
        buffer_printf(&text, "%s%s ", which == 0 ? "" : ", ", which == 0 ? "grid" : "block");
        for (unsigned axis = 0; axis < 3; axis++)
            buffer_printf(&text, "%s%s", axis == 0 ? "(" : ",",
                          contract_format(sizes[axis], digits));
        buffer_puts(&text, ")");
    }
    for (uint32_t p = 0; p < contract->parameters.count; p++)
        if (contract->parameters.data[p].kind == CONTRACT_INTEGER)
            buffer_printf(&text, ", %s=%s", contract->parameters.data[p].name,
                          contract_format(state->values.scalars[p], digits));
    return text.data;
}

/* What the solver proposed, with block and grid as the contract wants them. */
static void try_candidates(struct confirmation *state, contract_integer *point)
{
    for (uint32_t s = 0; s < state->result->sites.count && state->open != 0; s++) {
        const struct check_site *site = &state->result->sites.data[s];
        if (!site->has_candidate || !is_open(state, s) || state->hits[s].is_found)
            continue;
        witness_point_of(&state->space, &site->candidate, point);
        if (!witness_complete(&state->space, point, &state->values))
            continue;
        if (state->result->admitted == NULL)
            state->result->admitted = describe(state);
        try_point(state, point);
    }
}

static void search(struct confirmation *state, contract_integer *point, unsigned launches)
{
    struct witness_walk walk;
    witness_walk_begin(&walk, state->arena, &state->space);
    for (unsigned tried = 0; tried < launches && state->instructions < INSTRUCTIONS; tried++) {
        if (state->open == 0 && state->result->admitted != NULL)
            break;
        if (!witness_walk_next(&walk, point, &state->values))
            break;
        if (tried == 0) /* the plainest one */
            state->result->admitted = describe(state);
        if (state->open != 0 && !try_point(state, point) && tried == 8 && state->instructions == 0)
            break; /* launches of this kernel cannot be written down */
    }
}

/* Is a site of two threads still open?  Which lanes go first may decide whether it is seen to fail. */
static bool hangs_on_order(const struct confirmation *state)
{
    for (uint32_t s = 0; s < state->result->sites.count; s++)
        if (is_open(state, s) && !state->hits[s].is_found &&
            finding_info(state->result->sites.data[s].kind)->family != FAMILY_BOUNDS)
            return true;
    return false;
}

static void search_apart(struct confirmation *state, contract_integer *point)
{
    if (!hangs_on_order(state))
        return;
    state->is_adversarial = true;
    state->instructions = 0;
    search(state, point, APART_LAUNCHES);
    state->is_adversarial = false;
}

/* ---- smaller witnesses -------------------------------------------------------------------------------------------- */

static contract_integer magnitude(contract_integer value)
{
    return value < 0 ? -value : value;
}

/* The values of an axis that are nearer to zero than `current`, the smallest first. */
static uint32_t smaller_values(const struct witness_axis *axis, contract_integer current,
                               contract_integer *out)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < axis->values.count; i++) {
        contract_integer value = axis->values.data[i];
        if (magnitude(value) >= magnitude(current))
            continue;
        uint32_t at = count++;
        for (; at > 0 && magnitude(out[at - 1]) > magnitude(value); at--)
            out[at] = out[at - 1];
        out[at] = value;
    }
    return count;
}

/* Lowers one axis as far as the site still fails; the tries are counted down in `budget`. */
static bool shrink_axis(struct confirmation *state, uint32_t site, uint32_t a,
                        contract_integer *point, unsigned *budget)
{
    const struct witness_axis *axis = &state->space.axes.data[a];
    struct hit *hit = &state->hits[site];
    contract_integer *smaller = ARENA_ARRAY(state->arena, contract_integer, axis->values.count + 1);
    uint32_t count = smaller_values(axis, hit->point[a], smaller);
    struct bitset failed;
    bitset_init(&failed, state->arena, state->result->sites.count + 1);
    for (uint32_t i = 0; i < count && *budget != 0; i++) {
        memcpy(point, hit->point, state->space.axes.count * sizeof *point);
        point[a] = smaller[i];
        if (!witness_complete(&state->space, point, &state->values))
            continue;
        --*budget;
        if (try_bounded(state, hit->fill, &failed) && bitset_has(&failed, site)) {
            hit->point[a] = smaller[i];
            return true;
        }
    }
    return false;
}

static void shrink(struct confirmation *state, uint32_t site, contract_integer *point)
{
    unsigned budget = SHRINK_LAUNCHES;
    bool changed = true;
    state->is_adversarial = state->hits[site].is_adversarial;
    for (unsigned round = 0; round < 2 && changed; round++) {
        changed = false;
        for (uint32_t a = 0; a < state->space.axes.count; a++)
            changed |= shrink_axis(state, site, a, point, &budget);
    }
    state->is_adversarial = false;
}

/* ---- the report ----------------------------------------------------------------------------------------------------- */

/* A race has two ends: the open sites at the other one fail too. */
static void spread_race(struct confirmation *state, const struct check_site *site, const struct finding *finding)
{
    struct check_result *result = state->result;
    for (uint32_t n = 0; n < finding->notes.count && is_race(finding->kind); n++)
        for (uint32_t s = 0; s < result->sites.count; s++) {
            struct check_site *other = &result->sites.data[s];
            if (other->kind != site->kind || other->verdict != CHECK_UNPROVED || !same_array(other->array, site->array) ||
                other->place.line != finding->notes.data[n].place.line)
                continue;
            other->verdict = CHECK_VIOLATED;
            other->witness = finding;
        }
}

static bool same_place(const struct place *a, const struct place *b)
{
    return a->line == b->line && a->column == b->column && text_equal(a->file, b->file);
}

/* One fault can be the witness of several sites (a wrapped index that is compared, and used): it is told once for each cure. */
static bool is_told(const struct report_kernel *kernel, const struct finding *finding)
{
    for (uint32_t f = 0; f < kernel->findings.count; f++) {
        const struct finding *other = &kernel->findings.data[f];
        bool same = other->kind == finding->kind && same_place(&other->place, &finding->place) &&
                    strcmp(other->message, finding->message) == 0 && other->notes.count == finding->notes.count &&
                    text_equal(other->condition, finding->condition);
        for (uint32_t n = 0; same && n < finding->notes.count; n++)
            same = same_place(&other->notes.data[n].place, &finding->notes.data[n].place);
        if (same)
            return true;
    }
    return false;
}

/* The finding of `run` about this site becomes its witness. */
static void report_site(struct confirmation *state, uint32_t index, const struct report_kernel *run,
                        const char *reproduce)
{
    struct check_site *site = &state->result->sites.data[index];
    struct bitset matched;
    bitset_init(&matched, state->arena, state->result->sites.count + 1);
    for (uint32_t f = 0; f < run->findings.count; f++) {
        if (!is_wrong(&run->findings.data[f]))
            continue;
        match_sites(state->result, &run->findings.data[f], &matched);
        if (!bitset_has(&matched, index))
            continue;
        struct finding *finding = arena_copy(state->arena, &run->findings.data[f], sizeof *finding);
        finding->status = STATUS_VIOLATED;
        if (finding->kind == FINDING_INDEX_WRAP)
            finding->severity = SEVERITY_WARNING; /* what the contract admits, not what the program does */
        finding->reproduce = reproduce;
        if (reproduce != NULL && text_starts_with(reproduce, "lanewise run ") && strstr(finding->message, "LW_DISJOINT") != NULL)
            finding->reproduce = arena_printf(state->arena, "lanewise test %s", reproduce + strlen("lanewise run ")); /* run reads no contract */
        finding->condition = site->condition;
        finding->launch = &run->launch;
        confirm_name_fields(state->arena, state->result->contract, state->result->launch == NULL ? &state->values : NULL, finding);
        if (site->array != NULL)
            finding->array = site->array;
        if (!is_told(state->kernel, finding))
            *vec_push(state->arena, &state->kernel->findings) = *finding;
        site->verdict = CHECK_VIOLATED;
        site->witness = finding;
        spread_race(state, site, finding);
        return;
    }
}

static void report_hits(struct confirmation *state)
{
    for (uint32_t s = 0; s < state->result->sites.count; s++) {
        const struct hit *hit = &state->hits[s];
        struct report_kernel *run = ARENA_NEW(state->arena, struct report_kernel);
        struct buffer text;
        buffer_init(&text, state->arena);
        state->is_adversarial = hit->is_adversarial;
        if (!hit->is_found || !witness_complete(&state->space, hit->point, &state->values) ||
            !witness_launch_text(&state->space, &state->values, (struct witness_fill){.bounded = hit->fill},
                                 &text) ||
            !witness_run_text(state->arena, state->space.module, state->space.function, text.data,
                              state->kernel->place, try_limits(state), run))
            continue;
        const char *command = state->result->run_command;
        report_site(state, s, run,
                    command == NULL
                        ? NULL
                        : arena_printf(state->arena, "%s%s --launch '%s'", command,
                                       hit->is_adversarial ? " --schedule adversarial" : "", text.data));
    }
    state->is_adversarial = false;
}

/* ---- a launch comment ------------------------------------------------------------------------------------------------- */

/* What a run of the launch comment shows; false if it could not be run. */
static bool confirm_schedule(struct confirmation *state, bool is_adversarial)
{
    const struct check_result *result = state->result;
    struct report_kernel *run = ARENA_NEW(state->arena, struct report_kernel);
    struct witness_limits limits = {
        .steps = LAUNCH_STEPS, .races = state->asks_races, .adversarial = is_adversarial, .contract = state->result->contract};
    struct bitset failed;
    bitset_init(&failed, state->arena, result->sites.count + 1);
    if (!witness_run(state->arena, result->module, result->function, confirm_focus(state->arena, result->launch),
                     state->kernel->place, limits, run))
        return false;
    collect(state, run, NULL, &failed);
    const char *command = result->run_command;
    if (command != NULL && is_adversarial)
        command = arena_printf(state->arena, "%s --schedule adversarial", command);
    for (uint32_t s = 0; s < result->sites.count; s++)
        if (bitset_has(&failed, s)) {
            report_site(state, s, run, command);
            state->hits[s].is_found = true;
        }
    return true;
}

static void confirm_launch(struct confirmation *state)
{
    if (state->open != 0 && confirm_schedule(state, false) && hangs_on_order(state))
        confirm_schedule(state, true);
}

void check_confirm(struct arena *arena, struct check_result *result, struct report_kernel *kernel)
{
    struct confirmation state = {.arena = arena, .result = result, .kernel = kernel};
    if (result->contract == NULL || result->contract_contradicts)
        return;
    row_confirm(arena, result, kernel);
    for (uint32_t s = 0; s < result->sites.count; s++)
        if (is_open(&state, s)) {
            state.open++;
            state.asks_races |= is_race(result->sites.data[s].kind);
        }
    state.hits = ARENA_ARRAY(arena, struct hit, result->sites.count + 1);
    if (result->launch != NULL) {
        confirm_launch(&state);
        return;
    }
    if (result->contract->is_launch || !witness_space_begin(&state.space, arena, result->module,
                                                            result->function, result->contract))
        return;
    state.values = witness_values_new(arena, result->contract);
    contract_integer *point = ARENA_ARRAY(arena, contract_integer, state.space.axes.count + 1);
    try_candidates(&state, point);
    search(&state, point, LAUNCHES);
    search_apart(&state, point);
    uint32_t shrunk = 0;
    for (uint32_t s = 0; s < result->sites.count; s++)
        if (state.hits[s].is_found && shrunk++ < SHRUNK_SITES)
            shrink(&state, s, point);
    report_hits(&state);
}
