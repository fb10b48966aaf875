/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the elements of matrices live in the registers of a warp (PTX ISA, Warp Level Matrix Instructions): shared by the arithmetic
 * (lanes_matrix.c) and by the loads and stores of fragments.
 *
 * mma: the manual fixes the place of every element.  wmma: it leaves the place open; here the elements lie in row-major
 * order over the lanes, and a fragment with room for more than the matrix holds it several times.
 */
#ifndef LANEWISE_EMU_MATRIX_H
#define LANEWISE_EMU_MATRIX_H

#include <stdbool.h>
#include <stdint.h>

enum emu_fragment { EMU_FRAGMENT_A, EMU_FRAGMENT_B, EMU_FRAGMENT_C }; /* C: also D */

struct emu_matrix_size {
    unsigned rows, columns;
};

struct emu_matrix_place {
    unsigned row, column;
};

/* Rows and columns of a fragment's matrix; `shape` is m << 16 | n << 8 | k as in ptx_instruction. */
static inline struct emu_matrix_size emu_matrix_size(enum emu_fragment fragment, uint32_t shape)
{
    const unsigned m = shape >> 16, n = shape >> 8 & 0xff, k = shape & 0xff;
    switch (fragment) {
    case EMU_FRAGMENT_A: return (struct emu_matrix_size){m, k};
    case EMU_FRAGMENT_B: return (struct emu_matrix_size){k, n};
    default: return (struct emu_matrix_size){m, n};
    }
}

/* wmma: the place of element `index` of `count` elements that each lane holds. */
static inline struct emu_matrix_place emu_matrix_wmma_place(struct emu_matrix_size size, unsigned count, unsigned lane,
                                                            unsigned index)
{
    const unsigned at = (lane * count + index) % (size.rows * size.columns);
    return (struct emu_matrix_place){at / size.columns, at % size.columns};
}

/* mma: the same; `packed` elements share a register (fragments A and B). */
static inline struct emu_matrix_place emu_matrix_mma_place(enum emu_fragment fragment, struct emu_matrix_size size,
                                                           unsigned packed, unsigned lane, unsigned index)
{
    const unsigned group = lane >> 2, member = lane & 3;
    const unsigned number = index / packed, along = member * packed + index % packed;
    switch (fragment) {
    case EMU_FRAGMENT_A: {
        const unsigned halves = size.rows > 8 ? 2 : 1; /* registers alternate between the upper and the lower eight rows */
        return (struct emu_matrix_place){group + 8 * (number % halves), number / halves * 4 * packed + along};
    }
    case EMU_FRAGMENT_B: return (struct emu_matrix_place){number * 4 * packed + along, group};
    default: return (struct emu_matrix_place){group + 8 * (index >> 1), member * 2 + (index & 1)};
    }
}

#endif
