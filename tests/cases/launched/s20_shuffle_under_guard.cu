// case: s20_shuffle_under_guard, with a launch
// kernel: warp_sum
// grid: 1 1 1
// block: 128 1 1
// arg out: buf f32 len=4 io=out
// arg in: buf f32 len=100 io=in init=1
// arg n: i32 100
// expect: shuffle-inactive line=16
// why: the last warp has 4 lanes with work; the mask names all 32
extern "C" __global__ void warp_sum(float *out, const float *in, int n)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n) {
        float v = in[i];
        for (int o = 16; o > 0; o >>= 1)
            v += __shfl_down_sync(0xffffffffu, v, o);
        if ((threadIdx.x & 31) == 0)
            out[i / 32] = v;
    }
}
