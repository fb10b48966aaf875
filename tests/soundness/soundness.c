/* SPDX-License-Identifier: Apache-2.0
 *
 * usage: soundness [--seed A] [--count N | --minutes M] [--jobs J] ...      (`soundness --help` lists all)
 *
 * The differential soundness test: random kernels are proved, and every small launch of them is run in the emulator.  One fault
 * at a proved site fails.  Kernels are dealt to child processes, so that a crash or a hang of the prover is one failure.
 */
#include "tally.h"
#include "trial.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MAX_JOBS = 64, ROUND_SEEDS = 100 };

struct settings {
    uint64_t seed, count, print;
    uint32_t jobs, minutes, cuda_every, limit;
    bool prints, prints_cuda, with_idioms, quiet, has_nvcc;
    double wanted;
    const char *keep, *results;
    struct trial_options trial;
};

/* ---- the child --------------------------------------------------------------------------------------------- */

/* Lines to the parent: B seed; S idiom|line|verdict|faulted; K numbers; R length, then the report's bytes. */
static void send_trial(FILE *out, const struct plan *plan, const struct trial *t)
{
    uint64_t features = 0;
    for (uint32_t i = 0; i < FEATURE_COUNT; i++)
        features |= (uint64_t)plan->features[i] << i;
    for (uint32_t i = 0; i < t->site_list.count; i++) {
        const struct trial_site *s = &t->site_list.data[i];
        fprintf(out, "S %u %u %u %s %s\n", s->line, s->verdict, *s->faulted, s->kind, s->idiom);
    }
    if (t->status != TRIAL_FINE || (t->right && t->faulted)) {
        struct buffer text;
        buffer_init(&text, plan->arena);
        buffer_printf(&text, "seed %llu%s: %s\n%s\n", (unsigned long long)plan->seed,
                      plan->is_cuda ? " as CUDA C" : "",
                      t->report != NULL
                          ? t->report
                          : arena_printf(plan->arena, "meant to be right, but %s", t->first_fault),
                      plan->mutation != NULL ? plan->mutation : "nothing was made wrong");
        plan_print(plan, &text);
        buffer_puts(&text, plan->text);
        if (plan->is_cuda && t->ptx != NULL)
            buffer_puts(&text, t->ptx);
        fprintf(out, "R %zu\n", text.size);
        fwrite(text.data, 1, text.size, out);
    }
    fprintf(out, "K %llu %u %u %u %u %u %u %llu %llu %llu %llu %llx\n",
            (unsigned long long)plan->seed, plan->is_cuda, t->status, t->right, t->faulted,
            t->launches, t->steps_ended, (unsigned long long)(t->prove_seconds * 1e6),
            (unsigned long long)(t->run_seconds * 1e6), (unsigned long long)t->queries,
            (unsigned long long)t->solver_calls, (unsigned long long)features);
}

static void try_seed(const struct settings *settings, FILE *out, uint64_t seed, bool cuda,
                     bool nvcc)
{
    struct arena arena;
    struct trial trial;
    struct trial_options options = settings->trial;
    fprintf(out, "B %llu %u\n", (unsigned long long)seed, cuda);
    fflush(out);
    arena_init(&arena);
    options.with_nvcc = nvcc;
    const struct plan *plan = cuda ? plan_generate_cuda(&arena, seed) : plan_generate(&arena, seed);
    trial_run(&arena, plan, &options, &trial);
    send_trial(out, plan, &trial);
    fflush(out);
    arena_free(&arena);
}

static void run_child(const struct settings *settings, int descriptor, uint64_t first, uint64_t end)
{
    FILE *out = fdopen(descriptor, "w");
    for (uint64_t seed = first; seed < end && out != NULL; seed++) {
        try_seed(settings, out, seed, false, false);
        if (settings->cuda_every != 0 && seed % settings->cuda_every == 0) {
            try_seed(settings, out, seed, true, false);
            if (settings->has_nvcc)
                try_seed(settings, out, seed, true, true);
        }
    }
    _exit(out != NULL && fclose(out) == 0 ? 0 : 1);
}

/* ---- the parent ---------------------------------------------------------------------------------------------- */

struct site_line {
    unsigned line, verdict, faulted;
    char idiom[64];
};

struct worker {
    pid_t pid; /* 0: none */
    int descriptor;
    uint64_t seed, end; /* the one it is at */
    double since;       /* when it began */
    char *data;
    size_t size, capacity;
    struct site_line sites[1024];
    uint32_t site_count;
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void start(const struct settings *settings, struct worker *w, uint64_t first, uint64_t end)
{
    int ends[2];
    fflush(NULL);
    if (first >= end || pipe(ends) != 0)
        return;
    pid_t pid = fork();
    if (pid == 0) {
        close(ends[0]);
        run_child(settings, ends[1], first, end);
    }
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        return;
    }
    w->pid = pid;
    w->descriptor = ends[0];
    w->seed = first;
    w->end = end;
    w->since = now();
    w->size = 0;
    w->site_count = 0;
}

