// SPDX-License-Identifier: Apache-2.0
// kernel: deposit
// grid: 8 1 1
// block: 32 1 1
// arg lock: buf i32 len=1 io=inout init=0
// arg balance: buf i32 len=1 io=inout init=0
// arg amount: buf i32 len=8 io=in init=i==3?-1000:10+i
// expect: endless line=14
// why: A refused deposit returns with the lock still held; all blocks after it wait for ever.
__global__ void deposit(int *lock, int *balance, const int *amount)
{
    if (threadIdx.x != 0)
        return;
    while (atomicCAS(lock, 0, 1) != 0)
        ;
    __threadfence();
    int next = *balance + amount[blockIdx.x];
    if (next < 0)
        return;
    *balance = next;
    __threadfence();
    atomicExch(lock, 0);
}
