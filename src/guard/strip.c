/* SPDX-License-Identifier: Apache-2.0
 *
 * Strip checks: an access whose address grows by the same step in each trip of a loop is checked once, before the loop.
 *
 * Requires: an innermost loop of one block (its jump back may be a second one), entered by falling into it, without calls, operations of a warp
 * alone or twins of wrap.c.  A loop with barriers that the whole block reaches is versioned, too: there the threads of a block choose together.  Gives: in front of the loop the first and the last offset of each such access, in 64 bits, and a branch to a
 * copy of the loop without their checks if all lie inside and no 32-bit number leaves its width on the way; the loop as it was, with its
 * checks, is the fallback, so a fault still stops at the right access.
 * Gives up on: anything else; then the checks stay where they are.
 */
#include "guard/strip.h"

#include <string.h>

/* ---- accesses --------------------------------------------------------------------------------------------------------------------- */

/* Is the address known in every trip?  Then its first and last offset are conditions. */
static bool test_access(struct strip *strip, const struct guard_point *point)
{
    struct guard_body *body = strip->body;
    const struct ptx_operand *operand = guard_address_operand(&body->source->instructions.data[point->instruction], point->operand);
    if ((point->number != 101 && point->number != 102) || point->base_count != 1 || operand->id == PTX_NONE || strip_register_size(strip, operand->id) != 8)
        return false;
    struct ptx_operand address = {.kind = PTX_OPERAND_REGISTER, .id = operand->id};
    uint32_t before = strip->ranges.count;
    struct progress number = strip_progress(strip, &address, point->instruction, false);
    if (!number.is_known) {
        strip->ranges.count = before;
        return false;
    }
    const char *base = guard_array_base(body, point->bases[0], point->written_space);
    const char *limit = guard_array_limit(body, point->bases[0], point->size);
    struct progress offset = number;
    offset.first = strip_emit(strip, "sub.s64", number.first != NULL ? number.first : "0", base);
    offset.offset = (int64_t)((uint64_t)number.offset + (uint64_t)operand->value);
    strip_require(strip, "lt.u64", strip_first(strip, offset), limit);
    if (offset.step != NULL)
        strip_require(strip, "lt.u64", strip_last(strip, offset), limit);
    return true;
}

/* ---- stepped pointers ------------------------------------------------------------------------------------------------------------------- */

static const char *pointer_for(struct strip *strip, const char *first, const char *step)
{
    for (uint32_t i = 0; i < strip->stepped.count; i++)
        if (strcmp(strip->stepped.data[i].first, first) == 0 && strcmp(strip->stepped.data[i].step, step) == 0)
            return strip->stepped.data[i].pointer;
    const char *pointer = guard_new_long(strip->body);
    guard_emit(strip->body, &strip->code, "mov.u64 %s, %s", pointer, first);
    *vec_push(strip->body->rewrite->arena, &strip->stepped) = (struct stepped){first, step, pointer};
    return pointer;
}

/* The only address of the instruction is made from a 32-bit number that grows: in the copy a 64-bit pointer takes its place. */
static bool step_access(struct strip *strip, uint32_t index)
{
    struct guard_body *body = strip->body;
    struct arena *arena = body->rewrite->arena;
    const struct ptx_instruction *instruction = &body->source->instructions.data[index];
    const struct ptx_operand *operand = guard_address_operand(instruction, 0);
    const char *text = body->rewrite->module->text + instruction->text_offset, *end = text + instruction->text_size;
    const char *open = memchr(text, '[', instruction->text_size), *close = memchr(text, ']', instruction->text_size);
    bool is_access = instruction->op == PTX_OP_ld || instruction->op == PTX_OP_st || instruction->op == PTX_OP_atom || instruction->op == PTX_OP_red;
    if (!is_access || operand == NULL || operand->id == PTX_NONE || strip_register_size(strip, operand->id) != 8 || open == NULL || close == NULL ||
        memchr(open + 1, '[', (size_t)(end - open - 1)) != NULL)
        return false;
    uint32_t ranges = strip->ranges.count;
    struct ptx_operand address = {.kind = PTX_OPERAND_REGISTER, .id = operand->id};
    struct progress number = strip_progress(strip, &address, index, false);
    int64_t offset = (int64_t)((uint64_t)number.offset + (uint64_t)operand->value);
    if (!number.is_known || number.first == NULL || number.step == NULL || strip->ranges.count == ranges || offset > INT32_MAX || offset < INT32_MIN) {
        strip->ranges.count = ranges;
        return false;
    }
    const char *pointer = pointer_for(strip, number.first, number.step);
    uint32_t at = instruction->text_offset + (uint32_t)(open - text) + 1;
    guard_edit_add(arena, &strip->addresses, at, (uint32_t)(close - open) - 1,
                   offset == 0 ? pointer : arena_printf(arena, "%s+%lld", pointer, (long long)offset));
    return true;
}

