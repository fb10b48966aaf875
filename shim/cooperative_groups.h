// SPDX-License-Identifier: Apache-2.0
//
// Cooperative groups: the block, tiles of a warp, the coalesced threads and the grid. A tile's shuffle is one shfl.sync
// with the tile's mask and width, its sync one bar.warp.sync; the grid meets at the counter that the driver of a
// cooperative launch hands over in %envreg1 and %envreg2, by the protocol that nvcc's code uses. Tiles wider than a
// warp, clusters and multi-device grids are not here.

#ifndef LANEWISE_SHIM_COOPERATIVE_GROUPS_H
#define LANEWISE_SHIM_COOPERATIVE_GROUPS_H

#include "lanewise_cuda_prelude.h"

#pragma clang system_header

#define _COOPERATIVE_GROUPS_H_

// A member that moves a value of any trivially copyable type through `step`, word by word.
#define LW_BY_WORDS(step)                                                                                      \
    unsigned int words[(sizeof(T) + 3) / 4] = {};                                                              \
    T result;                                                                                                  \
    __builtin_memcpy(words, &value, sizeof(T));                                                                \
    _Pragma("unroll") for (int i = 0; i < (int)((sizeof(T) + 3) / 4); i++) words[i] = step;                    \
    __builtin_memcpy(&result, words, sizeof(T));                                                               \
    return result;

