/* SPDX-License-Identifier: Apache-2.0
 *
 * What a failing check does: it writes the fault record (launch/fault.h) and traps, or, where the host gave no record, calls __assertfail.
 *
 * All checks of a body share one end, in front of its closing brace; each has a few instructions of its own before it that say which
 * check it is.  None of this is on the way of a thread that breaks nothing.
 */
#include "guard/rewrite.h"

#include <string.h>

enum { RECORD_SITE = 4, RECORD_BLOCK = 8, RECORD_THREAD = 20, RECORD_INDEX = 32, RECORD_EXTENT = 40, RECORD_KIND = 48 };
_Static_assert(offsetof(struct launch_fault_record, site) == RECORD_SITE, "fault.h");
_Static_assert(offsetof(struct launch_fault_record, block) == RECORD_BLOCK, "fault.h");
_Static_assert(offsetof(struct launch_fault_record, thread) == RECORD_THREAD, "fault.h");
_Static_assert(offsetof(struct launch_fault_record, index) == RECORD_INDEX, "fault.h");
_Static_assert(offsetof(struct launch_fault_record, extent) == RECORD_EXTENT, "fault.h");
_Static_assert(offsetof(struct launch_fault_record, kind) == RECORD_KIND, "fault.h");

/* ---- sites -------------------------------------------------------------------------------------------------------------- */

static uint32_t find_site(struct guard_body *body, const struct guard_failure *failure)
{
    struct guard_module *out = body->rewrite->out;
    const struct guard_point *point = failure->point;
    const struct guard_verdict *verdict = failure->what != NULL ? NULL : &body->kernel->verdicts.data[point->verdict_index];
    struct guard_site site = {.kernel = body->kernel_index,
                              .number = point->number,
                              .place = verdict != NULL ? verdict->place : failure->place,
                              .what = failure->what,
                              .array = failure->array,
                              .element_size = failure->element,
                              .access_size = failure->access,
                              .is_write = point->is_write,
                              .is_violated = verdict != NULL && verdict->proof == CHECK_VIOLATED,
                              .copies = 1};
    for (uint32_t s = 0; s < out->sites.count; s++) {
        struct guard_site *known = &out->sites.data[s];
        if (known->kernel == site.kernel && known->number == site.number && known->place.line == site.place.line &&
            text_equal(known->place.file, site.place.file) && text_equal(known->array, site.array) && text_equal(known->what, site.what) &&
            known->element_size == site.element_size && known->access_size == site.access_size && known->is_write == site.is_write) {
            known->copies++;
            return s;
        }
    }
    *vec_push(body->rewrite->arena, &out->sites) = site;
    return out->sites.count - 1;
}

/* ---- one check ------------------------------------------------------------------------------------------------------------ */

/* A number in bytes becomes one in elements; `is_signed`: rounded down. */
static const char *in_elements(struct guard_body *body, const char *bytes, uint32_t element, bool is_signed)
{
    if (element <= 1)
        return bytes;
    const char *result = guard_new_long(body);
    unsigned shift = 0;
    while ((1u << shift) < element && shift < 31)
        shift++;
    if (1u << shift == element && bytes[0] == '%')
        guard_emit(body, &body->cold, "shr.%c64 %s, %s, %u", is_signed ? 's' : 'u', result, bytes, shift);
    else {
        const char *number = guard_new_long(body);
        guard_emit(body, &body->cold, "mov.u64 %s, %s", number, bytes);
        guard_emit(body, &body->cold, "div.%c64 %s, %s, %u", is_signed ? 's' : 'u', result, number, element);
    }
    return result;
}

/* Names of the registers that all checks of a body set. */
static const char *shared(struct guard_body *body, const char *what)
{
    return arena_printf(body->rewrite->arena, "%%%sfault_%s", body->rewrite->prefix, what);
}

const char *guard_failure_label(struct guard_body *body, const struct guard_failure *failure)
{
    struct guard_rewrite *rewrite = body->rewrite;
    uint32_t site = find_site(body, failure);
    const char *label = guard_new_label(body);
    while (rewrite->has_message.count <= site)
        *vec_push(rewrite->arena, &rewrite->has_message) = 0;
    rewrite->has_message.data[site] = 1;
    body->has_fault = true;
    guard_emit_label(&body->cold, label);
    const char *bytes = failure->index;
    if (failure->start != NULL) {
        bytes = guard_new_long(body);
        guard_emit(body, &body->cold, "sub.s64 %s, %s, %s", bytes, failure->index, failure->start);
    }
    const char *index = in_elements(body, bytes, failure->element, true);
    const char *extent = in_elements(body, failure->extent, failure->element, false);
    guard_emit(body, &body->cold, "mov.u64 %s, %s", shared(body, "index"), index);
    guard_emit(body, &body->cold, "mov.u64 %s, %s", shared(body, "extent"), extent);
    guard_emit(body, &body->cold, "mov.u32 %s, %u", shared(body, "site"), site);
    guard_emit(body, &body->cold, "mov.u32 %s, %u", shared(body, "kind"), failure->point->number);
    guard_emit(body, &body->cold, "mov.u64 %s, %smessage_%u", shared(body, "message"), rewrite->prefix, site);
    guard_emit(body, &body->cold, "bra $%s%u_fault", rewrite->prefix, body->function);
    return label;
}

