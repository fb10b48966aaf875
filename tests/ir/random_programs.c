/* SPDX-License-Identifier: Apache-2.0
 *
 * usage: random_programs [FIRST_SEED COUNT]
 *
 * Random kernels, run as PTX and in analysis form: both must leave the same global memory, with
 * and without promotion and regions. The programs have guarded instructions, diamonds, loops,
 * jumps anywhere (bounded by fuel), early returns, stack slots of all widths, pointers kept in
 * stack slots, indexed stack arrays, structs as parameters, calls with results, recursion.
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "machine.h"

struct generator {
    struct buffer text;
    uint64_t state;
    uint32_t labels, calls, depth;
    uint32_t function; /* being written; 3 is the kernel, and each calls only smaller ones */
    uint32_t jumps;    /* labels J0 .. that may be jumped to */
};

static uint32_t below(struct generator *g, uint32_t bound)
{
    g->state = g->state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(g->state >> 33) % bound;
}

#define emit(...) buffer_printf(&g->text, __VA_ARGS__)

static void guard(struct generator *g)
{
    uint32_t kind = below(g, 5);
    if (kind < 2)
        emit("@%s%%p%u ", kind == 0 ? "!" : "", below(g, 3));
}

static void operand(struct generator *g)
{
    if (below(g, 4) == 0)
        emit("%d", (int)below(g, 2000) - 1000);
    else
        emit("%%r%u", below(g, 6));
}

static void arithmetic(struct generator *g)
{
    static const char *const names[] = {"add.s32", "sub.s32", "mul.lo.s32",
                                        "and.b32", "or.b32",  "xor.b32"};
    guard(g);
    switch (below(g, 6)) {
    case 0:
        emit("mad.lo.s32 %%r%u, ", below(g, 6));
        operand(g);
        emit(", ");
        operand(g);
        emit(", %%r%u;\n", below(g, 6));
        break;
    case 1:
        emit("selp.b32 %%r%u, ", below(g, 6));
        operand(g);
        emit(", ");
        operand(g);
        emit(", %%p%u;\n", below(g, 3));
        break;
    case 2:
        emit("mov.b32 %%r%u, %%r%u;\n", below(g, 6), below(g, 6));
        break;
    case 3:
        if (below(g, 2) == 0)
            emit("mov.b64 %%rd%u, {%%r%u, %%r%u};\n", below(g, 2), below(g, 6), below(g, 6));
        else
            emit("mov.b64 {%%r%u, %%r%u}, %%rd%u;\n", below(g, 3), 3 + below(g, 3), below(g, 2));
        break;
    default:
        emit("%s %%r%u, ", names[below(g, COUNT_OF(names))], below(g, 6));
        operand(g);
        emit(", ");
        operand(g);
        emit(";\n");
    }
}

static void comparison(struct generator *g)
{
    static const char *const names[] = {"eq.s32", "ne.s32", "lt.s32", "ge.u32", "gt.s32", "le.u32"};
    bool combined = below(g, 3) == 0;
    const char *name = names[below(g, COUNT_OF(names))];
    guard(g);
    if (combined)
        emit("setp.%.2s.and%s %%p%u, ", name, name + 2, below(g, 3));
    else
        emit("setp.%s %%p%u, ", name, below(g, 3));
    operand(g);
    emit(", ");
    operand(g);
    if (combined)
        emit(", %s%%p%u", below(g, 2) == 0 ? "!" : "", below(g, 3));
    emit(";\n");
}

/* The stack: [0,32) plain slots of all widths, [32,48) an array of words, [48,56) and [56,64) hold
 * pointers to plain slots. */
static void slot(struct generator *g)
{
    static const char *const types[] = {"u8", "s8", "u16", "s16", "u32", "b64"};
    static const uint32_t sizes[] = {1, 1, 2, 2, 4, 8};
    uint32_t kind = below(g, 6), offset = below(g, 32 / sizes[kind]) * sizes[kind];
    const char *name = kind == 5 ? "%rd" : kind >= 2 && kind < 4 ? "%rs" : "%r";
    uint32_t reg = below(g, kind == 5 ? 2 : kind >= 2 && kind < 4 ? 2 : 6);
    switch (below(g, 7)) {
    case 0:
        guard(g);
        emit("st.v2.u32 [%%SP+%u], {%%r%u, %%r%u};\n", below(g, 4) * 8, below(g, 6), below(g, 6));
        break;
    case 1:
        emit("ld.v2.u32 {%%r%u, %%r%u}, [%%SP+%u];\n", below(g, 3), 3 + below(g, 3),
             below(g, 4) * 8);
        break;
    case 2:
    case 3:
        guard(g);
        emit("st.%s [%%SP+%u], %s%u;\n", types[kind], offset, name, reg);
        break;
    default:
        guard(g);
        emit("ld.%s %s%u, [%%SP+%u];\n", types[kind], name, reg, offset);
    }
}

