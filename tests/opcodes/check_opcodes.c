// SPDX-License-Identifier: Apache-2.0
//
// check_opcodes TABLE_FOLDER [OPTIONS] [SECTION...]: runs the forms in the emulator and compares their results with the
// recorded ones. Every difference names its form, thread, inputs, the expected and the actual value.
//
//   --coverage     lists which of the forms in required.tsv, and which rows of the opcode table, a passing test executed;
//                  fails if one of required.tsv was not
//   --adversarial  runs lanes apart: the results must be the same, but for kernels that show which lanes run together
//   --verbose      names each form
//
// Exit: 0 all right, 1 differences, 2 the tests cannot run.
#include "opcodes.h"

#include "base/base.h"
#include "coverage.h"
#include "emu/emu.h"
#include "ptx/ptx.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 3 }; // differences shown of one form

struct checker {
    const struct opcode_table *table;
    const struct opcode_expected *rows;
    const char *directory;
    bool verbose;
    bool adversarial;  // lanes run apart: the results are the same
    unsigned isa;      // of the lane operations: enum in emu_options
    const char *built; // its name
    struct coverage *coverage;
    struct emu_machine *machine;
    struct emu_program *program;
    const struct ptx_module *module;
    const char *later; // text of later.txt
    bool unsupported;  // the last launch reached an instruction that is not executed
    unsigned passed, failed, unrecorded, left_out;
};

// Does the result show which lanes run together (activemask)?
static bool form_shows_schedule(const struct opcode_form *form)
{
    static const char *const names[] = {"activemask_b32", "divergent_if", "branch_table",
                                        "early_exit", "short_warp"};
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (strcmp(form->name, names[i]) == 0)
            return true;
    return false;
}

// Is the form listed in later.txt?
static bool form_is_later(const struct checker *checker, const struct opcode_form *form)
{
    char name[320];
    int length = snprintf(name, sizeof name, "%s/%s ", form->section, form->name);
    for (const char *line = checker->later; line && *line;) {
        if (strncmp(line, name, (size_t)length) == 0)
            return true;
        line = strchr(line, '\n');
        line = line ? line + 1 : NULL;
    }
    return false;
}

static void difference_print(const struct opcode_form *form, unsigned thread, unsigned value,
                             uint64_t expected, uint64_t got)
{
    struct opcode_type type = opcode_value_type(form, value);
    printf("  thread %u:", thread);
    for (unsigned i = 0; i < form->input_count; i++) {
        printf(" %c=", "abcx"[i]);
        opcode_value_print(stdout, &form->input[i].type, opcode_input_value(form, i, thread));
    }
    printf("  %c expected ", opcode_value_name(form, value));
    opcode_value_print(stdout, &type, expected);
    fputs(" got ", stdout);
    opcode_value_print(stdout, &type, got);
    putchar('\n');
}

static unsigned form_compare(const struct opcode_form *form, const uint64_t *expected,
                             const uint64_t *got)
{
    unsigned count = opcode_value_count(form), wrong = 0;
    for (unsigned thread = 0; thread < form->threads; thread++) {
        for (unsigned value = 0; value < count; value++) {
            size_t at = (size_t)thread * count + value;
            if (opcode_value_equal(form, value, expected[at], got[at]))
                continue;
            if (wrong == 0)
                printf("FAIL %s/%s: %s\n", form->section, form->name, form->template);
            if (wrong++ < SHOWN)
                difference_print(form, thread, value, expected[at], got[at]);
        }
    }
    if (wrong > SHOWN)
        printf("  and %u more of %zu values\n", wrong - SHOWN, (size_t)count * form->threads);
    return wrong;
}

static bool form_failed(const struct opcode_form *form, const char *reason)
{
    printf("FAIL %s/%s: %s\n  %s\n", form->section, form->name, form->template, reason);
    return false;
}

static void parameters_fill(const struct checker *checker, uint32_t function, uint64_t input,
                            uint64_t output, uint8_t *parameters, uint32_t *size)
{
    unsigned char area[OPCODE_AREA_BYTES];
    opcode_area_fill(area);
    uint32_t count = checker->module->functions.data[function].parameters.count;
    for (uint32_t i = 0; i < count && i < 3; i++) {
        uint32_t offset = emu_parameter_offset(checker->module, function, i, size);
        const void *source = i == 0 ? (const void *)&input : i == 1 ? (const void *)&output : area;
        memcpy(parameters + offset, source, i == 2 ? sizeof area : sizeof input);
    }
}

