/* SPDX-License-Identifier: Apache-2.0
 *
 * base: memory, growable arrays, strings, symbol maps and diagnostics for every module.
 *
 * Memory.  Everything lives in an arena and dies with it.  When memory runs out, an arena jumps to
 * the handler that the library's entry point has set (arena_set_handler); between the two no code
 * holds anything that an arena does not own.  An arena without a handler returns NULL only from
 * arena_try_alloc; arena_alloc then aborts, which entry points rule out by setting a handler.
 *
 * Errors in the user's input are diagnostics (struct diagnostic) with a place; they are collected in
 * a diagnostic_list and shown by the caller.  Nothing here prints or exits.
 */
#ifndef LANEWISE_BASE_H
#define LANEWISE_BASE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#if defined(__GNUC__)
#define LW_PRINTF(text, first) __attribute__((__format__(__printf__, text, first)))
#define LW_NORETURN __attribute__((__noreturn__))
#else
#define LW_PRINTF(text, first)
#define LW_NORETURN
#endif

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* ---- arena ---------------------------------------------------------------------------------- */

struct arena_chunk;

struct arena {
    struct arena_chunk *chunks; /* newest first */
    char *next, *end;           /* free part of the newest chunk */
    size_t total;               /* bytes asked from the system */
    jmp_buf *handler;           /* where arena_alloc goes when memory runs out */
};

void arena_init(struct arena *arena);
void arena_free(struct arena *arena);
void *arena_try_alloc(struct arena *arena, size_t size); /* zeroed, 16-aligned; NULL on failure */
void *arena_alloc(struct arena *arena, size_t size);     /* zeroed, 16-aligned; jumps on failure */
void *arena_copy(struct arena *arena, const void *data, size_t size);
/* work(context), then end(context), which is also called when memory runs out on the way: for what no arena owns. */
void arena_run(struct arena *arena, void (*work)(void *context), void (*end)(void *context), void *context);
char *arena_text(struct arena *arena, const char *data, size_t size); /* zero-terminated copy */
char *arena_string(struct arena *arena, const char *text);
char *arena_printf(struct arena *arena, const char *format, ...) LW_PRINTF(2, 3);
char *arena_vprintf(struct arena *arena, const char *format, va_list arguments);

#define ARENA_NEW(arena, type) ((type *)arena_alloc((arena), sizeof(type)))
#define ARENA_ARRAY(arena, type, count) ((type *)arena_alloc_array((arena), (count), sizeof(type)))
void *arena_alloc_array(struct arena *arena, size_t count, size_t size);

/* Failure injection for tests: the Nth system allocation from now fails (0 = never). Per thread. */
void arena_fail_after(unsigned allocations);
/* True while the failure asked for has not come yet. */
bool arena_failure_pending(void);
/* True when this allocation is the one to fail: for modules that ask the system for memory themselves. */
bool arena_injected_failure(void);

/* ---- growable arrays ------------------------------------------------------------------------- */

/* VEC(type) declares a struct; vec_push grows it inside an arena.  Pointers into it move. */
#define VEC(type)                                                                                  \
    struct {                                                                                       \
        type *data;                                                                                \
        uint32_t count, capacity;                                                                  \
    }
#define vec_push(arena, vec)                                                                       \
    ((vec)->count < (vec)->capacity                                                                \
         ? &(vec)->data[(vec)->count++]                                                            \
         : (vec_grow((arena), (void **)&(vec)->data, &(vec)->count, &(vec)->capacity,              \
                     sizeof *(vec)->data),                                                         \
            &(vec)->data[(vec)->count++]))
void vec_grow(struct arena *arena, void **data, uint32_t *count, uint32_t *capacity, size_t size);

/* ---- strings --------------------------------------------------------------------------------- */

/* A text that grows; zero-terminated at all times once something was added. */
struct buffer {
    struct arena *arena;
    char *data;
    size_t size, capacity;
};

