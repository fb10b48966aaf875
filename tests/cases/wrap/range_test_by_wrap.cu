// case: range_test_by_wrap
// kernel: inner
// grid: 3 1 1
// block: 64 1 1
// arg out: buf f32 len=150 io=inout init=-1 want=i>=1&&i<149?i:-1
// arg in: buf f32 len=150 io=in init=i
// arg n: u32 150
// expect: none
// why: compilers test 1 <= i < n - 1 as one unsigned comparison of i - 1, which wraps for i = 0 on purpose
extern "C" __global__ void inner(float *out, const float *in, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i - 1u < n - 2u)
        out[i] = in[i];
}
