/* SPDX-License-Identifier: Apache-2.0
 *
 * A device for `lanewise test` and `twin`.
 *
 * After a fault a process has no driver any more.  So launches are made by a worker, a child of a keeper, a child of ours; when a worker ends,
 * the keeper, which never touches the driver, forks the next one.  Requests and results are in memory that all of them see; one byte on a socket says
 * that something is there.  A launch that does not end in LIMIT_SECONDS is ended with its worker.
 */
#include "cli/device.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LIMIT_SECONDS = 30, OPEN_SECONDS = 60, PARAMETERS_MAX = 32768, ADDRESSES_MAX = 1024, PARTS_MAX = 1024 };
#define IMAGE_BYTES ((uint64_t)128 << 20)

enum answer { ANSWER_READY, ANSWER_DONE, ANSWER_FAULT, ANSWER_TROUBLE, ANSWER_GONE, ANSWER_NO_DEVICE };

struct device_worker {
    _Atomic pid_t worker;
    uint32_t answer; /* enum answer */
    char text[2048];
    struct lw_fault fault; /* its texts lie in the module, which every process has at the same place */
    /* the request */
    uint32_t module, kernel, grid[3], block[3], dynamic_shared;
    uint32_t parameters_size, address_count, part_count;
    uint32_t addresses[ADDRESSES_MAX], offsets[PARTS_MAX];
    uint8_t parameters[PARAMETERS_MAX];
    uint64_t image_size;
    _Alignas(4096) uint8_t image[];
};

uint64_t device_bytes(void)
{
    return IMAGE_BYTES;
}

/* One byte from the other side; false: it is gone. */
static bool take_byte(int socket)
{
    char byte;
    ssize_t got;
    while ((got = read(socket, &byte, 1)) < 0 && errno == EINTR)
        continue;
    return got == 1;
}

/* ---- the worker ------------------------------------------------------------------------------------------------------- */

struct worker {
    struct device *device;
    struct lw_device *opened;
    struct lw_module **loaded;
    struct lw_buffer *memory;
    struct lw_error error;
};

static void answer(const struct worker *worker, enum answer what)
{
    struct device_worker *shared = worker->device->shared;
    char byte = 'a';
    shared->answer = what;
    snprintf(shared->text, sizeof shared->text, "%s", worker->error.message);
    shared->fault = worker->error.fault;
    while (write(worker->device->socket, &byte, 1) < 0 && errno == EINTR)
        continue;
}

static bool open_all(struct worker *worker)
{
    struct device *device = worker->device;
    struct lw_device_options options = {.backend = device->backend, .jobs = 1};
    worker->loaded = calloc(device->module_count + 1, sizeof *worker->loaded);
    if (worker->loaded == NULL || lw_device_open(&options, &worker->opened, &worker->error) != LW_OK)
        return false;
    for (uint32_t m = 0; m < device->module_count; m++)
        if (lw_module_load(worker->opened, device->modules[m].source, &worker->loaded[m], &worker->error) != LW_OK)
            return false;
    return lw_buffer_create(worker->opened, IMAGE_BYTES, &worker->memory, &worker->error) == LW_OK;
}

static enum answer launch_request(struct worker *worker)
{
    struct device_worker *shared = worker->device->shared;
    const struct lw_module_source *source = worker->device->modules[shared->module].source;
    struct lw_kernel *kernel;
    const void *arguments[PARTS_MAX];
    uint64_t base = (uint64_t)(uintptr_t)lw_buffer_address(worker->memory);
    for (uint32_t a = 0; a < shared->address_count; a++) {
        uint64_t address;
        memcpy(&address, shared->parameters + shared->addresses[a], sizeof address);
        address += base;
        memcpy(shared->parameters + shared->addresses[a], &address, sizeof address);
    }
    for (uint32_t p = 0; p < shared->part_count; p++)
        arguments[p] = shared->parameters + shared->offsets[p];
    struct lw_extent3 grid = {shared->grid[0], shared->grid[1], shared->grid[2]}, block = {shared->block[0], shared->block[1], shared->block[2]};
    struct lw_error *error = &worker->error;
    enum lw_status status = lw_buffer_write(worker->memory, 0, shared->image, shared->image_size, error);
    if (status == LW_OK)
        status = lw_module_find(worker->loaded[shared->module], source->kernels[shared->kernel].entry, &kernel, error);
    if (status == LW_OK)
        status = lw_kernel_launch(kernel, grid, block, shared->dynamic_shared, arguments, NULL, error);
    if (status == LW_OK)
        status = lw_device_wait(worker->opened, error);
    if (status == LW_OK)
        status = lw_buffer_read(worker->memory, 0, shared->image, shared->image_size, error);
    return status == LW_OK ? ANSWER_DONE : status == LW_ERROR_KERNEL_FAULT ? ANSWER_FAULT : ANSWER_TROUBLE;
}

