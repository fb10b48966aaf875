/* SPDX-License-Identifier: Apache-2.0
 *
 * What a launch comment expects against what was found: by running the launch and by proof, both together.
 *
 * What this version cannot look for is said to be skipped, never to be ok.  The verdict of a file is compared for each family.
 */
#include "cli/cli.h"

#include <string.h>

/* Kinds that neither side looks for yet. */
static const enum finding_kind not_looked_for[] = {
    FINDING_DIVERGENT_BRANCH, FINDING_USE_AFTER_FREE, FINDING_LEAK,
    FINDING_COPY_OVERRUN,     FINDING_HOST_ACCESS,    FINDING_UNCHECKED_ERROR,
};

/* Kinds that a proof looks for; the others need a run. */
static const enum finding_kind proved_kinds[] = {
    FINDING_OOB_GLOBAL, FINDING_OOB_SHARED, FINDING_OOB_LOCAL,
    FINDING_OOB_CONST,  FINDING_MISALIGNED, FINDING_DIV_BY_ZERO, FINDING_BARRIER_DIVERGENCE,
    FINDING_SHUFFLE_INACTIVE, FINDING_WARP_RACE, FINDING_SHARED_RACE, FINDING_GLOBAL_RACE,
    FINDING_INDEX_WRAP, FINDING_ROW_CROSSING,
    FINDING_BLOCK_NOT_MULTIPLE, FINDING_ZERO_LAUNCH, FINDING_GRID_OVERFLOW,
};

static bool is_in(enum finding_kind kind, const enum finding_kind *kinds, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (kinds[i] == kind)
            return true;
    return false;
}

static bool is_proved_kind(enum finding_kind kind)
{
    return is_in(kind, proved_kinds, COUNT_OF(proved_kinds));
}

static bool has_side(const struct comparison *comparison, bool is_proof)
{
    for (uint32_t e = 0; e < comparison->evidence.count; e++)
        if (comparison->evidence.data[e].is_proof == is_proof)
            return true;
    return false;
}

static bool is_looked_for(const struct comparison *comparison, enum finding_kind kind)
{
    if (kind == FINDING_KIND_COUNT || is_in(kind, not_looked_for, COUNT_OF(not_looked_for)))
        return false;
    return has_side(comparison, false) || is_proved_kind(kind);
}

void compare_add_reason(struct buffer *reasons, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *text = arena_vprintf(reasons->arena, format, arguments);
    va_end(arguments);
    if (reasons->data != NULL && strstr(reasons->data, text) != NULL)
        return; /* said already */
    buffer_printf(reasons, "%s%s", reasons->size == 0 ? "" : "; ", text);
}

/* Under --only, other ids do not count, neither expected nor found. */
static bool is_admitted(const struct cli *cli, enum finding_kind kind)
{
    char id[16];
    const char *prefix = cli->options.only;
    if (prefix == NULL || kind == FINDING_KIND_COUNT)
        return prefix == NULL;
    snprintf(id, sizeof id, "LW%u", finding_info(kind)->number);
    return text_starts_with(id, prefix) || text_starts_with(finding_info(kind)->kind, prefix);
}

/* At these levels a proof may fall short of what the optimised code allows. */
static bool may_be_unproved(const struct cli *cli)
{
    return (cli->options.level != NULL && cli->options.level[0] == '0') ||
           (cli->options.debug && cli->options.compiler == COMPILER_NVCC);
}

/* ---- findings ----------------------------------------------------------------------------------------------- */

/* An id instead of a kind (LW102) admits all kinds of that number. */
static bool is_kind(const struct launch_expectation *expected, enum finding_kind kind)
{
    if (expected->finding == FINDING_KIND_COUNT)
        return false;
    return expected->finding == kind ||
           (text_starts_with(expected->kind, "LW") &&
            finding_info(expected->finding)->number == finding_info(kind)->number);
}