/* ---- the loop ------------------------------------------------------------------------------------------------------------------------ */

/* What threads do together in a loop: nothing; barriers of the whole block, and what else then; or something by which not all of a block go the same
 * way. */
enum meetings { MEETINGS_NONE, MEETINGS_BLOCK, MEETINGS_OTHER };

/* bar.sync 0: every thread of the block waits. */
static bool is_block_barrier(const struct ptx_instruction *instruction)
{
    return (instruction->op == PTX_OP_bar || instruction->op == PTX_OP_barrier) && instruction->mode == PTX_MODE_SYNC && instruction->guard == PTX_NONE &&
           instruction->operand_count == 1 && instruction->operands[0].kind == PTX_OPERAND_INTEGER;
}

static enum meetings find_meetings(const struct ptx_function *source, uint32_t first, uint32_t end, int64_t *barrier)
{
    enum meetings found = MEETINGS_NONE;
    bool has_lanes = false;
    for (uint32_t i = first; i < end; i++) {
        const struct ptx_instruction *instruction = &source->instructions.data[i];
        uint32_t flags = instruction->op == PTX_OP_OPAQUE ? PTX_FLAG_BRANCH : ptx_op_info((enum ptx_op)instruction->op)->flags;
        bool is_warp = (flags & (PTX_FLAG_WARP_SYNC | PTX_FLAG_MATRIX)) != 0 || (instruction->op == PTX_OP_bar && instruction->mode == PTX_MODE_WARP);
        if (instruction->op == PTX_OP_call || (i + 1 < end && (flags & PTX_FLAG_BRANCH) != 0))
            return MEETINGS_OTHER;
        if (is_block_barrier(instruction)) {
            found = MEETINGS_BLOCK;
            *barrier = instruction->operands[0].value;
        } else if ((flags & PTX_FLAG_BARRIER) != 0 && !is_warp) {
            return MEETINGS_OTHER;
        }
        has_lanes |= is_warp;
    }
    return has_lanes && found == MEETINGS_NONE ? MEETINGS_OTHER : found;
}

/* Every barrier is reached by its whole block: so is the way into a loop that has one. */
static bool barriers_are_proved(const struct guard_body *body)
{
    for (uint32_t v = 0; v < body->kernel->verdicts.count; v++)
        if (body->kernel->verdicts.data[v].kind == FINDING_BARRIER_DIVERGENCE && body->kernel->verdicts.data[v].proof != CHECK_PROVED)
            return false;
    return true;
}

static bool has_wraps(const struct guard_body *body)
{
    for (uint32_t p = 0; p < body->plan->points.count; p++)
        if (body->plan->points.data[p].wanted && body->plan->points.data[p].number == 103 && body->plan->points.data[p].function == body->function)
            return true;
    return false;
}

/* The end of a label's definition before `offset`, searching back to `from`: its first byte; GUARD_NONE: it is not there. */
static uint32_t label_offset(const struct guard_body *body, const char *name, uint32_t from, uint32_t offset)
{
    const char *text = body->rewrite->module->text;
    size_t size = strlen(name);
    for (uint32_t at = from; at + size < offset; at++)
        if (strncmp(text + at, name, size) == 0 && text[at + size + strspn(text + at + size, " \t")] == ':' &&
            strchr(" \t\n\r;{}", text[at - 1]) != NULL)
            return at;
    return GUARD_NONE;
}

/* The loop's text with the checks that stay, without the names of places in it; `note`: they skip and note. */
static void copy_block(struct strip *strip, const struct bitset *hoisted, uint32_t end, const char *note, struct buffer *out)
{
    struct guard_body *body = strip->body;
    const struct ptx_function *source = body->source;
    const char *text = body->rewrite->module->text;
    guard_edits own = strip->addresses, *others = body->edits;
    uint32_t from = source->instructions.data[strip->first].text_offset;
    uint32_t to = source->instructions.data[end - 1].text_offset + source->instructions.data[end - 1].text_size;
    body->edits = &own;
    for (uint32_t p = 0; p < body->plan->points.count; p++) {
        const struct guard_point *point = &body->plan->points.data[p];
        if (point->wanted && point->function == body->function && point->instruction >= strip->first && point->instruction < end &&
            !bitset_has(hoisted, p)) {
            if (note != NULL)
                guard_skip_load(body, point, note);
            else
                guard_write_check(body, point);
        }
    }
    body->edits = others;
    for (uint32_t l = 0; l < source->labels.count; l++) {
        const struct ptx_label *label = &source->labels.data[l];
        uint32_t at = label->target > strip->first && label->target <= end ? label_offset(body, label->name, from, to) : GUARD_NONE;
        if (at != GUARD_NONE)
            guard_edit_add(body->rewrite->arena, &own, at, (uint32_t)(strchr(text + at, ':') - (text + at)) + 1, "");
    }
    guard_edit_apply(text, from, to, &own, out);
}

