// SPDX-License-Identifier: Apache-2.0
//
// cuRAND's device interface: Philox 4x32-10, and XORWOW by Marsaglia's published recurrence. Philox jumps to any
// subsequence by counting. XORWOW jumps by the square-and-multiply of its step, a linear map on 160 bits, so that states
// of different subsequences start 2^67 draws apart; its scrambling of the seed is this header's own, so numbers differ
// from the vendor's library while the generator is the same.

#ifndef LANEWISE_SHIM_CURAND_KERNEL_H
#define LANEWISE_SHIM_CURAND_KERNEL_H

#include "curand.h"

#pragma clang system_header

// ---- Philox 4x32-10 ----

struct curandStatePhilox4_32_10 {
    uint4 ctr, output;
    uint2 key;
    unsigned int STATE;
    int boxmuller_flag, boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

LW_BOTH uint4 lw_philox(uint4 counter, uint2 key) {
    for (int round = 0; round < 10; round++) {
        unsigned long long a = 0xd2511f53ull * counter.x, b = 0xcd9e8d57ull * counter.z;
        counter = uint4{(unsigned int)(b >> 32) ^ counter.y ^ key.x, (unsigned int)b,
                        (unsigned int)(a >> 32) ^ counter.w ^ key.y, (unsigned int)a};
        key.x += 0x9e3779b9u;
        key.y += 0xbb67ae85u;
    }
    return counter;
}
// Adds to the low or to the high 64 bits of the counter.
LW_BOTH void lw_philox_add(curandStatePhilox4_32_10_t *state, unsigned long long low, unsigned long long high) {
    unsigned long long first = ((unsigned long long)state->ctr.y << 32 | state->ctr.x) + low;
    unsigned long long second = ((unsigned long long)state->ctr.w << 32 | state->ctr.z) + high + (first < low);
    state->ctr = uint4{(unsigned int)first, (unsigned int)(first >> 32), (unsigned int)second, (unsigned int)(second >> 32)};
}
LW_BOTH void skipahead(unsigned long long draws, curandStatePhilox4_32_10_t *state) {
    state->STATE += (unsigned int)(draws & 3);
    lw_philox_add(state, draws / 4 + state->STATE / 4, 0);
    state->STATE &= 3;
    state->output = lw_philox(state->ctr, state->key);
}
LW_BOTH void skipahead_sequence(unsigned long long count, curandStatePhilox4_32_10_t *state) {
    lw_philox_add(state, 0, count);
    state->output = lw_philox(state->ctr, state->key);
}
LW_BOTH void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                         curandStatePhilox4_32_10_t *state) {
    *state = curandStatePhilox4_32_10_t();
    state->key = uint2{(unsigned int)seed, (unsigned int)(seed >> 32)};
    lw_philox_add(state, 0, subsequence);
    skipahead(offset, state);
}
LW_BOTH unsigned int curand(curandStatePhilox4_32_10_t *state) {
    unsigned int word = state->STATE == 0   ? state->output.x
                        : state->STATE == 1 ? state->output.y
                        : state->STATE == 2 ? state->output.z
                                            : state->output.w;
    if (++state->STATE == 4) {
        state->STATE = 0;
        lw_philox_add(state, 1, 0);
        state->output = lw_philox(state->ctr, state->key);
    }
    return word;
}
// Four at once, from wherever the state stands in its block of four.
LW_BOTH uint4 curand4(curandStatePhilox4_32_10_t *state) {
    uint4 words;
    words.x = curand(state);
    words.y = curand(state);
    words.z = curand(state);
    words.w = curand(state);
    return words;
}

// ---- XORWOW ----

struct curandStateXORWOW {
    unsigned int d, v[5];
    int boxmuller_flag, boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};
typedef struct curandStateXORWOW curandStateXORWOW_t;
typedef struct curandStateXORWOW curandState_t;
typedef struct curandStateXORWOW curandState;

