// SPDX-License-Identifier: Apache-2.0
// kernel: add_one
// grid: 4 1 1
// block: 128 1 1
// arg vals: buf f32 len=1000 io=inout init=i want=i+1
// arg n: i32 1000
// expect: none
// why: The step is the number of threads of the launch, so each element has one thread.
__global__ void add_one(float *vals, int n)
{
    int step = blockDim.x * gridDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step)
        vals[i] += 1.0f;
}
