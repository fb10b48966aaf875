// SPDX-License-Identifier: Apache-2.0
//
// inclusive_scan and exclusive_scan over a tile or a coalesced group: log steps of shuffles upwards.

#ifndef LANEWISE_SHIM_COOPERATIVE_GROUPS_SCAN_H
#define LANEWISE_SHIM_COOPERATIVE_GROUPS_SCAN_H

#include "../cooperative_groups.h"
#include "reduce.h"

#pragma clang system_header

namespace cooperative_groups {

template <typename Group, typename T, typename Operator>
LW_DEVICE typename lw_plain<T>::type inclusive_scan(const Group &group, T &&given, Operator &&operate) {
    typename lw_plain<T>::type value = given;
    unsigned int rank = (unsigned int)group.thread_rank(), count = (unsigned int)group.size();
    for (unsigned int step = 1; step < count; step *= 2) {
        typename lw_plain<T>::type below = group.shfl_up(value, step);
        if (rank >= step) value = operate(below, value);
    }
    return value;
}
template <typename Group, typename T> LW_DEVICE typename lw_plain<T>::type inclusive_scan(const Group &group, T &&given) {
    return inclusive_scan(group, given, plus<typename lw_plain<T>::type>());
}

// The first member gets a value-initialised T, the identity of plus.
template <typename Group, typename T, typename Operator>
LW_DEVICE typename lw_plain<T>::type exclusive_scan(const Group &group, T &&given, Operator &&operate) {
    typedef typename lw_plain<T>::type value_type;
    value_type value = group.shfl_up(inclusive_scan(group, given, operate), 1);
    return group.thread_rank() == 0 ? value_type() : value;
}
template <typename Group, typename T> LW_DEVICE typename lw_plain<T>::type exclusive_scan(const Group &group, T &&given) {
    return exclusive_scan(group, given, plus<typename lw_plain<T>::type>());
}

} // namespace cooperative_groups

#endif