namespace cooperative_groups {

LW_DEVICE unsigned int lw_block_rank() {
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
LW_DEVICE unsigned int lw_block_size() { return blockDim.x * blockDim.y * blockDim.z; }

// The lane that has `rank` set bits of `mask` below it.
LW_DEVICE int lw_nth_lane(unsigned int mask, unsigned int rank) {
    if (mask == 0xffffffffu) return (int)rank;
    for (; rank > 0; rank--) mask &= mask - 1;
    return __ffs((int)mask) - 1;
}

// ---- a group whose kind is known at run time only ----

enum lw_group_kind { LW_THREAD_GROUP, LW_BLOCK_GROUP, LW_WARP_GROUP };

class thread_group {
  protected:
    lw_group_kind kind;
    unsigned int mask, count, rank, meta_rank, meta_count;

  public:
    LW_DEVICE_MEMBER thread_group(lw_group_kind in_kind = LW_THREAD_GROUP, unsigned int in_mask = 0,
                                  unsigned int in_count = 1, unsigned int in_rank = 0, unsigned int in_meta_rank = 0,
                                  unsigned int in_meta_count = 1)
        : kind(in_kind), mask(in_mask), count(in_count), rank(in_rank), meta_rank(in_meta_rank),
          meta_count(in_meta_count) {}
    LW_DEVICE_MEMBER void sync() const {
        if (kind == LW_BLOCK_GROUP) __nvvm_barrier_sync(0);
        else if (kind == LW_WARP_GROUP) __syncwarp(mask);
    }
    LW_DEVICE_MEMBER unsigned long long size() const { return count; }
    LW_DEVICE_MEMBER unsigned long long num_threads() const { return count; }
    LW_DEVICE_MEMBER unsigned long long thread_rank() const { return rank; }
    LW_DEVICE_MEMBER bool is_valid() const { return true; }
    LW_DEVICE_MEMBER unsigned int lw_mask() const { return mask; }
    LW_DEVICE_MEMBER lw_group_kind lw_kind() const { return kind; }
};

// ---- the block ----

class thread_block : public thread_group {
  public:
    LW_DEVICE_MEMBER thread_block() : thread_group(LW_BLOCK_GROUP, 0, lw_block_size(), lw_block_rank()) {}
    static LW_DEVICE_MEMBER void sync() { __nvvm_barrier_sync(0); }
    static LW_DEVICE_MEMBER unsigned int size() { return lw_block_size(); }
    static LW_DEVICE_MEMBER unsigned int num_threads() { return lw_block_size(); }
    static LW_DEVICE_MEMBER unsigned int thread_rank() { return lw_block_rank(); }
    static LW_DEVICE_MEMBER dim3 group_index() { return blockIdx; }
    static LW_DEVICE_MEMBER dim3 thread_index() { return threadIdx; }
    static LW_DEVICE_MEMBER dim3 group_dim() { return blockDim; }
    static LW_DEVICE_MEMBER dim3 dim_threads() { return blockDim; }
    class arrival_token {};
    LW_DEVICE_MEMBER arrival_token barrier_arrive() const { return arrival_token(); }
    LW_DEVICE_MEMBER void barrier_wait(arrival_token &&) const { sync(); }
};
LW_DEVICE thread_block this_thread_block() { return thread_block(); }

// ---- the grid ----

class grid_group {
    // The second word of the launch's workspace counts arrivals; its top bit turns over when the last block has come.
    static LW_DEVICE_MEMBER unsigned int *workspace() {
        unsigned int high, low;
        asm volatile("mov.u32 %0, %%envreg1;" : "=r"(high));
        asm volatile("mov.u32 %0, %%envreg2;" : "=r"(low));
        return (unsigned int *)((unsigned long long)high << 32 | low);
    }

  public:
    static LW_DEVICE_MEMBER bool is_valid() { return workspace() != nullptr; }
    static LW_DEVICE_MEMBER void sync() {
        unsigned int *counter = workspace();
        if (!counter) __trap();
        __nvvm_barrier_sync(0);
        if (threadIdx.x + threadIdx.y + threadIdx.z == 0) {
            bool first = blockIdx.x + blockIdx.y + blockIdx.z == 0;
            unsigned int step = first ? 0x80000001u - gridDim.x * gridDim.y * gridDim.z : 1u, old, now;
            asm volatile("atom.add.release.gpu.u32 %0, [%1], %2;" : "=r"(old) : "l"(counter + 1), "r"(step) : "memory");
            do {
                asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(now) : "l"(counter + 1) : "memory");
            } while (((old ^ now) & 0x80000000u) == 0);
        }
        __nvvm_barrier_sync(0);
    }
    static LW_DEVICE_MEMBER unsigned long long num_blocks() {
        return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
    }
    static LW_DEVICE_MEMBER unsigned long long block_rank() {
        return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    }
    static LW_DEVICE_MEMBER unsigned long long size() { return num_blocks() * lw_block_size(); }
    static LW_DEVICE_MEMBER unsigned long long num_threads() { return size(); }
    static LW_DEVICE_MEMBER unsigned long long thread_rank() { return block_rank() * lw_block_size() + lw_block_rank(); }
    static LW_DEVICE_MEMBER dim3 group_dim() { return gridDim; }
    static LW_DEVICE_MEMBER dim3 dim_blocks() { return gridDim; }
    static LW_DEVICE_MEMBER dim3 block_index() { return blockIdx; }
};
LW_DEVICE grid_group this_grid() { return grid_group(); }

// ---- the threads that run together ----

class coalesced_group : public thread_group {
    LW_DEVICE_MEMBER int lane_of(unsigned int of) const { return lw_nth_lane(mask, of); }
    // A warp-wide bit set as one bit a member.
    LW_DEVICE_MEMBER unsigned int packed(unsigned int lanes) const {
        if (count == 32) return lanes;
        unsigned int result = 0, place = 0;
        for (unsigned int left = mask; left != 0; left &= left - 1) {
            if (lanes & left & (0u - left)) result |= 1u << place;
            place++;
        }
        return result;
    }

  public:
    LW_DEVICE_MEMBER explicit coalesced_group(unsigned int in_mask, unsigned int in_meta_rank = 0,
                                              unsigned int in_meta_count = 1)
        : thread_group(LW_WARP_GROUP, in_mask, (unsigned int)__popc(in_mask),
                       (unsigned int)__popc(in_mask & lw_lanes_below()), in_meta_rank, in_meta_count) {}
    LW_DEVICE_MEMBER void sync() const { __syncwarp(mask); }
    LW_DEVICE_MEMBER unsigned int size() const { return count; }
    LW_DEVICE_MEMBER unsigned int num_threads() const { return count; }
    LW_DEVICE_MEMBER unsigned int thread_rank() const { return (unsigned int)__popc(mask & lw_lanes_below()); }
    LW_DEVICE_MEMBER unsigned int meta_group_rank() const { return meta_rank; }
    LW_DEVICE_MEMBER unsigned int meta_group_size() const { return meta_count; }

