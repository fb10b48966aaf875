// case: plain_read_of_counter
// kernel: claim
// grid: 2 1 1
// block: 64 1 1
// arg counter: buf u32 len=1 io=inout init=0
// arg out: buf u32 len=128 io=out
// expect: global-race line=14
// also-accept: global-race line=12, warp-race line=14, warp-race line=12
// why: the counter is read while other threads still add to it: nothing says which value the read sees
extern "C" __global__ void claim(unsigned *counter, unsigned *out)
{
    atomicAdd(counter, 1u);
    unsigned i = blockIdx.x * 64 + threadIdx.x;
    out[i] = *counter;
}
