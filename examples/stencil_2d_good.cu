// SPDX-License-Identifier: Apache-2.0
// kernel: laplace
// grid: 4 3 1
// block: 16 16 1
// arg out: buf f32 len=1850 shape=37x50 io=out want=i%50>0&&i%50<49&&i/50>0&&i/50<36?4:0
// arg in: buf f32 len=1850 shape=37x50 io=in init=i%50*(i%50)+i/50*(i/50)
// arg w: i32 50
// arg h: i32 37
// expect: none
// why: Row and column are tested each on its own.
__global__ void laplace(float *out, const float *in, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h)
        return;
    int i = y * w + x;
    float result = 0.0f;
    if (x > 0 && x < w - 1 && y > 0 && y < h - 1)
        result = in[i - w] + in[i + w] + in[i - 1] + in[i + 1] - 4.0f * in[i];
    out[i] = result;
}
