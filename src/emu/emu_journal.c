/* SPDX-License-Identifier: Apache-2.0
 *
 * The journal: what a launch has written, so that it can start again.
 *
 * A launch that runs its blocks on several host threads and then meets a conflict between blocks is undone and run again in block order
 * (emu_race.c).  A piece of memory that still has its initial contents when the launch first writes to it costs nothing to undo;
 * for one that was written earlier its contents and definedness are kept.
 */
#include "emu/emu_core.h"

#include <stdlib.h>

#define CHUNK ((uint64_t)1 << EMU_CHUNK_SHIFT)

static uint64_t chunk_size(const struct emu_region *region, uint64_t chunk)
{
    uint64_t start = chunk << EMU_CHUNK_SHIFT;
    return region->size - start < CHUNK ? region->size - start : CHUNK;
}

static bool journal_add(struct emu_machine *machine, struct emu_region *region, uint64_t chunk)
{
    struct emu_journal *journal = &machine->journal;
    if (journal->count == journal->capacity) {
        size_t capacity = journal->capacity * 2 + 256;
        struct emu_journal_entry *grown = arena_injected_failure() ? NULL : realloc(journal->entries, capacity * sizeof *grown);
        if (grown == NULL)
            return false;
        journal->entries = grown;
        journal->capacity = capacity;
    }
    struct emu_journal_entry entry = {region, chunk, NULL};
    if (region->chunks[chunk] & EMU_CHUNK_CHANGED) {
        uint64_t size = chunk_size(region, chunk), start = chunk << EMU_CHUNK_SHIFT;
        entry.saved = arena_injected_failure() ? NULL : malloc(region->shadow != NULL ? 2 * size : size);
        if (entry.saved == NULL)
            return false;
        memcpy(entry.saved, region->data + start, size);
        if (region->shadow != NULL)
            memcpy(entry.saved + size, region->shadow + start, size);
    }
    journal->entries[journal->count++] = entry;
    return true;
}

bool emu_region_prepare_write(struct emu_machine *machine, struct emu_region *region, uint64_t offset, uint64_t size)
{
    if (!emu_region_touch(machine, region, offset, size))
        return false;
    bool ok = true;
    pthread_mutex_lock(&machine->lock);
    for (uint64_t chunk = offset >> EMU_CHUNK_SHIFT; chunk <= (offset + size - 1) >> EMU_CHUNK_SHIFT && ok; chunk++) {
        uint8_t state = region->chunks[chunk];
        if (state & EMU_CHUNK_WRITTEN)
            continue;
        ok = journal_add(machine, region, chunk);
        if (ok)
            __atomic_store_n(&region->chunks[chunk], state | EMU_CHUNK_WRITTEN, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&machine->lock);
    return ok;
}

void emu_journal_commit(struct emu_machine *machine)
{
    struct emu_journal *journal = &machine->journal;
    for (size_t i = 0; i < journal->count; i++) {
        struct emu_journal_entry *entry = &journal->entries[i];
        if (!entry->region->freed)
            entry->region->chunks[entry->chunk] = EMU_CHUNK_READY | EMU_CHUNK_CHANGED;
        free(entry->saved);
    }
    free(journal->entries);
    *journal = (struct emu_journal){0};
}

void emu_journal_undo(struct emu_machine *machine)
{
    struct emu_journal *journal = &machine->journal;
    for (size_t i = 0; i < journal->count; i++) {
        struct emu_journal_entry *entry = &journal->entries[i];
        struct emu_region *region = entry->region;
        if (region->freed)
            continue;
        uint64_t start = entry->chunk << EMU_CHUNK_SHIFT, size = chunk_size(region, entry->chunk);
        uint8_t state = region->chunks[entry->chunk];
        if (entry->saved != NULL) {
            memcpy(region->data + start, entry->saved, size);
            if (region->shadow != NULL)
                memcpy(region->shadow + start, entry->saved + size, size);
        } else {
            memset(region->data + start, 0, size);
            if (region->shadow != NULL)
                memset(region->shadow + start, 0, size);
            if (region->fill != NULL)
                region->fill(region->context, start, region->data + start, size);
        }
        region->chunks[entry->chunk] = state & (uint8_t)~EMU_CHUNK_WRITTEN;
        free(entry->saved);
    }
    free(journal->entries);
    *journal = (struct emu_journal){0};
}
