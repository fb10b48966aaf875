// SPDX-License-Identifier: Apache-2.0
// Arrivals and waits: circles of waiting, writes behind an arrival; and right ones: buffers that go to and fro, two halves, a block that leaves.
#include <lanewise/contract.h>
#define SYNC(n,c) asm volatile("bar.sync " #n ", " #c ";" ::: "memory")
#define ARRIVE(n,c) asm volatile("bar.arrive " #n ", " #c ";" ::: "memory")
LW_BLOCK(128) LW_REQUIRES(grid.x <= 1000)
extern "C" __global__ void crossed(int *out LW_SHAPE(128 * grid.x))
{
    int t = threadIdx.x;
    if (t < 64) { SYNC(2,128); ARRIVE(1,128); }
    else { SYNC(1,128); ARRIVE(2,128); }
    out[blockIdx.x*128+t]=t;
}
LW_BLOCK(128) LW_REQUIRES(grid.x <= 1000)
extern "C" __global__ void wait_full_arrive(int *out LW_SHAPE(128 * grid.x))
{
    int t = threadIdx.x;
    if (t < 64) SYNC(1,128);
    __syncthreads();
    if (t >= 64) ARRIVE(1,128);
    out[blockIdx.x*128+t]=t;
}
LW_BLOCK(128) LW_REQUIRES(grid.x <= 1000)
extern "C" __global__ void wait_meet_arrive(int *out LW_SHAPE(128 * grid.x))
{
    int t = threadIdx.x;
    if (t < 64) SYNC(1,96);
    if (t >= 32 && t < 96) SYNC(2,64);
    if (t >= 64 && t<96) ARRIVE(1,96);
    out[blockIdx.x*128+t]=t;
}
LW_BLOCK(128) LW_REQUIRES(grid.x <= 1000)
extern "C" __global__ void three(int *out LW_SHAPE(128 * grid.x))
{
    int t = threadIdx.x;
    if (t < 32) { SYNC(1,64); ARRIVE(2,64); }
    else if (t<64) { SYNC(2,64); ARRIVE(3,64); }
    else if (t<96) { SYNC(3,64); ARRIVE(1,64); }
    out[blockIdx.x*128+t]=t;
}
LW_BLOCK(128) LW_REQUIRES(grid.x <= 1000)
extern "C" __global__ void arrive_then_full_same_number(int *out LW_SHAPE(128 * grid.x))
{
    __shared__ int s[128];
    int t = threadIdx.x;
    if (t < 64) ARRIVE(1,128);
    s[t]=t;
    SYNC(1,128);
    out[blockIdx.x*128+t]=s[127-t];
}
LW_BLOCK(128) LW_REQUIRES(grid.x <= 1000)
extern "C" __global__ void arrive0_then_syncthreads(int *out LW_SHAPE(128 * grid.x))
{
    __shared__ int s[128];
    int t = threadIdx.x;
    if (t < 64) ARRIVE(0,128);
    s[t]=t;
    __syncthreads();
    out[blockIdx.x*128+t]=s[127-t];
}
LW_BLOCK(128) LW_REQUIRES(grid.x <= 1000)
extern "C" __global__ void pingpong_good(int *out LW_SHAPE(128 * grid.x))
{
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t < 64) { s[t]=t; ARRIVE(1,128); SYNC(2,128); out[blockIdx.x*128+t]=s[63-t]; }
    else { SYNC(1,128); int v=s[127-t]; SYNC(3,64); s[t-64]=v+1; ARRIVE(2,128); out[blockIdx.x*128+t]=v; }
}
LW_BLOCK(128) LW_REQUIRES(grid.x<=1000)
extern "C" __global__ void late(int *out LW_SHAPE(128*grid.x))
{ __shared__ int s[64]; int t=threadIdx.x, v=0;
  if (t<64) { s[t]=t; ARRIVE(1,128); s[t]=t+100; } else { SYNC(1,128); v=s[127-t]; }
  out[blockIdx.x*128+t]=v; }
LW_BLOCK(128) LW_REQUIRES(grid.x<=1000)
extern "C" __global__ void no_such(int *out LW_SHAPE(128*grid.x))
{ int t=threadIdx.x; if (t<64) SYNC(17,64); out[blockIdx.x*128+t]=t; }
LW_BLOCK(128) LW_REQUIRES(grid.x<=1000)
extern "C" __global__ void loop_between(int *out LW_SHAPE(128*grid.x), int n)
{ int t=threadIdx.x; if (t<64) SYNC(1,128); for (int i=0;i<n;i++) __syncthreads(); if (t>=64) ARRIVE(1,128); out[blockIdx.x*128+t]=t; }
#define A LW_REQUIRES(grid.x <= 1000) extern "C" __global__ void
#define P (int *out LW_SHAPE(128 * grid.x), int n)
#define T int t = threadIdx.x; __shared__ int s[128]; int v = 0;
#define O out[blockIdx.x*128+t]=v+t;
LW_BLOCK(128) A halves_apart P { T
 if (t<64) {
  s[t]=1;
  SYNC(1,64);
  v=s[t^32];
 } else {
  s[t]=2;
  SYNC(2,64);
  v=s[t^32];
 }
 O }
LW_BLOCK(128) A halves_rev P { T
 if (t<64) {
  s[t]=1;
  SYNC(1,64);
  v=s[63-t];
 } else {
  s[t]=2;
  SYNC(2,64);
  v=s[191-t];
 }
 O }
LW_BLOCK(128) A write_all_first P { T
 s[t]=t;
 if (t<64) {
  SYNC(1,64);
  v=s[63-t];
 }
 O }
LW_BLOCK(128) A dbl P { T
 if (t<64)
  for (int i=0;i<n;i++) {
   s[(i&1)*64+t]=i;
   SYNC(1,64);
   v+=s[(i&1)*64+63-t];
  }
 O }
LW_BLOCK(64) LW_REQUIRES(grid.x <= 1000) extern "C" __global__ void dbl_full(int *out LW_SHAPE(64 * grid.x), int n) { int t=threadIdx.x; __shared__ int s[128]; int v=0;
  for (int i=0;i<n;i++) {
   s[(i&1)*64+t]=i;
   __syncthreads();
   v+=s[(i&1)*64+63-t];
  }
 out[blockIdx.x*64+t]=v; }
LW_BLOCK(128) A pingpong P { T
 if (t<64) {
  s[t]=t;
  ARRIVE(1,128);
  SYNC(2,128);
  v=s[63-t];
 } else {
  SYNC(1,128);
  v=s[127-t];
  SYNC(3,64);
  s[t-64]=v+1;
  ARRIVE(2,128);
 }
 O }
LW_BLOCK(128) A guard_all P { T
 if (blockIdx.x*128 >= n) return;
 if (t<64) { s[t]=t; ARRIVE(1,128); }
 else { SYNC(1,128); v=s[127-t]; }
 O }
