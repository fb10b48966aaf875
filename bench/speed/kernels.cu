// The four kernels of the speed comparison, as CUDA C: kernels.cl is the same in OpenCL C.
extern "C" __global__ void scale(float *y, const float *x, float a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i];
}

extern "C" __global__ void sgemm(float *c, const float *a, const float *b, int n)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < n && col < n) {
        float sum = 0.0f;
        for (int k = 0; k < n; k++)
            sum += a[row * n + k] * b[k * n + col];
        c[row * n + col] = sum;
    }
}

extern "C" __global__ void reduce(float *out, const float *x, int n)
{
    __shared__ float part[256];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    part[t] = i < n ? x[i] : 0.0f;
    __syncthreads();
    for (int d = 128; d > 0; d >>= 1) {
        if (t < d)
            part[t] += part[t + d];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = part[0];
}

extern "C" __global__ void stencil(float *out, const float *in, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h)
        return;
    int i = y * w + x;
    float here = in[i];
    float left = x > 0 ? in[i - 1] : here, right = x < w - 1 ? in[i + 1] : here;
    float up = y > 0 ? in[i - w] : here, down = y < h - 1 ? in[i + w] : here;
    out[i] = 0.2f * (here + left + right + up + down);
}
