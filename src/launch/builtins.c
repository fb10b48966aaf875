/* SPDX-License-Identifier: Apache-2.0
 *
 * The functions that expressions may call: those of <math.h> and a few of CUDA.
 */
#include "launch/expression.h"

#include <math.h>
#include <string.h>

static double reciprocal_square_root(double x)
{
    return 1.0 / sqrt(x);
}

static double sigmoid(double x)
{
    return 1.0 / (1.0 + exp(-x));
}

static double clamp(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

#define ONE(name, f) {name, 1, {.one = f}}
#define TWO(name, f) {name, 2, {.two = f}}
#define THREE(name, f) {name, 3, {.three = f}}
static const struct expression_builtin builtins[] = {
    ONE("sqrt", sqrt),     ONE("cbrt", cbrt),     ONE("rsqrt", reciprocal_square_root),
    ONE("exp", exp),       ONE("exp2", exp2),     ONE("expm1", expm1),
    ONE("log", log),       ONE("log2", log2),     ONE("log10", log10),
    ONE("log1p", log1p),   ONE("sin", sin),       ONE("cos", cos),
    ONE("tan", tan),       ONE("asin", asin),     ONE("acos", acos),
    ONE("atan", atan),     ONE("sinh", sinh),     ONE("cosh", cosh),
    ONE("tanh", tanh),     ONE("erf", erf),       ONE("erfc", erfc),
    ONE("floor", floor),   ONE("ceil", ceil),     ONE("trunc", trunc),
    ONE("round", round),   ONE("rint", rint),     ONE("fabs", fabs),
    ONE("sigmoid", sigmoid), TWO("pow", pow),     TWO("atan2", atan2),
    TWO("hypot", hypot),   TWO("fmod", fmod),     TWO("fmin", fmin),
    TWO("fmax", fmax),     TWO("copysign", copysign), TWO("fdim", fdim),
    THREE("fma", fma),     THREE("clamp", clamp),
};

static const struct expression_builtin *find(const char *name, size_t size)
{
    for (unsigned i = 0; i < COUNT_OF(builtins); i++)
        if (strlen(builtins[i].name) == size && memcmp(builtins[i].name, name, size) == 0)
            return &builtins[i];
    return NULL;
}

const struct expression_builtin *expression_builtin_find(const char *name, size_t size,
                                                         bool *is_single)
{
    const struct expression_builtin *builtin = find(name, size);
    *is_single = false;
    if (builtin == NULL && size > 1 && name[size - 1] == 'f') {
        *is_single = true;
        builtin = find(name, size - 1);
    }
    return builtin;
}

void expression_builtin_suggest(struct text_guess *guess)
{
    for (unsigned i = 0; i < COUNT_OF(builtins); i++)
        text_guess_try(guess, builtins[i].name);
}
