/* SPDX-License-Identifier: Apache-2.0
 *
 * Directed graphs: adjacency, depth-first walk, dominators, tree numbering, union-find.
 */
#include "ir/graph.h"

void graph_init(struct graph *graph, struct arena *arena, uint32_t count,
                const struct graph_edge *edges, uint32_t edge_count, bool reversed)
{
    graph->count = count;
    /* Counted two places up and filled one place up, so that start[n] is right at the end. */
    uint32_t *start = graph->start = ARENA_ARRAY(arena, uint32_t, (size_t)count + 2);
    graph->targets = ARENA_ARRAY(arena, uint32_t, edge_count);
    for (uint32_t i = 0; i < edge_count; i++)
        start[(reversed ? edges[i].to : edges[i].from) + 2]++;
    for (uint32_t n = 2; n <= count + 1; n++)
        start[n] += start[n - 1];
    for (uint32_t i = 0; i < edge_count; i++) {
        uint32_t from = reversed ? edges[i].to : edges[i].from;
        graph->targets[start[from + 1]++] = reversed ? edges[i].from : edges[i].to;
    }
}

void graph_walk_init(struct graph_walk *walk, struct arena *arena, const struct graph *successors,
                     uint32_t root)
{
    uint32_t count = successors->count;
    walk->preorder = ARENA_ARRAY(arena, uint32_t, count);
    walk->postorder = ARENA_ARRAY(arena, uint32_t, count);
    walk->number = ARENA_ARRAY(arena, uint32_t, count);
    walk->last = ARENA_ARRAY(arena, uint32_t, count);
    walk->parent = ARENA_ARRAY(arena, uint32_t, count);
    uint32_t *cursor = ARENA_ARRAY(arena, uint32_t, count); /* next edge of each node on the path */
    for (uint32_t n = 0; n < count; n++) {
        walk->number[n] = walk->parent[n] = IR_NONE;
        cursor[n] = successors->start[n];
    }
    uint32_t reached = 0, finished = 0, node = root;
    walk->number[root] = reached;
    walk->preorder[reached++] = root;
    while (node != IR_NONE) {
        if (cursor[node] == successors->start[node + 1]) {
            walk->last[node] = reached - 1;
            walk->postorder[finished++] = node;
            node = walk->parent[node];
            continue;
        }
        uint32_t next = successors->targets[cursor[node]++];
        if (walk->number[next] != IR_NONE)
            continue;
        walk->parent[next] = node;
        walk->number[next] = reached;
        walk->preorder[reached++] = next;
        node = next;
    }
    walk->reached = reached;
}

/* ---- dominators ------------------------------------------------------------------------------ */

/* State over preorder numbers. */
struct semidominators {
    uint32_t *semi, *ancestor, *label, *path;
};

/* The node of least semidominator on the forest path above v (v included). */
static uint32_t semidominators_evaluate(struct semidominators *s, uint32_t v)
{
    if (s->ancestor[v] == IR_NONE)
        return v;
    uint32_t length = 0, x = v;
    while (s->ancestor[s->ancestor[x]] != IR_NONE) {
        s->path[length++] = x;
        x = s->ancestor[x];
    }
    while (length-- > 0) {
        x = s->path[length];
        uint32_t above = s->ancestor[x];
        if (s->semi[s->label[above]] < s->semi[s->label[x]])
            s->label[x] = s->label[above];
        s->ancestor[x] = s->ancestor[above];
    }
    return s->label[v];
}

void graph_dominators(struct arena *arena, const struct graph *predecessors,
                      const struct graph_walk *walk, uint32_t *idom)
{
    uint32_t count = walk->reached;
    struct semidominators s = {
        ARENA_ARRAY(arena, uint32_t, count), ARENA_ARRAY(arena, uint32_t, count),
        ARENA_ARRAY(arena, uint32_t, count), ARENA_ARRAY(arena, uint32_t, count)};
    uint32_t *dominator = ARENA_ARRAY(arena, uint32_t, count);
    uint32_t *bucket = ARENA_ARRAY(arena, uint32_t, count),
             *next = ARENA_ARRAY(arena, uint32_t, count);
    for (uint32_t v = 0; v < count; v++) {
        s.semi[v] = s.label[v] = v;
        s.ancestor[v] = bucket[v] = IR_NONE;
    }
    for (uint32_t w = count; w-- > 1;) {
        uint32_t node = walk->preorder[w], parent = walk->number[walk->parent[node]];
        for (uint32_t i = predecessors->start[node]; i < predecessors->start[node + 1]; i++) {
            uint32_t v = walk->number[predecessors->targets[i]];
            if (v == IR_NONE)
                continue;
            uint32_t u = semidominators_evaluate(&s, v);
            if (s.semi[u] < s.semi[w])
                s.semi[w] = s.semi[u];
        }
        next[w] = bucket[s.semi[w]];
        bucket[s.semi[w]] = w;
        s.ancestor[w] = parent;
        for (uint32_t v = bucket[parent]; v != IR_NONE; v = next[v]) {
            uint32_t u = semidominators_evaluate(&s, v);
            dominator[v] = s.semi[u] < s.semi[v] ? u : parent;
        }
        bucket[parent] = IR_NONE;
    }
    for (uint32_t n = 0; n < predecessors->count; n++)
        idom[n] = IR_NONE;
    for (uint32_t w = 1; w < count; w++) {
        if (dominator[w] != s.semi[w])
            dominator[w] = dominator[dominator[w]];
        idom[walk->preorder[w]] = walk->preorder[dominator[w]];
    }
}

void graph_tree_number(struct arena *arena, uint32_t count, const uint32_t *parent,
                       const uint32_t *topological, uint32_t reached, uint32_t *first,
                       uint32_t *last)
{
    uint32_t *size = ARENA_ARRAY(arena, uint32_t, count),
             *next = ARENA_ARRAY(arena, uint32_t, count);
    uint32_t next_root = 0;
    for (uint32_t i = reached; i-- > 0;) {
        uint32_t node = topological[i];
        size[node]++;
        if (parent[node] != IR_NONE)
            size[parent[node]] += size[node];
    }
    for (uint32_t i = 0; i < reached; i++) {
        uint32_t node = topological[i];
        uint32_t *from = parent[node] == IR_NONE ? &next_root : &next[parent[node]];
        first[node] = *from;
        last[node] = *from + size[node] - 1;
        *from += size[node];
        next[node] = first[node] + 1;
    }
    for (uint32_t node = 0; node < count; node++)
        if (size[node] == 0)
            first[node] = last[node] = next_root++;
}

/* ---- union-find ------------------------------------------------------------------------------ */

void graph_sets_init(struct graph_sets *sets, struct arena *arena, uint32_t count)
{
    sets->link = ARENA_ARRAY(arena, uint32_t, count);
    for (uint32_t n = 0; n < count; n++)
        sets->link[n] = n;
}

uint32_t graph_sets_find(struct graph_sets *sets, uint32_t node)
{
    while (sets->link[node] != node) {
        sets->link[node] = sets->link[sets->link[node]]; /* halve the path */
        node = sets->link[node];
    }
    return node;
}