/* Never comes back. */
static void work(struct device *device)
{
    struct worker worker = {.device = device};
    bool good = open_all(&worker);
    enum lw_status status = worker.error.status;
    if (!good) {
        answer(&worker, status == LW_ERROR_NO_DRIVER || status == LW_ERROR_NO_DEVICE ? ANSWER_NO_DEVICE : ANSWER_TROUBLE);
        _exit(EXIT_INPUT);
    }
    snprintf(worker.error.message, sizeof worker.error.message, "%s", lw_device_name(worker.opened));
    answer(&worker, ANSWER_READY);
    for (;;) {
        if (!take_byte(device->socket))
            _exit(EXIT_CLEAN);
        enum answer what = launch_request(&worker);
        answer(&worker, what);
        if (what == ANSWER_FAULT) { /* the device is lost; what was said is read before the next worker speaks */
            take_byte(device->socket);
            _exit(EXIT_FINDINGS);
        }
    }
}

/* ---- the keeper --------------------------------------------------------------------------------------------------------- */

/* Never comes back: a worker after the other, until we close the socket. */
static void keep(struct device *device)
{
    for (;;) {
        int status = 0;
        char byte;
        pid_t child = fork();
        if (child == 0)
            work(device);
        if (child < 0)
            _exit(EXIT_UNFINISHED);
        atomic_store(&device->shared->worker, child);
        while (waitpid(child, &status, 0) < 0 && errno == EINTR)
            continue;
        atomic_store(&device->shared->worker, 0);
        if (recv(device->socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0)
            _exit(EXIT_CLEAN);
        if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_FINDINGS)
            continue;
        if (WIFEXITED(status))
            _exit(WEXITSTATUS(status)); /* it could not begin */
        struct worker worker = {.device = device};
        snprintf(worker.error.message, sizeof worker.error.message, "the process that launched it was ended by signal %d", WTERMSIG(status));
        answer(&worker, ANSWER_GONE);
        take_byte(device->socket);
    }
}

/* ---- our side --------------------------------------------------------------------------------------------------------------- */

/* One answer; false: none came in time. */
static bool await(struct device *device, int seconds)
{
    struct pollfd wait = {.fd = device->socket, .events = POLLIN};
    int got;
    while ((got = poll(&wait, 1, seconds * 1000)) < 0 && errno == EINTR)
        continue;
    return got > 0 && take_byte(device->socket);
}

/* The worker has ended, or will when it hears this; waits for the next one. */
static bool await_next(struct device *device)
{
    char byte = 'n';
    return send(device->socket, &byte, 1, MSG_NOSIGNAL) == 1 && await(device, OPEN_SECONDS) && device->shared->answer == ANSWER_READY;
}

bool device_begin(struct cli *cli, const char *backend, const struct device_module *modules, uint32_t count, struct device *device)
{
    int sockets[2];
    *device = (struct device){.backend = backend, .modules = modules, .module_count = count, .socket = -1};
    pthread_mutex_init(&device->lock, NULL);
    void *memory = mmap(NULL, sizeof *device->shared + IMAGE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0) {
        cli_complain(cli, NULL, "no device process: %s", strerror(errno));
        if (memory != MAP_FAILED)
            munmap(memory, sizeof *device->shared + IMAGE_BYTES);
        return false;
    }
    device->shared = memory;
    fflush(NULL);
    device->keeper = fork();
    if (device->keeper == 0) {
        close(sockets[0]);
        device->socket = sockets[1];
        keep(device);
    }
    close(sockets[1]);
    device->socket = sockets[0];
    if (device->keeper > 0 && await(device, OPEN_SECONDS) && device->shared->answer == ANSWER_READY)
        return true;
    const char *why = device->shared->text[0] != '\0' ? device->shared->text : "it does not answer";
    cli_complain(cli, "nothing was run there; without the option the emulator runs the launches, and needs no GPU", "no launch can be made on %s: %s", backend,
                 why);
    device_end(device);
    return false;
}

