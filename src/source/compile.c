/* SPDX-License-Identifier: Apache-2.0
 *
 * The compilers' command lines.
 *
 * clang needs no CUDA toolkit: it reads Lanewise's own headers and is kept from looking for a toolkit.  Without the toolkit path, the PTX
 * feature and the SDK version it would refuse shuffles.  Either has a folder for its temporary files, which goes when it has ended.
 */
#include "source/compile.h"
#include "source/messages.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void command_add(struct command *command, const char *word)
{
    *vec_push(command->arena, &command->words) = word;
}

bool command_add_flags(struct command *command, const char *flags)
{
    struct buffer word;
    char quote = '\0';
    bool in_word = false;
    buffer_init(&word, command->arena);
    buffer_puts(&word, "");
    for (const char *at = flags;; at++) {
        bool is_blank = *at == ' ' || *at == '\t' || *at == '\n';
        if (*at == '\0' || (quote == '\0' && is_blank)) {
            if (in_word)
                command_add(command, arena_text(command->arena, word.data, word.size));
            word.size = 0;
            in_word = false;
            if (*at == '\0')
                return quote == '\0';
            continue;
        }
        in_word = true;
        if (*at == quote)
            quote = '\0';
        else if (quote == '\0' && (*at == '"' || *at == '\''))
            quote = *at;
        else if (*at == '\\' && quote != '\'' && at[1] != '\0')
            buffer_putc(&word, *++at);
        else
            buffer_putc(&word, *at);
    }
}

static bool has_flag(const struct command *command, const char *prefix)
{
    for (uint32_t i = 0; i < command->words.count; i++)
        if (text_starts_with(command->words.data[i], prefix))
            return true;
    return false;
}

static bool complain(struct diagnostic_list *diagnostics, const struct source_unit *unit,
                     const char *message)
{
    diagnostic_add(diagnostics, SEVERITY_ERROR, (struct place){.file = unit->path}, "%s", message);
    return false;
}

/* What went wrong with the process itself; true if nothing did. */
static bool check_process(struct arena *arena, struct source_unit *unit, const char *program,
                          const struct process_result *result, struct diagnostic_list *diagnostics)
{
    if (result->missing) {
        complain(diagnostics, unit, arena_printf(arena, "`%s` is not installed", program));
        diagnostic_help(diagnostics,
                        strstr(program, "nvcc") != NULL
                            ? "install the CUDA toolkit, or leave out --compiler nvcc: clang needs none"
                            : "on Debian and Ubuntu: apt-get install clang-19");
        return false;
    }
    if (result->timed_out) {
        unit->timed_out = true;
        complain(diagnostics, unit, arena_printf(arena, "`%s` did not end in time", program));
        diagnostic_help(diagnostics, "--compile-timeout=SECONDS gives it longer");
        return false;
    }
    if (result->error != 0)
        return complain(diagnostics, unit,
                        arena_printf(arena, "cannot run `%s`: %s", program, strerror(result->error)));
    if (result->truncated)
        return complain(diagnostics, unit, "the compiler's output is too long");
    return true;
}

static void remove_folder(void *context)
{
    folder_remove(context);
}

extern char **environ;

/* Our environment with TMPDIR set to `folder`. */
static char **environment_with(struct arena *arena, const char *folder)
{
    VEC(char *) variables = {0};
    for (char **at = environ; *at != NULL; at++)
        if (!text_starts_with(*at, "TMPDIR="))
            *vec_push(arena, &variables) = *at;
    *vec_push(arena, &variables) = arena_printf(arena, "TMPDIR=%s", folder);
    *vec_push(arena, &variables) = NULL;
    return variables.data;
}

/* lanewise/device.h leaves the checks of plain indexing to us. */
static const char known_to_headers[] = "-DLANEWISE_COMPILES";

/* ---- clang --------------------------------------------------------------------------------------------- */

