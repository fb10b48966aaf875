/* SPDX-License-Identifier: Apache-2.0
 *
 * What a build did, for people and as JSON.
 */
#include "guard/guard.h"

#include <string.h>

static const char *plural(uint32_t count)
{
    return count == 1 ? "" : "s";
}

static void print_place(struct buffer *out, struct place place)
{
    if (place.column != 0)
        buffer_printf(out, "%s:%u:%u", place.file != NULL ? place.file : "?", place.line, place.column);
    else
        buffer_printf(out, "%s:%u", place.file != NULL ? place.file : "?", place.line);
}

/* ---- text ------------------------------------------------------------------------------------------------------------------ */

static void print_verdict(const struct guard_verdict *verdict, struct buffer *out)
{
    const struct finding_info *info = finding_info(verdict->kind);
    buffer_printf(out, "  LW%u at ", info->number);
    print_place(out, verdict->place);
    if (verdict->array != NULL)
        buffer_printf(out, ", `%s`", verdict->array);
    buffer_printf(out, ": %s", guard_outcome_name(verdict->outcome));
    if (verdict->outcome == GUARD_CHECKED && verdict->proof == CHECK_PROVED)
        buffer_puts(out, " though proved");
    else if (verdict->proof == CHECK_VIOLATED)
        buffer_puts(out, ": violated by a launch that the contract admits; `lanewise check` shows it");
    else if (verdict->reason != NULL)
        buffer_printf(out, ": %s", verdict->reason);
    buffer_putc(out, '\n');
    if (verdict->suggestion != NULL && verdict->outcome != GUARD_PROVED)
        buffer_printf(out, "    would help: %s\n", verdict->suggestion);
    if (verdict->condition != NULL && verdict->outcome != GUARD_PROVED)
        buffer_printf(out, "    would prove it: LW_REQUIRES(%s)\n", verdict->condition);
}

static void print_counts(const struct guard_kernel *kernel, struct buffer *out)
{
    static const enum guard_outcome order[] = {GUARD_PROVED,    GUARD_CHECKED,  GUARD_NOT_CHECKABLE,
                                               GUARD_UNCHECKED, GUARD_REPORTED, GUARD_UNREACHABLE};
    const char *before = "";
    for (unsigned i = 0; i < COUNT_OF(order); i++) {
        if (kernel->counts[order[i]] == 0)
            continue;
        buffer_printf(out, "%s%u %s", before, kernel->counts[order[i]], guard_outcome_name(order[i]));
        before = ", ";
    }
    if (before[0] == 0)
        buffer_puts(out, "no sites");
}

/* Whether --split can pay, in words.  The numbers are of an H200: a launch that follows another costs it so long, and so many instructions of a
 * warp it issues meanwhile, when nothing else holds it up (docs/build.md). */
static void print_worth(const struct guard_split *split, struct buffer *out)
{
    enum { LAUNCH_NANOSECONDS = 2000, WARP_INSTRUCTIONS_PER_NANOSECOND = 900, HEAVY = 25 };
    char digits[28];
    if (split->removed <= split->added)
        buffer_puts(out, "    does not pay: a thread has no fewer instructions than before\n");
    else if ((split->loops != 0 && !split->decides_in_loop) || (split->removed - split->added) * HEAVY < split->whole)
        buffer_puts(out, "    does not pay: the body is so heavy that it hides the test\n");
    else
        buffer_printf(out, "    pays from about %s threads at the earliest: below, the second launch costs more than the test (on an H200)\n",
                      text_group_digits((uint64_t)LAUNCH_NANOSECONDS * WARP_INSTRUCTIONS_PER_NANOSECOND * 32 / (split->removed - split->added) /
                                            1000000 * 1000000, digits));
}

static void print_split(const struct guard_kernel *kernel, struct buffer *out)
{
    const struct guard_split *split = &kernel->split;
    if (!split->is_asked)
        return;
    if (split->obstacle != NULL) {
        buffer_printf(out, "  not split: %s\n", split->obstacle);
        return;
    }
    buffer_printf(out, "  split: `%s__bulk` leaves out %u of %u instructions and needs %u to find its place; with `%s__tail` the module grows by %u\n",
                  kernel->shown, split->removed, split->whole, split->added, kernel->shown, split->grown);
    if (split->whole_tail != NULL)
        buffer_printf(out, "    a tail has all threads of its block: %s\n", split->whole_tail);
    print_worth(split, out);
}

