/* SPDX-License-Identifier: Apache-2.0
 *
 * The host half of a .cu file as a shared object: for functions that say what a kernel must compute (LW_REFERENCE).
 *
 * Kernels become launch calls that nobody makes: their symbols stay unresolved, which lazy binding permits.
 */
#include "source/compile.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Calls any host function with its arguments by address. */
static const char caller[] =
    "\n"
    "template <class T> struct lanewise_plain { typedef T type; };\n"
    "template <class T> struct lanewise_plain<T &> { typedef T type; };\n"
    "template <class T, T... I> struct lanewise_list {};\n"
    "template <class R, class... P, unsigned... I>\n"
    "static void lanewise_call(R (*f)(P...), void **a, lanewise_list<unsigned, I...>)\n"
    "{ (void)a; f(*(typename lanewise_plain<P>::type *)a[I]...); }\n"
    "template <class R, class... P> static unsigned lanewise_count(R (*)(P...)) { return sizeof...(P); }\n"
    "template <class R, class... P> static void lanewise_spread(R (*f)(P...), void **a)\n"
    "{ lanewise_call(f, a, __make_integer_seq<lanewise_list, unsigned, sizeof...(P)>{}); }\n";

static bool fail(struct diagnostic_list *diagnostics, struct place place, const char *message)
{
    diagnostic_add(diagnostics, SEVERITY_ERROR, place, "%s", message);
    return false;
}

static bool write_text(const char *path, const char *text, size_t size)
{
    FILE *file = fopen(path, "wb");
    bool good = file != NULL && fwrite(text, 1, size, file) == size;
    return file != NULL && fclose(file) == 0 && good;
}

/* The file with a caller for each reference behind it. */
static bool write_source(struct arena *arena, const struct source_unit *unit, const struct contract_list *list, const char *path)
{
    struct buffer text;
    char *real = realpath(unit->path, NULL);
    if (real == NULL)
        return false;
    buffer_init(&text, arena);
    buffer_printf(&text, "#include \"%s\"\n%s", real, caller);
    free(real);
    for (uint32_t r = 0; r < list->references.count; r++) {
        const char *name = ptx_demangle(arena, list->references.data[r].function);
        name = arena_text(arena, name, strcspn(name, "("));
        buffer_printf(&text,
                      "extern \"C\" void lanewise_reference_%u(void **a) { lanewise_spread(&::%s, a); }\n"
                      "extern \"C\" unsigned lanewise_reference_count_%u() { return lanewise_count(&::%s); }\n",
                      r, name, r, name);
    }
    return write_text(path, text.data, text.size);
}

bool source_compile_host(struct arena *arena, const struct source_unit *unit, const struct source_options *options,
                         const struct contract_list *list, const char *folder, const char **output,
                         struct diagnostic_list *diagnostics)
{
    static const char *const words[] = {"-x",      "cuda",     "--cuda-host-only", "--cuda-gpu-arch=sm_80",
                                        "-nocudainc", "-nocudalib", "-Xclang", "-target-sdk-version=12.3",
                                        "-w",      "-O1",      "-fPIC",    "-shared",
                                        "-ffp-contract=off", "-fno-color-diagnostics", "-fno-caret-diagnostics"};
    const char *program = getenv("LANEWISE_CLANG") != NULL ? getenv("LANEWISE_CLANG") : "clang-19";
    const char *path = arena_printf(arena, "%s/references.cu", folder);
    struct place place = list->references.count != 0 ? list->references.data[0].place : (struct place){.file = unit->path};
    struct command command = {.arena = arena};
    struct process_result result;
    *output = arena_printf(arena, "%s/references.so", folder);
    if (!write_source(arena, unit, list, path))
        return fail(diagnostics, place, "the references cannot be written to a temporary file");
    command_add(&command, program);
    for (unsigned i = 0; i < COUNT_OF(words); i++)
        command_add(&command, words[i]);
    command_add(&command, arena_printf(arena, "--cuda-path=%s/shim/no-toolkit", options->data));
    command_add(&command, "-include");
    command_add(&command, arena_printf(arena, "%s/shim/lanewise_cuda_prelude.h", options->data));
    if (options->cflags != NULL)
        command_add_flags(&command, options->cflags);
    command_add_folders(&command, options);
    command_add(&command, "-o");
    command_add(&command, *output);
    command_add(&command, path);
    command_add(&command, NULL);
    process_run(arena, command.words.data, NULL, options->timeout, NULL, NULL, &result);
    if (!result.missing && !result.timed_out && result.error == 0 && result.exit_code == 0)
        return true;
    fail(diagnostics, place, "the references do not compile for the host");
    const char *error = strstr(result.err.data, "error: ");
    if (error != NULL)
        diagnostic_help(diagnostics, "%.*s", (int)strcspn(error, "\n"), error);
    return false;
}
