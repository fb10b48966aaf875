/* SPDX-License-Identifier: Apache-2.0
 *
 * Compares what the kernel left with what `want` says (LW405).
 *
 * Memory that nobody touched is not read: of an output it is wrong as a whole, of an initialised buffer it still holds `init`, which is
 * compared with `want` by evaluation up to UNTOUCHED_LIMIT elements.  When only some blocks ran (focus-blocks), elements that still
 * have their initial contents are left out.
 */
#include "launch/run.h"

#include <string.h>

enum {
    CHUNK = 2048,      /* elements at a time */
    EXAMPLES = 4,      /* wrong elements that are shown */
    WIDEST = 8         /* bytes of an element */
};
#define UNTOUCHED_LIMIT ((uint64_t)1 << 26)

struct wrong_element {
    uint64_t element;
    bool is_written;
    uint8_t got[WIDEST], wanted[WIDEST];
};

struct comparison {
    struct launch_run *run;
    struct launch_buffer *buffer;
    enum value_type type;
    unsigned width;
    uint64_t wrong, compared;
    struct wrong_element examples[EXAMPLES];
    enum expression_fault fault; /* of `want` */
    uint64_t fault_at;
};

static void add_wrong(struct comparison *c, uint64_t element, bool is_written, const uint8_t *got,
                      const uint8_t *wanted)
{
    if (c->wrong < EXAMPLES) {
        struct wrong_element *example = &c->examples[c->wrong];
        example->element = element;
        example->is_written = is_written;
        memcpy(example->got, got, c->width);
        memcpy(example->wanted, wanted, c->width);
    }
    c->wrong++;
}

static bool evaluate_want(struct comparison *c, uint64_t first, uint64_t count, uint8_t *wanted)
{
    c->fault = expression_store(c->buffer->want, c->type, first, count, wanted, &c->fault_at);
    return c->fault == FAULT_NONE;
}

static void evaluate_init(struct comparison *c, uint64_t first, uint64_t count, uint8_t *initial)
{
    uint64_t at;
    memset(initial, 0, count * c->width);
    if (c->buffer->init != NULL)
        expression_store(c->buffer->init, c->type, first, count, initial, &at);
}

/* Elements that the kernel may have touched. */
static bool compare_touched(struct comparison *c, uint64_t first, uint64_t count)
{
    uint8_t got[CHUNK * WIDEST], wanted[CHUNK * WIDEST], initial[CHUNK * WIDEST], defined[CHUNK];
    bool partial = c->run->focus_count != 0;
    bool has_initial = c->buffer->initialised;
    double tolerance = c->run->launch->tolerance;
    if (!launch_run_read(c->run, c->buffer, first, count, got, defined) ||
        !evaluate_want(c, first, count, wanted))
        return false;
    if (partial && has_initial)
        evaluate_init(c, first, count, initial);
    for (uint64_t i = 0; i < count; i++) {
        const uint8_t *mine = got + i * c->width, *right = wanted + i * c->width;
        if (partial && (defined[i] == 0 ||
                        (has_initial && memcmp(mine, initial + i * c->width, c->width) == 0)))
            continue;
        c->compared++;
        if (defined[i] == 0 || !value_matches(c->type, mine, right, tolerance))
            add_wrong(c, first + i, defined[i] != 0, mine, right);
    }
    return true;
}

/* Elements that still are what they were. */
static bool compare_untouched(struct comparison *c, uint64_t first, uint64_t count)
{
    uint8_t wanted[CHUNK * WIDEST], initial[CHUNK * WIDEST];
    if (c->run->focus_count != 0)
        return true;
    if (!c->buffer->initialised) {
        static const uint8_t nothing[WIDEST];
        uint64_t shown = 0;
        for (; shown < count && c->wrong < EXAMPLES; shown++) {
            if (!evaluate_want(c, first + shown, 1, wanted))
                return false;
            add_wrong(c, first + shown, false, nothing, wanted);
        }
        c->wrong += count - shown;
        c->compared += count;
        return true;
    }
    if (c->buffer->length > UNTOUCHED_LIMIT)
        return true;
    for (uint64_t done = 0; done < count; done += CHUNK) {
        uint64_t part = count - done < CHUNK ? count - done : CHUNK;
        evaluate_init(c, first + done, part, initial);
        if (!evaluate_want(c, first + done, part, wanted))
            return false;
        for (uint64_t i = 0; i < part; i++)
            if (!value_matches(c->type, initial + i * c->width, wanted + i * c->width,
                               c->run->launch->tolerance))
                add_wrong(c, first + done + i, true, initial + i * c->width, wanted + i * c->width);
        c->compared += part;
    }
    return true;
}