static void print_kernel(const struct guard_kernel *kernel, bool verbose, struct buffer *out)
{
    buffer_printf(out, "%s: ", kernel->shown);
    print_counts(kernel, out);
    if (kernel->is_unchanged)
        buffer_printf(out, "; identical instructions (%u)\n", kernel->instructions);
    else
        buffer_printf(out, "; %u instruction%s + %u, and %u that only a failing check reaches\n", kernel->instructions,
                      plural(kernel->instructions), kernel->instructions_added, kernel->instructions_cold);
    if (kernel->loops != 0)
        buffer_printf(out, "  %u loop%s with a copy (%u instructions) for when one test before it holds: %u access%s checked there, %u with stepped pointers\n",
                      kernel->loops, plural(kernel->loops), kernel->instructions_copied, kernel->accesses_hoisted,
                      kernel->accesses_hoisted == 1 ? "" : "es", kernel->accesses_stepped);
    if (kernel->loops_deferred != 0)
        buffer_printf(out, "  in %u of them the other checks have no branch: a load outside is skipped, and the loop runs once more with checks that stop there\n",
                      kernel->loops_deferred);
    if (kernel->implied != 0)
        buffer_printf(out, "  %u access%s no check: checks before %s prove %s\n", kernel->implied, kernel->implied == 1 ? " needs" : "es need",
                      kernel->implied == 1 ? "it" : "them", kernel->implied == 1 ? "it" : "them");
    print_split(kernel, out);
    if (kernel->counts[GUARD_UNCHECKED] != 0)
        buffer_printf(out, "  unchecked indexing: %s; run `lanewise test` first\n", kernel->unchecked_reason);
    for (uint32_t v = 0; v < kernel->verdicts.count; v++) {
        enum guard_outcome outcome = kernel->verdicts.data[v].outcome;
        bool is_open = outcome != GUARD_PROVED && outcome != GUARD_UNREACHABLE;
        if (is_open || verbose)
            print_verdict(&kernel->verdicts.data[v], out);
    }
}

void guard_print_text(const struct guard_module *module, bool verbose, struct buffer *out)
{
    uint32_t choices = 0;
    for (uint32_t k = 0; k < module->kernels.count; k++) {
        print_kernel(&module->kernels.data[k], verbose, out);
        choices += module->kernels.data[k].counts[GUARD_CHECKED] + module->kernels.data[k].counts[GUARD_NOT_CHECKABLE];
    }
    if (choices != 0)
        buffer_puts(out, "Can a shape, a value range or a view express the access? Write it: safe, and as fast as raw. If not, and "
                         "`lanewise test` is clean: LW_UNCHECKED_INDEXING, documented like unsafe code. Otherwise keep the check.\n");
}

/* ---- JSON ------------------------------------------------------------------------------------------------------------------- */

static void write_place(struct json_writer *json, struct place place)
{
    json_add_text(json, "file", place.file);
    json_add_number(json, "line", place.line);
    json_add_number(json, "column", place.column);
}

static void write_id(struct json_writer *json, struct buffer *scratch, uint32_t number)
{
    scratch->size = 0;
    buffer_printf(scratch, number == 1 ? "contract" : "LW%u", number);
    json_add_text(json, "id", scratch->data);
}

static const char *proof_name(enum check_verdict verdict)
{
    static const char *const names[] = {[CHECK_UNREACHABLE] = "unreachable", [CHECK_PROVED] = "proved", [CHECK_NOT_ANALYSED] = "not analysed",
                                        [CHECK_UNPROVED] = "unproved", [CHECK_VIOLATED] = "violated"};
    return names[verdict];
}

static void write_verdict(struct json_writer *json, struct buffer *scratch, const struct guard_verdict *verdict)
{
    json_object_begin(json);
    write_id(json, scratch, finding_info(verdict->kind)->number);
    json_add_text(json, "kind", finding_info(verdict->kind)->kind);
    write_place(json, verdict->place);
    json_add_text(json, "array", verdict->array);
    json_add_text(json, "outcome", guard_outcome_name(verdict->outcome));
    json_add_text(json, "proof", proof_name(verdict->proof));
    json_add_number(json, "instructions", verdict->copies);
    json_add_number(json, "checks", verdict->checks);
    json_add_optional(json, "reason", verdict->reason);
    json_add_optional(json, "suggestion", verdict->suggestion);
    json_add_optional(json, "condition", verdict->condition);
    json_object_end(json);
}

