/* SPDX-License-Identifier: Apache-2.0
 *
 * The option table and its parser.  A row is an option: what it is called, which commands have it, where its value goes.
 */
#include "cli/options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define CHECK (1u << COMMAND_CHECK)
#define RUN (1u << COMMAND_RUN)
#define TEST (1u << COMMAND_TEST)
#define BUILD (1u << COMMAND_BUILD)
#define TWIN (1u << COMMAND_TWIN)
#define COST (1u << COMMAND_COST)
#define VERIFY (1u << COMMAND_VERIFY)
#define REPORT (1u << COMMAND_REPORT)
#define ALL ((1u << COMMAND_COUNT) - 1)
#define AT(field) offsetof(struct cli_options, field)

static const char *const compilers[] = {"clang", "nvcc", NULL};
static const char *const schedules[] = {"fair", "adversarial", NULL};
static const char *const isas[] = {"best", "plain", "avx2", "avx512", NULL};
static const char *const devices[] = {"none", "cuda", "cpu", NULL};
static const char *const failures[] = {"error", "unproved", NULL};
static const char *const colours[] = {"auto", "always", "never", NULL};

const struct option_info cli_option_table[] = {
    {"launch", 'l', "TEXT", CHECK | RUN | TEST | TWIN | COST, OPTION_TEXT, AT(launch), NULL,
     "the launch, or changes to the one in the file: 'grid: 4; block: 256; n=1000'; @FILE reads it"},
    {"kernel", 'k', "REGEX", CHECK | RUN | TEST | BUILD | COST, OPTION_TEXT, AT(kernel), NULL,
     "only kernels whose name (source, demangled or mangled) matches"},
    {"contract", 'c', "HEADER", CHECK | TEST | VERIFY | BUILD | COST, OPTION_TEXTS, AT(contracts), NULL,
     "a header of C prototypes with contracts, for .ptx files and sources you cannot touch; may be repeated"},
    {"assume", 'a', "REL", CHECK | BUILD, OPTION_TEXTS, AT(assumptions), NULL,
     "one more requirement for every kernel that has its names: 'n % 256 == 0'; may be repeated"},
    {"explain-proof", 0, NULL, CHECK, OPTION_FLAG, AT(explain_proof), NULL,
     "also show how each site was proved, and what was assumed"},
    {"suggest", 0, NULL, CHECK, OPTION_FLAG, AT(suggest), NULL,
     "print a first contract for each kernel, read off its accesses, and what it proves"},
    {"fail-on", 0, "WHAT", CHECK, OPTION_CHOICE, AT(fail_on), failures,
     "error, or unproved: exit 3 when something was left unproved"},
    {"output", 'o', "FOLDER", BUILD, OPTION_TEXT, AT(output), NULL, "where to write; made if it does not exist"},
    {"check-all", 0, NULL, BUILD, OPTION_FLAG, AT(check_all), NULL, "check every access, also where it is proved"},
    {"optimise", 0, NULL, BUILD, OPTION_FLAG, AT(optimise), NULL,
     "64-bit pointers that step through loops in the place of 32-bit indices, where a test before the loop shows that none wraps"},
    {"split", 0, NULL, BUILD, OPTION_FLAG, AT(split), NULL,
     "beside each kernel one for full blocks, without the test for the tail, and one for tails; the launcher gets K_launch_split"},
    {"entry-check", 0, NULL, BUILD, OPTION_FLAG, AT(entry_check), NULL,
     "test the contract's relations, geometry and alignment when the kernel starts, for launches with <<<>>>"},
    {"unchecked-indexing", 0, NULL, BUILD, OPTION_FLAG, AT(unchecked_indexing), NULL,
     "no run-time index checks of plain accesses (LW101, LW102); LANEWISE_UNCHECKED_INDEXING=1 says the same"},
    {"allow-not-checkable", 0, NULL, BUILD, OPTION_FLAG, AT(allow_not_checkable), NULL,
     "exit 0 although a site can be neither proved nor checked"},
    {"compiler", 0, "NAME", CHECK | RUN | TEST | VERIFY | BUILD | TWIN | COST, OPTION_CHOICE, AT(compiler), compilers,
     "compiler for .cu files: clang (needs no CUDA toolkit) or nvcc"},
    {"cflags", 0, "FLAGS", CHECK | RUN | TEST | VERIFY | BUILD | TWIN | COST, OPTION_TEXT, AT(cflags), NULL,
     "more compiler flags, split as a shell does"},
    {"opt", 'O', "LEVEL", CHECK | RUN | TEST | VERIFY | BUILD | TWIN | COST, OPTION_LEVEL, AT(level), NULL,
     "optimisation level 0 to 3 (2); nvcc's does not reach device code"},
    {"debug", 'g', NULL, CHECK | RUN | TEST | VERIFY | BUILD | TWIN | COST, OPTION_FLAG, AT(debug), NULL,
     "compile with full debug information (nvcc: -G)"},
    {"compile-timeout", 0, "SECONDS", CHECK | RUN | TEST | VERIFY | BUILD | TWIN | COST, OPTION_COUNT, AT(compile_timeout), NULL,
     "end a compiler that takes longer (300)"},
    {"jobs", 'j', "N", RUN | TEST | VERIFY | TWIN | COST, OPTION_COUNT, AT(jobs), NULL,
     "threads that run blocks (one a core); results do not depend on it"},
    {"max-steps", 0, "N", RUN | TEST | VERIFY | TWIN | COST, OPTION_SIZE, AT(max_steps), NULL,
     "warp instructions a block may issue (256M); K, M and G are understood"},
    {"max-memory", 0, "BYTES", RUN | TEST | VERIFY | TWIN | COST, OPTION_SIZE, AT(max_memory), NULL,
     "memory that a run may touch (three quarters of the machine's)"},
    {"schedule", 0, "NAME", RUN | TEST | VERIFY, OPTION_CHOICE, AT(schedule), schedules,
     "how lanes take turns: fair, or adversarial (apart between synchronisation points)"},
    {"isa", 0, "NAME", RUN | TEST | VERIFY, OPTION_CHOICE, AT(isa), isas,
     "instruction set of the host to use: best, plain, avx2 or avx512"},
    {"sizes", 0, "N,...", TEST, OPTION_TEXT, AT(sizes), NULL,
     "these sizes instead of the tails; the report says which transitions they leave out"},
    {"device", 0, "NAME", TEST | TWIN, OPTION_CHOICE, AT(device), devices,
     "run the launches on cuda and judge their results; cpu is the library's own emulator, none the default"},
    {"against", 0, "NAME", TEST, OPTION_CHOICE, AT(against), devices,
     "run them in the emulator and on cuda, and compare: bit for bit, approximations within 1e-4"},
    {"raw", 0, NULL, TEST, OPTION_FLAG, AT(raw), NULL, "with --device, --against: PTX as the compiler left it, not the checked build"},
    {"input", 0, "NAME=FILE", TEST, OPTION_FILES, AT(inputs), NULL,
     "golden data: what an array holds before the launch, a NumPy file; may be repeated"},
    {"golden", 0, "NAME=FILE", TEST, OPTION_FILES, AT(goldens), NULL,
     "golden data: what an array must hold after it; sizes follow from the files; may be repeated"},
    {"seed", 0, "N", TEST, OPTION_COUNT, AT(seed), NULL, "seed of random sizes and contents (0)"},
    {"launches", 0, "N", TEST, OPTION_COUNT, AT(launches), NULL, "at most so many launches of a kernel (240)"},
    {"shard", 0, "I/N", TEST, OPTION_TEXT, AT(shard), NULL,
     "only part I of N, from 1: the parts together are the whole test; join them with `lanewise report merge`"},
    {"state", 0, "FILE", TEST, OPTION_TEXT, AT(state), NULL,
     "note what was clean in FILE and do not run it again: a test that was ended goes on"},
    {"format", 'f', "F[=FILE]", CHECK | RUN | TEST | REPORT | COST, OPTION_FILES, AT(formats), NULL,
     "report as text, json, sarif, junit or github, to FILE or stdout; may be repeated"},
    {"html", 0, "FILE", COST, OPTION_TEXT, AT(html), NULL, "write the whole answer as one HTML page, too"},
    {"ptx", 0, NULL, COST, OPTION_FLAG, AT(show_ptx), NULL, "show the PTX instructions of each line under it"},
    {"dump", 'd', "NAME[=FILE]", RUN, OPTION_FILES, AT(dumps), NULL,
     "print a buffer after the run, or write it as a NumPy file; may be repeated"},
    {"keep-ptx", 0, "FILE", CHECK | RUN | TEST | BUILD | COST, OPTION_TEXT, AT(keep_ptx), NULL, "write the compiled PTX to FILE"},
    {"max-findings", 0, "N", CHECK | RUN | TEST | REPORT, OPTION_COUNT, AT(max_findings), NULL,
     "findings shown in the text report (100; 0: all)"},
    {"stats", 0, NULL, CHECK | RUN | TEST | BUILD | COST, OPTION_FLAG, AT(stats), NULL,
     "also print counts (instructions, questions) and how long it took"},
    {"exit-zero", 0, NULL, CHECK | RUN | TEST | REPORT | BUILD | COST, OPTION_FLAG, AT(exit_zero), NULL, "exit 0 also with findings"},
    {"error-exitcode", 0, "N", CHECK | RUN | TEST | REPORT | COST, OPTION_COUNT, AT(error_exitcode), NULL,
     "exit N instead of 1 with findings"},
    {"only", 0, "PREFIX", VERIFY, OPTION_TEXT, AT(only), NULL,
     "look only at findings whose id begins so: LW1, LW403"},
    {"quiet", 'q', NULL, CHECK | RUN | TEST | VERIFY | REPORT | BUILD, OPTION_FLAG, AT(quiet), NULL, "print nothing when all is well"},
    {"color", 0, "WHEN", ALL, OPTION_CHOICE, AT(colour), colours,
     "auto, always or never; NO_COLOR and TERM=dumb are respected"},
    {"help", 'h', NULL, ALL, OPTION_FLAG, AT(help), NULL, "print this help"},
};
const unsigned cli_option_count = COUNT_OF(cli_option_table);