struct loop_shape {
    uint32_t first, branch;  /* the block's first instruction and the one that leaves or repeats */
    uint32_t after;          /* the first instruction behind the loop */
    const char *header;      /* its label */
    bool meets;              /* at a barrier of the block, which has this number */
    int64_t barrier;
    const char *leaves_to;   /* label; NULL: it falls out */
    bool repeats_if_true;
};

static const char *label_of(const struct ptx_instruction *branch)
{
    for (uint32_t i = 0; i < branch->operand_count; i++)
        if (branch->operands[i].kind == PTX_OPERAND_LABEL)
            return branch->operands[i].text;
    return NULL;
}

static bool find_shape(const struct ir_cfg *cfg, uint32_t index, struct loop_shape *shape)
{
    const struct ir_loop *loop = &cfg->loops[index];
    const struct ptx_function *source = cfg->source;
    uint32_t header = loop->header, count = loop->order_end - loop->order_first;
    const struct ir_block *block = &cfg->blocks[header];
    if (loop->irreducible || loop->latch_count != 1 || count > 2 || block->end == block->first || header == 0)
        return false;
    const struct ptx_instruction *branch = &source->instructions.data[block->end - 1];
    if (branch->op != PTX_OP_bra || branch->guard == PTX_NONE || block->predecessor_count != 2 ||
        cfg->blocks[header - 1].fallthrough != header)
        return false;
    for (uint32_t p = 0; p < 2; p++) /* entered by falling into it alone */
        if (block->predecessors[p] != loop->latches[0] && block->predecessors[p] != header - 1)
            return false;
    const struct ptx_instruction *before = &source->instructions.data[cfg->blocks[header - 1].end - 1];
    if (cfg->blocks[header - 1].end == cfg->blocks[header - 1].first)
        return false;
    *shape = (struct loop_shape){.first = block->first, .branch = block->end - 1, .after = block->end};
    if (count == 1) {
        shape->repeats_if_true = true;
        shape->header = label_of(branch);
    } else {
        uint32_t latch = loop->latches[0];
        const struct ir_block *back = &cfg->blocks[latch];
        if (latch != header + 1 || back->end - back->first != 1 || source->instructions.data[back->first].op != PTX_OP_bra ||
            source->instructions.data[back->first].guard != PTX_NONE || block->fallthrough != latch)
            return false;
        shape->leaves_to = label_of(branch);
        shape->header = label_of(&source->instructions.data[back->first]);
        shape->after = back->end;
        if (shape->leaves_to == NULL)
            return false;
    }
    return shape->header != NULL && !(before->op == PTX_OP_bra && label_of(before) != NULL && strcmp(label_of(before), shape->header) == 0);
}

