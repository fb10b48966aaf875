/* SPDX-License-Identifier: Apache-2.0
 *
 * Growing texts, small string questions, the map from text to id, bit sets, whole files.
 */
#include "base/base.h"

#include <errno.h>
#include <string.h>

void buffer_init(struct buffer *buffer, struct arena *arena)
{
    memset(buffer, 0, sizeof *buffer);
    buffer->arena = arena;
}

static void buffer_reserve(struct buffer *buffer, size_t more)
{
    if (buffer->capacity - buffer->size > more)
        return;
    size_t wanted = buffer->capacity * 2 + more + 64;
    char *grown = arena_alloc(buffer->arena, wanted);
    if (buffer->size != 0)
        memcpy(grown, buffer->data, buffer->size);
    buffer->data = grown;
    buffer->capacity = wanted;
}

void buffer_add(struct buffer *buffer, const char *data, size_t size)
{
    buffer_reserve(buffer, size + 1);
    if (size != 0)
        memcpy(buffer->data + buffer->size, data, size);
    buffer->size += size;
    buffer->data[buffer->size] = '\0';
}

void buffer_puts(struct buffer *buffer, const char *text)
{
    buffer_add(buffer, text, strlen(text));
}

void buffer_putc(struct buffer *buffer, char c)
{
    buffer_add(buffer, &c, 1);
}

void buffer_vprintf(struct buffer *buffer, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    int size = vsnprintf(NULL, 0, format, arguments);
    if (size >= 0) {
        buffer_reserve(buffer, (size_t)size + 1);
        vsnprintf(buffer->data + buffer->size, (size_t)size + 1, format, again);
        buffer->size += (size_t)size;
    }
    va_end(again);
}

void buffer_printf(struct buffer *buffer, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    buffer_vprintf(buffer, format, arguments);
    va_end(arguments);
}

bool text_starts_with(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

bool text_equal(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

bool text_ends_with(const char *text, const char *suffix)
{
    size_t size = strlen(text), tail = strlen(suffix);
    return size >= tail && memcmp(text + size - tail, suffix, tail) == 0;
}

/* Letters inserted, left out, replaced, or exchanged with their neighbour. */
unsigned text_distance(const char *a, const char *b)
{
    enum { LIMIT = 64 };
    size_t rows = strlen(a), columns = strlen(b);
    unsigned table[3][LIMIT + 1]; /* row i is table[i % 3] */
    if (rows > LIMIT || columns > LIMIT)
        return UINT32_MAX;
    for (size_t j = 0; j <= columns; j++)
        table[0][j] = (unsigned)j;
    for (size_t i = 1; i <= rows; i++) {
        unsigned *row = table[i % 3], *above = table[(i + 2) % 3], *second = table[(i + 1) % 3];
        row[0] = (unsigned)i;
        for (size_t j = 1; j <= columns; j++) {
            unsigned best = above[j - 1] + (a[i - 1] != b[j - 1]);
            if (above[j] + 1 < best)
                best = above[j] + 1;
            if (row[j - 1] + 1 < best)
                best = row[j - 1] + 1;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
                second[j - 2] + 1 < best)
                best = second[j - 2] + 1;
            row[j] = best;
        }
    }
    return table[rows % 3][columns];
}

/* Two edits turn any short word into any other: the shorter the name, the nearer its meaning has to be. */
struct text_guess text_guess_begin(const char *name)
{
    size_t size = strlen(name);
    return (struct text_guess){.name = name, .distance = size <= 1 ? 1 : size <= 3 ? 2 : size <= 7 ? 3 : 4};
}

void text_guess_try(struct text_guess *guess, const char *candidate)
{
    unsigned distance = text_distance(guess->name, candidate);
    if (distance < guess->distance) {
        guess->distance = distance;
        guess->best = candidate;
    }
}

char *text_group_digits(uint64_t value, char *out)
{
    char digits[21];
    int size = snprintf(digits, sizeof digits, "%llu", (unsigned long long)value);
    char *to = out;
    for (int i = 0; i < size; i++) {
        if (i != 0 && (size - i) % 3 == 0)
            *to++ = ',';
        *to++ = digits[i];
    }
    *to = '\0';
    return out;
}

/* ---- map: open addressing, linear probing --------------------------------------------------- */

struct text_map_entry {
    const char *key; /* NULL: free */
    size_t size;
    uint64_t hash;
    uint32_t value;
};

static uint64_t text_hash(const char *key, size_t size)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ (unsigned char)key[i]) * 0x100000001b3u;
    return hash ^ hash >> 29;
}

