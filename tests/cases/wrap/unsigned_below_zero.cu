// case: unsigned_below_zero
// kernel: previous
// grid: 1 1 1
// block: 64 1 1
// arg out: buf f32 len=64 io=out
// arg in: buf f32 len=64 io=in init=i
// arg n: u32 64
// expect: index-wrap line=15
// also-accept: oob-global line=15
// why: element 0 has no predecessor: i - 1 is 2^32 - 1, as an index 16 GiB away
extern "C" __global__ void previous(float *out, const float *in, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i - 1];
}
