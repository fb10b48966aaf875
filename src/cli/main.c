/* SPDX-License-Identifier: Apache-2.0
 *
 * Entry of the tool: which command, then its options, then the command.  Out of memory ends here.
 */
#include "cli/cli.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const struct command_info cli_commands[COMMAND_COUNT] = {
    [COMMAND_CHECK] =
        {
            "check", "FILE...", "prove kernels in bounds for every launch of their contract",
            "Proves, for every launch that a kernel's contract admits, that each access stays inside its array (LW101, LW102) and is "
            "aligned (LW105), that no integer division divides by zero (LW106), that no index wraps (LW103), that all threads come to the barriers and shuffles "
            "that wait for them (LW201, LW203), and that no two threads race (LW204, LW301, LW302). The contract stands in the source "
            "(lanewise/contract.h) or in a header; a kernel without one is proved for the launch of the file's head comment. What is "
            "violated comes with a launch that shows it, confirmed by running it. Words after -- go to the compiler.",
            "lanewise check scale.cu\n"
            "lanewise check kernels.ptx --contract kernels.h\n"
            "lanewise check scale.cu --assume 'n % 256 == 0' --explain-proof\n"
            "lanewise check scale.cu --fail-on=unproved --format json=report.json",
            check_command,
        },
    [COMMAND_RUN] =
        {
            "run", "FILE...", "run kernels on the CPU and report their faults",
            "Runs the launch that the comment at the top of each FILE (.cu or .ptx) describes, warp by warp, on the CPU, with every "
            "check on: accesses outside of arrays, misaligned and uninitialised accesses, barriers that threads miss, warp "
            "operations with absent lanes, data races, wrong results. Neither a GPU nor the CUDA toolkit is needed.",
            "lanewise run scale.cu\n"
            "lanewise run scale.cu --launch 'n=1000; grid: 4'\n"
            "lanewise run kernels.ptx --launch @scale.launch --kernel scale\n"
            "lanewise run scale.cu --format text --format sarif=report.sarif\n"
            "lanewise run scale.cu --dump y=y.npy",
            run_command,
        },
    [COMMAND_TEST] =
        {
            "test", "FILE...", "run kernels at the sizes where tails break",
            "Makes launches from the contract of each kernel, both sides of every transition of every size, with arrays of exactly the "
            "length that the contract asks for, and runs them on the CPU with every check on. Elements that nobody writes (LW402), fill "
            "values that change a reduction (LW401) and results that differ from a host function marked LW_REFERENCE (LW405) are found, "
            "too. What fails is made as small as it still fails and printed with the command that shows it.",
            "lanewise test scale.cu\n"
            "lanewise test scale.cu --sizes 4096,65536\n"
            "lanewise test scale.cu --launch 'n=1000'\n"
            "lanewise test kernels.cu --shard 2/8 --state part2.state --format json=part2.json",
            test_command,
        },
    [COMMAND_BUILD] =
        {
            "build", "FILE...", "write checked PTX: a run-time check wherever no proof exists",
            "Proves each kernel for every launch of its contract, as `check` does, and writes FOLDER/NAME.ptx: the compiler's PTX with a "
            "run-time check at each access (LW101, LW102, LW105), division (LW106) and index (LW103) that was not proved, and nothing "
            "else; a kernel whose every site is proved has identical instructions. A failing check stops the launch and says where: "
            "in the fault record that a launcher reads, else as a failed assertion. FOLDER/NAME.report.json lists all sites. Exit 3 when a "
            "site can be neither proved nor checked.",
            "lanewise build scale.cu -o out\n"
            "lanewise build kernels.ptx --contract kernels.h -o out\n"
            "lanewise build scale.cu -o out --check-all",
            build_command,
        },
    [COMMAND_TWIN] =
        {
            "twin", "FILE[:KERNEL] FILE[:KERNEL]", "compare two kernels, part by part and by their results",
            "Counts what the two kernels are made of, as the compiler left them: instructions, blocks, branches by use (exit test, check, "
            "loop), memory operations by space and width, barriers, traps, loop bodies and how often they are unrolled. With a launch, from "
            "the first file's head comment or --launch, both run on the CPU and all buffers are compared bit for bit.",
            "lanewise twin scale.cu out/scale.ptx\n"
            "lanewise twin old.cu:gemm new.cu:gemm --launch @gemm.launch",
            twin_command,
        },
    [COMMAND_COST] =
        {
            "cost", "FILE", "count what a launch issues, warp by warp, line by line",
            "Answers four questions about each kernel, in their order: block size, conditions, barriers, memory. Then what a launch is made "
            "of (threads and warps with work and without), the source with the warp instructions that each line issues, how many lanes take "
            "part, what branches cost and how memory is touched, and advice with its price in this launch. Counts are exact, from running "
            "the launch on the CPU. A launch needs only the scalars where a contract gives the rest (block, domain, shapes); contents of "
            "arrays are made up, within LW_VALUES, unless the file's launch comment has them. Without a launch: what the code alone says.",
            "lanewise cost scale.cu --kernel scale --launch 'n=1000000'\n"
            "lanewise cost scale.cu --launch 'n=1000000; block: 128' --ptx\n"
            "lanewise cost scale.cu --launch 'n=1000000' --html scale.html\n"
            "lanewise cost kernels.ptx --contract kernels.h --kernel gemm --format json",
            cost_command,
        },
    [COMMAND_REPORT] =
        {
            "report", "merge FILE...", "join the reports of the parts of a test",
            "Joins JSON reports that `lanewise test --shard I/N --format json=FILE` wrote into one: counts are added, findings stand once.",
            "lanewise report merge part*.json\n"
            "lanewise report merge part*.json --format junit=all.xml",
            report_command,
        },
    [COMMAND_VERIFY] =
        {
            "verify", "FILE...", "compare what is found with what a file expects",
            "Checks and runs each FILE as `check` and `run` do and compares the findings with the `expect:` and `also-accept:` lines "
            "of its launch comment: every expected finding is there, no other error is, results are as wanted, the verdict is as "
            "stated. Prints a line for each file: ok, FAIL with the reason, or skip where this version cannot look for what is "
            "expected.",
            "lanewise verify cases/*.cu\n"
            "lanewise verify --compiler nvcc --only LW1 cases/*.cu",
            verify_command,
        },
    [COMMAND_EXPLAIN] =
        {
            "explain", "[ID]", "explain a finding",
            "Prints the page of a finding: what it means, a wrong and a right kernel, the cure, and why it is a fault though the "
            "output may look right. Without ID it lists all of them.",
            "lanewise explain LW101\n"
            "lanewise explain oob-global",
            explain_command,
        },
    [COMMAND_HELP] =
        {
            "help", "[COMMAND | man | completion SHELL]",
            "print help, the manual page or shell completions",
            "Without an operand it lists the commands.",
            "lanewise help run\n"
            "lanewise help man >lanewise.1\n"
            "lanewise help completion bash >/etc/bash_completion.d/lanewise",
            help_command,
        },
};