/* A finding about two places may be reported at either. */
static bool is_at_line(const struct finding *finding, uint32_t line)
{
    bool found = line == 0 || finding->place.line == line;
    for (uint32_t i = 0; i < finding->notes.count && !found; i++)
        found = finding->notes.data[i].place.line == line;
    return found;
}

static bool matches(const struct launch_expectation *expected, const struct finding *finding)
{
    return is_kind(expected, finding->kind) && is_at_line(finding, expected->line);
}

static bool is_found(const struct comparison *comparison, const struct launch_expectation *expected)
{
    for (uint32_t e = 0; e < comparison->evidence.count; e++) {
        const struct report_kernel *kernel = comparison->evidence.data[e].kernel;
        for (uint32_t i = 0; i < kernel->findings.count; i++)
            if (matches(expected, &kernel->findings.data[i]))
                return true;
    }
    return false;
}

/* Found where expected, or where an `also-accept` of the same kind admits it. */
static bool is_satisfied(const struct comparison *comparison,
                         const struct launch_expectation *expected)
{
    const struct launch *launch = comparison->launch;
    if (is_found(comparison, expected))
        return true;
    for (uint32_t i = 0; i < launch->accepted.count; i++)
        if (is_kind(expected, launch->accepted.data[i].finding) &&
            is_found(comparison, &launch->accepted.data[i]))
            return true;
    return false;
}

static bool is_allowed(const struct launch *launch, const struct finding *finding)
{
    if (finding->severity != SEVERITY_ERROR)
        return true;
    for (uint32_t i = 0; i < launch->expected.count; i++)
        if (matches(&launch->expected.data[i], finding))
            return true;
    for (uint32_t i = 0; i < launch->accepted.count; i++)
        if (matches(&launch->accepted.data[i], finding))
            return true;
    return false;
}

static const char *at_line(struct arena *arena, uint32_t line)
{
    return line == 0 ? "" : arena_printf(arena, " at line %u", line);
}

/* ---- sites ---------------------------------------------------------------------------------------------------- */

struct site_counts {
    uint32_t all, proved,
        open; /* open: unproved, not analysed or violated, so that a check stays */
};

/* Sites of a line whose kind the expectation means; for `checked` every admitted kind. */
static struct site_counts count_sites(const struct comparison *comparison,
                                      const struct launch_expectation *expected)
{
    struct site_counts counts = {0};
    for (uint32_t e = 0; e < comparison->evidence.count; e++) {
        const struct report_kernel *kernel = comparison->evidence.data[e].kernel;
        for (uint32_t i = 0; i < kernel->sites.count; i++) {
            const struct report_site *site = &kernel->sites.data[i];
            bool is_meant = expected->finding == FINDING_KIND_COUNT
                                ? is_admitted(comparison->cli, site->kind) ||
                                      comparison->cli->options.only == NULL
                                : is_kind(expected, site->kind);
            if (!is_meant || (expected->line != 0 && site->place.line != expected->line))
                continue;
            bool is_open = site->verdict == SITE_UNPROVED || site->verdict == SITE_NOT_ANALYSED ||
                           site->verdict == SITE_VIOLATED;
            counts.all++;
            counts.open += is_open;
            counts.proved += !is_open;
        }
    }
    return counts;
}

/* `checked line=N`: the site there keeps its run-time check. */
static void compare_checked(struct comparison *comparison,
                            const struct launch_expectation *expected)
{
    struct site_counts counts = count_sites(comparison, expected);
    if (!has_side(comparison, true))
        compare_add_reason(comparison->skipped, "what stays checked is not looked for by a run");
    else if (counts.all == 0 && comparison->cli->options.only == NULL)
        compare_add_reason(comparison->failed, "expected a check%s, no site is there",
                           at_line(comparison->cli->arena, expected->line));
    else if (counts.all != 0 && counts.open == 0)
        compare_add_reason(comparison->failed, "expected a check%s, but every site there is proved",
                           at_line(comparison->cli->arena, expected->line));
}

