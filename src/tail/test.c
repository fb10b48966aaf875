/* SPDX-License-Identifier: Apache-2.0
 *
 * All launches of a plan: dealt to threads, their findings joined in the order of the plan, each made as small as it still shows.
 */
#include "tail/private.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SHRINK_TRIES = 40, SHRUNK = 12, KEPT = 200 };

/* A finding and the launch that showed it. */
struct hit {
    struct finding finding;
    struct report_launch launch;
    uint32_t number; /* of the case */
    bool is_dropped;
};

struct worker {
    struct tester *tester;
    pthread_t thread;
    struct arena arena; /* what stays */
    VEC(struct hit) hits;
    uint64_t warp_instructions, blocks, compared;
    uint32_t ran, stopped;
    const char *stopped_why;
    uint32_t stopped_number;
    jmp_buf out_of_memory;
    bool failed;
};

struct tester {
    struct tail_plan *plan;
    struct report_kernel *kernel;
    pthread_mutex_t lock;
    uint32_t next, total, done;
};

/* ---- one case ------------------------------------------------------------------------------------------------------ */

struct attempt {
    struct arena arena;
    struct report_kernel kernel;
    struct buffer text;
    bool good;
};

/* The launch at another block size, where the contract leaves the block open and the grid follows; NULL: none. */
static const struct launch *other_block(const struct tail_plan *plan, const struct tail_case *what, struct attempt *attempt,
                                        struct witness_fill fill)
{
    struct witness_space space = plan->space;
    const struct contract *contract = space.contract;
    struct contract_values values = witness_values_new(&attempt->arena, contract);
    contract_integer *point = arena_copy(&attempt->arena, what->point, (space.axes.count + 1) * sizeof *point);
    struct diagnostic_list ignored;
    struct launch_comment comment = {0};
    struct buffer text;
    bool changed = false;
    if (what->contents != TAIL_PLAIN || what->is_adversarial || what->is_cut || !contract_is_given(&contract->domain[0]))
        return NULL;
    for (uint32_t a = 0; a < space.axes.count; a++) {
        const struct witness_axis *axis = &space.axes.data[a];
        if (axis->kind != WITNESS_BLOCK || axis->index != 0)
            continue;
        for (uint32_t i = 0; i < axis->values.count && !changed; i++) {
            changed = axis->values.data[i] != what->point[a] && axis->values.data[i] > 1;
            point[a] = axis->values.data[i];
        }
    }
    buffer_init(&text, &attempt->arena);
    diagnostic_list_init(&ignored, &attempt->arena);
    if (!changed || !witness_complete(&space, point, &values) || !witness_launch_text(&space, &values, fill, &text))
        return NULL;
    launch_text_apply(&attempt->arena, text.data, &comment, &ignored);
    return ignored.errors == 0 && comment.launches.count == 1 && comment.launches.data[0].focus.count == 0 ? &comment.launches.data[0]
                                                                                                        : NULL;
}

/* A launch that could not be made or run is not finished: never a clean one. */
static void say_trouble(struct attempt *attempt, const struct diagnostic_list *diagnostics)
{
    attempt->kernel.stopped = diagnostics->items.count != 0 ? diagnostics->items.data[0].message : "the launch cannot be made";
}

/* Runs a case; everything lies in attempt->arena, which the caller frees. */
static void run_case(const struct tail_plan *plan, const struct tail_case *what, struct attempt *attempt)
{
    const struct contract *contract = plan->space.contract;
    struct witness_space space = plan->space;
    struct contract_values values = witness_values_new(&attempt->arena, contract);
    struct tail_filling filling = {.plan = plan, .what = what, .arena = &attempt->arena};
    struct witness_fill fill = {.contents = tail_fill_array, .context = &filling, .real = "0.75", .real_of = tail_real_scalar};
    struct diagnostic_list diagnostics;
    struct launch_comment comment = {0};
    struct tail_subject subject = {.arena = &attempt->arena,
                                   .module = space.module,
                                   .function = space.function,
                                   .contract = contract,
                                   .uses = plan->uses,
                                   .options = plan->options};
    memset(&attempt->kernel, 0, sizeof attempt->kernel);
    attempt->good = false;
    space.admits_empty = what->is_empty || what->is_idle;
    buffer_init(&attempt->text, &attempt->arena);
    if (!witness_complete(&space, what->point, &values) || !witness_launch_text(&space, &values, fill, &attempt->text))
        return;
    if (plan->options->data_count != 0)
        buffer_printf(&attempt->text, "; tolerance: %g", plan->options->tolerance);
    diagnostic_list_init(&diagnostics, &attempt->arena);
    launch_text_apply(&attempt->arena, attempt->text.data, &comment, &diagnostics);
    if (diagnostics.errors != 0 || comment.launches.count != 1) {
        say_trouble(attempt, &diagnostics);
        return;
    }
    if (what->is_idle) {
        attempt->kernel.name = space.module->functions.data[space.function].name;
        attempt->kernel.shown = launch_short_name(&attempt->arena, attempt->kernel.name);
        attempt->kernel.place = plan->options->kernel_place;
        tail_find_idle(&subject, &values, &attempt->kernel);
        attempt->good = true;
        return;
    }
    struct report_kernel *kernel = &attempt->kernel;
    if (!what->is_empty)
        subject.other = other_block(plan, what, attempt, fill);
    attempt->good = tail_judge(&subject, &comment.launches.data[0], &values, what, kernel, &diagnostics);
    if (!attempt->good)
        say_trouble(attempt, &diagnostics);
    else if (what->is_cut)
        kernel->stopped = NULL;
    /* The launcher would start nothing: what one block does then is a remark. */
    for (uint32_t i = 0; i < attempt->kernel.findings.count && what->is_empty; i++)
        attempt->kernel.findings.data[i].severity = SEVERITY_WARNING;
}