void command_add_language(struct command *command, const struct source_options *options)
{
    static const char *const fixed[] = {
        "-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=sm_80",
        "--cuda-feature=+ptx83", "-nocudainc", "-nocudalib",
        "-Xclang", "-target-sdk-version=12.3",
    };
    for (unsigned i = 0; i < COUNT_OF(fixed); i++)
        command_add(command, fixed[i]);
    /* A folder that does not exist: no toolkit is looked for anywhere else. */
    command_add(command, arena_printf(command->arena, "--cuda-path=%s/shim/no-toolkit", options->data));
    command_add(command, "-include");
    command_add(command,
                arena_printf(command->arena, "%s/shim/lanewise_cuda_prelude.h", options->data));
}

void command_add_nvcc_flags(struct command *command, const struct command *flags)
{
    static const char *const kept[] = {"-D", "-U", "-I", "-isystem", "-include", "-std"};
    for (uint32_t i = 0; i < flags->words.count; i++)
        for (unsigned k = 0; k < COUNT_OF(kept); k++) {
            const char *word = flags->words.data[i];
            if (!text_starts_with(word, kept[k]) ||
                (strcmp(kept[k], "-I") == 0 && text_starts_with(word, "-include")))
                continue;
            command_add(command, word);
            bool is_whole = strcmp(word, kept[k]) == 0;
            if (is_whole && i + 1 < flags->words.count)
                command_add(command, flags->words.data[++i]);
            break;
        }
}

void command_add_folders(struct command *command, const struct source_options *options)
{
    command_add(command, "-isystem");
    command_add(command, arena_printf(command->arena, "%s/shim", options->data));
    command_add(command, arena_printf(command->arena, "-I%s/include", options->data));
}

static bool compile_with_clang(struct arena *arena, struct source_unit *unit,
                               const struct source_options *options, char *folder,
                               struct diagnostic_list *diagnostics)
{
    static const char *const output[] = {
        "-S", "-fno-color-diagnostics", "-fno-caret-diagnostics", "-fno-crash-diagnostics",
        "-fdiagnostics-absolute-paths",
    };
    const char *program = getenv("LANEWISE_CLANG") != NULL ? getenv("LANEWISE_CLANG") : "clang-19";
    struct command command = {.arena = arena};
    struct process_result result;
    if (options->data == NULL) {
        complain(diagnostics, unit, "Lanewise's own CUDA headers (shim/) are not found");
        diagnostic_help(diagnostics, "they lie beside the executable in ../share/lanewise; "
                                     "LANEWISE_DATA names another folder");
        return false;
    }
    command_add(&command, program);
    command_add_language(&command, options);
    for (unsigned i = 0; i < COUNT_OF(output); i++)
        command_add(&command, output[i]);
    command_add(&command, known_to_headers);
    command_add(&command, arena_printf(arena, "-O%s", options->level != NULL ? options->level : "2"));
    command_add(&command, options->debug ? "-g" : "-gline-tables-only");
    if (options->cflags != NULL && !command_add_flags(&command, options->cflags))
        return complain(diagnostics, unit, "a quote in --cflags is not closed");
    if (!has_flag(&command, "-W"))
        command_add(&command, "-w"); /* warnings are shown to those who ask for them */
    command_add_folders(&command, options);
    command_add(&command, "-o");
    command_add(&command, "-");
    command_add(&command, "--");
    command_add(&command, unit->path);
    command_add(&command, NULL);
    process_run(arena, command.words.data, environment_with(arena, folder), options->timeout,
                remove_folder, folder, &result);
    if (!check_process(arena, unit, program, &result, diagnostics))
        return false;
    messages_add(arena, unit, program, &result, diagnostics);
    if (result.exit_code != 0)
        return false;
    unit->ptx = result.out.data;
    unit->ptx_size = result.out.size;
    return true;
}

/* ---- nvcc ----------------------------------------------------------------------------------------------- */

