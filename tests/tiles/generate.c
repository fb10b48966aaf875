/* SPDX-License-Identifier: Apache-2.0
 *
 * The generator: statements on lines of their own, indices that stay inside their arrays whatever they are.  Seeds from PART_SEEDS on have
 * barriers for a part of the block, too; those from LANE_SEEDS on blocks of any size, and warp operations with the lanes that
 * there are; those from SWAP_SEEDS on halves of the tile that change places.
 */
#include "tiles.h"

#include <stdio.h>

enum { PART_SEEDS = 2000000, LANE_SEEDS = 3000000, SWAP_SEEDS = 4000000 };

struct generator {
    struct buffer *out;
    uint64_t state;
    uint32_t threads; /* of a block */
    bool is_flat;     /* one axis */
    bool has_parts;   /* barriers for a part of the block */
    bool has_swaps;   /* halves of the tile that change places */
    bool has_lanes;   /* warps that lack lanes, and masks that know it */
    unsigned depth, loops, left;
    unsigned variables; /* values read so far */
};

static uint64_t choose(struct generator *g, uint64_t bound)
{
    uint64_t x = g->state += 0x9e3779b97f4a7c15u;
    x ^= x >> 30;
    x *= 0xbf58476d1ce4e5b9u;
    x ^= x >> 27;
    x *= 0x94d049bb133111ebu;
    return (x ^ x >> 31) % bound;
}

static void line(struct generator *g, const char *format, ...)
{
    va_list arguments;
    buffer_printf(g->out, "%*s", (int)(4 + 4 * g->depth), "");
    va_start(arguments, format);
    buffer_vprintf(g->out, format, arguments);
    va_end(arguments);
    buffer_putc(g->out, '\n');
}

/* A counter of a loop around, or a constant. */
static const char *counter(struct generator *g)
{
    static const char *const names[] = {"k0", "k1", "k2"};
    return g->loops == 0 || choose(g, 4) == 0 ? (choose(g, 2) ? "1" : "2") : names[choose(g, g->loops)];
}

/* Anything, about as large as a thread's number. */
static const char *place(struct generator *g)
{
    struct arena *arena = g->out->arena;
    unsigned size = g->threads;
    switch (choose(g, 24)) {
    case 0: case 1: case 2: case 3: case 4: case 5:
        return "t";
    case 6: return arena_printf(arena, "t + %u", (unsigned)choose(g, 3));
    case 7: return arena_printf(arena, "t ^ %u", 1u << choose(g, 4));
    case 8: return arena_printf(arena, "(t + %s) %% %u", counter(g), size);
    case 9: return arena_printf(arena, "%u - t", size - 1 + (unsigned)choose(g, 2));
    case 10: return "t / 2";
    case 11: return "2 * t";
    case 12: return "t & 31";
    case 13: return "t / 32";
    case 14: return arena_printf(arena, "(%s & 1) * %u + t", counter(g), size);
    case 15: return arena_printf(arena, "(1 - (%s & 1)) * %u + t", counter(g), size);
    case 16: return arena_printf(arena, "t + %s", counter(g));
    case 17: return arena_printf(arena, "%s", counter(g));
    case 18: return arena_printf(arena, "(t + in[blockIdx.x & 7]) & 127");
    case 19: return arena_printf(arena, "in[t]");
    case 20: return arena_printf(arena, "t + n");
    case 21: return arena_printf(arena, "ty * %u + tx", g->is_flat ? 0 : 16);
    case 22: return arena_printf(arena, "tx * 16 + ty");
    default: return arena_printf(arena, "%u", (unsigned)choose(g, 4));
    }
}

static const char *condition(struct generator *g)
{
    struct arena *arena = g->out->arena;
    switch (choose(g, 17)) {
    case 0: case 1: return arena_printf(arena, "t < %u", 16u << choose(g, 3));
    case 2: return arena_printf(arena, "t == %u", (unsigned)choose(g, 3));
    case 3: return "t % 2 == 0";
    case 4: return arena_printf(arena, "t / 32 == %u", (unsigned)choose(g, 2));
    case 5: return arena_printf(arena, "n > %u", (unsigned)choose(g, 6));
    case 6: return "blockIdx.x == 0";
    case 7: return "in[t] > 3";
    case 8: return "in[blockIdx.x & 7] > 2";
    case 9: return arena_printf(arena, "%s < t", counter(g));
    case 10: return arena_printf(arena, "(%s & 1) == 0", counter(g));
    case 11: return "i < n";
    case 12: return arena_printf(arena, "i < m");
    case 13: return "ty == 0";
    case 14: return "(t & 31) == 0";
    case 15: return arena_printf(arena, "t < %s", counter(g));
    default: return "s[0] > 5";
    }
}

