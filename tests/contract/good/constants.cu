// names that stand for numbers: macros, constexpr, enumerators, in namespaces
#include <lanewise/contract.h>

#define LIMIT (1u << 20)
#define TILE 16
constexpr long long most = 1LL << 40;
enum { EDGE = 3 };

namespace config {
enum class mode { slow, fast };
struct sizes {
    static constexpr int width = 128;
};
constexpr unsigned long long all = ~0ULL;
namespace {
constexpr int hidden = 5;
LW_BLOCK(TILE, TILE) LW_DOMAIN(n, EDGE)
LW_REQUIRES(n <= LIMIT, n <= most, n != hidden, n < all, n % sizes::width == 0)
__global__ void kernel(float *a LW_SHAPE(n, TILE + EDGE), unsigned n)
{
    a[threadIdx.x] = n;
}
} // namespace
void launch()
{
    kernel<<<1, 1>>>(nullptr, 1);
}
} // namespace config
