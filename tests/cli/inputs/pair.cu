struct view {
    float *data;
    unsigned long long length;
};
__constant__ float weights[4];
__device__ int counter = 5;
extern "C" __global__ void weigh(view to, const float *from, char flag, double scale)
{
    unsigned i = threadIdx.x;
    if (i < to.length && flag)
        to.data[i] = from[i] * weights[i % 4] * (float)scale;
    if (i == 0)
        counter += 1;
}
