/* SPDX-License-Identifier: Apache-2.0
 *
 * Loops and the scheduling order.
 *
 * Loops are found after Havlak (1997): an edge to an ancestor in the depth-first walk makes a
 * loop, inner loops are collapsed into their header by union-find before outer ones are looked at,
 * and an edge into the loop from outside the header's subtree marks it irreducible.
 *
 * The order sorts each loop's own nodes (its blocks, and each inner loop as one node)
 * topologically, then writes the sorted lists into each other.  Each edge matters at one level
 * only, that of the innermost loop that holds both ends, so the whole is linear.
 */
#include "ir/graph.h"

struct loop_finder {
    struct arena *arena;
    struct ir_cfg *cfg;
    const struct graph *successors, *predecessors;
    const struct graph_walk *walk;
    uint32_t *header; /* block -> header of the loop around it (around its own, for a header) */
    uint8_t *is_header, *is_irreducible;
    struct graph_sets sets; /* members of collapsed loops -> header */
    uint32_t *loop_of_header;
    uint32_t *first, *last; /* loop tree numbering */
};

/* ---- finding --------------------------------------------------------------------------------- */

struct other_entry {
    uint32_t from, next;
};

struct body_search {
    uint32_t *marked;  /* block -> header that claimed it last */
    uint32_t *members; /* the body so far, without the header */
    uint32_t count;
    uint32_t *entries; /* header -> list of entries past the header, into others */
    VEC(struct other_entry) others;
};

static void search_visit(struct loop_finder *f, struct body_search *search, uint32_t header,
                         uint32_t predecessor)
{
    uint32_t member = graph_sets_find(&f->sets, predecessor);
    if (!graph_walk_is_ancestor(f->walk, header, member)) {
        f->is_irreducible[header] = 1;
        struct other_entry *entry = vec_push(f->arena, &search->others);
        *entry = (struct other_entry){member, search->entries[header]};
        search->entries[header] = search->others.count - 1;
    } else if (member != header && search->marked[member] != header) {
        search->marked[member] = header;
        search->members[search->count++] = member;
    }
}

/* Collects the loop of `header`, if it has one, and collapses it. */
static void find_loop(struct loop_finder *f, struct body_search *search, uint32_t header)
{
    const struct graph *predecessors = f->predecessors;
    search->count = 0;
    for (uint32_t i = predecessors->start[header]; i < predecessors->start[header + 1]; i++) {
        uint32_t latch = predecessors->targets[i];
        if (f->walk->number[latch] == IR_NONE || !graph_walk_is_ancestor(f->walk, header, latch))
            continue;
        f->is_header[header] = 1;
        search_visit(f, search, header, latch);
    }
    for (uint32_t next = 0; next < search->count; next++) {
        uint32_t member = search->members[next];
        for (uint32_t i = predecessors->start[member]; i < predecessors->start[member + 1]; i++) {
            uint32_t from = predecessors->targets[i];
            if (f->walk->number[from] != IR_NONE && !graph_walk_is_ancestor(f->walk, member, from))
                search_visit(f, search, header, from);
        }
        for (uint32_t e = search->entries[member]; e != IR_NONE; e = search->others.data[e].next)
            search_visit(f, search, header, search->others.data[e].from);
    }
    for (uint32_t i = 0; i < search->count; i++) {
        f->header[search->members[i]] = header;
        graph_sets_unite(&f->sets, search->members[i], header);
    }
}

static void find_all_loops(struct loop_finder *f)
{
    uint32_t count = f->predecessors->count;
    struct body_search search = {.marked = ARENA_ARRAY(f->arena, uint32_t, count),
                                 .members = ARENA_ARRAY(f->arena, uint32_t, count),
                                 .entries = ARENA_ARRAY(f->arena, uint32_t, count)};
    for (uint32_t n = 0; n < count; n++)
        search.marked[n] = search.entries[n] = f->header[n] = IR_NONE;
    for (uint32_t i = f->walk->reached; i-- > 0;)
        find_loop(f, &search, f->walk->preorder[i]);
}