LW_BOTH void lw_xorwow_step(unsigned int *v) {
    unsigned int t = v[0] ^ (v[0] >> 2);
    v[0] = v[1];
    v[1] = v[2];
    v[2] = v[3];
    v[3] = v[4];
    v[4] = (v[4] ^ (v[4] << 4)) ^ (t ^ (t << 1));
}
// Applies a map, given by its images of the 160 unit vectors, to v.
LW_BOTH void lw_xorwow_apply(const unsigned int (*map)[5], unsigned int *v) {
    unsigned int result[5] = {0, 0, 0, 0, 0};
    for (int bit = 0; bit < 160; bit++)
        if (v[bit / 32] >> (bit % 32) & 1)
            for (int i = 0; i < 5; i++) result[i] ^= map[bit][i];
    for (int i = 0; i < 5; i++) v[i] = result[i];
}
// v after count * 2^first steps.
LW_BOTH void lw_xorwow_jump(unsigned int *v, unsigned long long count, int first) {
    unsigned int map[160][5];
    if (count == 0) return;
    for (int bit = 0; bit < 160; bit++) {
        for (int i = 0; i < 5; i++) map[bit][i] = i == bit / 32 ? 1u << (bit % 32) : 0;
        lw_xorwow_step(map[bit]);
    }
    for (int power = 0;; power++) {
        if (power >= first) {
            if (count & 1) lw_xorwow_apply(map, v);
            count >>= 1;
            if (count == 0) return;
        }
        unsigned int squared[160][5];
        for (int bit = 0; bit < 160; bit++) {
            for (int i = 0; i < 5; i++) squared[bit][i] = map[bit][i];
            lw_xorwow_apply(map, squared[bit]);
        }
        for (int bit = 0; bit < 160; bit++)
            for (int i = 0; i < 5; i++) map[bit][i] = squared[bit][i];
    }
}
LW_BOTH void skipahead(unsigned long long draws, curandStateXORWOW_t *state) {
    lw_xorwow_jump(state->v, draws, 0);
    state->d += 362437u * (unsigned int)draws;
}
LW_BOTH void skipahead_sequence(unsigned long long count, curandStateXORWOW_t *state) {
    lw_xorwow_jump(state->v, count, 67);
}
LW_BOTH void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                         curandStateXORWOW_t *state) {
    *state = curandStateXORWOW_t();
    unsigned long long mix = seed;
    for (int i = 0; i < 5; i++) {
        // splitmix64
        unsigned long long z = mix += 0x9e3779b97f4a7c15ull;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
        state->v[i] = (unsigned int)(z ^ (z >> 31));
    }
    state->d = 6615241u + (unsigned int)seed;
    skipahead_sequence(subsequence, state);
    skipahead(offset, state);
}
LW_BOTH unsigned int curand(curandStateXORWOW_t *state) {
    lw_xorwow_step(state->v);
    state->d += 362437u;
    return state->v[4] + state->d;
}

// ---- distributions ----

// (0, 1]: one 32-bit draw, or 53 bits out of two.
LW_BOTH float lw_uniform(unsigned int word) { return (float)word * 0x1p-32f + 0x1p-33f; }
LW_BOTH double lw_uniform_double(unsigned int x, unsigned int y) {
    unsigned long long bits = (unsigned long long)x ^ ((unsigned long long)y << 21);
    return (double)bits * 0x1p-53 + 0x1p-54;
}
LW_BOTH float2 lw_box_muller(unsigned int x, unsigned int y) {
    float radius = sqrtf(-2.0f * logf(lw_uniform(x))), angle = lw_uniform(y) * 6.2831853071795865f;
    return float2{radius * sinf(angle), radius * cosf(angle)};
}
LW_BOTH double2 lw_box_muller_double(unsigned int a, unsigned int b, unsigned int c, unsigned int d) {
    double radius = sqrt(-2.0 * log(lw_uniform_double(a, b))), angle = lw_uniform_double(c, d) * 6.2831853071795865;
    return double2{radius * sin(angle), radius * cos(angle)};
}

template <typename State> LW_BOTH float curand_uniform(State *state) { return lw_uniform(curand(state)); }
template <typename State> LW_BOTH double curand_uniform_double(State *state) {
    unsigned int x = curand(state);
    return lw_uniform_double(x, curand(state));
}
template <typename State> LW_BOTH float2 curand_normal2(State *state) {
    unsigned int x = curand(state);
    return lw_box_muller(x, curand(state));
}
template <typename State> LW_BOTH float curand_normal(State *state) {
    if (state->boxmuller_flag) {
        state->boxmuller_flag = 0;
        return state->boxmuller_extra;
    }
    float2 pair = curand_normal2(state);
    state->boxmuller_flag = 1;
    state->boxmuller_extra = pair.y;
    return pair.x;
}
template <typename State> LW_BOTH double2 curand_normal2_double(State *state) {
    unsigned int a = curand(state), b = curand(state), c = curand(state);
    return lw_box_muller_double(a, b, c, curand(state));
}
template <typename State> LW_BOTH double curand_normal_double(State *state) {
    if (state->boxmuller_flag_double) {
        state->boxmuller_flag_double = 0;
        return state->boxmuller_extra_double;
    }
    double2 pair = curand_normal2_double(state);
    state->boxmuller_flag_double = 1;
    state->boxmuller_extra_double = pair.y;
    return pair.x;
}
template <typename State> LW_BOTH float curand_log_normal(State *state, float mean, float deviation) {
    return expf(mean + deviation * curand_normal(state));
}
LW_BOTH float4 curand_uniform4(curandStatePhilox4_32_10_t *state) {
    uint4 words = curand4(state);
    return float4{lw_uniform(words.x), lw_uniform(words.y), lw_uniform(words.z), lw_uniform(words.w)};
}
LW_BOTH float4 curand_normal4(curandStatePhilox4_32_10_t *state) {
    uint4 words = curand4(state);
    float2 a = lw_box_muller(words.x, words.y), b = lw_box_muller(words.z, words.w);
    return float4{a.x, a.y, b.x, b.y};
}

#endif