static bool same_key(const struct finding *a, const struct finding *b)
{
    const char *first = a->array == NULL ? "" : a->array, *second = b->array == NULL ? "" : b->array;
    const char *file = a->place.file == NULL ? "" : a->place.file, *other = b->place.file == NULL ? "" : b->place.file;
    uint32_t line = a->notes.count == 0 ? 0 : a->notes.data[0].place.line;
    uint32_t other_line = b->notes.count == 0 ? 0 : b->notes.data[0].place.line;
    return a->kind == b->kind && a->place.line == b->place.line && strcmp(first, second) == 0 && strcmp(file, other) == 0 &&
           line == other_line;
}

/* A block that is no whole number of warps is the contract's matter only where it fixes the block. */
static bool is_remark_of_ours(const struct tail_plan *plan, const struct finding *finding)
{
    return finding->kind == FINDING_BLOCK_NOT_MULTIPLE && !contract_is_given(&plan->space.contract->block[0]);
}

/* A copy that outlives the attempt. */
static void copy_finding(struct arena *arena, const struct report_kernel *kernel, const struct finding *from, struct hit *hit)
{
    const char **texts[] = {&hit->finding.message, &hit->finding.label, &hit->finding.array, &hit->finding.help,
                            &hit->finding.condition, &hit->finding.place.file, &hit->finding.ptx_place.file};
    hit->finding = *from;
    for (unsigned i = 0; i < COUNT_OF(texts); i++)
        if (*texts[i] != NULL)
            *texts[i] = arena_string(arena, *texts[i]);
    hit->finding.notes.data = NULL;
    hit->finding.notes.count = hit->finding.notes.capacity = 0;
    for (uint32_t n = 0; n < from->notes.count; n++) {
        struct finding_note note = from->notes.data[n];
        note.message = note.message == NULL ? NULL : arena_string(arena, note.message);
        note.place.file = note.place.file == NULL ? NULL : arena_string(arena, note.place.file);
        *vec_push(arena, &hit->finding.notes) = note;
    }
    hit->launch = kernel->launch;
    hit->launch.scalars.data = NULL;
    hit->launch.scalars.count = hit->launch.scalars.capacity = 0;
    for (uint32_t s = 0; s < kernel->launch.scalars.count; s++) {
        const struct report_scalar *scalar = &kernel->launch.scalars.data[s];
        *vec_push(arena, &hit->launch.scalars) = (struct report_scalar){
            arena_string(arena, scalar->name), arena_string(arena, scalar->type), arena_string(arena, scalar->value)};
    }
}

/* Keeps what a case has shown; of one key the case with the lowest number. */
static bool take_findings(struct worker *worker, const struct attempt *attempt, uint32_t number)
{
    bool is_clean = true;
    for (uint32_t f = 0; f < attempt->kernel.findings.count; f++) {
        const struct finding *finding = &attempt->kernel.findings.data[f];
        struct hit *known = NULL;
        if (is_remark_of_ours(worker->tester->plan, finding))
            continue;
        is_clean = false;
        for (uint32_t h = 0; h < worker->hits.count && known == NULL; h++)
            if (same_key(&worker->hits.data[h].finding, finding))
                known = &worker->hits.data[h];
        if (known != NULL && (known->finding.severity > finding->severity ||
                              (known->finding.severity == finding->severity && known->number <= number)))
            continue;
        if (known == NULL && worker->hits.count >= KEPT)
            continue;
        if (known == NULL)
            known = vec_push(&worker->arena, &worker->hits);
        copy_finding(&worker->arena, &attempt->kernel, finding, known);
        known->number = number;
        known->is_dropped = false;
    }
    return is_clean;
}