static const char *find_nvcc(struct arena *arena)
{
    static const char *const variables[] = {"CUDA_HOME", "CUDA_PATH"};
    if (getenv("LANEWISE_NVCC") != NULL)
        return getenv("LANEWISE_NVCC");
    for (unsigned i = 0; i < COUNT_OF(variables); i++) {
        const char *root = getenv(variables[i]);
        const char *path = root == NULL ? NULL : arena_printf(arena, "%s/bin/nvcc", root);
        if (path != NULL && access(path, X_OK) == 0)
            return path;
    }
    /* In PATH, or where NVIDIA installs it. */
    const char *path = getenv("PATH");
    while (path != NULL && *path != '\0') {
        size_t size = strcspn(path, ":");
        const char *candidate = arena_printf(arena, "%.*s/nvcc", (int)size, path);
        if (size != 0 && access(candidate, X_OK) == 0)
            return candidate;
        path += size + (path[size] == ':');
    }
    return access("/usr/local/cuda/bin/nvcc", X_OK) == 0 ? "/usr/local/cuda/bin/nvcc" : "nvcc";
}

static bool compile_with_nvcc(struct arena *arena, struct source_unit *unit,
                              const struct source_options *options, char *folder,
                              struct diagnostic_list *diagnostics)
{
    struct command command = {.arena = arena};
    struct process_result result;
    const char *program = find_nvcc(arena);
    const char *output = arena_printf(arena, "%s/out.ptx", folder);
    command_add(&command, program);
    command_add(&command, "-ptx");
    command_add(&command, known_to_headers);
    command_add(&command, options->debug ? "-G" : "-lineinfo");
    if (options->level != NULL)
        command_add(&command, arena_printf(arena, "-O%s", options->level));
    if (options->cflags != NULL && !command_add_flags(&command, options->cflags))
        return complain(diagnostics, unit, "a quote in --cflags is not closed");
    if (!has_flag(&command, "-arch") && !has_flag(&command, "--gpu-architecture"))
        command_add(&command, "-arch=sm_80");
    if (!has_flag(&command, "-W"))
        command_add(&command, "-w");
    if (options->data != NULL)
        command_add(&command, arena_printf(arena, "-I%s/include", options->data));
    command_add(&command, "-o");
    command_add(&command, output);
    command_add(&command, unit->path);
    command_add(&command, NULL);
    process_run(arena, command.words.data, environment_with(arena, folder), options->timeout,
                remove_folder, folder, &result);
    if (!check_process(arena, unit, program, &result, diagnostics))
        return false;
    /* nvcc writes its complaints to either stream. */
    buffer_add(&result.err, result.out.data, result.out.size);
    messages_add(arena, unit, "nvcc", &result, diagnostics);
    if (result.exit_code != 0)
        return false;
    unit->ptx = file_read(arena, output, &unit->ptx_size);
    return unit->ptx != NULL || complain(diagnostics, unit, "nvcc wrote no PTX");
}

bool source_compile(struct arena *arena, struct source_unit *unit,
                    const struct source_options *options, struct diagnostic_list *diagnostics)
{
    const char *root = getenv("TMPDIR");
    if (unit->is_ptx)
        return true;
    if (root == NULL || *root == '\0')
        root = "/tmp";
    char *folder = arena_printf(arena, "%s/lanewise-XXXXXX", root);
    if (mkdtemp(folder) == NULL)
        return complain(diagnostics, unit,
                        arena_printf(arena, "cannot make a temporary folder in `%s`: %s", root,
                                     strerror(errno)));
    unit->ptx_name = arena_printf(arena, "%s (PTX)", unit->path);
    bool good = options->compiler == COMPILER_NVCC
                    ? compile_with_nvcc(arena, unit, options, folder, diagnostics)
                    : compile_with_clang(arena, unit, options, folder, diagnostics);
    folder_remove(folder);
    return good;
}
