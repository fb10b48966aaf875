/* SPDX-License-Identifier: Apache-2.0
 *
 * NAME_kernels.h and NAME_kernels.c: three typed functions a kernel, four with --split, and the comment that says what each of them checks or leaves to the
 * caller.
 */
#include "guard/launcher.h"

/* ---- comments -------------------------------------------------------------------------------------------------------------- */

/* A text of the user's cannot end our comment. */
static void write_comment_text(struct buffer *out, const char *text)
{
    for (; *text != '\0'; text++)
        if (*text == '\n')
            buffer_putc(out, ' ');
        else if (text[0] == '*' && text[1] == '/')
            buffer_puts(out, "* ");
        else
            buffer_putc(out, *text);
}

static void write_shapes(const struct launcher_kernel *kernel, struct buffer *out)
{
    const struct contract *contract = kernel->contract;
    for (uint32_t p = 0; p < contract->parameters.count; p++) {
        const struct contract_parameter *parameter = &contract->parameters.data[p];
        uint32_t alignment = kernel->kernel->alignments != NULL ? kernel->kernel->alignments[p] : 1;
        if (parameter->kind != CONTRACT_POINTER)
            continue;
        buffer_puts(out, " *     ");
        write_comment_text(out, parameter->name);
        if (contract_is_given(&parameter->extent)) {
            buffer_puts(out, " has at least ");
            write_comment_text(out, contract_render(contract, parameter->extent.root));
            buffer_printf(out, " elements%s", parameter->element_size != 0 ? "" : " (bytes)");
        } else {
            buffer_puts(out, " has all elements that the kernel touches");
        }
        if (alignment > 1)
            buffer_printf(out, ", its start is a multiple of %u bytes", alignment);
        if (contract_is_given(&parameter->value_low)) {
            buffer_puts(out, ", its values lie in [");
            write_comment_text(out, contract_render(contract, parameter->value_low.root));
            buffer_puts(out, ", ");
            write_comment_text(out, contract_render(contract, parameter->value_high.root));
            buffer_putc(out, ')');
        }
        if (!parameter->is_const && parameter->may_alias.count == 0)
            buffer_puts(out, ", and it overlaps no other array");
        buffer_putc(out, '\n');
    }
}

static void write_promises(const struct launcher_kernel *kernel, struct buffer *out)
{
    const struct contract *contract = kernel->contract;
    for (uint32_t r = 0; r < contract->relations.count; r++) {
        buffer_puts(out, " *     ");
        write_comment_text(out, contract->relations.data[r].text);
        buffer_putc(out, '\n');
    }
    write_shapes(kernel, out);
}

static void write_description(const struct launcher_kernel *kernel, struct buffer *out)
{
    const struct guard_kernel *guard = kernel->kernel;
    buffer_puts(out, "\n/* ");
    write_comment_text(out, guard->shown);
    if (guard->place.file != NULL) {
        buffer_puts(out, " of ");
        write_comment_text(out, guard->place.file);
        buffer_printf(out, ":%u", guard->place.line);
    }
    buffer_printf(out, ": %u proved, %u checked as it runs", guard->counts[GUARD_PROVED], guard->counts[GUARD_CHECKED]);
    if (guard->counts[GUARD_NOT_CHECKABLE] + guard->counts[GUARD_UNCHECKED] != 0)
        buffer_printf(out, ", %u not checked", guard->counts[GUARD_NOT_CHECKABLE] + guard->counts[GUARD_UNCHECKED]);
    buffer_puts(out, ".\n * Each launch and each prepare sees to it that:\n");
    write_promises(kernel, out);
    buffer_puts(out, kernel->takes_grid ? " */\n" : " * The grid follows from the contract; no work launches nothing and succeeds. */\n");
}

/* ---- functions ------------------------------------------------------------------------------------------------------------------ */

static void write_arguments(const struct launcher_kernel *kernel, struct buffer *out)
{
    if (kernel->takes_grid)
        buffer_puts(out, ", struct lw_extent3 grid");
    if (kernel->takes_block)
        buffer_puts(out, ", struct lw_extent3 block");
    if (kernel->takes_shared)
        buffer_puts(out, ", uint32_t shared_bytes");
    for (uint32_t p = 0; p < kernel->contract->parameters.count; p++) {
        const struct launcher_argument *argument = &kernel->arguments[p];
        if (argument->passing == PASSED_NOT || argument->passing == PASSED_BESIDE)
            continue;
        buffer_printf(out, ", %s%s%s", argument->type, argument->passing == PASSED_BYTES ? "" : " ", argument->name);
        if (argument->passing == PASSED_BYTES)
            buffer_printf(out, " /* %u bytes */", kernel->contract->parameters.data[p].size);
        if (argument->passing == PASSED_SLICE && kernel->contract->parameters.data[p].element_size > 8)
            buffer_printf(out, " /* elements of %u bytes */", kernel->contract->parameters.data[p].element_size);
    }
}

enum launcher_function { LAUNCH, LAUNCH_UNCHECKED, LAUNCH_SPLIT, PREPARE };