static bool is_ours(const struct tail_plan *plan, uint32_t number)
{
    const struct tail_options *options = plan->options;
    return options->shards <= 1 || number % options->shards == options->shard;
}

static void do_case(struct worker *worker, uint32_t number)
{
    struct tester *tester = worker->tester;
    const struct tail_options *options = tester->plan->options;
    struct attempt attempt;
    arena_init(&attempt.arena);
    attempt.arena.handler = &worker->out_of_memory;
    run_case(tester->plan, &tester->plan->cases.data[number], &attempt);
    bool is_clean = take_findings(worker, &attempt, number) && attempt.good && attempt.kernel.stopped == NULL;
    worker->ran++;
    worker->warp_instructions += attempt.kernel.warp_instructions;
    worker->blocks += attempt.kernel.blocks_run;
    worker->compared += attempt.kernel.results_compared;
    if (attempt.kernel.stopped != NULL) {
        if (worker->stopped++ == 0 || number < worker->stopped_number) {
            worker->stopped_why = arena_string(&worker->arena, attempt.kernel.stopped);
            worker->stopped_number = number;
        }
    }
    arena_free(&attempt.arena);
    pthread_mutex_lock(&tester->lock);
    tester->done++;
    if (options->tell != NULL)
        options->tell(options->context, number, tester->done, tester->total, is_clean);
    pthread_mutex_unlock(&tester->lock);
}

static void *work(void *context)
{
    struct worker *worker = context;
    struct tester *tester = worker->tester;
    const struct tail_options *options = tester->plan->options;
    worker->arena.handler = &worker->out_of_memory;
    if (setjmp(worker->out_of_memory) != 0) {
        worker->failed = true;
        return NULL;
    }
    for (;;) {
        uint32_t number = __atomic_fetch_add(&tester->next, 1, __ATOMIC_RELAXED);
        if (number >= tester->plan->cases.count)
            return NULL;
        if (!is_ours(tester->plan, number))
            continue;
        if (options->was_clean != NULL && options->was_clean(options->context, number)) {
            worker->ran++;
            continue;
        }
        do_case(worker, number);
    }
}

/* ---- smaller launches ---------------------------------------------------------------------------------------------------- */

static const struct finding *find_again(const struct attempt *attempt, const struct finding *finding)
{
    for (uint32_t f = 0; f < attempt->kernel.findings.count && attempt->good; f++)
        if (same_key(&attempt->kernel.findings.data[f], finding) &&
            attempt->kernel.findings.data[f].severity == finding->severity)
            return &attempt->kernel.findings.data[f];
    return NULL;
}

/* Runs `what`; if it shows the finding, it becomes the hit's. */
static bool try_smaller(struct tester *tester, struct arena *arena, struct hit *hit, const struct tail_case *what)
{
    struct attempt attempt;
    arena_init(&attempt.arena);
    attempt.arena.handler = arena->handler;
    run_case(tester->plan, what, &attempt);
    const struct finding *found = find_again(&attempt, &hit->finding);
    if (found != NULL)
        copy_finding(arena, &attempt.kernel, found, hit);
    arena_free(&attempt.arena);
    return found != NULL;
}

static contract_integer magnitude(contract_integer value)
{
    return value < 0 ? -value : value;
}

/* Lowers one number of the launch: small ones first, then by halving. */
static bool shrink_axis(struct tester *tester, struct arena *arena, struct hit *hit, struct tail_case *what, uint32_t axis,
                        unsigned *tries)
{
    const struct witness_axis *info = &tester->plan->space.axes.data[axis];
    contract_integer current = what->point[axis], known[24], ignored;
    if (info->kind == WITNESS_SCALAR && tail_is_fixed(tester->plan, info->index, &ignored))
        return false;
    static const int small[] = {0, 1, 2, 3, 4, 5, 8, 9, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129};
    unsigned count = 0;
    for (unsigned i = 0; i < COUNT_OF(small) && count < COUNT_OF(known) - 2; i++)
        if (info->kind != WITNESS_BLOCK)
            known[count++] = small[i];
    known[count++] = current / 2;
    known[count++] = current - 1;
    for (unsigned i = 0; i < count && *tries != 0; i++) {
        if (magnitude(known[i]) >= magnitude(current) || (info->kind == WITNESS_GRID && known[i] < 1))
            continue;
        what->point[axis] = known[i];
        --*tries;
        if (try_smaller(tester, arena, hit, what))
            return true;
    }
    what->point[axis] = current;
    return false;
}