    template <typename T> LW_DEVICE_MEMBER T shfl(T value, unsigned int from) const {
        int lane = lane_of(from);
        LW_BY_WORDS(__shfl_sync(mask, words[i], lane, 32))
    }
    template <typename T> LW_DEVICE_MEMBER T shfl_down(T value, unsigned int delta) const {
        unsigned int from = thread_rank() + delta;
        int lane = from < count ? lane_of(from) : (int)lw_lane_id();
        LW_BY_WORDS(__shfl_sync(mask, words[i], lane, 32))
    }
    template <typename T> LW_DEVICE_MEMBER T shfl_up(T value, unsigned int delta) const {
        unsigned int me = thread_rank();
        int lane = me >= delta ? lane_of(me - delta) : (int)lw_lane_id();
        LW_BY_WORDS(__shfl_sync(mask, words[i], lane, 32))
    }
    LW_DEVICE_MEMBER int any(int predicate) const { return __any_sync(mask, predicate); }
    LW_DEVICE_MEMBER int all(int predicate) const { return __all_sync(mask, predicate); }
    LW_DEVICE_MEMBER unsigned int ballot(int predicate) const { return packed(__ballot_sync(mask, predicate)); }
    template <typename T> LW_DEVICE_MEMBER unsigned int match_any(T value) const {
        return packed(__match_any_sync(mask, value));
    }
    template <typename T> LW_DEVICE_MEMBER unsigned int match_all(T value, int &predicate) const {
        return packed(__match_all_sync(mask, value, &predicate));
    }
};
LW_DEVICE coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

// ---- tiles of a warp ----

template <unsigned int Size> class lw_tile : public thread_group {
    static_assert(Size <= 32 && (Size & (Size - 1)) == 0, "tiles are a power of two of at most 32 threads");

  public:
    LW_DEVICE_MEMBER lw_tile() {}
    LW_DEVICE_MEMBER lw_tile(unsigned int in_mask, unsigned int in_meta_rank, unsigned int in_meta_count)
        : thread_group(LW_WARP_GROUP, in_mask, Size, lw_lane_id() & (Size - 1), in_meta_rank, in_meta_count) {}
    static LW_DEVICE_MEMBER unsigned int lw_tile_mask() {
        return Size == 32 ? 0xffffffffu : (unsigned int)((1ull << Size) - 1) << (lw_lane_id() & ~(Size - 1));
    }
    static LW_DEVICE_MEMBER void sync() { __syncwarp(lw_tile_mask()); }
    static LW_DEVICE_MEMBER unsigned int thread_rank() { return lw_lane_id() & (Size - 1); }
    static constexpr LW_DEVICE_MEMBER unsigned int size() { return Size; }
    static constexpr LW_DEVICE_MEMBER unsigned int num_threads() { return Size; }
    LW_DEVICE_MEMBER unsigned int meta_group_rank() const { return meta_rank; }
    LW_DEVICE_MEMBER unsigned int meta_group_size() const { return meta_count; }

    template <typename T> LW_DEVICE_MEMBER T shfl(T value, int from) const {
        LW_BY_WORDS(__shfl_sync(lw_tile_mask(), words[i], from, (int)Size))
    }
    template <typename T> LW_DEVICE_MEMBER T shfl_down(T value, unsigned int delta) const {
        LW_BY_WORDS(__shfl_down_sync(lw_tile_mask(), words[i], delta, (int)Size))
    }
    template <typename T> LW_DEVICE_MEMBER T shfl_up(T value, unsigned int delta) const {
        LW_BY_WORDS(__shfl_up_sync(lw_tile_mask(), words[i], delta, (int)Size))
    }
    template <typename T> LW_DEVICE_MEMBER T shfl_xor(T value, unsigned int lanes) const {
        LW_BY_WORDS(__shfl_xor_sync(lw_tile_mask(), words[i], (int)lanes, (int)Size))
    }
    LW_DEVICE_MEMBER int any(int predicate) const { return __any_sync(lw_tile_mask(), predicate); }
    LW_DEVICE_MEMBER int all(int predicate) const { return __all_sync(lw_tile_mask(), predicate); }
    LW_DEVICE_MEMBER unsigned int ballot(int predicate) const {
        return lw_own(__ballot_sync(lw_tile_mask(), predicate));
    }
    template <typename T> LW_DEVICE_MEMBER unsigned int match_any(T value) const {
        return lw_own(__match_any_sync(lw_tile_mask(), value));
    }
    template <typename T> LW_DEVICE_MEMBER unsigned int match_all(T value, int &predicate) const {
        return lw_own(__match_all_sync(lw_tile_mask(), value, &predicate));
    }

  private:
    // The tile's own bits of a warp-wide bit set.
    static LW_DEVICE_MEMBER unsigned int lw_own(unsigned int lanes) {
        return Size == 32 ? lanes : (lanes >> (lw_lane_id() & ~(Size - 1))) & (unsigned int)((1ull << Size) - 1);
    }
};

template <unsigned int Size, typename Parent = void> class thread_block_tile : public lw_tile<Size> {
  public:
    LW_DEVICE_MEMBER thread_block_tile() {}
    LW_DEVICE_MEMBER thread_block_tile(unsigned int in_mask, unsigned int in_meta_rank, unsigned int in_meta_count)
        : lw_tile<Size>(in_mask, in_meta_rank, in_meta_count) {}
    // A tile forgets its parent when it is assigned to the type without one.
    template <typename Other>
    LW_DEVICE_MEMBER thread_block_tile(const thread_block_tile<Size, Other> &other) : lw_tile<Size>(other) {}
};

template <unsigned int Size, typename Parent>
LW_DEVICE thread_block_tile<Size, Parent> tiled_partition(const Parent &parent) {
    unsigned int rank = (unsigned int)parent.thread_rank(), count = (unsigned int)parent.size();
    return thread_block_tile<Size, Parent>(lw_tile<Size>::lw_tile_mask(), rank / Size, (count + Size - 1) / Size);
}

// Tiles of a size known at run time, out of a block or a warp-sized group: consecutive ranks.
LW_DEVICE thread_group tiled_partition(const thread_group &parent, unsigned int size) {
    unsigned int rank = (unsigned int)parent.thread_rank(), count = (unsigned int)parent.size();
    unsigned int first = rank - rank % size, members = count - first < size ? count - first : size, mask = 0;
    if (parent.lw_kind() == LW_BLOCK_GROUP)
        mask = (members == 32 ? 0xffffffffu : (1u << members) - 1) << (first & 31);
    else
        for (unsigned int i = 0; i < members; i++) mask |= 1u << lw_nth_lane(parent.lw_mask(), first + i);
    return thread_group(LW_WARP_GROUP, mask, members, rank % size, rank / size, (count + size - 1) / size);
}
LW_DEVICE coalesced_group tiled_partition(const coalesced_group &parent, unsigned int size) {
    unsigned int rank = parent.thread_rank(), count = parent.size(), mask = 0;
    unsigned int first = rank - rank % size, members = count - first < size ? count - first : size;
    for (unsigned int i = 0; i < members; i++) mask |= 1u << lw_nth_lane(parent.lw_mask(), first + i);
    return coalesced_group(mask, rank / size, (count + size - 1) / size);
}

// ---- partitions by a value ----

template <typename Group> LW_DEVICE unsigned int lw_group_mask(const Group &group) { return group.lw_mask(); }
template <unsigned int Size, typename Parent>
LW_DEVICE unsigned int lw_group_mask(const thread_block_tile<Size, Parent> &) {
    return lw_tile<Size>::lw_tile_mask();
}

template <typename Group, typename Label> LW_DEVICE coalesced_group labeled_partition(const Group &group, Label label) {
    return coalesced_group(__match_any_sync(lw_group_mask(group), label));
}
template <typename Group> LW_DEVICE coalesced_group binary_partition(const Group &group, bool side) {
    unsigned int mask = lw_group_mask(group), yes = __ballot_sync(mask, side);
    return coalesced_group(side ? yes : mask & ~yes, side ? 0 : 1, 2);
}

// ---- functions over any group ----

template <typename Group> LW_DEVICE void sync(const Group &group) { group.sync(); }
template <typename Group> LW_DEVICE unsigned long long group_size(const Group &group) { return group.size(); }
template <typename Group> LW_DEVICE unsigned long long thread_rank(const Group &group) { return group.thread_rank(); }

template <typename Group, typename Function, typename... Arguments>
LW_DEVICE void invoke_one(const Group &group, Function &&function, Arguments &&...arguments) {
    if (group.thread_rank() == 0) function(static_cast<Arguments &&>(arguments)...);
}

} // namespace cooperative_groups

#include "cooperative_groups/memcpy_async.h"

#endif
