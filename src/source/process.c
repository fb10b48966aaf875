/* SPDX-License-Identifier: Apache-2.0
 *
 * Child processes: start, collect both outputs, end in time.
 *
 * The child gets a process group of its own, so that what it started ends with it.  While it runs, our own SIGINT, SIGTERM and SIGHUP are
 * held back and read from a descriptor: the child is ended and the caller cleans up before the signal takes its course.
 */
#define _GNU_SOURCE /* pipe2, nftw */
#include "source/source.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum { OUTPUT_LIMIT = 1 << 30, ERROR_LIMIT = 1 << 20, TIMEOUT_DEFAULT = 300 };

struct watched {
    int descriptor; /* -1: closed */
    struct buffer *buffer;
    size_t limit;
};

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* Reads what is there; closes at the end of the stream. */
static void drain(struct watched *stream, struct process_result *result)
{
    char part[65536];
    ssize_t got = read(stream->descriptor, part, sizeof part);
    if (got < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    if (got <= 0) {
        close(stream->descriptor);
        stream->descriptor = -1;
        return;
    }
    size_t room = stream->limit - stream->buffer->size;
    if ((size_t)got > room)
        result->truncated = true;
    buffer_add(stream->buffer, part, (size_t)got < room ? (size_t)got : room);
}

/* Returns the signal that interrupted us, or 0. */
static int watch(struct watched streams[2], int signals, double deadline,
                 struct process_result *result)
{
    while (streams[0].descriptor >= 0 || streams[1].descriptor >= 0) {
        struct pollfd polled[3] = {
            {.fd = streams[0].descriptor, .events = POLLIN},
            {.fd = streams[1].descriptor, .events = POLLIN},
            {.fd = signals, .events = POLLIN},
        };
        double left = deadline - now();
        if (left <= 0) {
            result->timed_out = true;
            return 0;
        }
        int ready = poll(polled, 3, left > 1000 ? 1000000 : (int)(left * 1000) + 1);
        if (ready < 0 && errno != EINTR) {
            result->error = errno;
            return 0;
        }
        if (ready <= 0)
            continue;
        struct signalfd_siginfo info;
        if (polled[2].revents != 0 && read(signals, &info, sizeof info) == (ssize_t)sizeof info)
            return (int)info.ssi_signo;
        for (int i = 0; i < 2; i++)
            if (polled[i].revents != 0)
                drain(&streams[i], result);
    }
    return 0;
}

/* The child may close its outputs long before it ends. */
static void reap(pid_t child, double deadline, struct process_result *result)
{
    int status = 0;
    for (;;) {
        pid_t ended = waitpid(child, &status, WNOHANG);
        if (ended == child)
            break;
        if (ended < 0 && errno != EINTR) {
            result->error = errno;
            return;
        }
        if (!result->timed_out && now() > deadline)
            result->timed_out = true;
        if (result->timed_out || result->error != 0)
            kill(-child, SIGKILL);
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    result->exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static pid_t start(const char *const *arguments, char *const *environment, const int out[2],
                   const int err[2], const sigset_t *mask, struct process_result *result)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    pid_t child = -1;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, out[1], 1);
    posix_spawn_file_actions_adddup2(&actions, err[1], 2);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setsigmask(&attributes, mask);
    /* The arguments are not changed; the interface is older than const. */
    int error = posix_spawnp(&child, arguments[0], &actions, &attributes,
                             (char *const *)(uintptr_t)arguments,
                             environment != NULL ? environment : environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    result->missing = error == ENOENT;
    result->error = error;
    return error == 0 ? child : -1;
}

void process_run(struct arena *arena, const char *const *arguments, char *const *environment,
                 uint32_t timeout, void (*cleanup)(void *), void *context,
                 struct process_result *result)
{
    int out[2] = {-1, -1}, err[2] = {-1, -1};
    memset(result, 0, sizeof *result);
    buffer_init(&result->out, arena);
    buffer_init(&result->err, arena);
    buffer_puts(&result->out, "");
    buffer_puts(&result->err, "");
    if (pipe2(out, O_CLOEXEC) != 0 || pipe2(err, O_CLOEXEC) != 0) {
        result->error = errno;
        if (out[0] >= 0) {
            close(out[0]);
            close(out[1]);
        }
        return;
    }
    sigset_t held, before;
    sigemptyset(&held);
    sigaddset(&held, SIGINT);
    sigaddset(&held, SIGTERM);
    sigaddset(&held, SIGHUP);
    sigprocmask(SIG_BLOCK, &held, &before);
    int signals = signalfd(-1, &held, SFD_CLOEXEC | SFD_NONBLOCK);
    double deadline = now() + (timeout != 0 ? timeout : TIMEOUT_DEFAULT);
    pid_t child = start(arguments, environment, out, err, &before, result);
    close(out[1]);
    close(err[1]);
    struct watched streams[2] = {{out[0], &result->out, OUTPUT_LIMIT},
                                 {err[0], &result->err, ERROR_LIMIT}};
    int interrupt = 0;
    if (child > 0) {
        interrupt = watch(streams, signals, deadline, result);
        if (interrupt != 0)
            kill(-child, SIGKILL);
        reap(child, interrupt != 0 ? 0 : deadline, result);
    }
    for (int i = 0; i < 2; i++)
        if (streams[i].descriptor >= 0)
            close(streams[i].descriptor);
    if (signals >= 0)
        close(signals);
    if (interrupt != 0) {
        if (cleanup != NULL)
            cleanup(context);
        signal(interrupt, SIG_DFL);
        raise(interrupt);
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
}

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *position)
{
    (void)status;
    (void)kind;
    (void)position;
    remove(path);
    return 0; /* the rest still goes */
}

void folder_remove(const char *path)
{
    nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}
