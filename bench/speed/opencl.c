/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs one kernel of kernels.cl and prints its time in seconds: the launch alone, without compilation or copies.
 *
 *   opencl KERNELS.cl scale|sgemm|reduce|stencil SIZE [warm]
 *
 * `warm`: one launch first, which is not timed.  Under Oclgrind its device is found, else the first platform's.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void check(cl_int error, const char *what)
{
    if (error == CL_SUCCESS)
        return;
    fprintf(stderr, "opencl: %s failed with %d\n", what, error);
    exit(1);
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static char *read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        perror(path);
        exit(1);
    }
    char *text = calloc(1, 1 << 16);
    if (text == NULL || fread(text, 1, (1 << 16) - 1, file) == 0)
        exit(1);
    fclose(file);
    return text;
}

struct setup {
    size_t inputs[2], output; /* elements */
    size_t grid[2], block[2];
    unsigned rank;
};

static struct setup setup_of(const char *name, size_t n)
{
    struct setup setup = {.rank = 1, .block = {256, 1}, .inputs = {n, 0}, .output = n};
    size_t blocks = (n + 255) / 256;
    setup.grid[0] = blocks * 256;
    setup.grid[1] = 1;
    if (strcmp(name, "reduce") == 0)
        setup.output = blocks;
    if (strcmp(name, "sgemm") == 0 || strcmp(name, "stencil") == 0) {
        size_t w = n, h = strcmp(name, "sgemm") == 0 ? n : 500;
        setup.rank = 2;
        setup.block[0] = setup.block[1] = 16;
        setup.grid[0] = (w + 15) / 16 * 16;
        setup.grid[1] = (h + 15) / 16 * 16;
        setup.inputs[0] = setup.output = w * h;
        setup.inputs[1] = strcmp(name, "sgemm") == 0 ? w * h : 0;
    }
    return setup;
}

int main(int argc, char **argv)
{
    if (argc < 4)
        return 2;
    const char *name = argv[2], *source = read_text(argv[1]);
    int n = atoi(argv[3]);
    struct setup setup = setup_of(name, (size_t)n);
    cl_platform_id platform;
    cl_device_id device;
    cl_int error;
    check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    check(error, "clCreateContext");
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &error);
    check(error, "clCreateCommandQueue");
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &error);
    check(error, "clCreateProgramWithSource");
    check(clBuildProgram(program, 1, &device, "", NULL, NULL), "clBuildProgram");
    cl_kernel kernel = clCreateKernel(program, name, &error);
    check(error, "clCreateKernel");
    unsigned argument = 0;
    cl_mem out = clCreateBuffer(context, CL_MEM_READ_WRITE, setup.output * sizeof(float), NULL, &error);
    check(error, "clCreateBuffer");
    check(clSetKernelArg(kernel, argument++, sizeof out, &out), "clSetKernelArg");
    for (unsigned k = 0; k < 2 && setup.inputs[k] != 0; k++) {
        float *data = malloc(setup.inputs[k] * sizeof(float));
        if (data == NULL)
            return 1;
        for (size_t i = 0; i < setup.inputs[k]; i++)
            data[i] = (float)(i % 7);
        cl_mem in = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, setup.inputs[k] * sizeof(float), data, &error);
        check(error, "clCreateBuffer");
        check(clSetKernelArg(kernel, argument++, sizeof in, &in), "clSetKernelArg");
        free(data);
    }
    float two = 2.0f;
    int height = 500;
    if (strcmp(name, "scale") == 0)
        check(clSetKernelArg(kernel, argument++, sizeof two, &two), "clSetKernelArg");
    check(clSetKernelArg(kernel, argument++, sizeof n, &n), "clSetKernelArg");
    if (strcmp(name, "stencil") == 0)
        check(clSetKernelArg(kernel, argument++, sizeof height, &height), "clSetKernelArg");
    check(clFinish(queue), "clFinish");
    double seconds = 0;
    for (int round = argc > 4 ? 0 : 1; round < 2; round++) {
        double start = now();
        check(clEnqueueNDRangeKernel(queue, kernel, setup.rank, NULL, setup.grid, setup.block, 0, NULL, NULL), "launch");
        check(clFinish(queue), "clFinish");
        seconds = now() - start;
    }
    printf("%.9f\n", seconds);
    return 0;
}