static void statement(struct generator *g);

static void statements(struct generator *g, unsigned count)
{
    for (unsigned i = 0; i < count && g->left != 0; i++)
        statement(g);
}

static void block_of(struct generator *g)
{
    g->depth++;
    statements(g, 1 + (unsigned)choose(g, 4));
    g->depth--;
    line(g, "}");
}

static void loop(struct generator *g)
{
    struct arena *arena = g->out->arena;
    unsigned number = g->loops;
    const char *end;
    if (number == 3 || g->depth > 3)
        return;
    switch (choose(g, 9)) {
    case 0: end = "(t & 3)"; break;
    case 1: end = "(in[t] & 3)"; break;
    case 2: end = "(in[blockIdx.x & 7] & 3)"; break;
    case 3: end = "n"; break;
    default: end = arena_printf(arena, "%u", 2 + (unsigned)choose(g, 3)); break;
    }
    switch (choose(g, 6)) {
    case 0:
        line(g, "for (int k%u = %u; k%u > 0; k%u >>= 1) {", number, g->threads / 2, number, number);
        break;
    case 1:
        line(g, "for (int k%u = t; k%u < m; k%u += %u) {", number, number, number, g->threads);
        break;
    default:
        line(g, "#pragma unroll 1");
        line(g, "for (int k%u = 0; k%u < %s; k%u++) {", number, number, end, number);
        break;
    }
    g->loops++;
    block_of(g);
    g->loops--;
}

/* Now and then for other threads than come. */
static void part_barrier(struct generator *g, const char *mode, unsigned number, unsigned threads)
{
    unsigned wrong = (unsigned)choose(g, 12);
    line(g, "asm volatile(\"bar.%s %u, %u;\" ::: \"memory\");", mode, wrong == 0 ? 1 : number, wrong == 1 ? threads + 32 : threads);
}

/* `sum`: of the numbers of two threads that talk to each other. */
static void one_side(struct generator *g, const char *mode, unsigned number, unsigned threads, unsigned sum)
{
    bool talks = choose(g, 3) != 0;
    g->depth++;
    if (talks)
        line(g, "s[t] = v + 1;");
    statements(g, (unsigned)choose(g, 2));
    part_barrier(g, mode, number, threads);
    if (talks && choose(g, 4) != 0)
        line(g, "v += s[(%u - t) & 255];", sum);
    statements(g, (unsigned)choose(g, 2));
    g->depth--;
    line(g, "}");
}

/* A group that meets, or one side that arrives where the other waits. */
static void part_statement(struct generator *g)
{
    unsigned bound = choose(g, 5) == 0 ? 16 : 32u << choose(g, 3), number = 1 + (unsigned)choose(g, 3);
    bool is_above = choose(g, 3) == 0, is_handover = choose(g, 3) == 0 && bound < g->threads;
    unsigned inside = bound < g->threads ? bound : g->threads;
    line(g, is_above ? "if (t >= %u) {" : "if (t < %u) {", bound);
    if (is_handover) {
        bool first = choose(g, 2);
        one_side(g, first ? "arrive" : "sync", number, g->threads, g->threads - 1);
        line(g, "else {");
        one_side(g, first ? "sync" : "arrive", number, g->threads, g->threads - 1);
        return;
    }
    unsigned members = is_above && inside < g->threads ? g->threads - inside : inside;
    one_side(g, choose(g, 12) == 0 ? "arrive" : "sync", number, members, is_above ? bound + g->threads - 1 : inside - 1);
}