/* ---- values -------------------------------------------------------------------------------------------- */

static bool parse_count(const char *text, uint64_t *value)
{
    char *end;
    errno = 0;
    *value = strtoull(text, &end, 10);
    return text[0] >= '0' && text[0] <= '9' && *end == '\0' && errno == 0;
}

/* A number with K, M, G, T (powers of 1024). */
static bool parse_size(const char *text, uint64_t *value)
{
    static const char units[] = "KMGT";
    char *end;
    errno = 0;
    *value = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || errno != 0)
        return false;
    if (*end == '\0')
        return true;
    const char *unit = strchr(units, *end >= 'a' ? *end - 32 : *end);
    if (unit == NULL || (end[1] != '\0' && strcmp(end + 1, "B") != 0 && strcmp(end + 1, "iB") != 0))
        return false;
    return !__builtin_mul_overflow(*value, (uint64_t)1 << (10 * (unit - units + 1)), value);
}

static bool set_choice(struct cli *cli, const struct option_info *info, const char *value)
{
    struct text_guess guess = text_guess_begin(value);
    struct buffer names;
    buffer_init(&names, cli->arena);
    for (int i = 0; info->choices[i] != NULL; i++) {
        if (strcmp(info->choices[i], value) == 0) {
            *(int *)((char *)&cli->options + info->offset) = i;
            return true;
        }
        text_guess_try(&guess, info->choices[i]);
        buffer_printf(&names, "%s%s", i == 0 ? "it is one of " : ", ", info->choices[i]);
    }
    cli_complain(cli,
                 guess.best != NULL ? arena_printf(cli->arena, "did you mean `%s`?", guess.best)
                                    : names.data,
                 "--%s has no value `%s`", info->name, value);
    return false;
}

