/* SPDX-License-Identifier: Apache-2.0
 *
 * Lanewise contracts: what a CUDA kernel asks of its launches, written beside the kernel and its parameters.
 *
 *     LW_BLOCK(256) LW_DOMAIN(n) LW_REQUIRES(n >= 0)
 *     __global__ void scale(float *y LW_SHAPE(n) LW_DISJOINT, const float *x LW_SHAPE(n), float a, int n)
 *
 * Every macro expands to nothing, in C and in C++, under every compiler; only Lanewise's own reader (which defines
 * LANEWISE_READS_CONTRACTS) sees more.  docs/contracts.md describes them all.
 *
 * Expressions are exact integers over parameters of integer type, len(pointer), block.x .y .z, grid.x .y .z, literals and named
 * constants, with parentheses and + - * / %.
 */
#ifndef LANEWISE_CONTRACT_H
#define LANEWISE_CONTRACT_H

#if defined(LANEWISE_READS_CONTRACTS)
#define LW_CONTRACT_(text) __attribute__((annotate("lanewise:" text)))
#else
#define LW_CONTRACT_(text)
#endif

/* ---- on a pointer parameter, or a pointer field of a struct parameter: behind its name ---------- */

/* LW_SHAPE(d0[, d1[, d2]]): row-major, in elements; the array has at least their product. */
#define LW_SHAPE(...) LW_CONTRACT_("LW_SHAPE:" #__VA_ARGS__)
/* LW_PITCHED(rows, cols, pitch): rows of cols used elements, one row every pitch elements. */
#define LW_PITCHED(...) LW_CONTRACT_("LW_PITCHED:" #__VA_ARGS__)
/* LW_VALUES(low, high): at launch every element v of this integer array has low <= v < high. */
#define LW_VALUES(...) LW_CONTRACT_("LW_VALUES:" #__VA_ARGS__)
/* No two threads write one element. */
#define LW_DISJOINT LW_CONTRACT_("LW_DISJOINT:")
/* The launch writes every element. */
#define LW_WRITES_ALL LW_CONTRACT_("LW_WRITES_ALL:")
/* LW_REDUCES(op, source): holds the reduction of `source`: sum, product, min, max, and, or, xor. */
#define LW_REDUCES(...) LW_CONTRACT_("LW_REDUCES:" #__VA_ARGS__)
/* LW_MAY_ALIAS(p): may be the same buffer as `p`. */
#define LW_MAY_ALIAS(...) LW_CONTRACT_("LW_MAY_ALIAS:" #__VA_ARGS__)

/* ---- on a kernel: before __global__ -------------------------------------------------------------- */

/* LW_REQUIRES(relation[, relation ...]): each one comparison; all hold. */
#define LW_REQUIRES(...) LW_CONTRACT_("LW_REQUIRES:" #__VA_ARGS__)
/* LW_BLOCK(x[, y[, z]]): exactly this block. */
#define LW_BLOCK(...) LW_CONTRACT_("LW_BLOCK:" #__VA_ARGS__)
/* LW_BLOCK_MULTIPLE(k): block.x is a multiple of k. */
#define LW_BLOCK_MULTIPLE(...) LW_CONTRACT_("LW_BLOCK_MULTIPLE:" #__VA_ARGS__)
/* LW_BLOCK_MAX(t): at most t threads in a block. */
#define LW_BLOCK_MAX(...) LW_CONTRACT_("LW_BLOCK_MAX:" #__VA_ARGS__)
/* LW_DOMAIN(nx[, ny[, nz]]): the grid is the smallest that covers so many threads. */
#define LW_DOMAIN(...) LW_CONTRACT_("LW_DOMAIN:" #__VA_ARGS__)
/* LW_SHARED_BYTES(bytes): dynamic shared memory of the launch. */
#define LW_SHARED_BYTES(...) LW_CONTRACT_("LW_SHARED_BYTES:" #__VA_ARGS__)
/* LW_UNCHECKED_INDEXING("reason"): no run-time index checks in this kernel; the reason is printed in reports. */
#define LW_UNCHECKED_INDEXING(...) LW_CONTRACT_("LW_UNCHECKED_INDEXING:" #__VA_ARGS__)

/* ---- on other functions ---------------------------------------------------------------------------- */

/* LW_FOR("mangled name"): on a prototype: the PTX entry that it speaks of. */
#define LW_FOR(...) LW_CONTRACT_("LW_FOR:" #__VA_ARGS__)
/* LW_REFERENCE(kernel): on a host function: it computes what the kernel must compute. */
#define LW_REFERENCE(...) LW_CONTRACT_("LW_REFERENCE:" #__VA_ARGS__)

#endif
