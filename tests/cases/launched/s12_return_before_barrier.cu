// case: s12_return_before_barrier, with a launch
// kernel: flip_tile
// grid: 2 1 1
// block: 256 1 1
// arg out: buf f32 len=300 io=out
// arg in: buf f32 len=300 io=in init=i
// arg n: i32 300
// expect: barrier-divergence line=17
// also-accept: uninit-read line=18
// why: 212 of the 256 threads of the second block leave before the barrier
extern "C" __global__ void flip_tile(float *out, const float *in, int n)
{
    __shared__ float tile[256];
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i >= n) return;
    tile[threadIdx.x] = in[i];
    __syncthreads();
    out[i] = tile[255 - threadIdx.x];
}