/* ---- messages ------------------------------------------------------------------------------------------ */

static const char *read_source(void *context, const char *path)
{
    struct cli *cli = context;
    uint32_t known = text_map_find(&cli->sources, path, strlen(path));
    if (known == TEXT_MAP_NONE) {
        cli_add_source(cli, path, file_read(cli->arena, path, NULL));
        known = cli->texts.count - 1;
    }
    return cli->texts.data[known];
}

void cli_add_source(struct cli *cli, const char *path, const char *text)
{
    text_map_set(&cli->sources, path, strlen(path), cli->texts.count);
    *vec_push(cli->arena, &cli->texts) = text;
}

struct report_style cli_style(struct cli *cli, bool colour)
{
    return (struct report_style){
        .colour = colour,
        .quiet = cli->options.quiet,
        .stats = cli->options.stats,
        .proofs = cli->options.explain_proof,
        .max_findings = cli->options.max_findings > UINT32_MAX ? 0
                                                               : (uint32_t)cli->options.max_findings,
        .read_source = read_source,
        .context = cli,
    };
}

static void print_diagnostic(struct cli *cli, const struct diagnostic *diagnostic)
{
    struct report_style style = cli_style(cli, cli->colour_err);
    struct buffer text;
    buffer_init(&text, cli->arena);
    report_print_diagnostic(diagnostic, &style, &text);
    fwrite(text.data, 1, text.size, stderr);
}

void cli_complain(struct cli *cli, const char *help, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    struct diagnostic diagnostic = {
        .severity = SEVERITY_ERROR,
        .message = arena_vprintf(cli->arena, format, arguments),
        .help = help,
    };
    va_end(arguments);
    print_diagnostic(cli, &diagnostic);
}

