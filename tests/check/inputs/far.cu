// kernel: shift
// grid: 1 1 1
// block: 32 1 1
// arg z: buf f32 len=32 io=inout init=i
// arg m: i32 -2147483648
// why: the offset is 2^33 bytes below the array: 32 of its bits alone would come back to the array
extern "C" __global__ void shift(float *z, int m)
{
    __shared__ float tile[32];
    tile[threadIdx.x] = z[threadIdx.x];
    __syncthreads();
    z[threadIdx.x] = tile[(long long)threadIdx.x + m];
}