static bool set_value(struct cli *cli, const struct option_info *info, const char *value)
{
    char *target = (char *)&cli->options + info->offset;
    const char *equals;
    bool good = true;
    switch (info->kind) {
    case OPTION_FLAG:
        *(bool *)target = true;
        break;
    case OPTION_TEXT:
        *(const char **)target = value;
        break;
    case OPTION_LEVEL:
        good = value[0] >= '0' && value[0] <= '3' && value[1] == '\0';
        *(const char **)target = value;
        break;
    case OPTION_COUNT:
        good = parse_count(value, (uint64_t *)target);
        break;
    case OPTION_SIZE:
        good = parse_size(value, (uint64_t *)target);
        break;
    case OPTION_CHOICE:
        return set_choice(cli, info, value);
    case OPTION_TEXTS:
        *vec_push(cli->arena, (text_list *)target) = value;
        break;
    case OPTION_FILES: {
        struct named_file file = {.name = value};
        equals = strchr(value, '=');
        if (equals != NULL) {
            file.name = arena_text(cli->arena, value, (size_t)(equals - value));
            file.file = equals + 1;
        }
        if (info->offset == AT(formats))
            *vec_push(cli->arena, &cli->options.formats) = file;
        else if (info->offset == AT(inputs))
            *vec_push(cli->arena, &cli->options.inputs) = file;
        else if (info->offset == AT(goldens))
            *vec_push(cli->arena, &cli->options.goldens) = file;
        else
            *vec_push(cli->arena, &cli->options.dumps) = file;
        good = file.name[0] != '\0' && (file.file == NULL || file.file[0] != '\0');
        break;
    }
    }
    if (!good)
        cli_complain(cli, arena_printf(cli->arena, "--%s %s: %s", info->name, info->meta, info->help),
                     "`%s` is no value for --%s", value, info->name);
    return good;
}

