// kernel: lock
// grid: 3 1 1
// block: 64 1 1
// arg mutex: buf i32 len=1 io=inout init=0
// arg sum: buf i32 len=1 io=inout init=0 want=192
// expect: none
extern "C" __global__ void lock(int *mutex, int *sum)
{
    bool done = false;
    while (!done) {
        if (atomicCAS(mutex, 0, 1) == 0) {
            __threadfence();
            *(volatile int *)sum += 1;
            __threadfence();
            atomicExch(mutex, 0);
            done = true;
        }
    }
}
