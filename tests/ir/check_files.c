/* SPDX-License-Identifier: Apache-2.0
 *
 * usage: check_files [--verify] [--dump NAME] [--keep-memory] FILE.ptx... | -
 *
 * Parses each file and builds graph, liveness and analysis form of every function with a body; the
 * result is always verified, with --verify also after each pass.  Prints counts and seconds; exit
 * 1 if something was broken.  `-` reads file names from stdin. --dump prints the graph and the
 * form of the functions whose names hold the text.
 */
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ir/ir.h"

struct totals {
    uint64_t files, bad_files, functions, entries, instructions, blocks, irreducible, loops;
    uint64_t ir_instructions, values, phis, accesses, unknown_accesses, generic_accesses,
        local_left, objects, promoted, calls;
    uint64_t stack_kept, stack_escaped, stack;
    uint64_t left[IR_LEFT_ARGUMENTS + 1], inlined, opaque, rounds, failures;
    double parse, graph, live, build, verify, slowest;
    size_t largest_memory;
    char slowest_name[200];
};

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void count_function(struct totals *totals, const struct ir_function *function)
{
    totals->ir_instructions += function->instruction_count;
    totals->values += function->value_count;
    totals->accesses += function->access_count;
    totals->objects += function->object_count;
    totals->calls += function->call_count;
    totals->inlined += function->frame_count - 1;
    totals->opaque += function->has_opaque;
    totals->rounds += function->rounds;
    for (uint32_t i = 0; i < function->instruction_count; i++)
        totals->phis += function->instructions[i].op == IR_OP_PHI;
    for (uint32_t i = 0; i < function->object_count; i++) {
        const struct ir_object *object = &function->objects[i];
        totals->promoted += object->is_promoted;
        if (object->space != PTX_SPACE_LOCAL)
            continue;
        totals->stack++;
        totals->stack_kept += !object->is_promoted;
        totals->stack_escaped += !object->is_promoted && object->escapes;
    }
    for (uint32_t i = 0; i < function->access_count; i++) {
        const struct ir_access *access = &function->accesses[i];
        totals->unknown_accesses += access->pointer.set == 1;
        totals->generic_accesses += access->space == PTX_SPACE_NONE;
        totals->local_left += access->space == PTX_SPACE_LOCAL || access->space == PTX_SPACE_PARAM;
    }
    for (size_t i = 0; i < COUNT_OF(totals->left); i++)
        totals->left[i] += function->left[i];
}

static void check_function(struct totals *totals, const struct ptx_module *module, uint32_t index,
                           const char *dump, const struct ir_options *options)
{
    struct arena arena;
    struct diagnostic_list diagnostics;
    jmp_buf handler;
    arena_init(&arena);
    arena.handler = &handler;
    if (setjmp(handler) != 0) {
        printf("%s: %s: out of memory\n", module->name, module->functions.data[index].name);
        totals->failures++;
        arena_free(&arena);
        return;
    }
    diagnostic_list_init(&diagnostics, &arena);
    const char *name = module->functions.data[index].name;
    bool wanted = dump != NULL && strstr(name, dump) != NULL;
    double start = now();
    struct ir_cfg *cfg = ir_cfg_build(&arena, module, index);
    double middle = now();
    ir_liveness_build(&arena, cfg);
    double end = now();
    totals->graph += middle - start;
    totals->live += end - middle;
    totals->functions++;
    totals->entries += module->functions.data[index].is_entry;
    totals->instructions += module->functions.data[index].instructions.count;
    totals->blocks += cfg->block_count;
    totals->loops += cfg->loop_count;
    totals->irreducible += cfg->has_irreducible;
    struct buffer out;
    buffer_init(&out, &arena);
    if (wanted)
        ir_cfg_print(cfg, &out);

    start = now();
    struct ir_function *function = ir_function_build(&arena, module, index, options, &diagnostics);
    middle = now();
    totals->build += middle - start;
    if (middle - start > totals->slowest) {
        totals->slowest = middle - start;
        snprintf(totals->slowest_name, sizeof totals->slowest_name, "%s: %s", module->name, name);
    }
    if (function != NULL) {
        if (wanted)
            ir_function_print(function, &out);
        uint32_t complaints = ir_function_verify(function, &out);
        totals->failures += complaints != 0;
        if (complaints != 0)
            printf("%s: %s: %u complaints\n", module->name, name, complaints);
        totals->verify += now() - middle;
        count_function(totals, function);
    }
    if (out.data != NULL)
        fputs(out.data, stdout);
    for (uint32_t i = 0; i < diagnostics.items.count; i++) {
        printf("%s:%u: %s\n", module->name, diagnostics.items.data[i].place.line,
               diagnostics.items.data[i].message);
        totals->failures++;
    }
    if (arena.total > totals->largest_memory)
        totals->largest_memory = arena.total;
    arena_free(&arena);
}