static void show(const struct settings *settings, uint64_t seed, const char *text, size_t size)
{
    fwrite(text, 1, size, stdout);
    putchar('\n');
    if (settings->keep == NULL)
        return;
    char path[4096];
    snprintf(path, sizeof path, "%s/%llu.txt", settings->keep, (unsigned long long)seed);
    FILE *file = fopen(path, "w");
    if (file != NULL) {
        fwrite(text, 1, size, file);
        fclose(file);
    }
}

static void count_kernel(struct tally *t, struct worker *w, const char *line)
{
    unsigned long long seed, prove, run, queries, calls, features;
    unsigned cuda, status, right, faulted, launches, limited;
    if (sscanf(line, "K %llu %u %u %u %u %u %u %llu %llu %llu %llu %llx", &seed, &cuda, &status,
               &right, &faulted, &launches, &limited, &prove, &run, &queries, &calls,
               &features) != 12)
        return;
    t->kernels++;
    t->cuda_kernels += cuda;
    t->right_kernels += right;
    t->faulted += faulted;
    t->faulted_right += right && faulted;
    t->launches += launches;
    t->step_limit += limited;
    t->unsound += status == TRIAL_UNSOUND;
    t->failures += status == TRIAL_BROKEN;
    t->queries += queries;
    t->solver_calls += calls;
    t->prove_microseconds += prove;
    t->run_microseconds += run;
    tally_slow_add(t, seed, prove);
    for (uint32_t i = 0; i < FEATURE_COUNT && !cuda; i++)
        t->features[i] += features >> i & 1;
    for (uint32_t i = 0; i < w->site_count; i++) {
        const struct site_line *s = &w->sites[i];
        bool proved = s->verdict <= CHECK_PROVED;
        t->sites++;
        t->sites_proved += proved;
        t->right_sites += right;
        t->right_proved += right && proved;
        if (faulted)
            continue;
        t->still_sites++;
        t->still_proved += proved;
        char name[72];
        snprintf(name, sizeof name, "%s%.47s",
                 cuda    ? "CUDA: "
                 : right ? ""
                         : "(mutated) ",
                 s->idiom);
        name[47] = '\0';
        tally_idiom_add(t, name, proved, seed, s->line);
    }
    w->site_count = 0;
}

/* Takes whole lines from what has arrived; returns how many bytes. */
static size_t take_lines(const struct settings *settings, struct tally *tally, struct worker *w)
{
    size_t at = 0;
    for (char *end; (end = memchr(w->data + at, '\n', w->size - at)) != NULL;) {
        char *line = w->data + at;
        size_t next = (size_t)(end - w->data) + 1;
        *end = '\0';
        if (line[0] == 'B') {
            w->seed = strtoull(line + 2, NULL, 10);
            w->since = now();
            w->site_count = 0;
        } else if (line[0] == 'S' && w->site_count < COUNT_OF(w->sites)) {
            struct site_line *s = &w->sites[w->site_count++];
            char kind[16];
            if (sscanf(line, "S %u %u %u %15s %63[^\n]", &s->line, &s->verdict, &s->faulted, kind,
                       s->idiom) != 5)
                w->site_count--;
            else if (strcmp(kind, "LW101") != 0 && strlen(s->idiom) < 56)
                strcat(strcat(s->idiom, " "), kind);
        } else if (line[0] == 'R') {
            size_t size = strtoull(line + 2, NULL, 10);
            if (w->size - next < size) {
                *end = '\n';
                return at;
            }
            show(settings, w->seed, w->data + next, size);
            next += size;
        } else if (line[0] == 'K') {
            count_kernel(tally, w, line);
        }
        at = next;
    }
    return at;
}