static void shrink(struct tester *tester, struct arena *arena, struct hit *hit, struct tail_case *what)
{
    const struct tail_plan *plan = tester->plan;
    unsigned tries = SHRINK_TRIES;
    struct tail_case plainer = *what;
    plainer.contents = TAIL_PLAIN;
    plainer.is_adversarial = false;
    if (what->contents != TAIL_PLAIN || what->is_adversarial) {
        tries--;
        if (try_smaller(tester, arena, hit, &plainer))
            *what = plainer;
    }
    for (bool changed = true; changed && tries != 0;) {
        changed = false;
        for (uint32_t a = 0; a < plan->space.axes.count && tries != 0; a++)
            if (plan->space.axes.data[a].kind != WITNESS_BLOCK)
                changed |= shrink_axis(tester, arena, hit, what, a, &tries);
    }
}

/* ---- the report ------------------------------------------------------------------------------------------------------------ */

static bool is_seen_by_run(const struct finding *finding)
{
    return finding->kind != FINDING_MISSING_ELEMENT && finding->kind != FINDING_WRONG_RESULT &&
           finding->kind != FINDING_WRONG_IDENTITY && finding->kind != FINDING_ROW_CROSSING;
}

/* "n=17; a=0.75": fixes them for `lanewise test`, which then tries its blocks. */
static const char *scalars_text(struct arena *arena, const struct report_launch *launch)
{
    struct buffer text;
    buffer_init(&text, arena);
    for (uint32_t s = 0; s < launch->scalars.count; s++)
        buffer_printf(&text, "%s%s=%s", s == 0 ? "" : "; ", launch->scalars.data[s].name, launch->scalars.data[s].value);
    return text.size == 0 ? "" : text.data;
}

/* The command that shows it again, and the launch in short. */
static void complete_finding(struct tester *tester, struct hit *hit, const struct tail_case *what)
{
    const struct tail_plan *plan = tester->plan;
    struct arena *arena = plan->arena;
    struct attempt attempt;
    bool needs_contract = !is_seen_by_run(&hit->finding) || tail_breaks_disjoint(plan->space.contract, &hit->finding);
    const char *command = needs_contract ? plan->options->command : plan->options->run_command;
    arena_init(&attempt.arena);
    attempt.arena.handler = arena->handler;
    run_case(plan, what, &attempt);
    if (command != NULL && tail_is_between_blocks(&hit->finding))
        hit->finding.reproduce = arena_printf(arena, "%s --kernel '^%s$' --launch '%s'", command, tester->kernel->name,
                                              scalars_text(arena, &hit->launch));
    else if (attempt.text.data != NULL && command != NULL && !what->is_idle)
        hit->finding.reproduce = arena_printf(arena, "%s%s --launch '%s'", command,
                                              what->is_adversarial ? " --schedule adversarial" : "", attempt.text.data);
    else if (attempt.text.data != NULL && what->is_idle)
        *vec_push(arena, &hit->finding.notes) =
            (struct finding_note){.message = arena_printf(arena, "no launch for '%s'", attempt.text.data)};
    if (hit->launch.known)
        hit->finding.launch = arena_copy(arena, &hit->launch, sizeof hit->launch);
    if (what->contents != TAIL_PLAIN)
        *vec_push(arena, &hit->finding.notes) = (struct finding_note){
            .message = arena_printf(arena, "with %s contents", tail_contents_name((enum tail_contents)what->contents))};
    if (what->is_adversarial)
        *vec_push(arena, &hit->finding.notes) = (struct finding_note){.message = "under the adversarial schedule"};
    if (what->is_empty)
        *vec_push(arena, &hit->finding.notes) =
            (struct finding_note){.message = "there is no work: a launcher would start nothing, this is one block"};
    arena_free(&attempt.arena);
    hit->finding.kernel = tester->kernel->name;
    hit->finding.kernel_shown = tester->kernel->shown;
}

static int compare_hits(const void *left, const void *right)
{
    const struct hit *a = left, *b = right;
    if (a->finding.severity != b->finding.severity)
        return a->finding.severity > b->finding.severity ? -1 : 1;
    if (a->number != b->number)
        return a->number < b->number ? -1 : 1;
    if (a->finding.kind != b->finding.kind)
        return a->finding.kind < b->finding.kind ? -1 : 1;
    return a->finding.place.line < b->finding.place.line ? -1 : a->finding.place.line > b->finding.place.line;
}