static void version_loop(struct guard_body *body, const struct loop_shape *shape)
{
    struct arena *arena = body->rewrite->arena;
    const struct ptx_function *source = body->source;
    const struct ptx_instruction *branch = &source->instructions.data[shape->branch];
    struct strip strip = {.body = body, .first = shape->first, .end = shape->branch};
    struct bitset hoisted;
    uint32_t count = 0, previous = shape->first - 1, added = body->added;
    uint32_t at = label_offset(body, shape->header,
                               source->instructions.data[previous].text_offset + source->instructions.data[previous].text_size,
                               source->instructions.data[shape->first].text_offset);
    buffer_init(&strip.code, arena);
    bitset_init(&hoisted, arena, body->plan->points.count + 1);
    bool goes_on_if_false = branch->guard_negated ? shape->repeats_if_true : !shape->repeats_if_true;
    if (at == GUARD_NONE || !strip_find_trips(&strip, branch->guard, goes_on_if_false)) {
        body->added = added;
        return;
    }
    for (uint32_t p = 0; p < body->plan->points.count; p++) {
        const struct guard_point *point = &body->plan->points.data[p];
        if (point->wanted && point->function == body->function && point->instruction >= shape->first && point->instruction < shape->branch &&
            test_access(&strip, point)) {
            bitset_add(&hoisted, p);
            count++;
        }
    }
    uint32_t stepped = 0;
    for (uint32_t i = shape->first; i < shape->branch && body->rewrite->options->optimise; i++)
        stepped += step_access(&strip, i);
    struct buffer save, restore;
    buffer_init(&save, arena);
    buffer_init(&restore, arena);
    bool defers = !shape->meets && strip_can_defer(&strip, &hoisted, branch->guard) && strip_save_registers(&strip, &save, &restore);
    if (count + stepped == 0 && !defers) {
        body->added = added;
        return;
    }
    strip_test_ranges(&strip);
    const char *note = defers ? guard_new_predicate(body) : NULL;
    const char *copy = guard_new_label(body), *out = shape->leaves_to;
    if (shape->meets) { /* all threads of the block go the same way: where one does not fit, none takes the copy */
        const char *all_fit = guard_new_predicate(body);
        guard_emit(body, &strip.code, "bar.red.and.pred %s, %lld, %s", all_fit, (long long)shape->barrier, strip.fits);
        strip.fits = all_fit;
    }
    const char *enter = defers ? guard_new_label(body) : copy;
    if (strip.fits != NULL)
        guard_emit(body, &strip.code, "@%s bra %s", strip.fits, enter);
    else
        guard_emit(body, &strip.code, "bra %s", enter);
    guard_edit_add(arena, body->edits, at, 0, arena_printf(arena, "%s\n", strip.code.data));
    if (out == NULL) {
        out = guard_new_label(body);
        const struct ptx_instruction *last = &source->instructions.data[shape->after - 1];
        guard_edit_add(arena, body->edits, last->text_offset + last->text_size, 0, arena_printf(arena, "\n%s:", out));
    }
    if (defers) {
        guard_emit_label(&body->copies, enter);
        buffer_printf(&body->copies, "%ssetp.ne.s32 %s, 0, 0;\n\t", save.data != NULL ? save.data : "", note);
    }
    guard_emit_label(&body->copies, copy);
    uint32_t before = body->added;
    copy_block(&strip, &hoisted, shape->branch, note, &body->copies);
    body->added = before;
    buffer_puts(&body->copies, "\n\t");
    for (uint32_t i = 0; i < strip.stepped.count; i++) {
        const struct stepped *pointer = &strip.stepped.data[i];
        buffer_printf(&body->copies, "add.s64 %s, %s, %s;\n\t", pointer->pointer, pointer->pointer, pointer->step);
    }
    const char *condition = strip_register_name(&strip, branch->guard);
    if (defers) { /* what was skipped is met again, by the loop that stops there */
        bool repeats_if_not = branch->guard_negated ? shape->repeats_if_true : !shape->repeats_if_true;
        buffer_printf(&body->copies, "@%s%s bra %s;\n\t", repeats_if_not ? "!" : "", condition, copy);
        buffer_printf(&body->copies, "@!%s bra %s;\n\t%sbra %s;\n\t", note, out, restore.data != NULL ? restore.data : "", shape->header);
    } else { /* in the form of the original: ptxas unrolls this one, but not the same with the branch turned round (an H200: 0.34 ms and 0.51) */
        buffer_printf(&body->copies, "@%s%s bra %s;\n\tbra %s;\n\t", branch->guard_negated ? "!" : "", condition,
                      shape->repeats_if_true ? copy : out, shape->repeats_if_true ? out : copy);
    }
    body->kernel->instructions_copied += shape->branch - shape->first + 2 + strip.stepped.count;
    body->kernel->accesses_hoisted += count;
    body->kernel->loops_deferred += defers;
    body->kernel->accesses_stepped += stepped;
    body->kernel->loops++;
}

void guard_strip_loops(struct guard_body *body)
{
    bool wanted = body->rewrite->options->optimise;
    for (uint32_t p = 0; p < body->plan->points.count; p++)
        wanted |= body->plan->points.data[p].wanted && body->plan->points.data[p].function == body->function;
    if (!wanted || body->rewrite->options->check_all || has_wraps(body))
        return;
    const struct ir_cfg *cfg = ir_cfg_build(body->rewrite->arena, body->rewrite->module, body->function);
    bool is_kernel = body->function == body->plan->result->function;
    for (uint32_t l = 0; l < cfg->loop_count; l++) {
        struct loop_shape shape;
        if (!find_shape(cfg, l, &shape))
            continue;
        enum meetings meetings = find_meetings(body->source, shape.first, shape.branch + 1, &shape.barrier);
        shape.meets = meetings == MEETINGS_BLOCK;
        if (meetings == MEETINGS_NONE || (shape.meets && is_kernel && barriers_are_proved(body)))
            version_loop(body, &shape);
    }
}
