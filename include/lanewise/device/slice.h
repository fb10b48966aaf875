/* SPDX-License-Identifier: Apache-2.0
 *
 * Slices in kernels: checked indexing, reading with a substitute, parts.
 *
 *     LW_AT(x, i)                      the element, to read or, of a slice, to write; stops the launch if there is none
 *     lw_get_or_f32(x, i, fill)        the element, or `fill` where there is none: for edges; never stops
 *     lw_part_of_f32(x, first, count)  a view of `count` elements from `first`; stops the launch if they are not all there
 *     lw_slice_part_of_f32(...)        the same, to write
 *     lw_view_of_f32(slice)            a slice, only to be read
 *
 * An index may have any integer type; a negative one is no element.  Under Lanewise LW_AT is plain indexing: the access is proved, or
 * `lanewise build` puts a check before it, which LW_UNCHECKED_INDEXING leaves out.  The check of a part stands in the code, and stays.
 */
#ifndef LANEWISE_DEVICE_SLICE_H
#define LANEWISE_DEVICE_SLICE_H

#include <lanewise/device/fault.h>
#include <lanewise/slices.h>

#if defined(LANEWISE_COMPILES) || defined(LANEWISE_UNCHECKED_INDEXING)
/* A matrix has no length: LW_AT of one does not compile. */
#define LW_INDEX_(index, length) ((void)sizeof(length), (index))
#else
LW_DEVICE_FUNCTION uint64_t lw_index(uint64_t index, uint64_t length)
{
    if (index >= length)
        lw_fail(index, length);
    return index;
}
#define LW_INDEX_(index, length) lw_index((uint64_t)(index), (length))
#endif

/* `slice` is the name of a slice or a view, or a field: it is read twice. */
#define LW_AT(slice, index) ((slice).data[LW_INDEX_(index, (slice).length)])

/* The last of `count` elements, at most 2^64 - 1. */
LW_DEVICE_FUNCTION uint64_t lw_last(uint64_t first, uint64_t count)
{
    uint64_t more = count == 0 ? 0 : count - 1;
    return more > UINT64_MAX - first ? UINT64_MAX : first + more;
}

#define LW_DEVICE_SLICE_(name, type)                                                                                          \
    /* Obligation: `data` has `length` elements. */                                                                           \
    LW_DEVICE_FUNCTION struct lw_view_##name lw_make_view_##name(const type *data, uint64_t length)                           \
    {                                                                                                                         \
        struct lw_view_##name view = {data, length};                                                                          \
        return view;                                                                                                          \
    }                                                                                                                         \
    LW_DEVICE_FUNCTION struct lw_slice_##name lw_make_slice_##name(type *data, uint64_t length)                               \
    {                                                                                                                         \
        struct lw_slice_##name slice = {data, length};                                                                        \
        return slice;                                                                                                         \
    }                                                                                                                         \
    LW_DEVICE_FUNCTION struct lw_view_##name lw_view_of_##name(struct lw_slice_##name slice)                                  \
    {                                                                                                                         \
        return lw_make_view_##name(slice.data, slice.length);                                                                 \
    }                                                                                                                         \
    LW_DEVICE_FUNCTION type lw_get_or_##name(struct lw_view_##name view, uint64_t index, type fill)                           \
    {                                                                                                                         \
        return index < view.length ? view.data[index] : fill;                                                                 \
    }                                                                                                                         \
    LW_DEVICE_FUNCTION struct lw_view_##name lw_part_of_##name(struct lw_view_##name view, uint64_t first, uint64_t count)    \
    {                                                                                                                         \
        if (first > view.length || count > view.length - first)                                                               \
            lw_fail(lw_last(first, count), view.length);                                                                          \
        return lw_make_view_##name(view.data + first, count);                                                                 \
    }                                                                                                                         \
    LW_DEVICE_FUNCTION struct lw_slice_##name lw_slice_part_of_##name(struct lw_slice_##name slice, uint64_t first,           \
                                                                      uint64_t count)                                         \
    {                                                                                                                         \
        if (first > slice.length || count > slice.length - first)                                                             \
            lw_fail(lw_last(first, count), slice.length);                                                                         \
        return lw_make_slice_##name(slice.data + first, count);                                                               \
    }

LW_ELEMENTS(LW_DEVICE_SLICE_)

#endif
