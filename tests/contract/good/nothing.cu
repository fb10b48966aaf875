// kernels without contracts: names and types
__global__ void scale(float *y, int n)
{
    y[n] = 1;
}
static __global__ void hidden(int *y)
{
    y[0] = 1;
}
namespace {
__global__ void unnamed(int *y)
{
    y[0] = 1;
}
} // namespace
void launch()
{
    hidden<<<1, 1>>>(nullptr);
    unnamed<<<1, 1>>>(nullptr);
}