static void compare_expected(struct comparison *comparison,
                             const struct launch_expectation *expected)
{
    struct arena *arena = comparison->cli->arena;
    const char *line = at_line(arena, expected->line);
    if (expected->finding == FINDING_KIND_COUNT) {
        compare_checked(comparison, expected);
        return;
    }
    if (!is_admitted(comparison->cli, expected->finding))
        return;
    struct site_counts counts = count_sites(comparison, expected);
    bool is_found_somewhere = is_satisfied(comparison, expected);
    if (!is_found_somewhere && counts.all != 0 && counts.open == 0)
        compare_add_reason(comparison->failed, "expected %s%s, but every such site there is proved",
                           expected->kind, line);
    else if (is_found_somewhere)
        return;
    else if (!is_looked_for(comparison, expected->finding))
        compare_add_reason(comparison->skipped, "%s%s is not looked for%s", expected->kind, line,
                           has_side(comparison, false) ? "" : " without a launch");
    else if (!(may_be_unproved(comparison->cli) && counts.open != 0 &&
               !has_side(comparison, false)))
        compare_add_reason(comparison->failed, "expected %s%s, not found", expected->kind, line);
}

/* A fault that was seen where every site was proved: then the proof is wrong, whatever is expected. */
static void compare_with_proof(struct comparison *comparison, const struct finding *finding)
{
    struct launch_expectation place = {.kind = finding_info(finding->kind)->kind,
                                       .finding = finding->kind,
                                       .line = finding->place.line};
    struct site_counts counts = count_sites(comparison, &place);
    /* A wrap is seen where it happens and proved where its number is used: the lines need not agree. */
    if (is_proved_kind(finding->kind) && finding->kind != FINDING_INDEX_WRAP && counts.all != 0 && counts.open == 0)
        compare_add_reason(comparison->failed, "found %s%s where it is proved not to happen",
                           place.kind, at_line(comparison->cli->arena, place.line));
}

static void compare_found(struct comparison *comparison, const struct report_kernel *kernel)
{
    for (uint32_t i = 0; i < kernel->findings.count; i++) {
        const struct finding *finding = &kernel->findings.data[i];
        compare_with_proof(comparison, finding);
        if (!is_admitted(comparison->cli, finding->kind) && comparison->cli->options.only != NULL)
            continue;
        if (is_allowed(comparison->launch, finding))
            continue;
        compare_add_reason(comparison->failed, "found %s%s: %s", finding_info(finding->kind)->kind,
                           at_line(comparison->cli->arena, finding->place.line),
                           finding->message != NULL ? finding->message : "");
    }
}

/* ---- verdicts --------------------------------------------------------------------------------------------------- */

static enum verdict family_verdict(const struct report_kernel *kernel, enum finding_family family)
{
    return family == FAMILY_BOUNDS ? kernel->bounds : family == FAMILY_SYNC ? kernel->sync : kernel->races;
}

/* The weakest verdict of the proofs; NONE: there was nothing to prove. */
static enum verdict proved_verdict(const struct comparison *comparison, enum finding_family family)
{
    static const uint8_t weight[] = {
        [VERDICT_NONE] = 0, [VERDICT_PROVED] = 1, [VERDICT_UNPROVED] = 2, [VERDICT_VIOLATED] = 3};
    enum verdict verdict = VERDICT_NONE;
    for (uint32_t e = 0; e < comparison->evidence.count; e++) {
        const struct evidence *evidence = &comparison->evidence.data[e];
        enum verdict own = family_verdict(evidence->kernel, family);
        if (evidence->is_proof && weight[own] > weight[verdict])
            verdict = own;
    }
    return verdict;
}

/* What the expectations say of a family. */
struct expected_family {
    bool violated; /* by a kind that a proof looks for */
    bool unknown;  /* by one that it does not look for yet */
};

