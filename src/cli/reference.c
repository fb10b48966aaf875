/* SPDX-License-Identifier: Apache-2.0
 *
 * LW_REFERENCE: the user's host functions, compiled to a shared object and called in a child process, since they are as likely to be
 * wrong as any other code: a crash or an endless loop there is reported, not suffered.
 */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include "cli/test.h"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SECONDS = 20, STATUS_FINE = 0, STATUS_NO_LIBRARY = 40, STATUS_OTHER_COUNT = 41 };

bool references_begin(struct cli *cli, const struct job *job, struct contract_list *contracts, struct references *references,
                      struct diagnostic_list *diagnostics)
{
    const char *root = getenv("TMPDIR");
    *references = (struct references){.contracts = contracts};
    if (contracts->references.count == 0 || job->unit.is_ptx)
        return true;
    char *folder = arena_printf(cli->arena, "%s/lanewise-XXXXXX", root == NULL || *root == '\0' ? "/tmp" : root);
    if (mkdtemp(folder) == NULL) {
        cli_complain(cli, NULL, "cannot make a temporary folder: %s", strerror(errno));
        return false;
    }
    references->folder = folder;
    return source_compile_host(cli->arena, &job->unit, &job->compile, contracts, folder, &references->library, diagnostics);
}

void references_end(struct references *references)
{
    if (references->folder != NULL)
        folder_remove(references->folder);
    references->folder = NULL;
}

uint32_t references_find(struct cli *cli, const struct references *references, const char *mangled)
{
    for (uint32_t r = 0; references->library != NULL && r < references->contracts->references.count; r++)
        if (ptx_name_matches(cli->arena, mangled, references->contracts->references.data[r].kernel))
            return r;
    return UINT32_MAX;
}

/* A crash in the user's function is told by its signal: no handler of a sanitizer or of a host program may catch it. */
static void use_default_signals(void)
{
    static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS, SIGALRM};
    for (unsigned s = 0; s < COUNT_OF(crashes); s++)
        signal(crashes[s], SIG_DFL);
}

static void call_in_child(const struct reference_call *reference, void **arguments, uint32_t count)
{
    char name[64];
    use_default_signals();
    alarm(SECONDS);
    void *library = dlopen(reference->references->library, RTLD_LAZY | RTLD_LOCAL);
    snprintf(name, sizeof name, "lanewise_reference_%u", reference->index);
    void *function = library == NULL ? NULL : dlsym(library, name);
    snprintf(name, sizeof name, "lanewise_reference_count_%u", reference->index);
    void *counter = library == NULL ? NULL : dlsym(library, name);
    if (function == NULL || counter == NULL)
        _exit(STATUS_NO_LIBRARY);
    unsigned (*count_of)(void);
    void (*call)(void **);
    memcpy(&count_of, &counter, sizeof count_of);
    memcpy(&call, &function, sizeof call);
    if (count_of() != count)
        _exit(STATUS_OTHER_COUNT);
    call(arguments);
    _exit(STATUS_FINE);
}

static const char *trouble_text(struct arena *arena, int status)
{
    if (WIFSIGNALED(status))
        return WTERMSIG(status) == SIGALRM ? "did not end in 20 seconds"
                                           : arena_printf(arena, "crashed: %s", strsignal(WTERMSIG(status)));
    if (WEXITSTATUS(status) == STATUS_NO_LIBRARY)
        return "cannot be loaded: is it defined in this file?";
    if (WEXITSTATUS(status) == STATUS_OTHER_COUNT)
        return "does not take the parameters of the kernel";
    return "ended the program";
}

bool references_call(void *context, struct arena *arena, struct tail_call *call)
{
    const struct reference_call *reference = context;
    uint64_t total = 0, at = 0;
    for (uint32_t a = 0; a < call->array_count; a++)
        total += (call->arrays[a].size + 63) & ~(uint64_t)63;
    uint64_t mapped = total + 4096;
    char *shared = mmap(NULL, mapped, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) {
        call->trouble = "needs more memory than there is";
        return false;
    }
    /* Arrays go through memory that both see; pointers to them stand in the arguments. */
    for (uint32_t a = 0; a < call->array_count; a++) {
        struct tail_array *array = &call->arrays[a];
        void **pointer = call->arguments[array->position];
        memcpy(shared + at, array->data, array->size);
        *pointer = shared + at;
        at += (array->size + 63) & ~(uint64_t)63;
    }
    pid_t child = fork();
    if (child == 0)
        call_in_child(reference, call->arguments, call->count);
    int status = 0;
    bool good = child > 0;
    while (good && waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    good = good && status == 0;
    if (child < 0)
        call->trouble = "could not be started";
    else if (!good)
        call->trouble = trouble_text(arena, status);
    at = 0;
    for (uint32_t a = 0; a < call->array_count; a++) {
        memcpy(call->arrays[a].data, shared + at, call->arrays[a].size);
        at += (call->arrays[a].size + 63) & ~(uint64_t)63;
    }
    munmap(shared, mapped);
    return good;
}