void device_end(struct device *device)
{
    if (device->shared == NULL)
        return;
    close(device->socket);
    while (device->keeper > 0 && waitpid(device->keeper, NULL, 0) < 0 && errno == EINTR)
        continue;
    munmap(device->shared, sizeof *device->shared + IMAGE_BYTES);
    pthread_mutex_destroy(&device->lock);
    device->shared = NULL;
}

static uint32_t find_kernel(const struct lw_module_source *source, const char *entry)
{
    for (uint32_t k = 0; k < source->kernel_count; k++)
        if (strcmp(source->kernels[k].entry, entry) == 0)
            return k;
    return UINT32_MAX;
}

/* False with the reason. */
static bool write_request(struct device *device, const struct launch_image *image, struct tail_device_call *call)
{
    struct device_worker *shared = device->shared;
    const struct device_module *module = &device->modules[device->module];
    const struct ptx_function *function = &module->ptx->functions.data[image->function];
    shared->module = device->module;
    shared->kernel = find_kernel(module->source, function->name);
    shared->part_count = function->parameters.count;
    if (shared->kernel == UINT32_MAX || image->size > IMAGE_BYTES || image->parameters_size > PARAMETERS_MAX ||
        image->addresses.count > ADDRESSES_MAX || shared->part_count > PARTS_MAX) {
        call->trouble = "the launch is too large";
        return false;
    }
    memcpy(shared->grid, image->grid, sizeof shared->grid);
    memcpy(shared->block, image->block, sizeof shared->block);
    shared->dynamic_shared = image->dynamic_shared;
    shared->parameters_size = image->parameters_size;
    shared->address_count = image->addresses.count;
    for (uint32_t a = 0; a < image->addresses.count; a++)
        shared->addresses[a] = image->addresses.data[a];
    for (uint32_t p = 0; p < shared->part_count; p++)
        shared->offsets[p] = emu_parameter_offset(module->ptx, image->function, p, NULL);
    if (image->parameters_size != 0)
        memcpy(shared->parameters, image->parameters, image->parameters_size);
    shared->image_size = image->size;
    memcpy(shared->image, image->bytes, image->size);
    return true;
}

static bool send_request(struct device *device, struct arena *arena, struct tail_device_call *call)
{
    struct device_worker *shared = device->shared;
    char byte = 'r';
    shared->text[0] = '\0';
    if (send(device->socket, &byte, 1, MSG_NOSIGNAL) != 1) {
        call->trouble = "the process that launches has ended";
        return false;
    }
    if (!await(device, LIMIT_SECONDS)) {
        pid_t worker = atomic_load(&shared->worker);
        if (worker > 0)
            kill(worker, SIGKILL);
        if (await(device, OPEN_SECONDS)) /* the keeper says that it was killed */
            await_next(device);
        call->trouble = arena_printf(arena, "it did not end in %d seconds", LIMIT_SECONDS);
        return false;
    }
    enum answer what = (enum answer)shared->answer;
    const char *text = arena_string(arena, shared->text);
    if (what == ANSWER_DONE) {
        memcpy(call->image->bytes, shared->image, call->image->size);
        return true;
    }
    if (what == ANSWER_FAULT) {
        call->fault = text;
        call->check = shared->fault.check;
        call->array = shared->fault.array;
        call->place = (struct place){.file = shared->fault.file, .line = shared->fault.line, .column = shared->fault.column};
        if (!await_next(device))
            call->trouble = "after a fault the device could not be opened again";
        return false;
    }
    call->trouble = text;
    if (what == ANSWER_GONE)
        await_next(device);
    return false;
}

bool device_call(void *context, struct arena *arena, struct tail_device_call *call)
{
    struct device *device = context;
    pthread_mutex_lock(&device->lock);
    bool good = write_request(device, call->image, call) && send_request(device, arena, call);
    device->launches++;
    pthread_mutex_unlock(&device->lock);
    return good;
}

void device_left_out(void *context, const char *why)
{
    struct device *device = context;
    pthread_mutex_lock(&device->lock);
    device->left_out++;
    device->why_left_out = why;
    pthread_mutex_unlock(&device->lock);
}

const char *device_missed(struct cli *cli, struct device *device)
{
    uint64_t count = device->left_out;
    char digits[28];
    device->left_out = 0;
    if (count == 0)
        return NULL;
    return arena_printf(cli->arena, "%s launch%s on %s: only some blocks of a large grid are run, or the arrays are too large",
                        text_group_digits(count, digits), count == 1 ? "" : "es", device->backend);
}
