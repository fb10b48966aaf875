// kernel: smear
// grid: 64 1 1
// block: 128 1 1
// arg x: buf f32 len=8193 io=inout init=i
// expect: global-race line=12
// also-accept: warp-race line=12
// why: every block reads its neighbour's first element while the neighbour writes it; warps and lanes do the same
extern "C" __global__ void smear(float *x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= 0)
        x[i] = x[i + 1] * 0.5f;
}