/* The child is gone or too slow: what it was at has failed; another goes on behind it. */
static void replace(const struct settings *settings, struct tally *tally, struct worker *w,
                    const char *why)
{
    int status;
    kill(w->pid, SIGKILL);
    waitpid(w->pid, &status, 0);
    close(w->descriptor);
    w->pid = 0;
    if (why == NULL && WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return;
    char text[256];
    int size = snprintf(text, sizeof text, "seed %llu: %s", (unsigned long long)w->seed,
                        why != NULL ? why : "crashed");
    show(settings, w->seed, text, (size_t)size);
    tally->failures++;
    start(settings, w, w->seed + 1, w->end);
}

static void listen_to(const struct settings *settings, struct tally *tally, struct worker *w)
{
    if (w->capacity - w->size < 65536) {
        size_t capacity = (w->capacity + 65536) * 2;
        char *data = realloc(w->data, capacity);
        if (data == NULL) {
            replace(settings, tally, w, "out of memory");
            return;
        }
        w->data = data;
        w->capacity = capacity;
    }
    ssize_t got = read(w->descriptor, w->data + w->size, w->capacity - w->size - 1);
    if (got < 0 && errno == EINTR)
        return;
    if (got <= 0) {
        /* end of file before the exit status: a crash if it was not asked to end */
        int status;
        close(w->descriptor);
        waitpid(w->pid, &status, 0);
        w->pid = 0;
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
            return;
        char text[256];
        int size = snprintf(text, sizeof text, "seed %llu: the prover or the emulator crashed",
                            (unsigned long long)w->seed);
        show(settings, w->seed, text, (size_t)size);
        tally->failures++;
        start(settings, w, w->seed + 1, w->end);
        return;
    }
    w->size += (size_t)got;
    size_t taken = take_lines(settings, tally, w);
    memmove(w->data, w->data + taken, w->size - taken);
    w->size -= taken;
}

/* All seeds of [first, end), dealt to the workers. */
static void run_round(const struct settings *settings, struct tally *tally, struct worker *workers,
                      uint64_t first, uint64_t end)
{
    uint64_t share = (end - first + settings->jobs - 1) / settings->jobs;
    for (uint32_t i = 0; i < settings->jobs; i++) {
        uint64_t from = first + i * share, to = from + share < end ? from + share : end;
        start(settings, &workers[i], from, to);
    }
    for (;;) {
        struct pollfd polled[MAX_JOBS];
        struct worker *who[MAX_JOBS];
        nfds_t count = 0;
        for (uint32_t i = 0; i < settings->jobs; i++)
            if (workers[i].pid != 0) {
                who[count] = &workers[i];
                polled[count++] = (struct pollfd){.fd = workers[i].descriptor, .events = POLLIN};
            }
        if (count == 0)
            return;
        poll(polled, count, 500);
        for (nfds_t i = 0; i < count; i++) {
            if (polled[i].revents != 0)
                listen_to(settings, tally, who[i]);
            else if (now() - who[i]->since > settings->limit)
                replace(settings, tally, who[i], "the time limit is reached");
        }
    }
}

static bool run_all(const struct settings *settings, struct tally *tally)
{
    static struct worker workers[MAX_JOBS];
    double end = now() + settings->minutes * 60.0;
    uint64_t seed = settings->seed,
             last = settings->minutes != 0 ? UINT64_MAX : settings->seed + settings->count;
    if (settings->results != NULL && tally_load(tally, settings->results) &&
        tally->next_seed > seed)
        seed = tally->next_seed;
    while (seed < last && (settings->minutes == 0 || now() < end)) {
        uint64_t next = last - seed > (uint64_t)ROUND_SEEDS * settings->jobs
                            ? seed + (uint64_t)ROUND_SEEDS * settings->jobs
                            : last;
        run_round(settings, tally, workers, seed, next);
        tally->next_seed = seed = next;
        if (settings->results != NULL && !tally_save(tally, settings->results)) {
            fprintf(stderr, "soundness: cannot write %s\n", settings->results);
            return false;
        }
        if (!settings->quiet) {
            fprintf(stderr, "seed %llu: %llu kernels, %llu unsound, %llu failed\n",
                    (unsigned long long)seed, (unsigned long long)tally->kernels,
                    (unsigned long long)tally->unsound, (unsigned long long)tally->failures);
        }
    }
    return true;
}

/* ---- one kernel, to look at ----------------------------------------------------------------------------------- */

static int print_seed(const struct settings *settings)
{
    struct arena arena;
    struct trial trial;
    struct buffer text;
    struct trial_options options = settings->trial;
    arena_init(&arena);
    buffer_init(&text, &arena);
    options.explain = true;
    const struct plan *plan = settings->prints_cuda ? plan_generate_cuda(&arena, settings->print)
                                                    : plan_generate(&arena, settings->print);
    plan_print(plan, &text);
    printf("%s%s\n", text.data != NULL ? text.data : "", plan->text);
    if (plan->mutation != NULL)
        printf("made wrong near line %u: %s\n", plan->mutation_line, plan->mutation);
    fflush(stdout);
    trial_run(&arena, plan, &options, &trial);
    if (plan->is_cuda && trial.ptx != NULL)
        printf("%s\n", trial.ptx);
    for (uint32_t i = 0; i < trial.site_list.count; i++) {
        const struct trial_site *s = &trial.site_list.data[i];
        printf("line %3u %s %-12s %s%s%s%s\n", s->line, s->kind, verdict_text(s->verdict), s->idiom,
               *s->faulted ? "  (faulted)" : "", s->reason != NULL ? ": " : "",
               s->reason != NULL ? s->reason : "");
    }
    printf("%u launches; %s\n%s\n", trial.launches,
           trial.first_fault != NULL ? trial.first_fault : "no fault",
           trial.report != NULL ? trial.report : "");
    bool good = trial.status == TRIAL_FINE;
    arena_free(&arena);
    return good ? 0 : 1;
}

/* ---- options --------------------------------------------------------------------------------------------------- */

static const char help[] =
    "usage: soundness [OPTIONS]\n"
    "  --seed A          first seed (1)\n"
    "  --count N         how many (1000)\n"
    "  --minutes M       instead: as many as there is time for\n"
    "  --jobs J          child processes (1)\n"
    "  --launches L      at most so many launches a kernel (40)\n"
    "  --limit S         seconds for one kernel (60)\n"
    "  --cuda-every K    every Kth kernel also as CUDA C (0: none), with clang and, if it is "
    "there, nvcc\n"
    "  --wanted P        fail below P % proved of the sites of never-faulting kernels (0)\n"
    "  --results FILE    add to the numbers in FILE and go on behind its last seed\n"
    "  --keep DIR        write each kernel that fails to DIR/SEED.txt\n"
    "  --idioms          list what was not proved by idiom\n"
    "  --quiet           no progress\n"
    "  --without-prover  only run the kernels\n"
    "  --believe-all     take every site for proved: the test must fail\n"
    "  --print SEED, --print-cuda SEED   show one kernel and its verdicts\n";

static bool read_options(int count, char **arguments, struct settings *s)
{
    for (int i = 1; i < count; i++) {
        const char *name = arguments[i];
        if (strcmp(name, "--idioms") == 0)
            s->with_idioms = true;
        else if (strcmp(name, "--quiet") == 0)
            s->quiet = true;
        else if (strcmp(name, "--nvcc") == 0)
            s->trial.with_nvcc = true;
        else if (strcmp(name, "--without-prover") == 0)
            s->trial.without_prover = true;
        else if (strcmp(name, "--believe-all") == 0)
            s->trial.believe_all = true;
        else if (i + 1 >= count)
            return false;
        else if (strcmp(name, "--seed") == 0)
            s->seed = strtoull(arguments[++i], NULL, 10);
        else if (strcmp(name, "--count") == 0)
            s->count = strtoull(arguments[++i], NULL, 10);
        else if (strcmp(name, "--minutes") == 0)
            s->minutes = (uint32_t)strtoul(arguments[++i], NULL, 10);
        else if (strcmp(name, "--jobs") == 0)
            s->jobs = (uint32_t)strtoul(arguments[++i], NULL, 10);
        else if (strcmp(name, "--launches") == 0)
            s->trial.launches = (uint32_t)strtoul(arguments[++i], NULL, 10);
        else if (strcmp(name, "--limit") == 0)
            s->limit = (uint32_t)strtoul(arguments[++i], NULL, 10);
        else if (strcmp(name, "--cuda-every") == 0)
            s->cuda_every = (uint32_t)strtoul(arguments[++i], NULL, 10);
        else if (strcmp(name, "--wanted") == 0)
            s->wanted = strtod(arguments[++i], NULL);
        else if (strcmp(name, "--results") == 0)
            s->results = arguments[++i];
        else if (strcmp(name, "--keep") == 0)
            s->keep = arguments[++i];
        else if (strcmp(name, "--print") == 0 || strcmp(name, "--print-cuda") == 0) {
            s->prints = true;
            s->prints_cuda = strcmp(name, "--print-cuda") == 0;
            s->print = strtoull(arguments[++i], NULL, 10);
        } else
            return false;
    }
    return s->jobs >= 1 && s->jobs <= MAX_JOBS;
}

int main(int count, char **arguments)
{
    static struct tally tally;
    struct settings settings = {
        .seed = 1, .count = 1000, .jobs = 1, .limit = 60, .trial.launches = 40};
    if (!read_options(count, arguments, &settings)) {
        fputs(help, stderr);
        return 2;
    }
    char scratch[] = "/tmp/soundness.XXXXXX";
    settings.trial.scratch = mkdtemp(scratch);
    settings.has_nvcc = settings.cuda_every != 0 && system("nvcc --version >/dev/null 2>&1") == 0;
    int status;
    if (settings.prints)
        status = print_seed(&settings);
    else
        status =
            run_all(&settings, &tally) && tally_print(&tally, settings.wanted, settings.with_idioms)
                ? 0
                : 1;
    if (settings.trial.scratch != NULL)
        rmdir(scratch);
    return status;
}