static bool form_launch(struct checker *checker, const struct opcode_form *form, uint64_t input,
                        uint64_t output)
{
    uint32_t function = ptx_find_function(checker->module, form->name);
    if (function == PTX_NONE)
        return form_failed(form, "the module has no such kernel");
    uint8_t parameters[256] = {0};
    uint32_t size = 0;
    parameters_fill(checker, function, input, output, parameters, &size);
    const struct emu_launch launch = {
        .function = function,
        .grid = {form->threads / form->block, 1, 1},
        .block = {form->block, 1, 1},
        .parameters = parameters,
        .parameters_size = size,
    };
    struct arena arena;
    arena_init(&arena);
    struct emu_result result = {0};
    emu_launch_run(checker->machine, checker->program, &launch, &arena, &result);
    bool good = result.status == EMU_OK && result.findings.count == 0;
    checker->unsupported = result.status == EMU_UNSUPPORTED;
    if (result.status != EMU_OK && !(checker->unsupported && form_is_later(checker, form)))
        form_failed(form, result.stopped ? result.stopped : "the launch did not finish");
    for (uint32_t i = 0; i < result.findings.count && i < SHOWN; i++) {
        const struct finding *finding = &result.findings.data[i];
        char text[512];
        snprintf(text, sizeof text, "finding LW%u in line %" PRIu32 ": %s",
                 finding_info(finding->kind)->number, finding->place.line, finding->message);
        form_failed(form, text);
    }
    arena_free(&arena);
    return good;
}

static bool form_check(struct checker *checker, const struct opcode_form *form,
                       const uint64_t *expected)
{
    size_t input_size = opcode_input_size(form), output_size = opcode_output_size(form);
    unsigned char *input = malloc(input_size + 1), *output = malloc(output_size);
    uint64_t *values = malloc(sizeof *values * form->threads * opcode_value_count(form) + 1);
    const struct emu_buffer input_buffer = {
        .name = "input", .size = input_size, .element_size = 8, .initialised = true};
    const struct emu_buffer output_buffer = {
        .name = "output", .size = output_size, .element_size = 8};
    uint64_t input_address = emu_memory_allocate(checker->machine, &input_buffer);
    uint64_t output_address = emu_memory_allocate(checker->machine, &output_buffer);
    bool good = input && output && values && input_address && output_address;
    if (good) {
        opcode_inputs_fill(form, input);
        good =
            input_size == 0 || emu_memory_write(checker->machine, input_address, input, input_size);
    }
    if (!good) {
        form_failed(form, "out of memory");
    } else {
        good = form_launch(checker, form, input_address, output_address);
        if (good && emu_memory_read(checker->machine, output_address, output, output_size)) {
            opcode_values_gather(form, output, values);
            good = form_compare(form, expected, values) == 0;
        }
    }
    if (input_address)
        emu_memory_free(checker->machine, input_address);
    if (output_address)
        emu_memory_free(checker->machine, output_address);
    free(input);
    free(output);
    free(values);
    return good;
}

static void section_forms_check(struct checker *checker, const char *section)
{
    for (size_t i = 0; i < checker->table->count; i++) {
        const struct opcode_form *form = &checker->table->forms[i];
        if (strcmp(form->section, section) != 0 ||
            (checker->adversarial && form_shows_schedule(form)))
            continue;
        if (!checker->rows[i].values) {
            printf("FAIL %s/%s: no recorded results belong to this form as it stands now\n",
                   section, form->name);
            checker->unrecorded++;
            continue;
        }
        bool good = checker->program ? form_check(checker, form, checker->rows[i].values)
                                     : form_failed(form, "its module cannot be prepared");
        if (form_is_later(checker, form) && good) {
            good = form_failed(form, "is right: take it out of later.txt");
        } else if (form_is_later(checker, form) && checker->unsupported) {
            checker->left_out++;
            continue;
        }
        if (good) {
            checker->passed++;
            coverage_add(checker->coverage, form, checker->directory);
        } else {
            checker->failed++;
        }
        if (checker->verbose)
            printf("%s %s/%s\n", good ? "pass" : "fail", section, form->name);
    }
}

