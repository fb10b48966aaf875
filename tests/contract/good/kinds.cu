// every kind of parameter
#include <cuda_fp16.h>
#include <lanewise/contract.h>

enum colour : unsigned char { RED, GREEN };
typedef long long wide;
union word {
    int i;
    float f;
};

LW_REQUIRES(b < 2, s >= -1, w <= 9223372036854775807, c != 0, e < 2, z * 2 <= 10)
__global__ void kinds(bool b, char c, signed char sc, unsigned char uc, short s, wide w, size_t z, colour e, float f,
                      double d, __half h, float2 v, word u, void *raw, const void *craw, float **table,
                      volatile int *flags LW_SHAPE(z), const char *text LW_VALUES(0, 128), const __half *halves,
                      float4 *vectors LW_SHAPE(z / 4), colour *colours LW_VALUES(0, 2), bool *bits,
                      float *__restrict__ fast LW_SHAPE(z), int (*rows)[16], void (*function)(int))
{
    fast[z] = b + c + sc + uc + s + w + e + f + d + v.x + u.f;
}
