/* SPDX-License-Identifier: Apache-2.0
 *
 * The quick test of wraps: do 32 lanes of 32-bit arithmetic stay inside their width?  See emu_wrap.h.
 */
#include "emu/emu_wrap.h"
#include "emu/lanes_kit.h"

static inline int64_t read_lane(uint32_t value, int64_t sign_extends)
{
    /* All ones: signed; zero: unsigned. */
    return (int64_t)value - (int64_t)((uint64_t)(value >> 31) << 32 & (uint64_t)sign_extends);
}

#define TEST_LANES(expression)                                                                                         \
    do {                                                                                                               \
        LANES_EACH                                                                                                     \
        {                                                                                                              \
            const int64_t x = read_lane(a[l], sa), y = read_lane(b[l], sb), z = read_lane(c[l], sc);                   \
            const int64_t exact = (expression);                                                                        \
            (void)x, (void)y, (void)z;                                                                                 \
            outside[l] = read_lane((uint32_t)exact, sr) != exact;                                                      \
        }                                                                                                              \
    } while (0)

uint32_t LANES(emu_wrap_lanes)(unsigned kind, const uint32_t *a, const uint32_t *b, const uint32_t *c, unsigned reads_signed)
{
    const int64_t sa = -(int64_t)(reads_signed & 1), sb = -(int64_t)(reads_signed >> 1 & 1);
    const int64_t sc = -(int64_t)(reads_signed >> 2 & 1), sr = -(int64_t)(reads_signed >> 3 & 1);
    uint32_t outside[EMU_LANES];
    switch (kind) {
    case EMU_WRAP_ADD: TEST_LANES(x + y); break;
    case EMU_WRAP_SUB: TEST_LANES(x - y); break;
    case EMU_WRAP_MUL: TEST_LANES((int64_t)((uint64_t)x * (uint64_t)y)); break;
    case EMU_WRAP_MAD: TEST_LANES((int64_t)((uint64_t)x * (uint64_t)y + (uint64_t)z)); break;
    case EMU_WRAP_SHL: TEST_LANES((int64_t)((uint64_t)x << (b[l] < 31 ? b[l] : 31))); break;
    case EMU_WRAP_NEG: TEST_LANES(-x); break;
    case EMU_WRAP_NOT: TEST_LANES(-1 - x); break;
    default: return 0;
    }
    uint32_t mask = 0;
    for (unsigned l = 0; l < EMU_LANES; l++)
        mask |= outside[l] << l;
    return mask;
}