/* ---- the finding ------------------------------------------------------------------------------------------ */

static const char *describe(struct comparison *c, const struct wrong_element *wrong, bool is_note)
{
    char got[32], wanted[32];
    struct arena *arena = c->run->arena;
    const char *name = c->buffer->argument->name;
    unsigned long long element = wrong->element;
    value_format(c->type, wrong->wanted, wanted);
    if (!wrong->is_written)
        return arena_printf(arena, "%s `%s[%llu]`, wanted %s", is_note ? "never wrote" : "never writes",
                            name, element, wanted);
    value_format(c->type, wrong->got, got);
    return arena_printf(arena, "%s %s in `%s[%llu]`, wanted %s", is_note ? "left" : "leaves", got, name,
                        element, wanted);
}

static bool has_error(const struct report_kernel *kernel)
{
    for (uint32_t i = 0; i < kernel->findings.count; i++)
        if (kernel->findings.data[i].severity == SEVERITY_ERROR &&
            kernel->findings.data[i].kind != FINDING_WRONG_RESULT)
            return true;
    return false;
}

static void add_note(struct launch_run *run, struct finding *finding, const char *message)
{
    *vec_push(run->arena, &finding->notes) = (struct finding_note){.message = message};
}

static void report_wrong(struct comparison *c)
{
    struct launch_run *run = c->run;
    bool is_consequence = has_error(run->kernel);
    struct finding *finding = run_add_finding(run, FINDING_WRONG_RESULT);
    char wrong[28], compared[28];
    finding->message = describe(c, &c->examples[0], false);
    finding->array = c->buffer->argument->name;
    finding->has_index = true;
    finding->index = (int64_t)c->examples[0].element;
    finding->extent = c->buffer->length;
    finding->element_size = c->width;
    finding->count = c->wrong;
    finding->label = arena_printf(run->arena, "%s of %s results compared %s wrong",
                                  text_group_digits(c->wrong, wrong),
                                  text_group_digits(c->compared, compared),
                                  c->wrong == 1 ? "is" : "are");
    for (uint64_t i = 1; i < c->wrong && i < EXAMPLES; i++)
        add_note(run, finding, describe(c, &c->examples[i], true));
    if (is_consequence) {
        finding->severity = SEVERITY_WARNING;
        add_note(run, finding, "may follow from the errors of this kernel");
    }
}

static bool compare_range(struct comparison *c, uint64_t first, uint64_t end)
{
    for (uint64_t at = first; at < end; at += CHUNK)
        if (!compare_touched(c, at, end - at < CHUNK ? end - at : CHUNK))
            return false;
    return true;
}

/* Touched parts and the gaps between them, in order. */
static bool compare_buffer(struct comparison *c)
{
    uint64_t done = 0; /* elements */
    uint64_t offset = 0, size = 0;
    while (emu_memory_next_touched(c->run->machine, c->buffer->address, &offset, &size)) {
        uint64_t first = offset / c->width, end = (offset + size + c->width - 1) / c->width;
        first = first < done ? done : first;
        end = end > c->buffer->length ? c->buffer->length : end;
        if (first > done && !compare_untouched(c, done, first - done))
            return false;
        if (end > first && !compare_range(c, first, end))
            return false;
        done = end > done ? end : done;
        offset += size;
        if (size == 0)
            break;
    }
    return done >= c->buffer->length || compare_untouched(c, done, c->buffer->length - done);
}

bool run_compare(struct launch_run *run)
{
    for (uint32_t i = 0; i < run->buffer_count; i++) {
        struct launch_buffer *buffer = &run->buffers[i];
        if (buffer->want == NULL)
            continue;
        struct comparison *c = ARENA_NEW(run->arena, struct comparison);
        c->run = run;
        c->buffer = buffer;
        c->type = buffer->argument->type;
        c->width = value_type_info(c->type)->size;
        bool good = buffer->argument->role == ROLE_SYMBOL ? compare_range(c, 0, buffer->length)
                                                          : compare_buffer(c);
        run->kernel->results_compared += c->compared;
        if (!good) {
            run_complain(run, buffer->argument->want.place, "`want` of `%s` %s at element %llu",
                         buffer->argument->name, expression_fault_text(c->fault),
                         (unsigned long long)c->fault_at);
            return false;
        }
        if (c->wrong != 0)
            report_wrong(c);
    }
    return true;
}