/* ---- the common end --------------------------------------------------------------------------------------------------------- */

static void store_specials(struct guard_body *body, const char *record, const char *special, unsigned offset)
{
    for (unsigned axis = 0; axis < 3; axis++) {
        const char *word = guard_new_word(body);
        guard_emit(body, &body->cold, "mov.u32 %s, %s.%c", word, special, "xyz"[axis]);
        guard_emit(body, &body->cold, "st.volatile.u32 [%s+%u], %s", record, offset + 4 * axis, word);
    }
}

static void write_record(struct guard_body *body, const char *record)
{
    struct buffer *out = &body->cold;
    const char *done = guard_new_word(body);
    guard_emit(body, out, "st.volatile.u32 [%s+%u], %s", record, RECORD_SITE, shared(body, "site"));
    store_specials(body, record, "%ctaid", RECORD_BLOCK);
    store_specials(body, record, "%tid", RECORD_THREAD);
    guard_emit(body, out, "st.volatile.u64 [%s+%u], %s", record, RECORD_INDEX, shared(body, "index"));
    guard_emit(body, out, "st.volatile.u64 [%s+%u], %s", record, RECORD_EXTENT, shared(body, "extent"));
    guard_emit(body, out, "st.volatile.u32 [%s+%u], %s", record, RECORD_KIND, shared(body, "kind"));
    guard_emit(body, out, "membar.sys");
    guard_emit(body, out, "mov.u32 %s, %d", done, LAUNCH_FAULT_COMPLETE);
    guard_emit(body, out, "st.volatile.u32 [%s], %s", record, done);
    guard_emit(body, out, "membar.sys");
    guard_emit(body, out, "trap");
}

static void assert_fails(struct guard_body *body)
{
    struct buffer *out = &body->cold;
    const char *prefix = body->rewrite->prefix;
    static const char *const names[] = {"message", "file", "line", "function", "size"};
    const char *values[5], *line = guard_new_word(body), *text = guard_new_long(body);
    values[0] = guard_new_long(body);
    guard_emit(body, out, "cvta.global.u64 %s, %s", values[0], shared(body, "message"));
    values[1] = guard_new_long(body);
    guard_emit(body, out, "mov.u64 %s, %sfile", text, prefix);
    guard_emit(body, out, "cvta.global.u64 %s, %s", values[1], text);
    guard_emit(body, out, "mov.u32 %s, 0", line);
    values[2] = line;
    values[3] = guard_new_long(body);
    const char *function = guard_new_long(body);
    guard_emit(body, out, "mov.u64 %s, %skernel_%u", function, prefix, body->kernel_index);
    guard_emit(body, out, "cvta.global.u64 %s, %s", values[3], function);
    values[4] = guard_new_long(body);
    guard_emit(body, out, "mov.u64 %s, 1", values[4]);
    buffer_puts(out, "{\n\t");
    for (unsigned i = 0; i < COUNT_OF(names); i++) {
        const char *type = i == 2 ? "b32" : "b64";
        buffer_printf(out, ".param .%s %s%s;\n\t", type, prefix, names[i]);
        guard_emit(body, out, "st.param.%s [%s%s], %s", type, prefix, names[i], values[i]);
    }
    guard_emit(body, out, "call.uni __assertfail, (%smessage, %sfile, %sline, %sfunction, %ssize)", prefix, prefix, prefix, prefix,
               prefix);
    buffer_puts(out, "}\n\t");
    guard_emit(body, out, "trap");
}

