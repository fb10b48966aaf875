/* SPDX-License-Identifier: Apache-2.0
 *
 * cli: the commands of `lanewise`.  One option table (options.c) makes the parser, the help, the manual page and the completions.
 */
#ifndef LANEWISE_CLI_H
#define LANEWISE_CLI_H

#include "base/base.h"
#include "check/check.h"
#include "launch/launch.h"
#include "report/report.h"
#include "source/source.h"

#include <regex.h>

/* Exit statuses.  77, 99 and 124 to 137 mean something to test runners and shells and are never ours. */
enum exit_status { EXIT_CLEAN = 0, EXIT_FINDINGS = 1, EXIT_INPUT = 2, EXIT_UNFINISHED = 3 };

/* ---- commands ----------------------------------------------------------------------------------------- */

enum command_id { COMMAND_CHECK, COMMAND_RUN, COMMAND_TEST, COMMAND_BUILD, COMMAND_TWIN, COMMAND_COST, COMMAND_VERIFY, COMMAND_REPORT, COMMAND_EXPLAIN, COMMAND_HELP, COMMAND_COUNT };

struct cli;
struct command_info {
    const char *name;
    const char *operands; /* "FILE..." */
    const char *summary;  /* one line */
    const char *text;     /* paragraphs for the help and the manual page */
    const char *examples; /* lines */
    int (*run)(struct cli *cli);
};
extern const struct command_info cli_commands[COMMAND_COUNT];

/* ---- options ------------------------------------------------------------------------------------------- */

struct option_text {
    const char *text; /* NULL: not given */
};

/* One `--format F[=FILE]` or `--dump NAME[=FILE]`. */
struct named_file {
    const char *name;
    const char *file; /* NULL: not given */
};

typedef VEC(const char *) text_list;

enum fail_on { FAIL_ON_ERROR, FAIL_ON_UNPROVED };

enum colour_choice { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER };

struct cli_options {
    const char *launch, *kernel, *cflags, *level, *only, *keep_ptx;
    const char *sizes, *shard, *state; /* of test */
    int device, against;               /* of test and twin: 0 none, 1 cuda, 2 cpu */
    bool raw;                          /* of test: what runs there has no checks */
    const char *output;                /* of build: the folder */
    uint64_t seed, launches;
    int compiler;  /* enum source_compiler */
    int schedule;  /* 0 fair, 1 adversarial */
    int isa;       /* emu_options.isa */
    int colour;    /* enum colour_choice */
    int fail_on;   /* enum fail_on */
    const char *html; /* of cost: the file */
    bool show_ptx; /* of cost */
    bool check_all, optimise, split, entry_check, unchecked_indexing, allow_not_checkable; /* of build */
    bool explain_proof, suggest, debug, exit_zero, quiet, stats, help;
    uint64_t jobs, max_steps, max_memory, max_findings, compile_timeout, error_exitcode;
    VEC(struct named_file) formats, dumps, inputs, goldens;
    text_list contracts, assumptions; /* --contract, --assume */
    text_list operands;
};

struct cli {
    struct arena *arena;
    struct cli_options options;
    enum command_id command;
    uint32_t timed_out;          /* compilations that did not end in time */
    bool colour_out, colour_err; /* decided from the options, the environment and the terminal */
    struct text_map sources;     /* path: index into `texts`, for excerpts */
    VEC(const char *) texts;
};

/* Reads the words after the command into cli->options.  False when something was wrong: it is printed already. */
bool options_parse(struct cli *cli, int count, char **words);
void options_print_help(struct cli *cli, enum command_id command, struct buffer *out);
void options_print_manual(struct cli *cli, struct buffer *out);
/* "bash", "zsh" or "fish"; false for another shell. */
bool options_print_completion(struct cli *cli, const char *shell, struct buffer *out);

/* ---- shared by the commands -------------------------------------------------------------------------------- */

/* Prints "error: ..." in the shape of the reports, on stderr. */
void cli_complain(struct cli *cli, const char *help, const char *format, ...) LW_PRINTF(3, 4);
void cli_print_diagnostics(struct cli *cli, const struct diagnostic_list *list);
struct report_style cli_style(struct cli *cli, bool colour);
/* Makes the text of `path` known, so that excerpts of it need no file. */
void cli_add_source(struct cli *cli, const char *path, const char *text);
/* Writes all of `text`; false, with a message, when the file cannot be written.  NULL: stdout. */
bool cli_write(struct cli *cli, const char *path, const char *text, size_t size);

