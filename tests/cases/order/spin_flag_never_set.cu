// kernel: spin
// grid: 2 1 1
// block: 64 1 1
// arg flag: buf i32 len=1 io=inout init=0
// expect: endless line=8
extern "C" __global__ void spin(volatile int *flag)
{
    while (flag[0] == 0)
        ;
}