/* A warp operation whose mask is made from the size of the block; now and then for other lanes, or from a lane that there is not. */
static void lane_statement(struct generator *g)
{
    static const char *const sources[] = {"lane + step < lanes ? lane + step : lane", "lane >= step ? lane - step : lane", "lanes - 1", "0",
                                          "lane + step", "lane ^ step", "lanes", "in[t] & 31"};
    static const char *const mistakes[] = {"lacks + 1", "lacks & 15", "t < 32 ? lacks : 0", "tx & 31"};
    line(g, "{");
    g->depth++;
    line(g, "int all = blockDim.x * blockDim.y, next = (t / 32 + 1) * 32, lacks = next <= all ? 0 : next - all, step = %u;",
         1u << choose(g, 5));
    line(g, "int lanes = 32 - lacks, lane = t & 31;");
    if (choose(g, 5) == 0)
        line(g, "lacks = (%s) & 31;", mistakes[choose(g, COUNT_OF(mistakes))]);
    switch (choose(g, 8)) {
    case 0:
        line(g, "v += __shfl_up_sync(0xffffffffu, v, step);");
        break;
    case 1:
        line(g, "v += __shfl_down_sync(0xffffffffu >> lacks, v, step);");
        break;
    case 2:
        line(g, "__syncwarp(0xffffffffu >> lacks);");
        break;
    case 3:
        line(g, "m0 = __ballot_sync(0xffffffffu >> lacks, v > 3);");
        break;
    default:
        line(g, "v += lanes + __shfl_sync(0xffffffffu >> lacks, v, %s);",
             sources[choose(g, choose(g, 3) == 0 ? COUNT_OF(sources) : 4)]);
        break;
    }
    g->depth--;
    line(g, "}");
}

/* A step with two halves of the tile: mostly read here, write there, barrier, change; now and then without one of these. */
static void swap_statement(struct generator *g)
{
    static const char *const from[] = {"pa[%s]", "s[(q + %s) & 255]"}, *const to[] = {"pb[%s]", "s[((128 - q) + %s) & 255]"};
    static const char *const change[] = {"{ int *h = pa; pa = pb; pb = h; }", "q = 128 - q;", "q ^= 128;"};
    unsigned kind = (unsigned)choose(g, 2);
    char read[64], write[64];
    const char *own = choose(g, 3) != 0 ? "(t & 127)" : arena_printf(g->out->arena, "((%s) & 127)", place(g));
    snprintf(read, sizeof read, from[kind], choose(g, 2) ? "(t & 127)" : "(127 - (t & 127))");
    snprintf(write, sizeof write, to[kind], own);
    line(g, "#pragma unroll 1");
    line(g, "for (int w%u = 0; w%u < %s; w%u++) {", g->left, g->left, choose(g, 4) == 0 ? "n" : "3", g->left);
    g->depth++;
    line(g, "%s = %s + 1;", write, read);
    if (choose(g, 6) != 0)
        line(g, "__syncthreads();");
    if (choose(g, 8) != 0)
        line(g, "%s", change[kind == 0 ? 0 : 1 + choose(g, 2)]);
    g->depth--;
    line(g, "}");
}

