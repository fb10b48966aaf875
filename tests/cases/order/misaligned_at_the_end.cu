// case: misaligned_at_the_end
// kernel: store_at_one
// grid: 1 1 1
// block: 32 1 1
// arg x: buf i8 len=4 io=inout init=0
// expect: misaligned line=10
// why: an int stored one byte into four: not aligned, and said so although it also ends outside
extern "C" __global__ void store_at_one(signed char *x)
{
    *(int *)(x + 1) = 42;
}