void buffer_init(struct buffer *buffer, struct arena *arena);
void buffer_add(struct buffer *buffer, const char *data, size_t size);
void buffer_puts(struct buffer *buffer, const char *text);
void buffer_putc(struct buffer *buffer, char c);
void buffer_printf(struct buffer *buffer, const char *format, ...) LW_PRINTF(2, 3);
void buffer_vprintf(struct buffer *buffer, const char *format, va_list arguments);

bool text_starts_with(const char *text, const char *prefix);
bool text_ends_with(const char *text, const char *suffix);
bool text_equal(const char *a, const char *b); /* NULL equals NULL alone */
/* Number of edits between two short texts, for "did you mean"; two letters in the wrong order are one. */
unsigned text_distance(const char *a, const char *b);
/* Finds the candidate that a mistyped name was meant to be: try each; `best` stays NULL when none is near. */
struct text_guess {
    const char *name, *best;
    unsigned distance;
};
struct text_guess text_guess_begin(const char *name);
void text_guess_try(struct text_guess *guess, const char *candidate);
/* "1,234,567"; at least 27 bytes; returns `out`. */
char *text_group_digits(uint64_t value, char *out);

/* ---- map from text to a 32-bit id --------------------------------------------------------------- */

struct text_map_entry;
struct text_map {
    struct arena *arena;
    struct text_map_entry *entries;
    uint32_t count, capacity;
};

#define TEXT_MAP_NONE UINT32_MAX
void text_map_init(struct text_map *map, struct arena *arena);
/* The id stored for `key`, or TEXT_MAP_NONE. */
uint32_t text_map_find(const struct text_map *map, const char *key, size_t size);
/* Stores `value` (the last one wins); the key is copied. */
void text_map_set(struct text_map *map, const char *key, size_t size, uint32_t value);

/* ---- bit sets -------------------------------------------------------------------------------- */

struct bitset {
    uint64_t *words;
    uint32_t bits;
};

void bitset_init(struct bitset *set, struct arena *arena, uint32_t bits);
static inline void bitset_add(struct bitset *set, uint32_t bit)
{
    set->words[bit >> 6] |= (uint64_t)1 << (bit & 63);
}
static inline void bitset_remove(struct bitset *set, uint32_t bit)
{
    set->words[bit >> 6] &= ~((uint64_t)1 << (bit & 63));
}
static inline bool bitset_has(const struct bitset *set, uint32_t bit)
{
    return set->words[bit >> 6] >> (bit & 63) & 1;
}
/* target |= source; true if target changed.  Same size. */
bool bitset_union(struct bitset *target, const struct bitset *source);
void bitset_clear(struct bitset *set);
uint32_t bitset_count(const struct bitset *set);

/* ---- places and diagnostics ------------------------------------------------------------------ */

/* A place in a text file.  line 0: unknown; column 0: unknown (columns count from 1, in bytes). */
struct place {
    const char *file;
    uint32_t line, column;
};

enum severity { SEVERITY_NOTE, SEVERITY_WARNING, SEVERITY_ERROR };

struct diagnostic {
    enum severity severity;
    struct place place;
    const char *message; /* stands alone; lower case; no full stop; names in backticks */
    const char *help;    /* NULL or one line of advice */
};

struct diagnostic_list {
    struct arena *arena;
    VEC(struct diagnostic) items;
    uint32_t errors;  /* how many are of severity error, dropped ones included */
    uint32_t limit;   /* keep at most this many (0: 200) */
    uint32_t dropped; /* how many were over the limit */
};

void diagnostic_list_init(struct diagnostic_list *list, struct arena *arena);
void diagnostic_add(struct diagnostic_list *list, enum severity severity, struct place place,
                    const char *format, ...) LW_PRINTF(4, 5);
/* Sets the help line of the newest diagnostic. */
void diagnostic_help(struct diagnostic_list *list, const char *format, ...) LW_PRINTF(2, 3);

/* ---- files ----------------------------------------------------------------------------------- */

/* Reads a whole file, zero-terminated; NULL with errno set when it cannot. `size` may be NULL. */
char *file_read(struct arena *arena, const char *path, size_t *size);

#endif
