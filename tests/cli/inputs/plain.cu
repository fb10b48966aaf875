// A kernel without a launch.
extern "C" __global__ void plain(int *x, int n)
{
    x[threadIdx.x] = n;
}
