// The last block, where the ticket is not always taken, or a copy is still on its way when it is.
#include <lanewise/contract.h>

LW_BLOCK(64) LW_REQUIRES(grid.x <= 1000)
__global__ void skipped(float *part LW_SHAPE(64 * grid.x), unsigned *ticket LW_SHAPE(1), float *out LW_SHAPE(1) LW_DISJOINT,
                        const float *in LW_SHAPE(64 * grid.x), int n)
{
    __shared__ int last;
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    part[i] = in[i];
    __syncthreads();
    if (t == 0) {
        __threadfence();
        if (n > 0) { // else `last` is what the memory held before
            last = atomicAdd(ticket, 1u) == gridDim.x - 1;
            __threadfence();
        }
    }
    __syncthreads();
    if (last && t == 0) {
        float sum = 0;
        for (unsigned k = 0; k < 64 * gridDim.x; ++k)
            sum += part[k];
        out[0] = sum;
    }
}

LW_BLOCK(64) LW_REQUIRES(grid.x <= 1000)
__global__ void copied(float *part LW_SHAPE(64 * grid.x), unsigned *ticket LW_SHAPE(1))
{
    __shared__ float tile[64];
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    if (t == 0) {
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"((unsigned)__cvta_generic_to_shared(&tile[t])),
                     "l"(__cvta_generic_to_global(part + i))
                     : "memory");
        __threadfence(); // the copy may still be reading
        unsigned old = atomicAdd(ticket, 1u);
        __threadfence();
        if (old == gridDim.x - 1)
            for (unsigned k = 0; k < 64 * gridDim.x; k++)
                part[k] = 1.0f;
        asm volatile("cp.async.wait_all;" ::: "memory");
    }
}
