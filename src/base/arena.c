/* SPDX-License-Identifier: Apache-2.0
 *
 * Arenas: bump allocation from chunks that are freed together.
 */
#include "base/base.h"

#include <stdlib.h>
#include <string.h>

struct arena_chunk {
    struct arena_chunk *older;
    size_t size;
    _Alignas(16) char data[];
};

enum { CHUNK_MINIMUM = 64 * 1024 - 64, ALIGNMENT = 16 };

/* The one piece of thread state in the library: it exists for failure-injection tests. */
static _Thread_local unsigned fail_countdown;

void arena_fail_after(unsigned allocations)
{
    fail_countdown = allocations;
}

bool arena_failure_pending(void)
{
    return fail_countdown != 0;
}

bool arena_injected_failure(void)
{
    return fail_countdown != 0 && --fail_countdown == 0;
}

void arena_init(struct arena *arena)
{
    memset(arena, 0, sizeof *arena);
}

void arena_free(struct arena *arena)
{
    struct arena_chunk *chunk = arena->chunks;
    while (chunk != NULL) {
        struct arena_chunk *older = chunk->older;
        free(chunk);
        chunk = older;
    }
    jmp_buf *handler = arena->handler;
    arena_init(arena);
    arena->handler = handler;
}

void *arena_try_alloc(struct arena *arena, size_t size)
{
    if (size > SIZE_MAX / 4)
        return NULL;
    size = (size + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
    if (size == 0)
        size = ALIGNMENT;
    if ((size_t)(arena->end - arena->next) < size) {
        size_t chunk_size = size > CHUNK_MINIMUM / 4 ? size : CHUNK_MINIMUM;
        struct arena_chunk *chunk =
            arena_injected_failure() ? NULL : calloc(1, sizeof(struct arena_chunk) + chunk_size);
        if (chunk == NULL)
            return NULL;
        chunk->size = chunk_size;
        arena->total += chunk_size;
        if (chunk_size == size && arena->chunks != NULL) {
            /* A chunk of its own for a large block: the current chunk stays in use. */
            chunk->older = arena->chunks->older;
            arena->chunks->older = chunk;
            return chunk->data;
        }
        chunk->older = arena->chunks;
        arena->chunks = chunk;
        arena->next = chunk->data;
        arena->end = chunk->data + chunk_size;
    }
    void *result = arena->next;
    arena->next += size;
    return result;
}

void *arena_alloc(struct arena *arena, size_t size)
{
    void *result = arena_try_alloc(arena, size);
    if (result == NULL) {
        if (arena->handler != NULL)
            longjmp(*arena->handler, 1);
        abort();
    }
    return result;
}

void *arena_alloc_array(struct arena *arena, size_t count, size_t size)
{
    return arena_alloc(arena, size != 0 && count > SIZE_MAX / 4 / size ? SIZE_MAX : count * size);
}

void *arena_copy(struct arena *arena, const void *data, size_t size)
{
    void *copy = arena_alloc(arena, size);
    if (size != 0)
        memcpy(copy, data, size);
    return copy;
}

char *arena_text(struct arena *arena, const char *data, size_t size)
{
    char *copy = arena_alloc(arena, size + 1);
    if (size != 0)
        memcpy(copy, data, size);
    copy[size] = '\0';
    return copy;
}

char *arena_string(struct arena *arena, const char *text)
{
    return arena_text(arena, text, strlen(text));
}

char *arena_vprintf(struct arena *arena, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    int size = vsnprintf(NULL, 0, format, arguments);
    char *text = arena_alloc(arena, size < 0 ? 1 : (size_t)size + 1);
    if (size > 0)
        vsnprintf(text, (size_t)size + 1, format, again);
    va_end(again);
    return text;
}

char *arena_printf(struct arena *arena, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = arena_vprintf(arena, format, arguments);
    va_end(arguments);
    return text;
}

void vec_grow(struct arena *arena, void **data, uint32_t *count, uint32_t *capacity, size_t size)
{
    size_t wanted = *capacity == 0 ? 8 : (size_t)*capacity * 2;
    void *grown = arena_alloc_array(arena, wanted > UINT32_MAX ? SIZE_MAX / 2 : wanted, size);
    if (*count != 0)
        memcpy(grown, *data, *count * size);
    *data = grown;
    *capacity = (uint32_t)wanted;
}

void arena_run(struct arena *arena, void (*work)(void *context), void (*end)(void *context), void *context)
{
    jmp_buf here, *outer = arena->handler;
    if (outer != NULL) {
        if (setjmp(here) != 0) {
            arena->handler = outer;
            end(context);
            longjmp(*outer, 1);
        }
        arena->handler = &here;
    }
    work(context);
    arena->handler = outer;
    end(context);
}
