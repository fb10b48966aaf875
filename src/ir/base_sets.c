/* SPDX-License-Identifier: Apache-2.0
 *
 * Bases and sets of bases, found again by content.  A set holds at most MAX_MEMBERS; a larger one
 * is {unknown}.
 */
#include "ir/build.h"

enum { MAX_MEMBERS = 16 };

uint32_t base_find(struct draft *draft, enum ir_base_kind kind, uint32_t index, int64_t number)
{
    struct pointer_facts *facts = draft->pointers;
    uint32_t *id = id_map_at(&facts->base_ids, draft->arena, (uint64_t)index << 8 | (uint64_t)kind,
                             (uint64_t)number);
    if (*id == 0) {
        *vec_push(draft->arena, &facts->bases) = (struct ir_base){(uint8_t)kind, index, number};
        *id = facts->bases.count;
    }
    return *id - 1;
}

/* The set with these members, which ascend. */
static uint32_t set_id(struct draft *draft, const uint32_t *members, uint32_t count)
{
    struct pointer_facts *facts = draft->pointers;
    uint64_t hash = count, second = 14695981039346656037u;
    for (uint32_t i = 0; i < count; i++) {
        hash = (hash + members[i] + 1) * 0x9e3779b97f4a7c15u;
        second = (second ^ members[i]) * 1099511628211u;
    }
    uint32_t *id = id_map_at(&facts->set_ids, draft->arena, hash, second);
    if (*id == 0) {
        *vec_push(draft->arena, &facts->sets) = (struct ir_base_set){facts->members.count, count};
        for (uint32_t i = 0; i < count; i++)
            *vec_push(draft->arena, &facts->members) = members[i];
        *id = facts->sets.count;
    }
    return *id - 1;
}

uint32_t base_set_union(struct draft *draft, uint32_t a, uint32_t b)
{
    struct pointer_facts *facts = draft->pointers;
    if (a == b || b == POINTER_SET_EMPTY)
        return a;
    if (a == POINTER_SET_EMPTY)
        return b;
    if (a == POINTER_SET_UNKNOWN || b == POINTER_SET_UNKNOWN)
        return POINTER_SET_UNKNOWN;
    uint32_t *known = id_map_at(&facts->unions, draft->arena, a < b ? a : b, a < b ? b : a);
    if (*known != 0)
        return *known - 1;
    uint32_t merged[2 * MAX_MEMBERS], count = 0;
    const uint32_t *x = facts->members.data + facts->sets.data[a].first,
                   *x_end = x + facts->sets.data[a].count;
    const uint32_t *y = facts->members.data + facts->sets.data[b].first,
                   *y_end = y + facts->sets.data[b].count;
    while (x < x_end || y < y_end) {
        uint32_t next = y == y_end || (x < x_end && *x <= *y) ? *x : *y;
        x += x < x_end && *x == next;
        y += y < y_end && *y == next;
        merged[count++] = next;
    }
    uint32_t result = count > MAX_MEMBERS ? POINTER_SET_UNKNOWN : set_id(draft, merged, count);
    *known = result + 1;
    return result;
}

uint32_t base_set_of(struct draft *draft, uint32_t base)
{
    return set_id(draft, &base, 1);
}

void base_sets_init(struct draft *draft)
{
    uint32_t unknown = base_find(draft, IR_BASE_UNKNOWN, 0, 0);
    set_id(draft, NULL, 0);
    set_id(draft, &unknown, 1);
}
