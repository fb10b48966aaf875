/* SPDX-License-Identifier: Apache-2.0
 *
 * The emulator's memory: regions with exact bounds on lazily backed host memory.
 *
 * A region's host memory is reserved whole and touched in pieces of 4 KiB, so that a buffer of many gigabytes costs what is used
 * of it.  Definedness is one byte a byte, also reserved whole.  The machine counts touched bytes against its limit.
 */
#include "emu/emu_access.h"
#include "emu/emu_race.h"
#include "emu/emu_wrap.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define CHUNK ((uint64_t)1 << EMU_CHUNK_SHIFT)
enum { CHUNK_ABSENT = 0, STACK_DEFAULT = 512 * 1024 };

void *emu_map(uint64_t size)
{
    if (size == 0)
        size = 1;
    if (arena_injected_failure())
        return NULL;
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

void emu_unmap(void *memory, uint64_t size)
{
    if (memory != NULL)
        munmap(memory, size == 0 ? 1 : size);
}

static uint64_t memory_limit_default(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    if (pages <= 0 || size <= 0)
        return (uint64_t)1 << 31;
    return (uint64_t)pages * (uint64_t)size / 4 * 3;
}

struct emu_machine *emu_machine_create(const struct emu_options *options)
{
    struct emu_machine *machine = arena_injected_failure() ? NULL : calloc(1, sizeof *machine);
    if (machine == NULL)
        return NULL;
    if (options != NULL)
        machine->options = *options;
    if (machine->options.jobs == 0) {
        long cores = sysconf(_SC_NPROCESSORS_ONLN);
        machine->options.jobs = cores < 1 ? 1 : cores > 256 ? 256 : (uint32_t)cores;
    }
    if (machine->options.max_steps == 0)
        machine->options.max_steps = (uint64_t)1 << 28;
    if (machine->options.stack_bytes == 0)
        machine->options.stack_bytes = STACK_DEFAULT;
    machine->limit = machine->options.max_memory != 0 ? machine->options.max_memory : memory_limit_default();
    machine->select = emu_lanes_selector_for(machine->options.isa);
    machine->kit = emu_memory_kit_for(machine->options.isa);
    machine->wrap_lanes = emu_wrap_lanes_for(machine->options.isa);
    machine->id_count = 1; /* id 0 holds the null pointer */
    pthread_mutex_init(&machine->lock, NULL);
    return machine;
}

struct emu_options *emu_machine_options(struct emu_machine *machine)
{
    return &machine->options;
}

static void region_release(struct emu_region *region)
{
    emu_unmap(region->data, region->map_size);
    emu_unmap(region->shadow, region->size);
    emu_unmap(region->chunks, (region->size >> EMU_CHUNK_SHIFT) + 1);
    emu_unmap(region->cells, region->cells_size);
    region->data = NULL;
    region->shadow = region->chunks = NULL;
    region->cells = NULL;
}

void emu_machine_free(struct emu_machine *machine)
{
    if (machine == NULL)
        return;
    for (uint32_t i = 0; i < machine->regions.count; i++)
        region_release(machine->regions.data[i]);
    free(machine->ids);
    pthread_mutex_destroy(&machine->lock);
    arena_free(&machine->arena);
    free(machine);
}

/* Ids for a region of this size; the base is in the middle of the first.  False when the address space is used up. */
static bool region_place(struct emu_machine *machine, struct emu_region *region)
{
    uint64_t ids = (region->size + EMU_ID_MIDDLE) / ((uint64_t)1 << EMU_ID_SHIFT) + 1;
    if (region->size > (uint64_t)1 << 47 || machine->id_count + ids >= 65535)
        return false;
    if (machine->id_count + ids > machine->id_capacity) {
        uint32_t capacity = machine->id_capacity * 2 + (uint32_t)ids + 64;
        struct emu_region **grown = arena_injected_failure() ? NULL : realloc(machine->ids, capacity * sizeof *grown);
        if (grown == NULL)
            return false;
        machine->ids = grown;
        machine->id_capacity = capacity;
        machine->ids[0] = NULL;
    }
    region->id = machine->id_count;
    for (uint64_t i = 0; i < ids; i++)
        machine->ids[machine->id_count++] = region;
    region->base = ((uint64_t)region->id << EMU_ID_SHIFT) + EMU_ID_MIDDLE;
    return true;
}

static struct emu_region *region_create_locked(struct emu_machine *machine, const struct emu_buffer *buffer,
                                               enum emu_region_kind kind)
{
    struct emu_region *region = arena_try_alloc(&machine->arena, sizeof *region);
    char *name = buffer->name == NULL ? NULL : arena_try_alloc(&machine->arena, strlen(buffer->name) + 1);
    if (region == NULL || (name == NULL && buffer->name != NULL))
        return NULL;
    if (name != NULL)
        strcpy(name, buffer->name);
    region->name = name;
    region->size = buffer->size;
    region->kind = (uint8_t)kind;
    region->element_size = buffer->element_size == 0 ? 1 : buffer->element_size;
    region->is_output = buffer->is_output;
    region->is_disjoint = buffer->is_disjoint;
    region->read_only = buffer->read_only;
    region->fill = buffer->fill;
    region->context = buffer->context;
    if (!region_place(machine, region))
        return NULL;
    region->base += buffer->misalign;
    region->map_size = region->size;
    region->data = emu_map(region->size);
    region->chunks = emu_map((region->size >> EMU_CHUNK_SHIFT) + 1);
    if (!buffer->initialised)
        region->shadow = emu_map(region->size);
    if (region->data == NULL || region->chunks == NULL || (!buffer->initialised && region->shadow == NULL)) {
        region_release(region);
        for (uint32_t i = region->id; i < machine->id_count; i++)
            machine->ids[i] = NULL;
        machine->id_count = region->id;
        return NULL;
    }
    return region;
}

struct emu_region *emu_region_create(struct emu_machine *machine, const struct emu_buffer *buffer,
                                     enum emu_region_kind kind)
{
    jmp_buf out_of_memory;
    pthread_mutex_lock(&machine->lock);
    struct emu_region *volatile region = region_create_locked(machine, buffer, kind);
    if (region != NULL) {
        machine->arena.handler = &out_of_memory;
        if (setjmp(out_of_memory) == 0) {
            region->number = machine->regions.count;
            *vec_push(&machine->arena, &machine->regions) = region;
        } else {
            region_release(region);
            machine->ids[region->id] = NULL;
            region = NULL;
        }
        machine->arena.handler = NULL;
    }
    pthread_mutex_unlock(&machine->lock);
    return region;
}

uint64_t emu_memory_allocate(struct emu_machine *machine, const struct emu_buffer *buffer)
{
    struct emu_region *region = emu_region_create(machine, buffer, EMU_REGION_GLOBAL);
    return region == NULL ? 0 : region->base;
}

bool emu_memory_free(struct emu_machine *machine, uint64_t address)
{
    pthread_mutex_lock(&machine->lock);
    struct emu_region *region = emu_region_global(machine, address);
    bool ok = region != NULL && region->base == address && !region->freed;
    if (ok) {
        /* The id stays taken, so that a use after the free is seen as one. */
        region->freed = 1;
        region_release(region);
    }
    pthread_mutex_unlock(&machine->lock);
    return ok;
}

static bool region_touch_locked(struct emu_machine *machine, struct emu_region *region, uint64_t from, uint64_t to)
{
    for (uint64_t chunk = from; chunk <= to; chunk++) {
        if (region->chunks[chunk] != CHUNK_ABSENT)
            continue;
        uint64_t start = chunk << EMU_CHUNK_SHIFT;
        uint64_t size = region->size - start < CHUNK ? region->size - start : CHUNK;
        uint64_t cost = region->shadow != NULL ? 2 * size : size;
        if (!region->quiet && !region->read_only && !machine->options.no_races)
            cost += size / 4 * sizeof(struct emu_cell);
        if (machine->used + cost > machine->limit)
            return false;
        machine->used += cost;
        if (region->fill != NULL)
            region->fill(region->context, start, region->data + start, size);
        __atomic_store_n(&region->chunks[chunk], EMU_CHUNK_READY, __ATOMIC_RELEASE);
    }
    return true;
}

bool emu_region_touch(struct emu_machine *machine, struct emu_region *region, uint64_t offset, uint64_t size)
{
    if (region->chunks == NULL || size == 0)
        return true;
    uint64_t from = offset >> EMU_CHUNK_SHIFT, to = (offset + size - 1) >> EMU_CHUNK_SHIFT;
    bool ready = true;
    for (uint64_t chunk = from; chunk <= to && ready; chunk++)
        ready = __atomic_load_n(&region->chunks[chunk], __ATOMIC_ACQUIRE) != CHUNK_ABSENT;
    if (ready)
        return true;
    pthread_mutex_lock(&machine->lock);
    ready = region_touch_locked(machine, region, from, to);
    pthread_mutex_unlock(&machine->lock);
    return ready;
}

/* The region that holds all of [address, address + size), present; NULL if there is none. */
static struct emu_region *region_span(struct emu_machine *machine, uint64_t address, uint64_t size, bool touch)
{
    struct emu_region *region = emu_region_global(machine, address);
    if (region == NULL || region->freed || address < region->base)
        return NULL;
    uint64_t offset = address - region->base;
    if (size > region->size || offset > region->size - size)
        return NULL;
    return !touch || emu_region_touch(machine, region, offset, size) ? region : NULL;
}

bool emu_memory_read(struct emu_machine *machine, uint64_t address, void *data, uint64_t size)
{
    struct emu_region *region = region_span(machine, address, size, true);
    if (region == NULL)
        return false;
    memcpy(data, region->data + (address - region->base), size);
    return true;
}

bool emu_memory_write(struct emu_machine *machine, uint64_t address, const void *data, uint64_t size)
{
    struct emu_region *region = region_span(machine, address, size, true);
    if (region == NULL)
        return false;
    uint64_t offset = address - region->base;
    memcpy(region->data + offset, data, size);
    if (region->shadow != NULL)
        memset(region->shadow + offset, 1, size);
    for (uint64_t chunk = offset >> EMU_CHUNK_SHIFT; size != 0 && chunk <= (offset + size - 1) >> EMU_CHUNK_SHIFT; chunk++)
        region->chunks[chunk] |= EMU_CHUNK_CHANGED;
    return true;
}

bool emu_memory_defined(struct emu_machine *machine, uint64_t address, uint8_t *defined, uint64_t size)
{
    struct emu_region *region = region_span(machine, address, size, false);
    if (region == NULL)
        return false;
    for (uint64_t i = 0; i < size; i++)
        defined[i] = region->shadow == NULL || region->shadow[address - region->base + i] == 1;
    return true;
}

struct emu_cell *emu_region_cells(struct emu_machine *machine, struct emu_region *region)
{
    pthread_mutex_lock(&machine->lock);
    if (region->cells == NULL) {
        uint64_t size = (region->size / 4 + 2) * sizeof(struct emu_cell);
        struct emu_cell *cells = emu_map(size);
        region->cells_size = size;
        __atomic_store_n(&region->cells, cells, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&machine->lock);
    return region->cells;
}

void emu_cells_release(struct emu_machine *machine)
{
    for (uint32_t i = 0; i < machine->regions.count; i++) {
        struct emu_region *region = machine->regions.data[i];
        emu_unmap(region->cells, region->cells_size);
        region->cells = NULL;
    }
}

bool emu_memory_next_touched(struct emu_machine *machine, uint64_t address, uint64_t *offset, uint64_t *size)
{
    struct emu_region *region = emu_region_global(machine, address);
    if (region == NULL || region->freed || *offset >= region->size)
        return false;
    uint64_t chunks = (region->size + CHUNK - 1) >> EMU_CHUNK_SHIFT;
    uint64_t chunk = *offset >> EMU_CHUNK_SHIFT;
    /* Unbacked parts of the map read as zeros: skip whole words of them. */
    while (chunk < chunks && region->chunks[chunk] == CHUNK_ABSENT) {
        uint64_t word = 0;
        while (chunk % 8 == 0 && chunk + 8 <= chunks) {
            memcpy(&word, region->chunks + chunk, 8);
            if (word != 0)
                break;
            chunk += 8;
        }
        if (chunk < chunks && region->chunks[chunk] == CHUNK_ABSENT)
            chunk++;
    }
    if (chunk >= chunks)
        return false;
    uint64_t last = chunk;
    while (last < chunks && region->chunks[last] != CHUNK_ABSENT)
        last++;
    uint64_t start = chunk << EMU_CHUNK_SHIFT, end = last << EMU_CHUNK_SHIFT;
    if (start < *offset)
        start = *offset;
    if (end > region->size)
        end = region->size;
    *offset = start;
    *size = end - start;
    return true;
}

uint64_t emu_memory_used(const struct emu_machine *machine)
{
    return machine->used;
}