static void array(struct generator *g)
{
    emit("and.b32 %%r6, %%r%u, 3;\nmul.wide.u32 %%rd4, %%r6, 4;\nadd.s64 %%rd4, %%SP, %%rd4;\n",
         below(g, 6));
    if (below(g, 2) == 0)
        emit("st.u32 [%%rd4+32], %%r%u;\n", below(g, 6));
    else
        emit("ld.u32 %%r%u, [%%rd4+32];\n", below(g, 6));
}

static void pointer(struct generator *g)
{
    uint32_t where = 48 + below(g, 2) * 8;
    if (below(g, 3) == 0) {
        emit("add.u64 %%rd5, %%SP, %u;\n", below(g, 6) * 4);
        if (below(g, 3) == 0)
            guard(g);
        emit("st.u64 [%%SP+%u], %%rd5;\n", where);
        return;
    }
    if (below(g, 4) == 0) {
        emit("ld.v2.u32 {%%r6, %%r7}, [%%SP+%u];\nst.v2.u32 [%%SP+%u], {%%r6, %%r7};\n", where,
             104 - where);
        return;
    }
    emit("ld.u64 %%rd5, [%%SP+%u];\n", where);
    if (below(g, 2) == 0)
        emit("ld.u32 %%r%u, [%%rd5+4];\n", below(g, 6));
    else
        emit("st.u32 [%%rd5], %%r%u;\n", below(g, 6));
}

static void call(struct generator *g)
{
    if (g->function == 0 || g->calls >= 6)
        return;
    g->calls++;
    uint32_t callee = below(g, g->function), id = g->labels++;
    emit("{\n.param .b32 a%u;\n.param .b64 b%u;\n.param .align 8 .b8 s%u[16];\n.param .b32 q%u;\n",
         id, id, id, id);
    emit("st.param.b32 [a%u], %%r%u;\n", id, below(g, 6));
    emit("add.u64 %%rd5, %%SP, %u;\nst.param.b64 [b%u], %%rd5;\n", below(g, 6) * 4, id);
    emit("st.param.b64 [s%u], %%rd%u;\nst.param.v2.b32 [s%u+8], {%%r%u, %%r%u};\n", id, below(g, 2),
         id, below(g, 6), below(g, 6));
    if (below(g, 4) == 0)
        guard(g);
    emit("call.uni (q%u), f%u, (a%u, b%u, s%u);\nld.param.b32 %%r%u, [q%u];\n}\n", id, callee, id,
         id, id, below(g, 6), id);
}

static void statements(struct generator *g, uint32_t count);

static void structured(struct generator *g)
{
    uint32_t id = g->labels++;
    if (g->depth >= 3)
        return;
    g->depth++;
    if (below(g, 2) == 0) {
        emit("@%%p%u bra E%u;\n", below(g, 3), id);
        statements(g, 1 + below(g, 4));
        emit("bra J%u;\n", id);
        emit("E%u:\n", id);
        statements(g, below(g, 3));
        emit("J%u:\n", id);
    } else {
        emit("mov.u32 %%c%u, 0;\nW%u:\n", g->depth, id);
        statements(g, 1 + below(g, 5));
        if (below(g, 2) == 0)
            emit("@%%p%u bra X%u;\n", below(g, 3), id);
        emit("add.u32 %%c%u, %%c%u, 1;\nsetp.lt.u32 %%p3, %%c%u, %u;\n@%%p3 bra W%u;\nX%u:\n",
             g->depth, g->depth, g->depth, 1 + below(g, 3), id, id);
    }
    g->depth--;
}