static struct expected_family expected_family(const struct comparison *comparison, enum finding_family family)
{
    struct expected_family expected = {0};
    for (uint32_t i = 0; i < comparison->launch->expected.count; i++) {
        enum finding_kind kind = comparison->launch->expected.data[i].finding;
        if (kind == FINDING_KIND_COUNT || !is_admitted(comparison->cli, kind) || finding_info(kind)->family != family)
            continue;
        expected.violated |= is_proved_kind(kind);
        expected.unknown |= !is_proved_kind(kind);
    }
    return expected;
}

static bool admits_family(const struct cli *cli, enum finding_family family)
{
    bool admits = cli->options.only == NULL;
    for (unsigned i = 0; i < COUNT_OF(proved_kinds); i++)
        admits |= finding_info(proved_kinds[i])->family == family && is_admitted(cli, proved_kinds[i]);
    return admits;
}

/* What the verdict of the file means for a family; NONE: nothing is demanded but that it is not violated.  `unproved` and `violated`
 * speak of bounds where no expectation names another family; races must be proved only where the contract claims that there are none. */
static enum verdict wanted_verdict(const struct comparison *comparison, enum finding_family family)
{
    char word = comparison->launch->verdict.text[0];
    struct expected_family expected = expected_family(comparison, family);
    if (expected.violated)
        return VERDICT_VIOLATED;
    if (family == FAMILY_BOUNDS)
        return word == 'u' ? VERDICT_UNPROVED : VERDICT_PROVED;
    if (word != 'p' || (family == FAMILY_RACES && !comparison->claims_disjoint))
        return VERDICT_NONE;
    return VERDICT_PROVED;
}

static void compare_family(struct comparison *comparison, enum finding_family family)
{
    static const char *const names[] = {"none", "proved", "violated", "unproved"};
    static const char *const families[] = {[FAMILY_BOUNDS] = "bounds", [FAMILY_SYNC] = "sync", [FAMILY_RACES] = "races"};
    enum verdict found = proved_verdict(comparison, family), wanted = wanted_verdict(comparison, family);
    if (!admits_family(comparison->cli, family) || (wanted == VERDICT_PROVED && expected_family(comparison, family).unknown))
        return; /* a kind that is not looked for: said already */
    bool lenient = may_be_unproved(comparison->cli) && found == VERDICT_UNPROVED;
    bool fits = found == wanted || (wanted == VERDICT_PROVED && found == VERDICT_NONE) ||
                (wanted == VERDICT_NONE && found != VERDICT_VIOLATED) || lenient;
    if (!fits)
        compare_add_reason(comparison->failed, "expected %s %s, found %s", families[family],
                           wanted == VERDICT_NONE ? "not violated" : names[wanted], names[found]);
}

static void compare_verdict(struct comparison *comparison)
{
    if (comparison->launch->verdict.text == NULL)
        return;
    if (!has_side(comparison, true)) {
        if (admits_family(comparison->cli, FAMILY_BOUNDS))
            compare_add_reason(comparison->skipped, "its verdict needs a proof");
        return;
    }
    compare_family(comparison, FAMILY_BOUNDS);
    compare_family(comparison, FAMILY_SYNC);
    compare_family(comparison, FAMILY_RACES);
}

void compare_launch(struct comparison *comparison)
{
    for (uint32_t i = 0; i < comparison->launch->expected.count; i++)
        compare_expected(comparison, &comparison->launch->expected.data[i]);
    for (uint32_t e = 0; e < comparison->evidence.count; e++) {
        const struct report_kernel *kernel = comparison->evidence.data[e].kernel;
        compare_found(comparison, kernel);
        if (kernel->stopped != NULL)
            compare_add_reason(comparison->failed, "`%s` did not finish: %s", kernel->shown,
                               kernel->stopped);
    }
    compare_verdict(comparison);
}
