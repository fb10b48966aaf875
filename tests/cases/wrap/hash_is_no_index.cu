// case: hash_is_no_index
// kernel: scatter
// grid: 1 1 1
// block: 64 1 1
// arg bins: buf u32 len=16 io=inout init=0
// arg n: u32 64
// expect: none
// why: a multiplicative hash wraps on purpose; the remainder starts afresh
extern "C" __global__ void scatter(unsigned *bins, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&bins[(i * 2654435761u + 12345u) % 16], 1u);
}
