// SPDX-License-Identifier: Apache-2.0
//
// reduce over a tile or a coalesced group, and the operators. 32-bit integers use redux.sync, whole tiles a butterfly of
// shuffles, other groups a tree over ranks whose result the first member gives to all.

#ifndef LANEWISE_SHIM_COOPERATIVE_GROUPS_REDUCE_H
#define LANEWISE_SHIM_COOPERATIVE_GROUPS_REDUCE_H

#include "../cooperative_groups.h"

#pragma clang system_header

namespace cooperative_groups {

// (name, scalar expression of a and b, the redux intrinsic)
#define LW_GROUP_OPERATOR(name, expression)                                                                    \
    template <typename T = void> struct name {                                                                 \
        LW_BOTH_MEMBER T operator()(const T &a, const T &b) const { return expression; }                       \
    };                                                                                                         \
    template <> struct name<void> {                                                                            \
        template <typename T> LW_BOTH_MEMBER T operator()(const T &a, const T &b) const { return expression; } \
    };

LW_GROUP_OPERATOR(plus, (T)(a + b))
LW_GROUP_OPERATOR(less, b < a ? b : a)
LW_GROUP_OPERATOR(greater, b > a ? b : a)
LW_GROUP_OPERATOR(bit_and, (T)(a & b))
LW_GROUP_OPERATOR(bit_or, (T)(a | b))
LW_GROUP_OPERATOR(bit_xor, (T)(a ^ b))

#undef LW_GROUP_OPERATOR

// Which value types and operators redux.sync has.
template <typename T, typename Operator> struct lw_redux { static const bool exists = false; };
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#define LW_REDUX(type, operator, intrinsic)                                                                    \
    template <> struct lw_redux<type, operator<type>> {                                                        \
        static const bool exists = true;                                                                       \
        static LW_DEVICE_MEMBER type run(unsigned int mask, type value) { return (type)intrinsic(mask, value); } \
    };
LW_REDUX(int, plus, __reduce_add_sync)
LW_REDUX(unsigned int, plus, __reduce_add_sync)
LW_REDUX(int, less, __reduce_min_sync)
LW_REDUX(unsigned int, less, __reduce_min_sync)
LW_REDUX(int, greater, __reduce_max_sync)
LW_REDUX(unsigned int, greater, __reduce_max_sync)
LW_REDUX(int, bit_and, __reduce_and_sync)
LW_REDUX(unsigned int, bit_and, __reduce_and_sync)
LW_REDUX(int, bit_or, __reduce_or_sync)
LW_REDUX(unsigned int, bit_or, __reduce_or_sync)
LW_REDUX(int, bit_xor, __reduce_xor_sync)
LW_REDUX(unsigned int, bit_xor, __reduce_xor_sync)
#undef LW_REDUX
#endif

template <typename T> struct lw_plain { typedef T type; };
template <typename T> struct lw_plain<T &> { typedef typename lw_plain<T>::type type; };
template <typename T> struct lw_plain<T &&> { typedef typename lw_plain<T>::type type; };
template <typename T> struct lw_plain<const T> { typedef T type; };

template <unsigned int Size, typename Parent, typename T, typename Operator>
LW_DEVICE typename lw_plain<T>::type reduce(const thread_block_tile<Size, Parent> &group, T &&given, Operator &&operate) {
    typedef typename lw_plain<T>::type value_type;
    typedef lw_redux<value_type, typename lw_plain<Operator>::type> redux;
    value_type value = given;
    if constexpr (redux::exists) return redux::run(lw_tile<Size>::lw_tile_mask(), value);
    else {
#pragma unroll
        for (unsigned int step = Size / 2; step > 0; step /= 2) value = operate(value, group.shfl_xor(value, step));
        return value;
    }
}

template <typename T, typename Operator>
LW_DEVICE typename lw_plain<T>::type reduce(const coalesced_group &group, T &&given, Operator &&operate) {
    typedef typename lw_plain<T>::type value_type;
    typedef lw_redux<value_type, typename lw_plain<Operator>::type> redux;
    value_type value = given;
    if constexpr (redux::exists) return redux::run(group.lw_mask(), value);
    else {
        unsigned int rank = group.thread_rank(), count = group.size();
        for (unsigned int step = 1; step < count; step *= 2) {
            value_type other = group.shfl_down(value, step);
            if (rank + step < count) value = operate(value, other);
        }
        return group.shfl(value, 0);
    }
}

} // namespace cooperative_groups

#endif
