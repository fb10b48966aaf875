// SPDX-License-Identifier: Apache-2.0
//
// cuSOLVER's dense factorisations. Only declarations.

#ifndef LANEWISE_SHIM_CUSOLVERDN_H
#define LANEWISE_SHIM_CUSOLVERDN_H

#include "cublas_v2.h"

#pragma clang system_header

typedef struct cusolverDnContext *cusolverDnHandle_t;
typedef enum {
    CUSOLVER_STATUS_SUCCESS = 0,
    CUSOLVER_STATUS_NOT_INITIALIZED = 1,
    CUSOLVER_STATUS_ALLOC_FAILED = 2,
    CUSOLVER_STATUS_INVALID_VALUE = 3,
    CUSOLVER_STATUS_ARCH_MISMATCH = 4,
    CUSOLVER_STATUS_MAPPING_ERROR = 5,
    CUSOLVER_STATUS_EXECUTION_FAILED = 6,
    CUSOLVER_STATUS_INTERNAL_ERROR = 7,
    CUSOLVER_STATUS_MATRIX_TYPE_NOT_SUPPORTED = 8,
    CUSOLVER_STATUS_NOT_SUPPORTED = 9,
    CUSOLVER_STATUS_ZERO_PIVOT = 10
} cusolverStatus_t;
typedef enum { CUSOLVER_EIG_MODE_NOVECTOR = 0, CUSOLVER_EIG_MODE_VECTOR = 1 } cusolverEigMode_t;

extern "C" {
__host__ cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t *handle);
__host__ cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t handle);
__host__ cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t handle, cudaStream_t stream);

#define LW_SOLVER(L, R, type, real)                                                                            \
    __host__ cusolverStatus_t cusolverDn##L##potrf_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t fill, int n, \
                                                              type *a, int lda, int *size);                    \
    __host__ cusolverStatus_t cusolverDn##L##potrf(cusolverDnHandle_t handle, cublasFillMode_t fill, int n, type *a, \
                                                   int lda, type *work, int size, int *info);                  \
    __host__ cusolverStatus_t cusolverDn##L##potrs(cusolverDnHandle_t handle, cublasFillMode_t fill, int n,    \
                                                   int columns, const type *a, int lda, type *b, int ldb, int *info); \
    __host__ cusolverStatus_t cusolverDn##L##getrf_bufferSize(cusolverDnHandle_t handle, int m, int n, type *a, \
                                                              int lda, int *size);                             \
    __host__ cusolverStatus_t cusolverDn##L##getrf(cusolverDnHandle_t handle, int m, int n, type *a, int lda,  \
                                                   type *work, int *pivots, int *info);                        \
    __host__ cusolverStatus_t cusolverDn##L##getrs(cusolverDnHandle_t handle, cublasOperation_t trans, int n,  \
                                                   int columns, const type *a, int lda, const int *pivots, type *b, \
                                                   int ldb, int *info);                                        \
    __host__ cusolverStatus_t cusolverDn##L##gesvd_bufferSize(cusolverDnHandle_t handle, int m, int n, int *size); \
    __host__ cusolverStatus_t cusolverDn##L##gesvd(cusolverDnHandle_t handle, signed char jobu, signed char jobvt, int m, \
                                                   int n, type *a, int lda, real *s, type *u, int ldu, type *vt, \
                                                   int ldvt, type *work, int size, real *rwork, int *info);
LW_SOLVER(S, S, float, float)
LW_SOLVER(D, D, double, double)
LW_SOLVER(C, S, cuComplex, float)
LW_SOLVER(Z, D, cuDoubleComplex, double)
#undef LW_SOLVER
}

#endif