static void jump(struct generator *g)
{
    emit("sub.u32 %%fuel, %%fuel, 1;\nsetp.eq.u32 %%p3, %%fuel, 0;\n@%%p3 bra END%u;\n",
         g->function);
    if (below(g, 2) == 0 && g->jumps < 4)
        emit("K%u_%u:\n", g->function, g->jumps++);
    emit("@%%p%u bra K%u_%u;\n", below(g, 3), g->function, below(g, 4));
}

static void statement(struct generator *g)
{
    switch (below(g, 16)) {
    case 0:
    case 1:
        comparison(g);
        break;
    case 2:
    case 3:
    case 4:
    case 5:
        slot(g);
        break;
    case 6:
        array(g);
        break;
    case 7:
        pointer(g);
        break;
    case 8:
        call(g);
        break;
    case 9:
    case 10:
        structured(g);
        break;
    case 11:
        jump(g);
        break;
    case 12:
        if (g->function == 3)
            emit("st.global.u32 [%%out+%u], %%r%u;\n", below(g, 16) * 4, below(g, 6));
        else if (below(g, 6) == 0)
            emit("@%%p%u ret;\n", below(g, 3));
        break;
    default:
        arithmetic(g);
    }
}

static void statements(struct generator *g, uint32_t count)
{
    while (count-- > 0)
        statement(g);
}

static void body(struct generator *g, uint32_t function)
{
    g->function = function;
    g->jumps = g->calls = g->depth = 0;
    emit("{\n.local .align 8 .b8 depot%u[64];\n.reg .b32 %%r<8>, %%c<5>, %%fuel;\n.reg .b16 "
         "%%rs<2>;\n.reg .b64 %%rd<6>, %%SP, %%SPL, %%out;\n"
         ".reg .pred %%p<4>;\nmov.u64 %%SPL, depot%u;\ncvta.local.u64 %%SP, %%SPL;\n",
         function, function);
    for (uint32_t i = 0; i < 6; i++)
        emit("st.u64 [%%SP+%u], 0;\n", i * 8);
    emit("st.u64 [%%SP+48], %%SP;\nadd.u64 %%rd5, %%SP, 8;\nst.u64 [%%SP+56], %%rd5;\nmov.u32 "
         "%%fuel, 12;\n");
    for (uint32_t i = 0; i < 6; i++)
        emit("mov.u32 %%r%u, %u;\n", i, below(g, 100));
    emit("mov.u32 %%c1, 0;\nmov.u32 %%c2, 0;\nmov.u32 %%c3, 0;\nmov.u64 %%rd0, 5;\nmov.u64 %%rd1, "
         "-7;\nmov.u16 %%rs0, 3;\nmov.u16 %%rs1, -9;\n");
    for (uint32_t i = 0; i < 4; i++)
        emit("setp.lt.u32 %%p%u, %u, 5;\n", i, below(g, 10));
    if (function == 3)
        emit("ld.param.u64 %%out, [k_out];\nld.param.u32 %%r0, [k_x];\nld.param.s8 %%r1, "
             "[k_s+3];\nld.param.u64 %%rd0, [k_s];\n"
             "ld.param.v2.u32 {%%r2, %%r3}, [k_s+8];\nmov.u32 %%r4, %%tid.x;\n");
    else
        emit("ld.param.u32 %%r0, [f%u_a];\nld.param.u64 %%rd5, [f%u_b];\nld.u32 %%r1, "
             "[%%rd5];\nst.u32 [%%rd5+4], %%r0;\n"
             "ld.param.v2.u32 {%%r2, %%r3}, [f%u_s+4];\nld.param.b32 %%r4, [f%u_s+12];\n",
             function, function, function, function);
    statements(g, 6 + below(g, 20));
    while (g->jumps < 4)
        emit("K%u_%u:\n", function, g->jumps++);
    emit("END%u:\n", function);
    if (function == 3) {
        for (uint32_t i = 0; i < 6; i++)
            emit("st.global.u32 [%%out+%u], %%r%u;\n", 64 + i * 4, i);
        for (uint32_t i = 0; i < 4; i++)
            emit("ld.u64 %%rd1, [%%SP+%u];\nst.global.u64 [%%out+%u], %%rd1;\n", i * 8, 96 + i * 8);
    } else {
        emit("st.param.b32 [f%u_q], %%r%u;\n", function, below(g, 6));
    }
    emit("ret;\n}\n");
}