/* Writes cfg->loops: in preorder of their headers, so that outer loops come first. */
static void build_loops(struct loop_finder *f)
{
    struct ir_cfg *cfg = f->cfg;
    for (uint32_t i = 0; i < f->walk->reached; i++)
        cfg->loop_count += f->is_header[f->walk->preorder[i]];
    cfg->loops = ARENA_ARRAY(f->arena, struct ir_loop, cfg->loop_count);
    uint32_t count = 0;
    for (uint32_t i = 0; i < f->walk->reached; i++) {
        uint32_t block = f->walk->preorder[i];
        uint32_t around =
            f->header[block] == IR_NONE ? IR_NONE : f->loop_of_header[f->header[block]];
        cfg->blocks[block].loop = around;
        if (!f->is_header[block])
            continue;
        struct ir_loop *loop = &cfg->loops[count];
        loop->header = block;
        loop->parent = around;
        loop->depth = around == IR_NONE ? 1 : cfg->loops[around].depth + 1;
        loop->irreducible = f->is_irreducible[block];
        cfg->has_irreducible |= loop->irreducible;
        f->loop_of_header[block] = cfg->blocks[block].loop = count++;
        uint32_t latch_count = 0, used = 0;
        const struct graph *predecessors = f->predecessors;
        for (uint32_t pass = 0; pass < 2; pass++) {
            uint32_t *latches = pass == 0 ? NULL : ARENA_ARRAY(f->arena, uint32_t, latch_count);
            for (uint32_t e = predecessors->start[block]; e < predecessors->start[block + 1]; e++) {
                uint32_t from = predecessors->targets[e];
                if (f->walk->number[from] == IR_NONE ||
                    !graph_walk_is_ancestor(f->walk, block, from))
                    continue;
                if (pass == 0)
                    latch_count++;
                else
                    latches[used++] = from;
            }
            loop->latches = latches;
        }
        loop->latch_count = latch_count;
    }
}

/* ---- order ----------------------------------------------------------------------------------- */

struct level_edge {
    uint32_t from, to, next; /* next: of the same level, later of the same node */
};

struct orderer {
    struct level_edge *edges;
    uint32_t *level_edges; /* level -> first edge; a loop, or loop_count for the whole function */
    uint32_t *node_edges;  /* node -> first edge at the level being sorted */
    uint32_t *parent;      /* of the depth-first walk */
    uint8_t *seen;
    uint32_t *sequence; /* sorted nodes of all levels, one level after the other, each backwards */
    uint32_t *sequence_first, *sequence_end, *size; /* by level */
};

static bool loop_holds(const struct loop_finder *f, uint32_t loop, uint32_t block)
{
    uint32_t inner = f->cfg->blocks[block].loop;
    return inner != IR_NONE && f->first[loop] <= f->first[inner] && f->last[inner] <= f->last[loop];
}

/* Files an edge under the innermost loop that holds both ends; edges back to the header are left
 * out. */
static void file_edge(struct loop_finder *f, struct orderer *o, uint32_t edge, uint32_t from,
                      uint32_t to)
{
    struct ir_cfg *cfg = f->cfg;
    uint32_t loop = cfg->blocks[to].loop;
    if (loop != IR_NONE && cfg->loops[loop].header == to) {
        if (loop_holds(f, loop, from))
            return;
        loop = cfg->loops[loop].parent;
    }
    while (loop != IR_NONE && !loop_holds(f, loop, from))
        loop = cfg->loops[loop].parent;
    uint32_t level = loop == IR_NONE ? cfg->loop_count : loop;
    o->edges[edge] = (struct level_edge){from, to, o->level_edges[level]};
    o->level_edges[level] = edge;
}

/* Files all edges so that, after two reversals (here and in sort_level), a walk visits far targets
 * first, near ones later and blocks that only end the thread last: what is visited last is
 * scheduled first. */
static void file_edges(struct loop_finder *f, struct orderer *o)
{
    uint32_t edge = 0, count = f->predecessors->count;
    for (uint32_t pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < count; i++) {
            uint32_t to = count - 1 - i;
            bool ends = f->successors->start[to] == f->successors->start[to + 1];
            if (f->walk->number[to] == IR_NONE || ends != (pass == 1))
                continue;
            for (uint32_t e = f->predecessors->start[to]; e < f->predecessors->start[to + 1]; e++)
                if (f->walk->number[f->predecessors->targets[e]] != IR_NONE)
                    file_edge(f, o, edge++, f->predecessors->targets[e], to);
        }
    }
}

/* Sorts one level topologically from its first node; returns the new end of o->sequence.  The
 * collapsed graph has no cycles once edges to the header are gone. */
static uint32_t sort_level(struct loop_finder *f, struct orderer *o, uint32_t level, uint32_t root,
                           uint32_t end)
{
    for (uint32_t e = o->level_edges[level], next; e != IR_NONE; e = next) {
        next = o->edges[e].next;
        uint32_t from = graph_sets_find(&f->sets, o->edges[e].from);
        o->edges[e].to = graph_sets_find(&f->sets, o->edges[e].to);
        o->edges[e].next = o->node_edges[from];
        o->node_edges[from] = e;
    }
    o->sequence_first[level] = end;
    o->parent[root] = IR_NONE;
    o->seen[root] = 1;
    for (uint32_t node = root; node != IR_NONE;) {
        uint32_t e = o->node_edges[node];
        if (e == IR_NONE) {
            o->sequence[end++] = node;
            node = o->parent[node];
            continue;
        }
        uint32_t to = o->edges[e].to;
        o->node_edges[node] = o->edges[e].next;
        if (!o->seen[to]) {
            o->seen[to] = 1;
            o->parent[to] = node;
            node = to;
        }
    }
    o->sequence_end[level] = end;
    /* The root may be a node of the level around, where it must be new. */
    for (uint32_t i = o->sequence_first[level]; i < end; i++) {
        uint32_t node = o->sequence[i];
        o->seen[node] = 0;
        uint32_t loop = f->cfg->blocks[node].loop;
        bool is_inner = node != root && loop != IR_NONE && f->cfg->loops[loop].header == node;
        o->size[level] += is_inner ? o->size[loop] : 1;
    }
    return end;
}

