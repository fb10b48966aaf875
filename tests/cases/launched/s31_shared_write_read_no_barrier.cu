// case: s31_shared_write_read_no_barrier, with a launch
// kernel: shift_left
// grid: 2 1 1
// block: 128 1 1
// arg out: buf f32 len=200 io=out
// arg in: buf f32 len=200 io=in init=i
// arg n: i32 200
// expect: shared-race line=19
// also-accept: shared-race line=15, shared-race line=17, warp-race line=19, uninit-read line=19
// why: a neighbour's element is read before the block has met
extern "C" __global__ void shift_left(float *out, const float *in, int n)
{
    __shared__ float s[129];
    int i = blockIdx.x * 128 + threadIdx.x;
    s[threadIdx.x] = i < n ? in[i] : 0.0f;
    if (threadIdx.x == 0)
        s[128] = 0.0f;
    if (i < n)
        out[i] = s[threadIdx.x + 1];
}