static void write_split(struct json_writer *json, const struct guard_split *split)
{
    if (!split->is_asked)
        return;
    json_key(json, "split");
    json_object_begin(json);
    json_add_optional(json, "obstacle", split->obstacle);
    if (split->bulk != NULL) {
        json_add_text(json, "bulk", split->bulk);
        json_add_text(json, "tail", split->tail);
        json_add_optional(json, "whole_tail", split->whole_tail);
        json_add_number(json, "instructions_removed", split->removed);
        json_add_number(json, "instructions_added", split->added);
        json_add_number(json, "instructions", split->whole);
        json_add_number(json, "instructions_of_parts", split->grown);
    }
    json_object_end(json);
}

static void write_kernel(struct json_writer *json, struct buffer *scratch, const struct guard_kernel *kernel)
{
    static const char *const keys[GUARD_OUTCOME_COUNT] = {"proved", "unreachable", "checked", "not_checkable", "unchecked", "reported"};
    json_object_begin(json);
    json_add_text(json, "name", kernel->shown);
    json_add_text(json, "entry", kernel->name);
    write_place(json, kernel->place);
    json_key(json, "contract");
    json_boolean(json, kernel->has_contract);
    json_key(json, "sites");
    json_object_begin(json);
    for (int outcome = 0; outcome < GUARD_OUTCOME_COUNT; outcome++)
        json_add_number(json, keys[outcome], kernel->counts[outcome]);
    json_object_end(json);
    json_add_number(json, "instructions", kernel->instructions);
    json_add_number(json, "instructions_added", kernel->instructions_added);
    json_add_number(json, "instructions_on_failure", kernel->instructions_cold);
    json_add_number(json, "accesses_proved_by_checks", kernel->implied);
    json_add_number(json, "loops_checked_before", kernel->loops);
    json_add_number(json, "loops_that_skip", kernel->loops_deferred);
    json_add_number(json, "instructions_copied", kernel->instructions_copied);
    json_add_number(json, "accesses_checked_before_loops", kernel->accesses_hoisted);
    json_add_number(json, "accesses_with_stepped_pointers", kernel->accesses_stepped);
    json_key(json, "identical");
    json_boolean(json, kernel->is_unchanged);
    json_add_optional(json, "unchecked_indexing", kernel->unchecked_reason);
    if (kernel->required_block[0] != 0) {
        json_key(json, "block");
        json_array_begin(json);
        for (int axis = 0; axis < 3; axis++)
            json_unsigned(json, kernel->required_block[axis]);
        json_array_end(json);
    }
    write_split(json, &kernel->split);
    json_key(json, "verdicts");
    json_array_begin(json);
    for (uint32_t v = 0; v < kernel->verdicts.count; v++)
        write_verdict(json, scratch, &kernel->verdicts.data[v]);
    json_array_end(json);
    json_object_end(json);
}

static void write_site(struct json_writer *json, struct buffer *scratch, const struct guard_module *module, uint32_t index)
{
    const struct guard_site *site = &module->sites.data[index];
    json_object_begin(json);
    json_add_number(json, "site", index);
    json_add_text(json, "kernel", module->kernels.data[site->kernel].shown);
    write_id(json, scratch, site->number);
    write_place(json, site->place);
    json_add_text(json, "array", site->array);
    json_add_optional(json, "condition", site->what);
    json_add_number(json, "element_size", site->element_size);
    json_add_number(json, "access_size", site->access_size);
    json_key(json, "write");
    json_boolean(json, site->is_write);
    json_key(json, "violated");
    json_boolean(json, site->is_violated);
    json_add_number(json, "places", site->copies);
    json_object_end(json);
}

void guard_print_json(const struct guard_module *module, const char *version, struct buffer *out)
{
    struct json_writer json;
    struct buffer scratch;
    buffer_init(&scratch, out->arena);
    json_init(&json, out, true);
    json_object_begin(&json);
    json_add_text(&json, "schema", "lanewise-build/1");
    json_add_optional(&json, "version", version);
    json_add_text(&json, "source", module->source);
    json_key(&json, "kernels");
    json_array_begin(&json);
    for (uint32_t k = 0; k < module->kernels.count; k++)
        write_kernel(&json, &scratch, &module->kernels.data[k]);
    json_array_end(&json);
    json_key(&json, "checks");
    json_array_begin(&json);
    for (uint32_t s = 0; s < module->sites.count; s++)
        write_site(&json, &scratch, module, s);
    json_array_end(&json);
    json_object_end(&json);
    buffer_putc(out, '\n');
}
