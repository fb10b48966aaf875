// SPDX-License-Identifier: Apache-2.0
//
// Fetches from texture objects and accesses to surface objects: one, two and three dimensions, with and without a level
// or layers. Each fetch is one tex instruction with four results, of which the type takes what it has.

#ifndef LANEWISE_SHIM_DEVICE_TEXTURE_H
#define LANEWISE_SHIM_DEVICE_TEXTURE_H

#include "../texture_types.h"
#include "../vector_functions.h"

#pragma clang system_header

// How a texel type is made of four fetched components, and which of the three fetch types it takes.
template <typename T> struct lw_texel;

#define LW_TEXEL(type, fetched, value)                                                                         \
    template <> struct lw_texel<type> {                                                                        \
        typedef fetched component;                                                                             \
        static LW_DEVICE_MEMBER type make(component x, component y, component z, component w) {                \
            (void)x, (void)y, (void)z, (void)w;                                                                \
            return value;                                                                                      \
        }                                                                                                      \
    };
#define LW_TEXELS(name, scalar, fetched)                                                                       \
    LW_TEXEL(scalar, fetched, (scalar)x)                                                                       \
    LW_TEXEL(name##1, fetched, make_##name##1((scalar)x))                                                      \
    LW_TEXEL(name##2, fetched, make_##name##2((scalar)x, (scalar)y))                                           \
    LW_TEXEL(name##4, fetched, make_##name##4((scalar)x, (scalar)y, (scalar)z, (scalar)w))

LW_TEXEL(char, int, (char)x)
LW_TEXELS(char, signed char, int)
LW_TEXELS(uchar, unsigned char, unsigned int)
LW_TEXELS(short, short, int)
LW_TEXELS(ushort, unsigned short, unsigned int)
LW_TEXELS(int, int, int)
LW_TEXELS(uint, unsigned int, unsigned int)
LW_TEXELS(float, float, float)

#undef LW_TEXELS
#undef LW_TEXEL

// The fetch in its three component types, overloaded on the type of the first result.
#define LW_FETCH(name, parameters, geometry, coordinates, ...)                                                 \
    LW_FETCH_ONE(name, parameters, geometry, "s32", "r", int, coordinates, __VA_ARGS__)                        \
    LW_FETCH_ONE(name, parameters, geometry, "u32", "r", unsigned int, coordinates, __VA_ARGS__)               \
    LW_FETCH_ONE(name, parameters, geometry, "f32", "f", float, coordinates, __VA_ARGS__)
#define LW_EXPAND(...) __VA_ARGS__
#define LW_FETCH_ONE(name, parameters, geometry, ptx, c, component, coordinates, ...)                          \
    LW_DEVICE void name(component *r, cudaTextureObject_t texture, LW_EXPAND parameters) {                     \
        asm volatile(geometry(ptx) " {%0, %1, %2, %3}, [%4, " coordinates ";"                                  \
                     : "=" c(r[0]), "=" c(r[1]), "=" c(r[2]), "=" c(r[3]) : "l"(texture), __VA_ARGS__);        \
    }

#define LW_1D_INTEGER(ptx) "tex.1d.v4." ptx ".s32"
#define LW_1D(ptx) "tex.1d.v4." ptx ".f32"
#define LW_2D(ptx) "tex.2d.v4." ptx ".f32"
#define LW_3D(ptx) "tex.3d.v4." ptx ".f32"
#define LW_1D_LAYERED(ptx) "tex.a1d.v4." ptx ".f32"
#define LW_2D_LAYERED(ptx) "tex.a2d.v4." ptx ".f32"
#define LW_1D_LEVEL(ptx) "tex.level.1d.v4." ptx ".f32"
#define LW_2D_LEVEL(ptx) "tex.level.2d.v4." ptx ".f32"
#define LW_3D_LEVEL(ptx) "tex.level.3d.v4." ptx ".f32"

LW_FETCH(lw_fetch_1d_integer, (int x), LW_1D_INTEGER, "{%5}]", "r"(x))
LW_FETCH(lw_fetch_1d, (float x), LW_1D, "{%5}]", "f"(x))
LW_FETCH(lw_fetch_2d, (float x, float y), LW_2D, "{%5, %6}]", "f"(x), "f"(y))
LW_FETCH(lw_fetch_3d, (float x, float y, float z), LW_3D, "{%5, %6, %7, %7}]", "f"(x), "f"(y), "f"(z))
LW_FETCH(lw_fetch_1d_layered, (float x, int layer), LW_1D_LAYERED, "{%5, %6}]", "r"(layer), "f"(x))
LW_FETCH(lw_fetch_2d_layered, (float x, float y, int layer), LW_2D_LAYERED, "{%5, %6, %7, %7}]", "r"(layer), "f"(x), "f"(y))
LW_FETCH(lw_fetch_1d_level, (float x, float level), LW_1D_LEVEL, "{%5}], %6", "f"(x), "f"(level))
LW_FETCH(lw_fetch_2d_level, (float x, float y, float level), LW_2D_LEVEL, "{%5, %6}], %7", "f"(x), "f"(y), "f"(level))
LW_FETCH(lw_fetch_3d_level, (float x, float y, float z, float level), LW_3D_LEVEL, "{%5, %6, %7, %7}], %8", "f"(x),
         "f"(y), "f"(z), "f"(level))

#undef LW_FETCH
#undef LW_FETCH_ONE

// The public functions: one that returns the texel, one that stores it through a pointer.
#define LW_TEXTURE(name, fetch, parameters, arguments)                                                         \
    template <typename T> LW_DEVICE T name(cudaTextureObject_t texture, LW_EXPAND parameters) {                \
        typename lw_texel<T>::component r[4];                                                                  \
        fetch(r, texture, LW_EXPAND arguments);                                                                \
        return lw_texel<T>::make(r[0], r[1], r[2], r[3]);                                                      \
    }                                                                                                          \
    template <typename T> LW_DEVICE void name(T *to, cudaTextureObject_t texture, LW_EXPAND parameters) {      \
        *to = name<T>(texture, LW_EXPAND arguments);                                                           \
    }

LW_TEXTURE(tex1Dfetch, lw_fetch_1d_integer, (int x), (x))
LW_TEXTURE(tex1D, lw_fetch_1d, (float x), (x))
LW_TEXTURE(tex2D, lw_fetch_2d, (float x, float y), (x, y))
LW_TEXTURE(tex3D, lw_fetch_3d, (float x, float y, float z), (x, y, z))
LW_TEXTURE(tex1DLayered, lw_fetch_1d_layered, (float x, int layer), (x, layer))
LW_TEXTURE(tex2DLayered, lw_fetch_2d_layered, (float x, float y, int layer), (x, y, layer))
LW_TEXTURE(tex1DLod, lw_fetch_1d_level, (float x, float level), (x, level))
LW_TEXTURE(tex2DLod, lw_fetch_2d_level, (float x, float y, float level), (x, y, level))
LW_TEXTURE(tex3DLod, lw_fetch_3d_level, (float x, float y, float z, float level), (x, y, z, level))

#undef LW_TEXTURE
#undef LW_1D_INTEGER
#undef LW_1D
#undef LW_2D
#undef LW_3D
#undef LW_1D_LAYERED
#undef LW_2D_LAYERED
#undef LW_1D_LEVEL
#undef LW_2D_LEVEL
#undef LW_3D_LEVEL

// ---- surfaces: unformatted access by size, x in bytes ----

#define LW_SURFACE_BOUNDARY(statement)                                                                         \
    switch (mode) {                                                                                            \
    case cudaBoundaryModeZero: statement("zero"); break;                                                       \
    case cudaBoundaryModeClamp: statement("clamp"); break;                                                     \
    default: statement("trap"); break;                                                                         \
    }

#define LW_SURFACE(bits, word, c)                                                                              \
    LW_DEVICE word lw_surface_read_1d(word *, cudaSurfaceObject_t surface, int x, cudaSurfaceBoundaryMode mode) { \
        word value;                                                                                            \
        LW_SURFACE_BOUNDARY(LW_READ_1D_##bits)                                                                 \
        return value;                                                                                          \
    }                                                                                                          \
    LW_DEVICE word lw_surface_read_2d(word *, cudaSurfaceObject_t surface, int x, int y,                       \
                                      cudaSurfaceBoundaryMode mode) {                                          \
        word value;                                                                                            \
        LW_SURFACE_BOUNDARY(LW_READ_2D_##bits)                                                                 \
        return value;                                                                                          \
    }                                                                                                          \
    LW_DEVICE void lw_surface_write_1d(word value, cudaSurfaceObject_t surface, int x,                         \
                                       cudaSurfaceBoundaryMode mode) {                                         \
        LW_SURFACE_BOUNDARY(LW_WRITE_1D_##bits)                                                                \
    }                                                                                                          \
    LW_DEVICE void lw_surface_write_2d(word value, cudaSurfaceObject_t surface, int x, int y,                  \
                                       cudaSurfaceBoundaryMode mode) {                                         \
        LW_SURFACE_BOUNDARY(LW_WRITE_2D_##bits)                                                                \
    }

#define LW_READ_1D(bits, c, mode)                                                                              \
    asm volatile("suld.b.1d.b" bits "." mode " %0, [%1, {%2}];" : "=" c(value) : "l"(surface), "r"(x) : "memory")
#define LW_READ_2D(bits, c, mode)                                                                              \
    asm volatile("suld.b.2d.b" bits "." mode " %0, [%1, {%2, %3}];"                                            \
                 : "=" c(value) : "l"(surface), "r"(x), "r"(y) : "memory")
#define LW_WRITE_1D(bits, c, mode)                                                                             \
    asm volatile("sust.b.1d.b" bits "." mode " [%0, {%1}], %2;" ::"l"(surface), "r"(x), c(value) : "memory")
#define LW_WRITE_2D(bits, c, mode)                                                                             \
    asm volatile("sust.b.2d.b" bits "." mode " [%0, {%1, %2}], %3;" ::"l"(surface), "r"(x), "r"(y), c(value) : "memory")

#define LW_READ_1D_8(mode) LW_READ_1D("8", "h", mode)
#define LW_READ_2D_8(mode) LW_READ_2D("8", "h", mode)
#define LW_WRITE_1D_8(mode) LW_WRITE_1D("8", "h", mode)
#define LW_WRITE_2D_8(mode) LW_WRITE_2D("8", "h", mode)
#define LW_READ_1D_32(mode) LW_READ_1D("32", "r", mode)
#define LW_READ_2D_32(mode) LW_READ_2D("32", "r", mode)
#define LW_WRITE_1D_32(mode) LW_WRITE_1D("32", "r", mode)
#define LW_WRITE_2D_32(mode) LW_WRITE_2D("32", "r", mode)
#define LW_READ_1D_64(mode) LW_READ_1D("64", "l", mode)
#define LW_READ_2D_64(mode) LW_READ_2D("64", "l", mode)
#define LW_WRITE_1D_64(mode) LW_WRITE_1D("64", "l", mode)
#define LW_WRITE_2D_64(mode) LW_WRITE_2D("64", "l", mode)

LW_SURFACE(8, unsigned short, "h")
LW_SURFACE(32, unsigned int, "r")
LW_SURFACE(64, unsigned long long, "l")

template <int Size> struct lw_surface_word;
template <> struct lw_surface_word<1> { typedef unsigned short type; };
template <> struct lw_surface_word<4> { typedef unsigned int type; };
template <> struct lw_surface_word<8> { typedef unsigned long long type; };

// Objects of 16 bytes are two accesses.
template <typename T>
LW_DEVICE T surf2Dread(cudaSurfaceObject_t surface, int x, int y, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
    constexpr int step = sizeof(T) < 8 ? (int)sizeof(T) : 8;
    typedef typename lw_surface_word<step>::type word;
    T value;
    for (int i = 0; i < (int)sizeof(T); i += step) {
        word part = lw_surface_read_2d((word *)nullptr, surface, x + i, y, mode);
        __builtin_memcpy((char *)&value + i, &part, step);
    }
    return value;
}
template <typename T>
LW_DEVICE void surf2Dread(T *to, cudaSurfaceObject_t surface, int x, int y,
                          cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
    *to = surf2Dread<T>(surface, x, y, mode);
}
template <typename T>
LW_DEVICE void surf2Dwrite(T value, cudaSurfaceObject_t surface, int x, int y,
                           cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
    constexpr int step = sizeof(T) < 8 ? (int)sizeof(T) : 8;
    typedef typename lw_surface_word<step>::type word;
    for (int i = 0; i < (int)sizeof(T); i += step) {
        word part = 0;
        __builtin_memcpy(&part, (const char *)&value + i, step);
        lw_surface_write_2d(part, surface, x + i, y, mode);
    }
}
template <typename T>
LW_DEVICE T surf1Dread(cudaSurfaceObject_t surface, int x, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
    constexpr int step = sizeof(T) < 8 ? (int)sizeof(T) : 8;
    typedef typename lw_surface_word<step>::type word;
    T value;
    for (int i = 0; i < (int)sizeof(T); i += step) {
        word part = lw_surface_read_1d((word *)nullptr, surface, x + i, mode);
        __builtin_memcpy((char *)&value + i, &part, step);
    }
    return value;
}
template <typename T>
LW_DEVICE void surf1Dwrite(T value, cudaSurfaceObject_t surface, int x,
                           cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
    constexpr int step = sizeof(T) < 8 ? (int)sizeof(T) : 8;
    typedef typename lw_surface_word<step>::type word;
    for (int i = 0; i < (int)sizeof(T); i += step) {
        word part = 0;
        __builtin_memcpy(&part, (const char *)&value + i, step);
        lw_surface_write_1d(part, surface, x + i, mode);
    }
}

#undef LW_SURFACE
#undef LW_SURFACE_BOUNDARY
#undef LW_READ_1D
#undef LW_READ_2D
#undef LW_WRITE_1D
#undef LW_WRITE_2D

#endif