static void check_file(struct totals *totals, const char *path, const char *dump,
                       const struct ir_options *options)
{
    struct arena arena;
    struct diagnostic_list diagnostics;
    jmp_buf handler;
    size_t size;
    arena_init(&arena);
    arena.handler = &handler;
    totals->files++;
    if (setjmp(handler) != 0) {
        printf("%s: out of memory\n", path);
        totals->failures++;
        arena_free(&arena);
        return;
    }
    diagnostic_list_init(&diagnostics, &arena);
    char *text = file_read(&arena, path, &size);
    double start = now();
    struct ptx_module *module =
        text == NULL ? NULL : ptx_parse(&arena, path, text, size, &diagnostics);
    totals->parse += now() - start;
    if (module == NULL || diagnostics.errors != 0) {
        printf("%s: cannot be read: %s\n", path,
               diagnostics.items.count != 0 ? diagnostics.items.data[0].message : "no file");
        totals->bad_files++;
    } else {
        for (uint32_t i = 0; i < module->functions.count; i++)
            if (module->functions.data[i].has_body)
                check_function(totals, module, i, dump, options);
    }
    arena_free(&arena);
}

static void print_totals(const struct totals *t)
{
    static const char *const reasons[] = {"external", "indirect", "recursive",
                                          "deep",     "large",    "arguments"};
    printf("%llu files (%llu unreadable), %llu functions (%llu entries), %llu instructions, %llu "
           "blocks, %llu loops, "
           "%llu irreducible functions\n",
           (unsigned long long)t->files, (unsigned long long)t->bad_files,
           (unsigned long long)t->functions, (unsigned long long)t->entries,
           (unsigned long long)t->instructions, (unsigned long long)t->blocks,
           (unsigned long long)t->loops, (unsigned long long)t->irreducible);
    printf("form: %llu instructions, %llu values, %llu phis, %llu accesses (%llu of unknown base, "
           "%llu of unknown space, %llu local or "
           "parameter), %llu objects (%llu promoted), %llu rounds, %llu calls inlined, %llu left:",
           (unsigned long long)t->ir_instructions, (unsigned long long)t->values,
           (unsigned long long)t->phis, (unsigned long long)t->accesses,
           (unsigned long long)t->unknown_accesses, (unsigned long long)t->generic_accesses,
           (unsigned long long)t->local_left, (unsigned long long)t->objects,
           (unsigned long long)t->promoted, (unsigned long long)t->rounds,
           (unsigned long long)t->inlined, (unsigned long long)t->calls);
    for (size_t i = 0; i < COUNT_OF(reasons); i++)
        printf(" %s %llu", reasons[i], (unsigned long long)t->left[i]);
    printf("; %llu functions with unknown instructions\n", (unsigned long long)t->opaque);
    printf("local variables: %llu, %llu stay memory, %llu of them because their address escapes\n",
           (unsigned long long)t->stack, (unsigned long long)t->stack_kept,
           (unsigned long long)t->stack_escaped);
    printf("seconds: parse %.3f, graph %.3f, liveness %.3f, form %.3f, verify %.3f; slowest form "
           "%.3f (%s); largest memory %.1f MB\n",
           t->parse, t->graph, t->live, t->build, t->verify, t->slowest, t->slowest_name,
           (double)t->largest_memory / 1e6);
    printf("failures: %llu\n", (unsigned long long)t->failures);
}

int main(int argc, char **argv)
{
    static struct totals totals;
    struct ir_options options = {0};
    const char *dump = NULL;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--verify") == 0) {
            options.verify = true;
        } else if (strcmp(argv[i], "--keep-memory") == 0) {
            options.keep_memory = true;
        } else if (strcmp(argv[i], "--dump") == 0 && i + 1 < argc) {
            dump = argv[++i];
        } else if (strcmp(argv[i], "-") == 0) {
            char line[4096];
            while (fgets(line, sizeof line, stdin) != NULL) {
                line[strcspn(line, "\n")] = '\0';
                check_file(&totals, line, dump, &options);
            }
        } else {
            check_file(&totals, argv[i], dump, &options);
        }
    }
    print_totals(&totals);
    return totals.failures != 0 || totals.bad_files != 0;
}