void text_map_init(struct text_map *map, struct arena *arena)
{
    memset(map, 0, sizeof *map);
    map->arena = arena;
}

static struct text_map_entry *text_map_place(const struct text_map *map, const char *key,
                                             size_t size, uint64_t hash)
{
    uint32_t at = (uint32_t)hash & (map->capacity - 1);
    for (;; at = (at + 1) & (map->capacity - 1)) {
        struct text_map_entry *entry = &map->entries[at];
        if (entry->key == NULL || (entry->hash == hash && entry->size == size &&
                                   memcmp(entry->key, key, size) == 0))
            return entry;
    }
}

uint32_t text_map_find(const struct text_map *map, const char *key, size_t size)
{
    if (map->capacity == 0)
        return TEXT_MAP_NONE;
    const struct text_map_entry *entry = text_map_place(map, key, size, text_hash(key, size));
    return entry->key == NULL ? TEXT_MAP_NONE : entry->value;
}

static void text_map_grow(struct text_map *map)
{
    struct text_map grown = *map;
    grown.capacity = map->capacity == 0 ? 16 : map->capacity * 2;
    grown.entries = ARENA_ARRAY(map->arena, struct text_map_entry, grown.capacity);
    for (uint32_t i = 0; i < map->capacity; i++) {
        const struct text_map_entry *old = &map->entries[i];
        if (old->key != NULL)
            *text_map_place(&grown, old->key, old->size, old->hash) = *old;
    }
    *map = grown;
}

void text_map_set(struct text_map *map, const char *key, size_t size, uint32_t value)
{
    if ((map->count + 1) * 4 > map->capacity * 3)
        text_map_grow(map);
    uint64_t hash = text_hash(key, size);
    struct text_map_entry *entry = text_map_place(map, key, size, hash);
    if (entry->key == NULL) {
        entry->key = arena_text(map->arena, key, size);
        entry->size = size;
        entry->hash = hash;
        map->count++;
    }
    entry->value = value;
}

/* ---- bit sets -------------------------------------------------------------------------------- */

void bitset_init(struct bitset *set, struct arena *arena, uint32_t bits)
{
    set->bits = bits;
    set->words = ARENA_ARRAY(arena, uint64_t, (size_t)bits / 64 + 1);
}

bool bitset_union(struct bitset *target, const struct bitset *source)
{
    uint64_t changed = 0;
    for (uint32_t i = 0; i <= target->bits / 64; i++) {
        uint64_t merged = target->words[i] | source->words[i];
        changed |= merged ^ target->words[i];
        target->words[i] = merged;
    }
    return changed != 0;
}

void bitset_clear(struct bitset *set)
{
    memset(set->words, 0, ((size_t)set->bits / 64 + 1) * sizeof *set->words);
}

uint32_t bitset_count(const struct bitset *set)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i <= set->bits / 64; i++)
        count += (uint32_t)__builtin_popcountll(set->words[i]);
    return count;
}

/* ---- files ----------------------------------------------------------------------------------- */

/* All that can be read of `file`, into `text`; errno of a failure, or 0. */
static int read_all(FILE *file, struct buffer *text)
{
    char part[16384];
    size_t got;
    buffer_add(text, "", 0);
    while ((got = fread(part, 1, sizeof part, file)) != 0)
        buffer_add(text, part, got);
    return ferror(file) ? errno : 0;
}

/* The same behind a handler of its own: the file is closed by the caller, whatever happens.  ENOMEM when memory runs out. */
static int read_guarded(struct arena *arena, FILE *file, struct buffer *text)
{
    jmp_buf *const outer = arena->handler;
    jmp_buf out_of_memory;
    volatile int error = ENOMEM;
    arena->handler = &out_of_memory;
    if (setjmp(out_of_memory) == 0)
        error = read_all(file, text);
    arena->handler = outer;
    return error;
}

char *file_read(struct arena *arena, const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return NULL;
    struct buffer text;
    buffer_init(&text, arena);
    int error = read_guarded(arena, file, &text);
    fclose(file);
    if (error != 0) {
        errno = error;
        return NULL;
    }
    if (size != NULL)
        *size = text.size;
    return text.data;
}