static void statement(struct generator *g)
{
    g->left--;
    if (g->has_swaps && choose(g, 3) == 0) {
        swap_statement(g);
        return;
    }
    if (g->has_lanes && choose(g, 3) == 0) {
        lane_statement(g);
        return;
    }
    if (g->has_parts && choose(g, 3) == 0) {
        part_statement(g);
        return;
    }
    switch (choose(g, 25)) {
    case 0: case 1: case 2: case 3:
        line(g, "s[(%s) & 255] = v + %u;", place(g), (unsigned)choose(g, 9));
        break;
    case 4: case 5: case 6:
        line(g, "v += s[(%s) & 255];", place(g));
        break;
    case 7: case 8: case 9: case 10: case 11:
        line(g, "__syncthreads();");
        break;
    case 12: case 13:
        line(g, "if (%s) {", condition(g));
        block_of(g);
        if (choose(g, 3) == 0) {
            line(g, "else {");
            block_of(g);
        }
        break;
    case 14: case 15: case 16:
        loop(g);
        break;
    case 17:
        line(g, "__syncwarp();");
        break;
    case 18:
        line(g, "v += __shfl_xor_sync(0xffffffffu, v, %u);", 1u << choose(g, 5));
        break;
    case 19:
        line(g, choose(g, 4) == 0 ? "atomicAdd(&s[(%s) & 255], v);" : "out[((%s) & 255) + 256 * blockIdx.x] = v;", place(g));
        break;
    case 20:
        line(g, "out[(i + (%s)) & 1023] = v;", choose(g, 2) ? "0" : place(g));
        break;
    case 21:
        line(g, "if (%s)", condition(g));
        line(g, choose(g, 3) == 0 && g->loops != 0 ? "    break;" : choose(g, 3) == 0 ? "    return;" : "    v += 3;");
        break;
    case 22:
        line(g, choose(g, 2) ? "v += __shfl_down_sync(0x0000ffffu, v, 1, 16);" : "m0 = __ballot_sync(0xffffffffu, v > 3);");
        break;
    case 23:
        line(g, choose(g, 2) ? "v = in[v & 127];" : "((char *)s)[(%s) & 1023] = (char)v;", place(g));
        break;
    default:
        line(g, choose(g, 2) ? "*(int2 *)&s[2 * ((%s) & 127)] = make_int2(v, 1);" : "v += out[((%s) & 255) + 256 * blockIdx.x];", place(g));
        break;
    }
}

void tiles_generate(struct buffer *out, uint64_t seed, struct tile_kernel *kernel)
{
    static const uint32_t blocks[][2] = {{64, 1}, {128, 1}, {96, 1}, {48, 1}, {32, 1}, {16, 4}, {8, 8}, {16, 16}};
    struct generator g = {.out = out, .state = seed * 0x9e3779b97f4a7c15u + 1};
    static const uint32_t odd_blocks[][2] = {{1, 1}, {33, 1}, {48, 1}, {100, 1}, {5, 7}, {16, 5}, {11, 11}, {64, 1}};
    g.has_swaps = seed >= SWAP_SEEDS;
    g.has_lanes = seed >= LANE_SEEDS && !g.has_swaps;
    g.has_parts = seed >= PART_SEEDS && seed < LANE_SEEDS;
    uint32_t which = (uint32_t)choose(&g, COUNT_OF(blocks));
    const uint32_t *block = g.has_lanes ? odd_blocks[which] : blocks[which];
    bool is_open = g.has_lanes && choose(&g, 2) == 0; /* the contract leaves the block open */
    kernel->block[0] = block[0];
    kernel->block[1] = block[1];
    kernel->block[2] = 1;
    g.threads = block[0] * block[1];
    g.is_flat = block[1] == 1 && !is_open;
    g.left = g.has_parts || g.has_swaps ? 2 + (unsigned)choose(&g, 6) : 4 + (unsigned)choose(&g, 14);
    unsigned factor = choose(&g, 2) ? g.threads : 1;
    buffer_printf(out, is_open ? "LW_REQUIRES(block.x * block.y <= 256, block.z == 1)\n" : "LW_BLOCK(%u, %u)\n", block[0], block[1]);
    buffer_printf(out, "LW_REQUIRES(n >= 0, n <= 100, m >= 0, m <= 1000, m %% %u == 0, grid.x <= 4)\n", factor);
    buffer_printf(out, "extern \"C\" __global__ void %s(int *out LW_SHAPE(1024), const int *in LW_SHAPE(1024), int n, int m)\n{\n",
                  kernel->name);
    buffer_puts(out, "    __shared__ __align__(16) int s[256];\n");
    buffer_puts(out, "    int tx = threadIdx.x, ty = threadIdx.y;\n");
    if (is_open)
        buffer_puts(out, "    int t = ty * blockDim.x + tx;\n");
    else
        buffer_printf(out, g.is_flat ? "    int t = tx;\n" : "    int t = ty * %u + tx;\n", block[0]);
    buffer_printf(out, "    int i = blockIdx.x * %u + t, v = in[t];\n    unsigned m0 = 0;\n", g.threads);
    if (g.has_swaps)
        buffer_puts(out, "    int q = 0, *pa = s, *pb = s + 128;\n");
    while (g.left != 0)
        statement(&g);
    buffer_puts(out, "    if (v == 123456 || m0 == 77)\n        out[1023] = v;\n}\n");
}
