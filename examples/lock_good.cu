// SPDX-License-Identifier: Apache-2.0
// kernel: deposit
// grid: 8 1 1
// block: 32 1 1
// arg lock: buf i32 len=1 io=inout init=0 want=0
// arg balance: buf i32 len=1 io=inout init=0 want=95
// arg amount: buf i32 len=8 io=in init=i==3?-1000:10+i
// expect: none
// why: One way out, and it unlocks. The fences order the balance between the blocks.
__global__ void deposit(int *lock, int *balance, const int *amount)
{
    if (threadIdx.x != 0)
        return;
    while (atomicCAS(lock, 0, 1) != 0)
        ;
    __threadfence();
    int next = *balance + amount[blockIdx.x];
    if (next >= 0)
        *balance = next;
    __threadfence();
    atomicExch(lock, 0);
}