static void write_program(struct generator *g)
{
    emit(".version 8.0\n.target sm_80\n.address_size 64\n");
    for (uint32_t f = 0; f < 3; f++) {
        emit(".func (.param .b32 f%u_q) f%u(.param .b32 f%u_a, .param .b64 f%u_b, .param .align 8 "
             ".b8 f%u_s[16])\n",
             f, f, f, f, f);
        body(g, f);
    }
    emit(".visible .entry k(.param .u64 k_out, .param .u32 k_x, .param .align 8 .b8 k_s[16])\n");
    body(g, 3);
}

static const char *compare_runs(struct arena *arena, const struct ptx_module *module,
                                const struct ir_options *options, bool *finished,
                                uint64_t *unusable)
{
    enum { GLOBAL = 256 };
    struct diagnostic_list diagnostics;
    diagnostic_list_init(&diagnostics, arena);
    uint32_t kernel = ptx_find_function(module, "k");
    struct ir_function *function = ir_function_build(arena, module, kernel, options, &diagnostics);
    if (function == NULL || diagnostics.errors != 0)
        return diagnostics.items.count != 0 ? diagnostics.items.data[0].message : "no form";
    uint8_t parameters[32];
    for (uint32_t i = 0; i < sizeof parameters; i++)
        parameters[i] = (uint8_t)(i * 37 + 200);
    uint64_t out = (uint64_t)1 << 32;
    memcpy(parameters, &out, sizeof out);
    struct machine *plain = ARENA_NEW(arena, struct machine),
                   *form = ARENA_NEW(arena, struct machine);
    machine_init(plain, arena, module, GLOBAL, parameters, sizeof parameters);
    machine_init(form, arena, module, GLOBAL, parameters, sizeof parameters);
    *finished = machine_run_ptx(plain, kernel);
    if (!*finished)
        return strcmp(plain->fault, "too many steps") == 0
                   ? NULL
                   : arena_printf(arena, "as PTX: %s", plain->fault);
    if (!machine_run_form(form, function)) {
        /* The assumption about indexed arrays does not hold in this program; whoever uses the form
         * must prove it. */
        if (function->has_regions && strcmp(form->fault, MACHINE_LEAVES_REGION) == 0) {
            (*unusable)++;
            return NULL;
        }
        return arena_printf(arena, "as form: %s", form->fault);
    }
    for (uint32_t i = 0; i < GLOBAL; i++)
        if (plain->buffers[1].data[i] != form->buffers[1].data[i])
            return arena_printf(arena, "byte %u is %u as PTX and %u as form", i,
                                plain->buffers[1].data[i], form->buffers[1].data[i]);
    return NULL;
}

int main(int argc, char **argv)
{
    uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 1,
             count = argc > 2 ? strtoull(argv[2], NULL, 10) : 400;
    static const struct ir_options ways[] = {{.verify = true},
                                             {.verify = true, .no_regions = true},
                                             {.verify = true, .keep_memory = true},
                                             {.verify = true, .max_depth = 1},
                                             {.verify = true, .max_instructions = 1}};
    uint64_t finished = 0, unusable = 0;
    for (uint64_t seed = first; seed < first + count; seed++) {
        struct arena arena;
        struct diagnostic_list diagnostics;
        arena_init(&arena);
        diagnostic_list_init(&diagnostics, &arena);
        struct generator g = {.state = seed * 77777 + 1};
        buffer_init(&g.text, &arena);
        write_program(&g);
        struct ptx_module *module =
            ptx_parse(&arena, "random.ptx", g.text.data, g.text.size, &diagnostics);
        const char *wrong = diagnostics.errors != 0 ? diagnostics.items.data[0].message : NULL;
        bool done = false;
        for (size_t way = 0; wrong == NULL && way < COUNT_OF(ways); way++) {
            wrong = compare_runs(&arena, module, &ways[way], &done, &unusable);
            if (wrong != NULL)
                printf("way %zu: ", way);
        }
        finished += done;
        if (wrong != NULL) {
            printf("seed %" PRIu64 ": %s\n", seed, wrong);
            if (argc > 2 && count == 1)
                fputs(g.text.data, stdout);
            arena_free(&arena);
            return 1;
        }
        arena_free(&arena);
    }
    printf("%" PRIu64 " programs agree, %" PRIu64 " of them ran to their end; %" PRIu64
           " regions do not hold\n",
           count, finished, unusable);
    return finished * 2 < count || unusable * 4 > count;
}
