// case: compare_and_swap_loop
// kernel: add_double
// grid: 6 1 1
// block: 96 1 1
// arg sum: buf f64 len=3 io=inout init=0 want=192
// expect: none
// why: the guide's own atomic addition of doubles: its first load is plain, and that is all right
extern "C" __global__ void add_double(double *sum)
{
    unsigned long long *at = (unsigned long long *)&sum[threadIdx.x % 3];
    unsigned long long old = *at, seen;
    do {
        seen = old;
        old = atomicCAS(at, seen, (unsigned long long)__double_as_longlong(1.0 + __longlong_as_double((long long)seen)));
    } while (seen != old);
}