static bool section_check(struct checker *checker, const char *section)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    bool written = file && opcode_emit_section(file, checker->table, section, checker->directory);
    if (file)
        fclose(file);
    if (!written) {
        fprintf(stderr, "check_opcodes: cannot write the module of %s\n", section);
        free(text);
        return false;
    }
    struct arena arena;
    arena_init(&arena);
    struct diagnostic_list diagnostics;
    diagnostic_list_init(&diagnostics, &arena);
    struct emu_options options = {.jobs = 2, .adversarial = checker->adversarial};
    options.isa = checker->isa;
    checker->machine = emu_machine_create(&options);
    checker->module = ptx_parse(&arena, section, text, size, &diagnostics);
    checker->program = NULL;
    if (checker->machine && diagnostics.errors == 0)
        checker->program = emu_program_create(checker->machine, checker->module, &diagnostics);
    for (uint32_t i = 0; i < diagnostics.items.count; i++) {
        const struct diagnostic *diagnostic = &diagnostics.items.data[i];
        printf("%s.ptx:%" PRIu32 ": %s\n", section, diagnostic->place.line, diagnostic->message);
    }
    section_forms_check(checker, section);
    if (checker->program)
        emu_program_free(checker->program);
    if (checker->machine)
        emu_machine_free(checker->machine);
    arena_free(&arena);
    free(text);
    return true;
}

static bool section_wanted(const char *section, char **names, int count)
{
    for (int i = 0; i < count; i++)
        if (strcmp(names[i], section) == 0)
            return true;
    return count == 0;
}

static int sections_check(struct checker *checker, char **names, int count)
{
    const char *section = "";
    unsigned sections = 0;
    checker->passed = checker->failed = checker->unrecorded = checker->left_out = 0;
    for (size_t i = 0; i < checker->table->count; i++) {
        if (strcmp(section, checker->table->forms[i].section) == 0)
            continue;
        section = checker->table->forms[i].section;
        if (!section_wanted(section, names, count))
            continue;
        sections++;
        if (!section_check(checker, section))
            return 2;
    }
    if (sections == 0) {
        fputs("check_opcodes: the table has no such section\n", stderr);
        return 2;
    }
    printf("%s: %u forms right, %u wrong, %u without recorded results, %u left out (later.txt)\n",
           checker->built, checker->passed, checker->failed, checker->unrecorded,
           checker->left_out);
    return checker->failed || checker->unrecorded ? 1 : 0;
}

// The lane operations are built for several instruction sets; one that the machine has not means the best it has.
static int isas_check(struct checker *checker, char **names, int count)
{
    static const struct {
        unsigned isa;
        const char *name;
    } builds[] = {{EMU_ISA_PLAIN, "plain"}, {EMU_ISA_AVX2, "AVX2"}, {EMU_ISA_BEST, "best"}};
    int worst = 0;
    for (size_t i = 0; i < sizeof builds / sizeof *builds && worst < 2; i++) {
        checker->isa = builds[i].isa;
        checker->built = builds[i].name;
        int status = sections_check(checker, names, count);
        worst = status > worst ? status : worst;
    }
    return worst;
}

int main(int argc, char **argv)
{
    bool with_coverage = false, verbose = false, adversarial = false;
    int at = 2;
    for (; at < argc && strncmp(argv[at], "--", 2) == 0; at++) {
        with_coverage = with_coverage || strcmp(argv[at], "--coverage") == 0;
        verbose = verbose || strcmp(argv[at], "--verbose") == 0;
        adversarial = adversarial || strcmp(argv[at], "--adversarial") == 0;
    }
    if (argc < 2) {
        fputs("usage: check_opcodes TABLE_FOLDER [--coverage] [--adversarial] [--verbose] "
              "[SECTION...]\n",
              stderr);
        return 2;
    }
    struct opcode_table table;
    struct coverage coverage;
    if (!opcode_table_read(&table, argv[1]) || !coverage_read(&coverage, argv[1]))
        return 2;
    char path[1024];
    snprintf(path, sizeof path, "%s/later.txt", argv[1]);
    char *later = opcode_file_read(path, NULL);
    struct opcode_expected *rows = calloc(table.count, sizeof *rows);
    int status = 2;
    if (rows && opcode_expected_read(&table, argv[1], rows)) {
        struct checker checker = {.table = &table,
                                  .rows = rows,
                                  .directory = argv[1],
                                  .verbose = verbose,
                                  .later = later,
                                  .adversarial = adversarial,
                                  .coverage = &coverage};
        status = isas_check(&checker, argv + at, argc - at);
        if (with_coverage && !coverage_report(&coverage, stdout) && status == 0)
            status = 1;
    }
    for (size_t i = 0; rows && i < table.count; i++)
        free(rows[i].values);
    free(rows);
    free(later);
    coverage_free(&coverage);
    opcode_table_free(&table);
    return status;
}
