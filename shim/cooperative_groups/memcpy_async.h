// SPDX-License-Identifier: Apache-2.0
//
// memcpy_async of a group: the members share the copy in pieces of 16 or 4 bytes, by cp.async where both ends are
// aligned and the target is shared memory, else by plain bytes; wait and wait_prior end it for the whole group.

#ifndef LANEWISE_SHIM_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define LANEWISE_SHIM_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H

#include "../cooperative_groups.h"
#include "../device/async_copy.h"

#pragma clang system_header

namespace cooperative_groups {

template <typename Group>
LW_DEVICE void memcpy_async(const Group &group, void *to, const void *from, size_t size) {
    size_t rank = (size_t)group.thread_rank(), count = (size_t)group.size();
    size_t ends = (size_t)to | (size_t)from | size;
    if (__isShared(to) && ends % 16 == 0) {
        for (size_t i = rank * 16; i < size; i += count * 16)
            __pipeline_memcpy_async((char *)to + i, (const char *)from + i, 16);
    } else if (__isShared(to) && ends % 4 == 0) {
        for (size_t i = rank * 4; i < size; i += count * 4)
            __pipeline_memcpy_async((char *)to + i, (const char *)from + i, 4);
    } else {
        for (size_t i = rank; i < size; i += count) ((char *)to)[i] = ((const char *)from)[i];
    }
    __pipeline_commit();
}

// Counts in elements: as many as both sides have.
template <typename Group, typename T>
LW_DEVICE void memcpy_async(const Group &group, T *to, size_t toCount, const T *from, size_t fromCount) {
    size_t count = toCount < fromCount ? toCount : fromCount;
    memcpy_async(group, (void *)to, (const void *)from, count * sizeof(T));
}

template <typename Group> LW_DEVICE void wait(const Group &group) {
    __pipeline_wait_prior(0);
    group.sync();
}
template <unsigned int Stages, typename Group> LW_DEVICE void wait_prior(const Group &group) {
    __pipeline_wait_prior(Stages);
    group.sync();
}

} // namespace cooperative_groups

#endif