/* ---- words ----------------------------------------------------------------------------------------------- */

static const struct option_info *find_long(const struct cli *cli, const char *name, size_t size)
{
    for (unsigned i = 0; i < cli_option_count; i++)
        if ((cli_option_table[i].commands >> cli->command & 1) != 0 &&
            strlen(cli_option_table[i].name) == size &&
            memcmp(cli_option_table[i].name, name, size) == 0)
            return &cli_option_table[i];
    return NULL;
}

static const struct option_info *find_short(const struct cli *cli, char letter)
{
    for (unsigned i = 0; i < cli_option_count; i++)
        if ((cli_option_table[i].commands >> cli->command & 1) != 0 &&
            cli_option_table[i].letter == letter)
            return &cli_option_table[i];
    return NULL;
}

static void complain_unknown(struct cli *cli, const char *word, size_t size)
{
    const char *name = arena_text(cli->arena, word, size);
    const char *bare = name + strspn(name, "-");
    struct text_guess guess = text_guess_begin(bare);
    const struct option_info *elsewhere = NULL;
    for (unsigned i = 0; i < cli_option_count; i++) {
        if ((cli_option_table[i].commands >> cli->command & 1) != 0)
            text_guess_try(&guess, cli_option_table[i].name);
        else if (strcmp(cli_option_table[i].name, bare) == 0)
            elsewhere = &cli_option_table[i];
    }
    const char *help =
        elsewhere != NULL ? "another command has it: see `lanewise help`"
        : guess.best != NULL
            ? arena_printf(cli->arena, "did you mean `--%s`?", guess.best)
            : arena_printf(cli->arena, "`lanewise %s --help` lists the options",
                           cli_commands[cli->command].name);
    cli_complain(cli, help, "`lanewise %s` has no option `%s`", cli_commands[cli->command].name,
                 name);
}

