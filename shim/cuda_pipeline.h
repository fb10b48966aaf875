// SPDX-License-Identifier: Apache-2.0
//
// nvcuda::experimental::pipeline and memcpy_async: the C++ face of the asynchronous copies.

#ifndef LANEWISE_SHIM_CUDA_PIPELINE_H
#define LANEWISE_SHIM_CUDA_PIPELINE_H

#include "cuda_pipeline_primitives.h"

#pragma clang system_header

namespace nvcuda {
namespace experimental {

class pipeline {
    size_t committed = 0;

  public:
    LW_DEVICE_MEMBER pipeline() {}
    pipeline(const pipeline &) = delete;
    pipeline &operator=(const pipeline &) = delete;
    LW_DEVICE_MEMBER size_t commit() {
        __pipeline_commit();
        return committed++;
    }
    LW_DEVICE_MEMBER void commit_and_wait() {
        commit();
        __pipeline_wait_prior(0);
    }
    LW_DEVICE_MEMBER void wait(size_t group) {
        if (committed > group) __pipeline_wait_prior(committed - 1 - group);
    }
    template <unsigned int Groups> LW_DEVICE_MEMBER void wait_prior() { __pipeline_wait_prior(Groups); }
};

// Whole objects, in the largest pieces that cp.async has for their size and alignment.
template <typename T> LW_DEVICE void memcpy_async(T &to, const T &from, pipeline &) {
    constexpr int piece = sizeof(T) % 16 == 0 && alignof(T) % 16 == 0 ? 16
                          : sizeof(T) % 8 == 0 && alignof(T) % 8 == 0 ? 8
                          : sizeof(T) % 4 == 0 && alignof(T) % 4 == 0 ? 4
                                                                      : (int)sizeof(T);
#pragma unroll
    for (int i = 0; i < (int)sizeof(T); i += piece)
        __pipeline_memcpy_async((char *)&to + i, (const char *)&from + i, (size_t)piece);
}

} // namespace experimental
} // namespace nvcuda

#endif