void guard_fault_end(struct guard_body *body)
{
    struct buffer *out = &body->cold;
    struct arena *arena = body->rewrite->arena;
    const char *prefix = body->rewrite->prefix;
    static const char *const words[] = {"site", "kind"}, *const longs[] = {"index", "extent", "message"};
    for (unsigned i = 0; i < COUNT_OF(words); i++)
        buffer_printf(&body->declarations, "\n\t.reg .b32 %s;", shared(body, words[i]));
    for (unsigned i = 0; i < COUNT_OF(longs); i++)
        buffer_printf(&body->declarations, "\n\t.reg .b64 %s;", shared(body, longs[i]));
    const char *record = guard_new_long(body), *none = guard_new_predicate(body), *lost = guard_new_predicate(body);
    const char *old = guard_new_word(body), *state = guard_new_word(body), *unfinished = guard_new_predicate(body);
    const char *wait = guard_new_label(body), *no_record = guard_new_label(body);
    guard_emit_label(out, arena_printf(arena, "$%s%u_fault", prefix, body->function));
    guard_emit(body, out, "ld.volatile.global.u64 %s, [%s]", record, LAUNCH_FAULT_VARIABLE);
    guard_emit(body, out, "setp.eq.s64 %s, %s, 0", none, record);
    guard_emit(body, out, "@%s bra %s", none, no_record);
    guard_emit(body, out, "atom.cas.b32 %s, [%s], %d, %d", old, record, LAUNCH_FAULT_NONE, LAUNCH_FAULT_WRITING);
    guard_emit(body, out, "setp.ne.s32 %s, %s, %d", lost, old, LAUNCH_FAULT_NONE);
    guard_emit(body, out, "@%s bra %s", lost, wait);
    write_record(body, record);
    guard_emit_label(out, wait);
    guard_emit(body, out, "ld.volatile.u32 %s, [%s]", state, record);
    guard_emit(body, out, "setp.ne.s32 %s, %s, %d", unfinished, state, LAUNCH_FAULT_COMPLETE);
    guard_emit(body, out, "@%s bra %s", unfinished, wait);
    guard_emit(body, out, "trap");
    guard_emit_label(out, no_record);
    assert_fails(body);
}

/* ---- declarations ---------------------------------------------------------------------------------------------------------------- */

static void declare_text(struct guard_rewrite *rewrite, const char *name, const char *text)
{
    size_t size = strlen(text) + 1;
    buffer_printf(&rewrite->constants, ".global .align 1 .b8 %s[%zu] = {", name, size);
    for (size_t i = 0; i < size; i++)
        buffer_printf(&rewrite->constants, "%s%u", i == 0 ? "" : ", ", (unsigned char)text[i]);
    buffer_puts(&rewrite->constants, "};\n");
}

/* "reads `a` out of bounds, scale.cu:12" */
static const char *message(struct guard_rewrite *rewrite, const struct guard_site *site)
{
    struct arena *arena = rewrite->arena;
    const char *array = site->array != NULL ? arena_printf(arena, "`%s`", site->array) : "memory";
    const char *place = arena_printf(arena, "%s:%u", site->place.file != NULL ? site->place.file : rewrite->out->source, site->place.line);
    switch (site->number) {
    case 101:
    case 102:
        return arena_printf(arena, "LW%u: %s %s out of bounds, %s", site->number, site->is_write ? "writes" : "reads", array, place);
    case 103:
        return arena_printf(arena, "LW103: an index of %s left its 32 bits, %s", array, place);
    case 105:
        return arena_printf(arena, "LW105: misaligned access to %s, %s", array, place);
    case 106:
        return arena_printf(arena, "LW106: division by zero, %s", place);
    case 404:
        return arena_printf(arena, "LW404: a check fails, %s", place);
    default:
        return arena_printf(arena, "the launch breaks its contract: %s", site->what != NULL ? site->what : "");
    }
}

void guard_fault_declare(struct guard_rewrite *rewrite)
{
    struct guard_module *out = rewrite->out;
    struct arena *arena = rewrite->arena;
    buffer_printf(&rewrite->constants, ".visible .global .align 8 .u64 %s = 0;\n", LAUNCH_FAULT_VARIABLE);
    if (ptx_find_function(rewrite->module, "__assertfail") == PTX_NONE)
        buffer_printf(&rewrite->constants, ".extern .func __assertfail (.param .b64 %sm, .param .b64 %sf, .param .b32 %sl, "
                                           ".param .b64 %sn, .param .b64 %ss);\n",
                      rewrite->prefix, rewrite->prefix, rewrite->prefix, rewrite->prefix, rewrite->prefix);
    declare_text(rewrite, arena_printf(arena, "%sfile", rewrite->prefix), out->source);
    for (uint32_t k = 0; k < out->kernels.count; k++)
        declare_text(rewrite, arena_printf(arena, "%skernel_%u", rewrite->prefix, k), out->kernels.data[k].shown);
    for (uint32_t s = 0; s < out->sites.count && s < rewrite->has_message.count; s++)
        declare_text(rewrite, arena_printf(arena, "%smessage_%u", rewrite->prefix, s), message(rewrite, &out->sites.data[s]));
    out->has_fault_variable = true;
}