/* Takes `value`, or the next word, for an option that wants one. */
static bool take_value(struct cli *cli, const struct option_info *info, const char *value,
                       int count, char **words, int *at)
{
    if (info->kind == OPTION_FLAG) {
        if (value != NULL) {
            cli_complain(cli, NULL, "--%s takes no value", info->name);
            return false;
        }
        return set_value(cli, info, NULL);
    }
    if (value == NULL) {
        if (*at + 1 >= count) {
            cli_complain(cli,
                         arena_printf(cli->arena, "--%s %s: %s", info->name, info->meta, info->help),
                         "--%s needs a value", info->name);
            return false;
        }
        value = words[++*at];
    }
    return set_value(cli, info, value);
}

static bool parse_long(struct cli *cli, int count, char **words, int *at)
{
    const char *word = words[*at] + 2;
    size_t size = strcspn(word, "=");
    const struct option_info *info = find_long(cli, word, size);
    if (info == NULL) {
        complain_unknown(cli, words[*at], size + 2);
        return false;
    }
    return take_value(cli, info, word[size] == '=' ? word + size + 1 : NULL, count, words, at);
}

/* -q, -j4, -j 4, -qj4 */
static bool parse_short(struct cli *cli, int count, char **words, int *at)
{
    for (const char *letter = words[*at] + 1; *letter != '\0'; letter++) {
        const struct option_info *info = find_short(cli, *letter);
        if (info == NULL) {
            complain_unknown(cli, arena_printf(cli->arena, "-%c", *letter), 2);
            return false;
        }
        if (info->kind == OPTION_FLAG) {
            set_value(cli, info, NULL);
            continue;
        }
        return take_value(cli, info, letter[1] != '\0' ? letter + 1 : NULL, count, words, at);
    }
    return true;
}

/* A word as a shell would have to write it. */
static const char *quote(struct arena *arena, const char *word)
{
    struct buffer text;
    buffer_init(&text, arena);
    buffer_putc(&text, '\'');
    for (; *word != '\0'; word++)
        buffer_puts(&text, *word == '\'' ? "'\\''" : (char[]){*word, '\0'});
    buffer_putc(&text, '\'');
    return text.data;
}

/* What stands behind `--` goes to the compiler, except for `run`, where it belongs to the program. */
static void take_rest(struct cli *cli, const char *word)
{
    const char *before = cli->options.cflags;
    if (cli->command == COMMAND_CHECK || cli->command == COMMAND_TEST || cli->command == COMMAND_VERIFY ||
        cli->command == COMMAND_BUILD || cli->command == COMMAND_TWIN || cli->command == COMMAND_COST)
        cli->options.cflags = arena_printf(cli->arena, "%s%s%s", before == NULL ? "" : before,
                                           before == NULL ? "" : " ", quote(cli->arena, word));
    else
        *vec_push(cli->arena, &cli->options.operands) = word;
}

bool options_parse(struct cli *cli, int count, char **words)
{
    bool is_rest = false;
    cli->options.max_findings = 100;
    cli->options.error_exitcode = EXIT_FINDINGS;
    for (int at = 0; at < count; at++) {
        const char *word = words[at];
        bool good = true;
        if (is_rest)
            take_rest(cli, word);
        else if (word[0] != '-' || word[1] == '\0')
            *vec_push(cli->arena, &cli->options.operands) = word;
        else if (strcmp(word, "--") == 0)
            is_rest = true;
        else if (word[1] == '-')
            good = parse_long(cli, count, words, &at);
        else
            good = parse_short(cli, count, words, &at);
        if (!good)
            return false;
    }
    if (cli->options.error_exitcode > 255) {
        cli_complain(cli, NULL, "--error-exitcode is a number from 0 to 255");
        return false;
    }
    return true;
}
