/* SPDX-License-Identifier: Apache-2.0
 *
 * Endless waiting (LW205): threads that go round a loop in which nothing changes any more.
 *
 * When every block that a worker holds has used up its turns and no other block can start or is still running elsewhere, each group that can run is
 * followed once round its loop, back to the place where it was.  If all its registers are as before and no store or atomic has changed a byte,
 * in any of the blocks, then the same will happen for ever: a finding, and the launch ends.  A loop that counts, or reads a clock, changes
 * its registers: it ends at the step limit.
 */
#include "emu/emu_core.h"

#include <stdlib.h>

enum { ROUND_LIMIT = 20000 }; /* operations of one round */

/* Follows a group back to where it is now; true if it gets there with nothing changed. */
static bool group_repeats(struct emu_warp *warp, uint32_t number)
{
    struct emu_group before = warp->groups[number];
    struct emu_frame *frame = before.frame;
    size_t size = frame->function->file_size;
    char *saved = malloc(size + 1);
    if (saved == NULL)
        return false;
    memcpy(saved, frame->registers, size);
    uint64_t changes = warp->block->worker->changes;
    bool repeats = false;
    for (uint32_t step = 0; step < ROUND_LIMIT && warp->block->state == EMU_BLOCK_RUNNING; step++) {
        if (!emu_warp_step(warp, number))
            break;
        const struct emu_group *group = &warp->groups[number];
        if (group->state != EMU_GROUP_RUN || warp->block->worker->changes != changes)
            break;
        if (group->pc == before.pc && group->frame == frame && group->mask == before.mask) {
            repeats = memcmp(saved, frame->registers, size) == 0;
            break;
        }
    }
    free(saved);
    return repeats;
}

static bool block_repeats(struct emu_block *block)
{
    for (uint32_t w = 0; w < block->warp_count; w++) {
        struct emu_warp *warp = &block->warps[w];
        for (uint32_t i = 0; i < warp->group_count; i++)
            if (warp->groups[i].state == EMU_GROUP_RUN && !group_repeats(warp, i))
                return false;
    }
    return true;
}

static void add_note(struct emu_worker *worker, struct emu_fault *fault, struct place place, const char *message)
{
    struct finding_note *note = vec_push(&worker->arena, &fault->notes);
    note->place = place;
    note->message = message;
}

/* Who else stands where: one note for each place. */
static void note_places(struct emu_worker *worker, struct emu_fault *fault, const struct emu_group *first)
{
    enum { PLACES = 8 };
    struct {
        const struct emu_op *op;
        const struct emu_function *function;
        uint64_t threads;
        bool barrier;
    } places[PLACES];
    uint32_t count = 0;
    uint64_t gone = 0;
    for (uint32_t b = 0; b < worker->resident.count; b++) {
        const struct emu_block *block = worker->resident.data[b];
        for (uint32_t w = 0; w < block->warp_count; w++) {
            const struct emu_warp *warp = &block->warps[w];
            gone += (uint64_t)__builtin_popcount(warp->threads & ~warp->view.present);
            for (uint32_t i = 0; i < warp->group_count; i++) {
                const struct emu_group *group = &warp->groups[i];
                const struct emu_op *op = &group->frame->function->code[group->pc];
                if (group == first || op->source == NULL)
                    continue;
                uint32_t k = 0;
                while (k < count && places[k].op != op)
                    k++;
                if (k == count && count < PLACES) {
                    places[count].op = op;
                    places[count].function = group->frame->function;
                    places[count].threads = 0;
                    places[count++].barrier = group->state == EMU_GROUP_BARRIER;
                }
                if (k < count)
                    places[k].threads += (uint64_t)__builtin_popcount(group->mask);
            }
        }
    }
    const struct ptx_module *module = worker->run->program->module;
    for (uint32_t k = 0; k < count; k++)
        add_note(worker, fault, emu_fault_place(module, places[k].function, places[k].op->instruction),
                 arena_printf(&worker->arena, "%llu more thread%s %s here", (unsigned long long)places[k].threads,
                              places[k].threads == 1 ? "" : "s", places[k].barrier ? "wait at a barrier" : "go round"));
    if (gone != 0)
        add_note(worker, fault, (struct place){0},
                 arena_printf(&worker->arena, "%llu thread%s of these blocks left the kernel before", (unsigned long long)gone,
                              gone == 1 ? "" : "s"));
    const struct emu_run *run = worker->run;
    if (run->next_block < run->block_total)
        add_note(worker, fault, (struct place){0},
                 arena_printf(&worker->arena, "%llu blocks have not started: a device of compute capability 8.0 holds only %u of this kernel at a time",
                              (unsigned long long)(run->block_total - run->next_block), run->resident_limit));
}

bool emu_endless_probe(struct emu_worker *worker)
{
    worker->probing = true;
    bool repeats = true;
    for (uint32_t b = 0; b < worker->resident.count && repeats; b++)
        repeats = block_repeats(worker->resident.data[b]);
    worker->probing = false;
    if (!repeats)
        return false;
    for (uint32_t b = 0; b < worker->resident.count; b++) {
        struct emu_block *block = worker->resident.data[b];
        for (uint32_t w = 0; w < block->warp_count; w++) {
            struct emu_warp *warp = &block->warps[w];
            for (uint32_t i = 0; i < warp->group_count; i++) {
                struct emu_group *group = &warp->groups[i];
                if (group->state != EMU_GROUP_RUN)
                    continue;
                const struct emu_function *function = group->frame->function;
                struct emu_fault *fault = emu_fault_add(warp, FINDING_ENDLESS, function, &function->code[group->pc],
                                                        (uint32_t)__builtin_ctz(group->mask), NULL, UINT32_MAX);
                if (fault != NULL) {
                    fault->text = arena_printf(&worker->arena, "goes round here for ever in %d thread%s: nothing that they read changes any more",
                                               __builtin_popcount(group->mask), __builtin_popcount(group->mask) == 1 ? "" : "s");
                    note_places(worker, fault, group);
                }
                __atomic_store_n(&worker->run->stop, 1, __ATOMIC_RELAXED);
                return true;
            }
        }
    }
    return false;
}
