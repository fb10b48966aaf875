// SPDX-License-Identifier: Apache-2.0
// printf, assert, the heap, memory blocks; variables of every space.

#include <assert.h>
#include <stdio.h>
#include <string.h>

__constant__ float table[16];
__device__ int counter;
__managed__ int shared_with_host;
extern __shared__ float dynamic[];

struct Node {
    int value;
    Node *next;
};

__global__ void calls(int *p, const __grid_constant__ Node node, int n) {
    printf("%d of %d\n", p[0], n); // here: vprintf
    assert(n < 5);                 // here: __assertfail
    int *block = (int *)malloc(16); // here: malloc
    block[p[9]] = n;
    Node *made = new Node;
    made->value = node.value;
    p[1] = made->value + block[p[10]];
    delete made;
    free(block); // here: free
    memcpy(p + 8, p, 16);
    memset(p + 16, 0, 16);
    p[2] = (int)(table[n & 15] + dynamic[n]) + counter + shared_with_host;
}
// in PTX: .extern .shared
// in PTX: .const .align 4
// in PTX: .extern .func __assertfail