void cli_print_diagnostics(struct cli *cli, const struct diagnostic_list *list)
{
    for (uint32_t i = 0; i < list->items.count; i++)
        print_diagnostic(cli, &list->items.data[i]);
    if (list->dropped != 0)
        fprintf(stderr, "... and %u more\n", list->dropped);
}

bool cli_write(struct cli *cli, const char *path, const char *text, size_t size)
{
    FILE *file = path == NULL ? stdout : fopen(path, "wb");
    bool good = file != NULL && fwrite(text, 1, size, file) == size;
    good &= file != NULL && (path == NULL ? fflush(file) : fclose(file)) == 0;
    /* Who closed the pipe has seen enough: `lanewise run x.cu | head`. */
    if (!good && (path != NULL || errno != EPIPE))
        cli_complain(cli, NULL, "cannot write %s: %s", path == NULL ? "the output" : path,
                     strerror(errno));
    return good || (path == NULL && errno == EPIPE);
}

/* ---- entry ------------------------------------------------------------------------------------------------ */

static bool wants_colour(const struct cli *cli, int descriptor)
{
    const char *none = getenv("NO_COLOR"), *terminal = getenv("TERM");
    if (cli->options.colour != COLOUR_AUTO)
        return cli->options.colour == COLOUR_ALWAYS;
    return (none == NULL || *none == '\0') && terminal != NULL && strcmp(terminal, "dumb") != 0 &&
           isatty(descriptor);
}

/* The command that the first word names; COMMAND_COUNT with a message when there is none. */
static enum command_id find_command(struct cli *cli, const char *word)
{
    struct text_guess guess = text_guess_begin(word);
    for (unsigned i = 0; i < COMMAND_COUNT; i++) {
        if (strcmp(cli_commands[i].name, word) == 0)
            return (enum command_id)i;
        text_guess_try(&guess, cli_commands[i].name);
    }
    const char *help = "`lanewise help` lists the commands";
    if (guess.best != NULL)
        help = arena_printf(cli->arena, "did you mean `%s`?", guess.best);
    else if (text_ends_with(word, ".cu") || text_ends_with(word, ".ptx"))
        help = arena_printf(cli->arena, "did you mean `lanewise run %s`?", word);
    cli_complain(cli, help, word[0] == '-' ? "unknown option `%s`" : "unknown command `%s`", word);
    return COMMAND_COUNT;
}

static int dispatch(struct cli *cli, int count, char **words)
{
    const char *first = count > 0 ? words[0] : NULL;
    if (first == NULL || strcmp(first, "--help") == 0 || strcmp(first, "-h") == 0) {
        cli->command = COMMAND_HELP;
        help_command(cli);
        return first == NULL ? EXIT_INPUT : EXIT_CLEAN;
    }
    if (strcmp(first, "--version") == 0 || strcmp(first, "-V") == 0) {
        const char *text = "lanewise " LANEWISE_VERSION " (PTX ISA to 9.0; kernels run as on sm_80)\n";
        return cli_write(cli, NULL, text, strlen(text)) ? EXIT_CLEAN : EXIT_INPUT;
    }
    cli->command = find_command(cli, first);
    if (cli->command == COMMAND_COUNT)
        return EXIT_INPUT;
    bool good = options_parse(cli, count - 1, words + 1);
    cli->colour_out = wants_colour(cli, STDOUT_FILENO);
    cli->colour_err = wants_colour(cli, STDERR_FILENO);
    if (!good)
        return EXIT_INPUT;
    if (cli->options.help) {
        struct buffer help;
        buffer_init(&help, cli->arena);
        options_print_help(cli, cli->command, &help);
        return cli_write(cli, NULL, help.data, help.size) ? EXIT_CLEAN : EXIT_INPUT;
    }
    return cli_commands[cli->command].run(cli);
}

int main(int count, char **words)
{
    struct arena arena;
    jmp_buf out_of_memory;
    arena_init(&arena);
    signal(SIGPIPE, SIG_IGN); /* a closed pipe is an error of write, not the end of us */
    if (setjmp(out_of_memory) != 0) {
        fputs("error: out of memory\n", stderr);
        return EXIT_UNFINISHED;
    }
    arena.handler = &out_of_memory;
    struct cli *cli = ARENA_NEW(&arena, struct cli);
    cli->arena = &arena;
    text_map_init(&cli->sources, &arena);
    cli->colour_err = wants_colour(cli, STDERR_FILENO);
    int status = dispatch(cli, count - 1, words + 1);
    arena_free(&arena);
    return status;
}