static void write_signature(const struct launcher_kernel *kernel, enum launcher_function which, struct buffer *out)
{
    static const char *const endings[] = {"launch", "launch_unchecked", "launch_split", "prepare"};
    buffer_printf(out, "enum lw_status %s_%s(struct lw_module *module%s", kernel->word, endings[which],
                  which == PREPARE ? "" : ", struct lw_stream *stream");
    write_arguments(kernel, out);
    buffer_puts(out, which == PREPARE ? ", struct lw_prepared **prepared, struct lw_error *error)" : ", struct lw_error *error)");
}

static void write_value(const struct launcher_kernel *kernel, uint32_t index, struct buffer *out)
{
    const struct launcher_argument *argument = &kernel->arguments[index];
    const struct contract_parameter *parameter = &kernel->contract->parameters.data[index];
    switch (argument->passing) {
    case PASSED_SLICE:
        buffer_printf(out, "lw_argument_array(%s.data, %s.length)", argument->name, argument->name);
        return;
    case PASSED_BESIDE:
        buffer_printf(out, "lw_argument_integer(%s.length)", argument->name);
        return;
    case PASSED_LENGTH:
        buffer_printf(out, "lw_argument_array(NULL, %s)", argument->name);
        return;
    case PASSED_BYTES:
        buffer_printf(out, "lw_argument_bytes(%s)", argument->name);
        return;
    case PASSED_SCALAR:
        if (parameter->kind == CONTRACT_FLOAT && parameter->size >= 4)
            buffer_printf(out, "lw_argument_%s(%s)", parameter->size == 4 ? "f32" : "f64", argument->name);
        else
            buffer_printf(out, "lw_argument_integer((uint64_t)%s)", argument->name);
        return;
    default:
        buffer_puts(out, "{0, 0}");
    }
}

static void write_function(const struct launcher *launcher, uint32_t k, enum launcher_function which, struct buffer *out)
{
    static const char *const calls[] = {"launch(module, &request, stream, error)", "launch_unchecked(module, &request, stream, error)",
                                        "launch_split(module, &request, stream, error)", "prepare(module, &request, prepared, error)"};
    const struct launcher_kernel *kernel = &launcher->kernels[k];
    uint32_t count = kernel->contract->parameters.count;
    buffer_putc(out, '\n');
    write_signature(kernel, which, out);
    buffer_puts(out, "\n{\n    const struct lw_argument arguments[] = {\n");
    for (uint32_t p = 0; p < count; p++) {
        buffer_puts(out, "        ");
        write_value(kernel, p, out);
        buffer_puts(out, ",\n");
    }
    buffer_printf(out, "%s    };\n    const struct lw_request request = {&%s_kernels, %u, arguments, %s, %s, %s};\n", count == 0 ? "        {0, 0},\n" : "",
                  launcher->word, k, kernel->takes_grid ? "&grid" : "NULL", kernel->takes_block ? "&block" : "NULL",
                  kernel->takes_shared ? "&shared_bytes" : "NULL");
    buffer_printf(out, "    return lw_request_%s;\n}\n", calls[which]);
}

/* ---- files ------------------------------------------------------------------------------------------------------------------------ */

void launcher_write_header(const struct launcher *launcher, struct buffer *out)
{
    const char *word = launcher->word;
    buffer_printf(out, "/* The kernels of %s for host programs.  Written by `lanewise build`; do not edit. */\n", launcher->module->name);
    buffer_printf(out, "#ifndef LANEWISE_KERNELS_OF_%s\n#define LANEWISE_KERNELS_OF_%s\n\n", word, word);
    buffer_puts(out, "#include <lanewise/lanewise.h>\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n/* For lw_module_load. */\n");
    buffer_printf(out, "extern const struct lw_module_source %s_kernels;\n", word);
    for (uint32_t k = 0; k < launcher->module->kernels.count; k++) {
        const struct launcher_kernel *kernel = &launcher->kernels[k];
        write_description(kernel, out);
        write_signature(kernel, LAUNCH, out);
        buffer_puts(out, ";\n");
        write_signature(kernel, PREPARE, out);
        buffer_printf(out, ";\n/* Without looking: the caller promises that\n");
        write_promises(kernel, out);
        buffer_puts(out, " * What is proved of the kernel holds only then. */\n");
        write_signature(kernel, LAUNCH_UNCHECKED, out);
        buffer_puts(out, ";\n");
        if (kernel->kernel->split.bulk != NULL) {
            buffer_puts(out, "/* Like launch, as a launch of full blocks and one of each tail that has work. */\n");
            write_signature(kernel, LAUNCH_SPLIT, out);
            buffer_puts(out, ";\n");
        }
    }
    buffer_puts(out, "\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n");
}

void launcher_write_source(const struct launcher *launcher, struct buffer *out)
{
    buffer_puts(out, "/* Written by `lanewise build`; do not edit. */\n#if defined(__GNUC__)\n#pragma GCC diagnostic ignored \"-Woverlength-strings\"\n#endif\n\n");
    buffer_printf(out, "#include \"%s_kernels.h\"\n\n#include <lanewise/launcher.h>\n\n", launcher->module->name);
    launcher_write_tables(launcher, out);
    for (uint32_t k = 0; k < launcher->module->kernels.count; k++)
        for (int which = LAUNCH; which <= PREPARE; which++)
            if (which != LAUNCH_SPLIT || launcher->kernels[k].kernel->split.bulk != NULL)
                write_function(launcher, k, (enum launcher_function)which, out);
}
