/* SPDX-License-Identifier: Apache-2.0
 *
 * lanewise/test.h: runs the tool as a child process and reads its JSON report.  The tool has what the library lacks, a reader of
 * contracts, and a kernel that brings the emulator down does not bring the suite down.
 */
#define _GNU_SOURCE /* pipe2 */
#include "lanewise/test.h"

#include "report/report.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { OUTPUT_LIMIT = 64 << 20 };

struct lw_test {
    struct arena arena;
    int status;
    unsigned long launches, errors, warnings;
    VEC(const char *) findings;
    struct buffer report;
};

extern char **environ;

/* ---- the child ------------------------------------------------------------------------------------------------- */

static void collect(int descriptor, struct buffer *out, bool *is_open)
{
    char part[65536];
    ssize_t got = read(descriptor, part, sizeof part);
    if (got < 0 && errno == EINTR)
        return;
    *is_open = got > 0;
    if (got > 0 && out->size < OUTPUT_LIMIT)
        buffer_add(out, part, (size_t)got);
}

static void drain(int out, int err, struct buffer *texts)
{
    bool is_open[2] = {true, true};
    while (is_open[0] || is_open[1]) {
        struct pollfd polled[2] = {{.fd = is_open[0] ? out : -1, .events = POLLIN}, {.fd = is_open[1] ? err : -1, .events = POLLIN}};
        if (poll(polled, 2, -1) < 0 && errno != EINTR)
            return;
        for (unsigned i = 0; i < 2; i++)
            if (is_open[i] && polled[i].revents != 0)
                collect(i == 0 ? out : err, &texts[i], &is_open[i]);
    }
}

/* The exit status, or -1. */
static int run_tool(struct arena *arena, const char *file, const char *const *options, struct buffer *texts)
{
    const char *program = getenv("LANEWISE");
    VEC(const char *) words = {0};
    const char *fixed[] = {program != NULL && *program != '\0' ? program : "lanewise", "test", file, "--format", "json"};
    posix_spawn_file_actions_t actions;
    int out[2], err[2], status = 0;
    pid_t child;
    for (unsigned i = 0; i < COUNT_OF(fixed); i++)
        *vec_push(arena, &words) = fixed[i];
    for (unsigned i = 0; options != NULL && options[i] != NULL; i++)
        *vec_push(arena, &words) = options[i];
    *vec_push(arena, &words) = NULL;
    if (pipe2(out, O_CLOEXEC) != 0)
        return -1;
    if (pipe2(err, O_CLOEXEC) != 0) {
        close(out[0]);
        close(out[1]);
        return -1;
    }
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, err[1], STDERR_FILENO);
    char **copy = arena_copy(arena, words.data, words.count * sizeof *words.data);
    int error = posix_spawnp(&child, copy[0], &actions, NULL, copy, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(out[1]);
    close(err[1]);
    if (error == 0) {
        drain(out[0], err[0], texts);
        while (waitpid(child, &status, 0) < 0 && errno == EINTR)
            continue;
    } else {
        buffer_printf(&texts[1], "cannot run `%s`: %s\n", copy[0], strerror(error));
    }
    close(out[0]);
    close(err[0]);
    return error == 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* ---- the report -------------------------------------------------------------------------------------------------- */

static void take_report(struct lw_test *test, const struct report *report)
{
    static const char *const severities[] = {"note", "warning", "error"};
    for (uint32_t k = 0; k < report->kernels.count; k++) {
        const struct report_kernel *kernel = &report->kernels.data[k];
        test->launches += (unsigned long)kernel->launches;
        for (uint32_t f = 0; f < kernel->findings.count; f++) {
            const struct finding *finding = &kernel->findings.data[f];
            bool is_predicate = finding->message != NULL && finding->message[0] >= 'a' && finding->message[0] <= 'z';
            const char *line =
                arena_printf(&test->arena, "%s:%u:%u: %s: `%s`%s %s [LW%u]", finding->place.file == NULL ? "" : finding->place.file,
                             finding->place.line, finding->place.column, severities[finding->severity], kernel->shown,
                             is_predicate ? "" : ":", finding->message == NULL ? "" : finding->message,
                             finding_info(finding->kind)->number);
            test->errors += finding->severity == SEVERITY_ERROR;
            test->warnings += finding->severity == SEVERITY_WARNING;
            *vec_push(&test->arena, &test->findings) = line;
            buffer_printf(&test->report, "%s\n", line);
            if (finding->reproduce != NULL)
                buffer_printf(&test->report, "  reproduce: %s\n", finding->reproduce);
        }
        if (kernel->unfinished_why != NULL || kernel->stopped != NULL)
            buffer_printf(&test->report, "`%s` was not finished: %s\n", kernel->shown,
                          kernel->stopped != NULL ? kernel->stopped : kernel->unfinished_why);
    }
}

static void fill(struct lw_test *test, const char *file, const char *const *options)
{
    struct buffer texts[2];
    struct report report;
    const char *trouble;
    uint32_t line;
    buffer_init(&test->report, &test->arena);
    buffer_puts(&test->report, "");
    for (unsigned i = 0; i < 2; i++) {
        buffer_init(&texts[i], &test->arena);
        buffer_puts(&texts[i], "");
    }
    report_init(&report, &test->arena, "test");
    test->status = run_tool(&test->arena, file, options, texts);
    if (report_merge_json(&report, texts[0].data, texts[0].size, &trouble, &line))
        take_report(test, &report);
    else if (test->status >= 0 && test->status != 2)
        test->status = -1; /* it said nothing that can be read */
    buffer_puts(&test->report, texts[1].data);
}

/* False when memory ran out. */
static bool fill_guarded(struct lw_test *test, const char *file, const char *const *options)
{
    jmp_buf out_of_memory;
    test->arena.handler = &out_of_memory;
    if (setjmp(out_of_memory) != 0)
        return false;
    fill(test, file, options);
    test->arena.handler = NULL;
    return true;
}

lw_test *lw_test_run(const char *file, const char *const *options)
{
    struct lw_test *test = calloc(1, sizeof *test);
    if (test == NULL)
        return NULL;
    test->status = -1;
    if (fill_guarded(test, file, options))
        return test;
    lw_test_free(test);
    return NULL;
}

void lw_test_free(lw_test *test)
{
    if (test != NULL)
        arena_free(&test->arena);
    free(test);
}

int lw_test_status(const lw_test *test)
{
    return test == NULL ? -1 : test->status;
}

bool lw_test_is_clean(const lw_test *test)
{
    return lw_test_status(test) == 0;
}

unsigned long lw_test_launches(const lw_test *test)
{
    return test == NULL ? 0 : test->launches;
}

unsigned long lw_test_errors(const lw_test *test)
{
    return test == NULL ? 0 : test->errors;
}

unsigned long lw_test_warnings(const lw_test *test)
{
    return test == NULL ? 0 : test->warnings;
}

size_t lw_test_finding_count(const lw_test *test)
{
    return test == NULL ? 0 : test->findings.count;
}

const char *lw_test_finding(const lw_test *test, size_t index)
{
    return test == NULL || index >= test->findings.count ? NULL : test->findings.data[index];
}

const char *lw_test_report(const lw_test *test)
{
    return test == NULL || test->report.data == NULL ? "out of memory" : test->report.data;
}
