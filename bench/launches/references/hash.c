/* SPDX-License-Identifier: Apache-2.0
 *
 * MurmurHash3 x64, 128 bits, written from the algorithm's public description (it is in the public domain).
 */
#include "reference.h"

static uint64_t rotate(uint64_t x, int bits)
{
    return x << bits | x >> (64 - bits);
}

static uint64_t finish(uint64_t x)
{
    x = (x ^ x >> 33) * 0xff51afd7ed558ccdu;
    x = (x ^ x >> 33) * 0xc4ceb9fe1a85ec53u;
    return x ^ x >> 33;
}

/* Up to eight bytes, the first one lowest. */
static uint64_t load(const uint8_t *bytes, size_t count)
{
    uint64_t value = 0;
    for (size_t i = 0; i < count; i++)
        value |= (uint64_t)bytes[i] << 8 * i;
    return value;
}

static void murmur(const uint8_t *key, size_t size, uint64_t seed, uint64_t out[2])
{
    const uint64_t c1 = 0x87c37b91114253d5u, c2 = 0x4cf5ad432745937fu;
    uint64_t h1 = seed, h2 = seed;
    for (; size >= 16; key += 16, size -= 16) {
        h1 ^= rotate(load(key, 8) * c1, 31) * c2;
        h1 = (rotate(h1, 27) + h2) * 5 + 0x52dce729;
        h2 ^= rotate(load(key + 8, 8) * c2, 33) * c1;
        h2 = (rotate(h2, 31) + h1) * 5 + 0x38495ab5;
    }
    size_t low = size < 8 ? size : 8;
    if (size > 8)
        h2 ^= rotate(load(key + 8, size - 8) * c2, 33) * c1;
    if (size > 0)
        h1 ^= rotate(load(key, low) * c1, 31) * c2;
    out[0] = h1;
    out[1] = h2;
}

static void write_murmur(const char *folder)
{
    enum { KEYS = 257 };
    static uint8_t keys[8000];
    static uint64_t out[2 * KEYS];
    for (size_t i = 0; i < sizeof keys; i++)
        keys[i] = (uint8_t)(i * 131 % 251);
    for (size_t i = 0; i < KEYS; i++) {
        size_t size = i % 32;
        uint64_t h[2];
        murmur(keys + i * 31, size, i, h);
        h[0] ^= size;
        h[1] ^= size;
        h[0] += h[1];
        h[1] += h[0];
        h[0] = finish(h[0]);
        h[1] = finish(h[1]);
        out[2 * i] = h[0] + h[1];
        out[2 * i + 1] = h[1] + h[0] + h[1];
    }
    reference_write(folder, "out", "<u8", out, 2 * KEYS, sizeof *out);
}

static const struct reference_case cases[] = {{"murmur", write_murmur}};
REFERENCE_MAIN(cases)
