// SPDX-License-Identifier: Apache-2.0
// kernel: laplace
// grid: 4 3 1
// block: 16 16 1
// arg out: buf f32 len=1850 shape=37x50 io=out want=i%50>0&&i%50<49&&i/50>0&&i/50<36?4:0
// arg in: buf f32 len=1850 shape=37x50 io=in init=i%50*(i%50)+i/50*(i/50)
// arg w: i32 50
// arg h: i32 37
// expect: row-crossing line=25
// expect: row-crossing line=26
// expect: wrong-result
// why: The border test looks at the flat index. It keeps the first and the last row out, but in column 0 the west
//      neighbour is the last column of the row above, and in the last column the east one is in the row below.
//      Everything stays inside the array, so a bounds checker is silent.
__global__ void laplace(float *out, const float *in, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h)
        return;
    int i = y * w + x;
    float result = 0.0f;
    if (i >= w && i < w * (h - 1)) {
        float north = in[i - w], south = in[i + w];
        float west = in[i - 1];
        float east = in[i + 1];
        result = north + south + west + east - 4.0f * in[i];
    }
    out[i] = result;
}
