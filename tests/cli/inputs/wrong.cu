// kernel: wrong
// grid: 1
// block: 32
// arg x: buf i32 len=32 io=out
#include "missing.h"
extern "C" __global__ void wrong(int *x)
{
    x[0] = undeclared;
}