/* Gives the blocks of a level their numbers; inner loops get their stretch. */
static void number_level(struct ir_cfg *cfg, const struct orderer *o, uint32_t level, uint32_t root,
                         uint32_t position)
{
    for (uint32_t i = o->sequence_end[level]; i-- > o->sequence_first[level];) {
        uint32_t node = o->sequence[i], loop = cfg->blocks[node].loop;
        if (node != root && loop != IR_NONE && cfg->loops[loop].header == node) {
            cfg->loops[loop].order_first = position;
            position += o->size[loop];
            cfg->loops[loop].order_end = position;
        } else {
            cfg->blocks[node].order = position++;
        }
    }
}

static void order_blocks(struct loop_finder *f)
{
    struct ir_cfg *cfg = f->cfg;
    uint32_t count = cfg->block_count, levels = cfg->loop_count + 1, entry = f->walk->preorder[0];
    struct orderer o = {.edges =
                            ARENA_ARRAY(f->arena, struct level_edge, f->predecessors->start[count]),
                        .level_edges = ARENA_ARRAY(f->arena, uint32_t, levels),
                        .node_edges = ARENA_ARRAY(f->arena, uint32_t, count),
                        .parent = ARENA_ARRAY(f->arena, uint32_t, count),
                        .seen = ARENA_ARRAY(f->arena, uint8_t, count),
                        .sequence = ARENA_ARRAY(f->arena, uint32_t, (size_t)count + levels),
                        .sequence_first = ARENA_ARRAY(f->arena, uint32_t, levels),
                        .sequence_end = ARENA_ARRAY(f->arena, uint32_t, levels),
                        .size = ARENA_ARRAY(f->arena, uint32_t, levels)};
    for (uint32_t i = 0; i < levels; i++)
        o.level_edges[i] = IR_NONE;
    for (uint32_t i = 0; i < count; i++)
        o.node_edges[i] = IR_NONE;
    file_edges(f, &o);
    graph_sets_init(&f->sets, f->arena, count);
    uint32_t end = 0;
    for (uint32_t loop = cfg->loop_count; loop-- > 0;) {
        uint32_t header = cfg->loops[loop].header;
        end = sort_level(f, &o, loop, header, end);
        for (uint32_t i = o.sequence_first[loop]; i < end; i++)
            graph_sets_unite(&f->sets, o.sequence[i], header);
    }
    sort_level(f, &o, cfg->loop_count, entry, end);
    number_level(cfg, &o, cfg->loop_count, IR_NONE, 0);
    for (uint32_t loop = 0; loop < cfg->loop_count; loop++)
        number_level(cfg, &o, loop, cfg->loops[loop].header, cfg->loops[loop].order_first);
    uint32_t position = f->walk->reached;
    for (uint32_t i = 0; i < count; i++) {
        if (f->walk->number[i] == IR_NONE)
            cfg->blocks[i].order = position++;
        cfg->by_order[cfg->blocks[i].order] = i;
    }
}

void ir_loops_find(struct ir_cfg *cfg, const struct graph *successors,
                   const struct graph *predecessors, const struct graph_walk *walk)
{
    struct arena *arena = cfg->arena;
    uint32_t count = cfg->block_count;
    struct loop_finder f = {.arena = arena,
                            .cfg = cfg,
                            .successors = successors,
                            .predecessors = predecessors,
                            .walk = walk};
    f.header = ARENA_ARRAY(arena, uint32_t, count);
    f.is_header = ARENA_ARRAY(arena, uint8_t, count);
    f.is_irreducible = ARENA_ARRAY(arena, uint8_t, count);
    f.loop_of_header = ARENA_ARRAY(arena, uint32_t, count);
    graph_sets_init(&f.sets, arena, count);
    for (uint32_t b = 0; b < count; b++)
        cfg->blocks[b].loop = IR_NONE;
    find_all_loops(&f);
    build_loops(&f);
    uint32_t loops = cfg->loop_count;
    uint32_t *parent = ARENA_ARRAY(arena, uint32_t, loops),
             *order = ARENA_ARRAY(arena, uint32_t, loops);
    f.first = ARENA_ARRAY(arena, uint32_t, loops);
    f.last = ARENA_ARRAY(arena, uint32_t, loops);
    for (uint32_t i = 0; i < loops; i++) {
        parent[i] = cfg->loops[i].parent;
        order[i] = i;
    }
    graph_tree_number(arena, loops, parent, order, loops, f.first, f.last);
    order_blocks(&f);
}
