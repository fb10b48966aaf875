// SPDX-License-Identifier: Apache-2.0
// Built-in variables, block barriers, fences, clocks, stops.

__global__ void __launch_bounds__(256) variables(unsigned *p) {
    p[0] = threadIdx.x; // here: %tid.x
    p[1] = blockIdx.y;  // here: %ctaid.y
    p[2] = blockDim.z;  // here: %ntid.z
    p[3] = gridDim.x;   // here: %nctaid.x
    p[4] = warpSize;
    dim3 all = blockDim; // here: %ntid.y
    p[5] = all.y;
}

__global__ void barriers(int *p, long long *c, int n) {
    __shared__ int tile[256];
    tile[threadIdx.x] = p[threadIdx.x];
    __syncthreads();                   // here: bar.sync
    p[0] = __syncthreads_count(n > 1); // here: bar.red.popc
    p[1] = __syncthreads_and(n > 2);   // here: bar.red.and
    p[2] = __syncthreads_or(n > 3);    // here: bar.red.or
    p[3] = tile[n];
    __threadfence_block();  // here: membar.cta
    __threadfence();        // here: membar.gl
    __threadfence_system(); // here: membar.sys
    c[0] = clock64();       // here: %clock64
    c[1] = clock();         // here: %clock
    __nanosleep(100);       // here: nanosleep.u32
    if (n == 7) __trap();
    if (n == 8) __brkpt();
}
// in PTX: .maxntid 256
// in PTX: trap;
// in PTX: brkpt;