/* output.c: writes the report in every format that was asked for. */
bool output_check_formats(struct cli *cli);
/* The files and formats of a command that takes one or more files; false with a message, `missing` and `usage` when there is no file. */
bool output_check_files(struct cli *cli, const char *usage, const char *missing);
bool output_write(struct cli *cli, struct report *report, const struct diagnostic_list *input);
/* True if a format other than text goes to stdout, which then holds nothing else. */
bool output_machine_stdout(const struct cli *cli);

/* ---- one input file ------------------------------------------------------------------------------------------ */

/* A file with its launches; after job_compile also its PTX. */
struct job {
    struct source_unit unit;
    struct source_options compile;
    struct launch_comment comment;
    struct ptx_module *module;
};

/* Called after a launch has run, while its memory is still there. */
typedef void job_visit(void *context, struct launch_run *run, const struct launch *launch,
                       struct report_kernel *kernel);

/* Reads the file and its launches.  False with diagnostics. */
bool job_read(struct cli *cli, const char *path, const char *launch_text, struct job *job,
              struct diagnostic_list *diagnostics);
/* The text of --launch: `@FILE` stands for the file's contents.  NULL with a diagnostic. */
const char *job_launch_text(struct cli *cli, const char *text, struct diagnostic_list *diagnostics);
/* What the file (not one of PTX) and the headers of --contract say of kernels.  False with diagnostics. */
bool job_read_contracts(struct cli *cli, const struct job *job, struct contract_list *contracts, struct diagnostic_list *diagnostics);
/* Compiles and parses.  False with diagnostics. */
bool job_compile(struct cli *cli, struct job *job, struct diagnostic_list *diagnostics);
/* Runs every launch of the file that --kernel admits; each adds a kernel to the report.  False with diagnostics when one of them is no
 * launch of its kernel, or none was run. */
bool job_run(struct cli *cli, struct job *job, struct report *report, job_visit *visit, void *context,
             struct diagnostic_list *diagnostics);
/* Where the kernel is declared. */
struct place job_declaration(struct cli *cli, const struct job *job, uint32_t function);

/* --kernel REGEX, matched against the mangled, the demangled and the short name. */
struct kernel_filter {
    regex_t regex;
    bool active;
};
bool kernel_filter_begin(struct cli *cli, struct kernel_filter *filter, struct diagnostic_list *diagnostics);
bool kernel_filter_admits(struct cli *cli, const struct kernel_filter *filter, const char *mangled);
void kernel_filter_end(struct kernel_filter *filter);
/* The one kernel that the filter admits; NULL when there are none or several. */
const char *kernel_filter_only(struct cli *cli, const struct kernel_filter *filter, const struct ptx_module *module);

/* Called after a kernel was proved; `result` is NULL when a device would refuse the launch; `launch` is NULL without one. */
typedef void prove_visit(void *context, const struct check_result *result, const struct launch *launch, uint32_t function,
                         struct report_kernel *kernel);
/* prove.c: proves the kernels of a compiled file, each with its contract, else with each of its launches; every proof adds a kernel to
 * the report.  False with diagnostics. */
bool prove_job(struct cli *cli, struct job *job, struct report *report, prove_visit *visit, void *context,
               struct diagnostic_list *diagnostics);

/* compare.c: what was found against what a launch expects. */
struct evidence {
    const struct report_kernel *kernel;
    bool is_proof; /* of check; else of a run */
};
struct comparison {
    struct cli *cli;
    const struct launch *launch;
    VEC(struct evidence) evidence;
    struct buffer *failed, *skipped; /* reasons, "; " between them */
    bool claims_disjoint; /* the file says LW_DISJOINT somewhere */
};
void compare_launch(struct comparison *comparison);
void compare_add_reason(struct buffer *reasons, const char *format, ...) LW_PRINTF(2, 3);

/* npy.c: writes or prints a buffer of a run. */
bool npy_dump(struct cli *cli, struct launch_run *run, const struct launch_buffer *buffer,
              const char *file);

int check_command(struct cli *cli);
int run_command(struct cli *cli);
int test_command(struct cli *cli);
int build_command(struct cli *cli);
int twin_command(struct cli *cli);
int cost_command(struct cli *cli);
int verify_command(struct cli *cli);
int report_command(struct cli *cli);
int explain_command(struct cli *cli);
int help_command(struct cli *cli);

#endif
