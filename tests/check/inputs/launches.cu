#include <lanewise/contract.h>

LW_BLOCK(256) LW_DOMAIN(n) LW_REQUIRES(n >= 0)
__global__ void scale(float *y LW_SHAPE(n), float a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] *= a;
}

LW_DOMAIN(w, h) LW_BLOCK(16, 16) LW_REQUIRES(w >= 1, h >= 1, w <= 65536, h <= 16384)
__global__ void blur(float *y LW_SHAPE(h, w), int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && r < h)
        y[r * w + x] *= 0.5f;
}

LW_BLOCK(100) __global__ void odd(int *y LW_SHAPE(grid.x))
{
    if (threadIdx.x == 0)
        y[blockIdx.x] = 1;
}

template <class T> T ceil_div(T a, T b)
{
    return (a + b - 1) / b;
}

void wrong(float *y, int n, int *z)
{
    scale<<<(n + 255) / 256, 256>>>(y, 2.0f, n);
    const int threads = 256;
    int blocks = n / threads;
    scale<<<blocks, threads>>>(y, 2.0f, n);
    odd<<<0, 100>>>(z);
    dim3 block(16, 16), grid(70000, 70000);
    blur<<<grid, block>>>(y, 65536, 16384);
    blur<<<dim3(1, 1), block>>>(y, 17, 16);
    odd<<<1, dim3(100, 20)>>>(z);
}

void right(float *y, int n, int w, int h, int *z)
{
    if (n <= 0 || n > 1000000)
        return;
    scale<<<(n + 255) / 256, 256>>>(y, 2.0f, n);
    scale<<<ceil_div(n, 256), 256>>>(y, 2.0f, n);
    scale<<<n / 256 + (n % 256 != 0), 256>>>(y, 2.0f, n);
    dim3 block(16, 16), grid(ceil_div(w, 16), ceil_div(h, 16));
    blur<<<grid, block>>>(y, w, h);
    blur<<<dim3((64 + 15) / 16, 3), dim3(16, 16)>>>(y, 64, 40);
    odd<<<5, 100>>>(z);
}

int read_size(const char *text);

/* What cannot be known. */
void silent(float *y, int n, int m, const char *text, bool quiet)
{
    int own = read_size(text);
    scale<<<(own + 255) / 256, 256>>>(y, 2.0f, own);
    if (m > 0)
        n = m;
    scale<<<n / 256, 256>>>(y, 2.0f, n);
    scale<<<m / 256, 256>>>(y, 2.0f, read_size(text));
    for (int part = 0; part < 4; part++)
        scale<<<part, 256>>>(y, 2.0f, part * 256);
}
