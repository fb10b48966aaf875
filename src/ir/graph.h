/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to ir: plain directed graphs and the algorithms on them that cfg.c, dominators.c and
 * loops.c share. No recursion anywhere: a hostile file may nest a hundred thousand deep.
 */
#ifndef LANEWISE_IR_GRAPH_H
#define LANEWISE_IR_GRAPH_H

#include "ir/ir.h"

/* Neighbours of node n: targets[start[n] .. start[n + 1]). */
struct graph {
    uint32_t count;
    uint32_t *start, *targets;
};

struct graph_edge {
    uint32_t from, to;
};

/* Edges keep their relative order in each node's list.  `reversed` swaps the ends. */
void graph_init(struct graph *graph, struct arena *arena, uint32_t count,
                const struct graph_edge *edges, uint32_t edge_count, bool reversed);

/* A depth-first walk from `root`.  Unreached nodes have number IR_NONE. */
struct graph_walk {
    uint32_t reached;
    uint32_t *preorder;  /* number -> node */
    uint32_t *postorder; /* number -> node */
    uint32_t *number;    /* node -> preorder number */
    uint32_t *last;      /* node -> largest preorder number in its subtree */
    uint32_t *parent;    /* node -> parent in the walk */
};
void graph_walk_init(struct graph_walk *walk, struct arena *arena, const struct graph *successors,
                     uint32_t root);
static inline bool graph_walk_is_ancestor(const struct graph_walk *walk, uint32_t a, uint32_t b)
{
    return walk->number[a] <= walk->number[b] && walk->number[b] <= walk->last[a];
}

/* Immediate dominators of all nodes reached by `walk` (IR_NONE for the root and the unreached).
 * Lengauer and Tarjan, 1979. */
void graph_dominators(struct arena *arena, const struct graph *predecessors,
                      const struct graph_walk *walk, uint32_t *idom);

/* Numbers the tree given by parents so that b is under a iff [first, last] of b lies in a's.
 * Nodes outside the tree get an empty interval of their own past all others. */
void graph_tree_number(struct arena *arena, uint32_t count, const uint32_t *parent,
                       const uint32_t *topological, uint32_t reached, uint32_t *first,
                       uint32_t *last);

/* Union-find over nodes; the representative of a set is the node that was united last as `into`. */
struct graph_sets {
    uint32_t *link;
};
void graph_sets_init(struct graph_sets *sets, struct arena *arena, uint32_t count);
uint32_t graph_sets_find(struct graph_sets *sets, uint32_t node);
static inline void graph_sets_unite(struct graph_sets *sets, uint32_t node, uint32_t into)
{
    sets->link[node] = into;
}

/* loops.c: fills loops, block.loop, order and by_order. */
void ir_loops_find(struct ir_cfg *cfg, const struct graph *successors,
                   const struct graph *predecessors, const struct graph_walk *walk);

#endif