/* A wrong result of an array whose reduction takes up a wrong constant. */
static bool is_explained(const struct hit *hits, uint32_t count, const struct hit *hit)
{
    for (uint32_t h = 0; h < count && hit->finding.kind == FINDING_WRONG_RESULT && hit->finding.array != NULL; h++)
        if (hits[h].finding.kind == FINDING_WRONG_IDENTITY && hits[h].finding.severity == SEVERITY_ERROR &&
            hits[h].finding.array != NULL && strcmp(hits[h].finding.array, hit->finding.array) == 0)
            return true;
    return false;
}

static void join(struct tester *tester, struct worker *workers, uint32_t count)
{
    struct tail_plan *plan = tester->plan;
    struct arena *arena = plan->arena;
    VEC(struct hit) hits = {0};
    for (uint32_t w = 0; w < count; w++)
        for (uint32_t h = 0; h < workers[w].hits.count; h++) {
            const struct hit *hit = &workers[w].hits.data[h];
            struct hit *known = NULL;
            for (uint32_t k = 0; k < hits.count && known == NULL; k++)
                if (same_key(&hits.data[k].finding, &hit->finding))
                    known = &hits.data[k];
            if (known == NULL)
                *vec_push(arena, &hits) = *hit;
            else if (hit->finding.severity > known->finding.severity ||
                     (hit->finding.severity == known->finding.severity && hit->number < known->number))
                *known = *hit;
        }
    if (hits.count != 0)
        qsort(hits.data, hits.count, sizeof *hits.data, compare_hits);
    for (uint32_t h = 0; h < hits.count; h++) {
        struct hit hit;
        if (is_explained(hits.data, hits.count, &hits.data[h]))
            continue;
        struct report_kernel shown = {.launch = hits.data[h].launch};
        copy_finding(arena, &shown, &hits.data[h].finding, &hit); /* out of the worker's arena */
        hit.number = hits.data[h].number;
        struct tail_case what = plan->cases.data[hit.number];
        what.point = arena_copy(arena, what.point, (plan->space.axes.count + 1) * sizeof *what.point);
        if (h < SHRUNK && !what.is_idle)
            shrink(tester, arena, &hit, &what);
        complete_finding(tester, &hit, &what);
        *vec_push(arena, &tester->kernel->findings) = hit.finding;
    }
}

static uint32_t thread_count(const struct tail_options *options, uint32_t cases)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    uint32_t count = options->jobs != 0 ? options->jobs : cores > 0 ? (uint32_t)cores : 1;
    return count > cases ? cases : count > 256 ? 256 : count;
}

void tail_plan_run(struct tail_plan *plan, struct report_kernel *kernel)
{
    struct tester tester = {.plan = plan, .kernel = kernel};
    for (uint32_t c = 0; c < plan->cases.count; c++)
        tester.total += is_ours(plan, c);
    uint32_t count = thread_count(plan->options, plan->cases.count), started = 1;
    struct worker *workers = ARENA_ARRAY(plan->arena, struct worker, count);
    pthread_mutex_init(&tester.lock, NULL);
    for (uint32_t w = 0; w < count; w++) {
        workers[w].tester = &tester;
        arena_init(&workers[w].arena);
    }
    for (; started < count; started++)
        if (pthread_create(&workers[started].thread, NULL, work, &workers[started]) != 0)
            break; /* fewer hands do the same work */
    work(&workers[0]);
    for (uint32_t w = 1; w < started; w++)
        pthread_join(workers[w].thread, NULL);
    pthread_mutex_destroy(&tester.lock);
    kernel->has_run = true;
    kernel->launches_planned = plan->cases.count;
    if (plan->options->shards > 1)
        *vec_push(plan->arena, &kernel->parts) =
            arena_printf(plan->arena, "%u/%u", plan->options->shard + 1, plan->options->shards);
    uint32_t stopped_number = UINT32_MAX;
    for (uint32_t w = 0; w < count; w++) {
        kernel->launches += workers[w].ran;
        kernel->launches_unfinished += workers[w].stopped;
        kernel->warp_instructions += workers[w].warp_instructions;
        kernel->blocks_run += workers[w].blocks;
        kernel->results_compared += workers[w].compared;
        if (workers[w].failed)
            kernel->stopped = "out of memory";
        else if (workers[w].stopped != 0 && workers[w].stopped_number < stopped_number) {
            stopped_number = workers[w].stopped_number;
            kernel->unfinished_why = arena_string(plan->arena, workers[w].stopped_why);
        }
    }
    kernel->blocks = kernel->blocks_run;
    join(&tester, workers, count);
    for (uint32_t w = 0; w < count; w++)
        arena_free(&workers[w].arena);
}
