// The four kernels of the speed comparison, as OpenCL C: kernels.cu is the same in CUDA C.
__kernel void scale(__global float *y, __global const float *x, float a, int n)
{
    int i = get_group_id(0) * get_local_size(0) + get_local_id(0);
    if (i < n)
        y[i] = a * x[i];
}

__kernel void sgemm(__global float *c, __global const float *a, __global const float *b, int n)
{
    int col = get_group_id(0) * get_local_size(0) + get_local_id(0), row = get_group_id(1) * get_local_size(1) + get_local_id(1);
    if (row < n && col < n) {
        float sum = 0.0f;
        for (int k = 0; k < n; k++)
            sum += a[row * n + k] * b[k * n + col];
        c[row * n + col] = sum;
    }
}

__kernel void reduce(__global float *out, __global const float *x, int n)
{
    __local float part[256];
    int t = get_local_id(0), i = get_group_id(0) * 256 + t;
    part[t] = i < n ? x[i] : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = 128; d > 0; d >>= 1) {
        if (t < d)
            part[t] += part[t + d];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (t == 0)
        out[get_group_id(0)] = part[0];
}

__kernel void stencil(__global float *out, __global const float *in, int w, int h)
{
    int x = get_group_id(0) * get_local_size(0) + get_local_id(0), y = get_group_id(1) * get_local_size(1) + get_local_id(1);
    if (x >= w || y >= h)
        return;
    int i = y * w + x;
    float here = in[i];
    float left = x > 0 ? in[i - 1] : here, right = x < w - 1 ? in[i + 1] : here;
    float up = y > 0 ? in[i - w] : here, down = y < h - 1 ? in[i + w] : here;
    out[i] = 0.2f * (here + left + right + up + down);
}
