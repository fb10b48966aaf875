// SPDX-License-Identifier: Apache-2.0
// No #include, no C or C++ library: the prelude alone carries a kernel.
// bare

__global__ void __launch_bounds__(128) row_sums(const float *__restrict__ a, float *__restrict__ sums, size_t rows, size_t columns) {
    __shared__ float partial[4];
    size_t row = blockIdx.x;
    float sum = 0.0f;
    for (size_t i = threadIdx.x; i < columns; i += blockDim.x) sum += fabsf(a[row * columns + i]);
    for (int step = warpSize / 2; step > 0; step /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, step); // here: shfl.sync.down.b32
    if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = sum;
    __syncthreads(); // here: bar.sync
    if (threadIdx.x == 0) {
        sums[row] = sqrt(partial[0] + partial[1] + partial[2] + partial[3]) + min(row, rows);
        printf("%llu\n", (unsigned long long)row); // here: vprintf
    }
}
