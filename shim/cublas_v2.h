// SPDX-License-Identifier: Apache-2.0
//
// cuBLAS: the types, constants and the usual functions of levels 1 to 3, so that programs which call it compile. Only
// declarations: nothing here computes.

#ifndef LANEWISE_SHIM_CUBLAS_V2_H
#define LANEWISE_SHIM_CUBLAS_V2_H

#include "cuComplex.h"
#include "cuda_bf16.h"
#include "cuda_fp16.h"

#pragma clang system_header

typedef struct cublasContext *cublasHandle_t;

typedef enum {
    CUBLAS_STATUS_SUCCESS = 0,
    CUBLAS_STATUS_NOT_INITIALIZED = 1,
    CUBLAS_STATUS_ALLOC_FAILED = 3,
    CUBLAS_STATUS_INVALID_VALUE = 7,
    CUBLAS_STATUS_ARCH_MISMATCH = 8,
    CUBLAS_STATUS_MAPPING_ERROR = 11,
    CUBLAS_STATUS_EXECUTION_FAILED = 13,
    CUBLAS_STATUS_INTERNAL_ERROR = 14,
    CUBLAS_STATUS_NOT_SUPPORTED = 15,
    CUBLAS_STATUS_LICENSE_ERROR = 16
} cublasStatus_t;
typedef enum { CUBLAS_OP_N = 0, CUBLAS_OP_T = 1, CUBLAS_OP_C = 2, CUBLAS_OP_HERMITAN = 2, CUBLAS_OP_CONJG = 3 } cublasOperation_t;
typedef enum { CUBLAS_FILL_MODE_LOWER = 0, CUBLAS_FILL_MODE_UPPER = 1, CUBLAS_FILL_MODE_FULL = 2 } cublasFillMode_t;
typedef enum { CUBLAS_DIAG_NON_UNIT = 0, CUBLAS_DIAG_UNIT = 1 } cublasDiagType_t;
typedef enum { CUBLAS_SIDE_LEFT = 0, CUBLAS_SIDE_RIGHT = 1 } cublasSideMode_t;
typedef enum { CUBLAS_POINTER_MODE_HOST = 0, CUBLAS_POINTER_MODE_DEVICE = 1 } cublasPointerMode_t;
typedef enum { CUBLAS_ATOMICS_NOT_ALLOWED = 0, CUBLAS_ATOMICS_ALLOWED = 1 } cublasAtomicsMode_t;
typedef enum {
    CUBLAS_GEMM_DFALT = -1,
    CUBLAS_GEMM_DEFAULT = -1,
    CUBLAS_GEMM_ALGO0 = 0,
    CUBLAS_GEMM_ALGO1 = 1,
    CUBLAS_GEMM_ALGO2 = 2,
    CUBLAS_GEMM_ALGO3 = 3,
    CUBLAS_GEMM_ALGO23 = 23,
    CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99,
    CUBLAS_GEMM_DFALT_TENSOR_OP = 99,
    CUBLAS_GEMM_ALGO0_TENSOR_OP = 100,
    CUBLAS_GEMM_ALGO15_TENSOR_OP = 115
} cublasGemmAlgo_t;
typedef enum {
    CUBLAS_DEFAULT_MATH = 0,
    CUBLAS_TENSOR_OP_MATH = 1,
    CUBLAS_PEDANTIC_MATH = 2,
    CUBLAS_TF32_TENSOR_OP_MATH = 3,
    CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16
} cublasMath_t;
typedef enum {
    CUBLAS_COMPUTE_16F = 64,
    CUBLAS_COMPUTE_16F_PEDANTIC = 65,
    CUBLAS_COMPUTE_32F = 68,
    CUBLAS_COMPUTE_32F_PEDANTIC = 69,
    CUBLAS_COMPUTE_64F = 70,
    CUBLAS_COMPUTE_64F_PEDANTIC = 71,
    CUBLAS_COMPUTE_32I = 72,
    CUBLAS_COMPUTE_32I_PEDANTIC = 73,
    CUBLAS_COMPUTE_32F_FAST_16F = 74,
    CUBLAS_COMPUTE_32F_FAST_16BF = 75,
    CUBLAS_COMPUTE_32F_FAST_TF32 = 77
} cublasComputeType_t;
typedef cudaDataType cublasDataType_t;

extern "C" {

// ---- handles and settings ----

__host__ cublasStatus_t cublasCreate_v2(cublasHandle_t *handle);
__host__ cublasStatus_t cublasDestroy_v2(cublasHandle_t handle);
__host__ cublasStatus_t cublasGetVersion_v2(cublasHandle_t handle, int *version);
__host__ cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t stream);
__host__ cublasStatus_t cublasGetStream_v2(cublasHandle_t handle, cudaStream_t *stream);
__host__ cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t mode);
__host__ cublasStatus_t cublasGetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t *mode);
__host__ cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode);
__host__ cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode);
__host__ cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t *mode);
__host__ cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void *workspace, size_t size);
__host__ const char *cublasGetStatusName(cublasStatus_t status);
__host__ const char *cublasGetStatusString(cublasStatus_t status);
#define cublasCreate cublasCreate_v2
#define cublasDestroy cublasDestroy_v2
#define cublasGetVersion cublasGetVersion_v2
#define cublasSetStream cublasSetStream_v2
#define cublasGetStream cublasGetStream_v2
#define cublasSetPointerMode cublasSetPointerMode_v2
#define cublasGetPointerMode cublasGetPointerMode_v2
#define cublasSetWorkspace cublasSetWorkspace_v2

// ---- copies ----

__host__ cublasStatus_t cublasSetVector(int n, int size, const void *x, int incx, void *y, int incy);
__host__ cublasStatus_t cublasGetVector(int n, int size, const void *x, int incx, void *y, int incy);
__host__ cublasStatus_t cublasSetMatrix(int rows, int columns, int size, const void *a, int lda, void *b, int ldb);
__host__ cublasStatus_t cublasGetMatrix(int rows, int columns, int size, const void *a, int lda, void *b, int ldb);
__host__ cublasStatus_t cublasSetVectorAsync(int n, int size, const void *x, int incx, void *y, int incy, cudaStream_t s);
__host__ cublasStatus_t cublasGetVectorAsync(int n, int size, const void *x, int incx, void *y, int incy, cudaStream_t s);

// ---- levels 1 to 3: one family a precision, for 32-bit and (with _64) 64-bit sizes ----

#define LW_BLAS_FAMILY(L, type, suffix, integer)                                                               \
    __host__ cublasStatus_t cublas##L##axpy##suffix(cublasHandle_t handle, integer n, const type *alpha,       \
                                                    const type *x, integer incx, type *y, integer incy);       \
    __host__ cublasStatus_t cublas##L##copy##suffix(cublasHandle_t handle, integer n, const type *x,           \
                                                    integer incx, type *y, integer incy);                      \
    __host__ cublasStatus_t cublas##L##swap##suffix(cublasHandle_t handle, integer n, type *x, integer incx,   \
                                                    type *y, integer incy);                                    \
    __host__ cublasStatus_t cublas##L##scal##suffix(cublasHandle_t handle, integer n, const type *alpha,       \
                                                    type *x, integer incx);                                    \
    __host__ cublasStatus_t cublas##L##gemv##suffix(                                                           \
        cublasHandle_t handle, cublasOperation_t trans, integer m, integer n, const type *alpha, const type *a, \
        integer lda, const type *x, integer incx, const type *beta, type *y, integer incy);                    \
    __host__ cublasStatus_t cublas##L##gemm##suffix(                                                           \
        cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, integer m, integer n,       \
        integer k, const type *alpha, const type *a, integer lda, const type *b, integer ldb, const type *beta, \
        type *c, integer ldc);                                                                                 \
    __host__ cublasStatus_t cublas##L##trsm##suffix(                                                           \
        cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill, cublasOperation_t trans,          \
        cublasDiagType_t diag, integer m, integer n, const type *alpha, const type *a, integer lda, type *b,   \
        integer ldb);                                                                                          \
    __host__ cublasStatus_t cublas##L##trsv##suffix(cublasHandle_t handle, cublasFillMode_t fill,              \
                                                    cublasOperation_t trans, cublasDiagType_t diag, integer n, \
                                                    const type *a, integer lda, type *x, integer incx);        \
    __host__ cublasStatus_t cublas##L##syrk##suffix(                                                           \
        cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t trans, integer n, integer k,           \
        const type *alpha, const type *a, integer lda, const type *beta, type *c, integer ldc);                \
    __host__ cublasStatus_t cublas##L##dgmm##suffix(cublasHandle_t handle, cublasSideMode_t side, integer m,   \
                                                    integer n, const type *a, integer lda, const type *x,      \
                                                    integer incx, type *c, integer ldc);                       \
    __host__ cublasStatus_t cublas##L##geam##suffix(                                                           \
        cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, integer m, integer n,       \
        const type *alpha, const type *a, integer lda, const type *beta, const type *b, integer ldb, type *c,  \
        integer ldc);                                                                                          \
    __host__ cublasStatus_t cublasI##L##_amax##suffix(cublasHandle_t handle, integer n, const type *x,         \
                                                      integer incx, integer *result);                          \
    __host__ cublasStatus_t cublasI##L##_amin##suffix(cublasHandle_t handle, integer n, const type *x,         \
                                                      integer incx, integer *result);

#define LW_BLAS_BATCHED(L, type)                                                                               \
    __host__ cublasStatus_t cublas##L##gemmBatched(                                                            \
        cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,        \
        const type *alpha, const type *const a[], int lda, const type *const b[], int ldb, const type *beta,   \
        type *const c[], int ldc, int count);                                                                  \
    __host__ cublasStatus_t cublas##L##gemmStridedBatched(                                                     \
        cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,        \
        const type *alpha, const type *a, int lda, long long stridea, const type *b, int ldb,                  \
        long long strideb, const type *beta, type *c, int ldc, long long stridec, int count);

#define LW_BLAS_SOLVERS(L, type)                                                                               \
    __host__ cublasStatus_t cublas##L##getrfBatched(cublasHandle_t handle, int n, type *const a[], int lda,    \
                                                    int *pivots, int *info, int count);                        \
    __host__ cublasStatus_t cublas##L##getriBatched(cublasHandle_t handle, int n, const type *const a[],       \
                                                    int lda, const int *pivots, type *const c[], int ldc,      \
                                                    int *info, int count);                                     \
    __host__ cublasStatus_t cublas##L##getrsBatched(cublasHandle_t handle, cublasOperation_t trans, int n,     \
                                                    int columns, const type *const a[], int lda,               \
                                                    const int *pivots, type *const b[], int ldb, int *info,    \
                                                    int count);                                                \
    __host__ cublasStatus_t cublas##L##gelsBatched(cublasHandle_t handle, cublasOperation_t trans, int m,      \
                                                   int n, int columns, type *const a[], int lda,               \
                                                   type *const c[], int ldc, int *info, int *each, int count);

#define LW_BLAS(L, type)                                                                                       \
    LW_BLAS_FAMILY(L, type, _v2, int)                                                                          \
    LW_BLAS_FAMILY(L, type, _64, long)                                                                    \
    LW_BLAS_BATCHED(L, type)                                                                                   \
    LW_BLAS_SOLVERS(L, type)
LW_BLAS(S, float)
LW_BLAS(D, double)
LW_BLAS(C, cuComplex)
LW_BLAS(Z, cuDoubleComplex)
LW_BLAS_BATCHED(H, __half)
#undef LW_BLAS
#undef LW_BLAS_FAMILY
#undef LW_BLAS_BATCHED
#undef LW_BLAS_SOLVERS

#define LW_BLAS_NORMS(suffix, integer)                                                                         \
    __host__ cublasStatus_t cublasSdot##suffix(cublasHandle_t, integer, const float *, integer, const float *, integer, float *); \
    __host__ cublasStatus_t cublasDdot##suffix(cublasHandle_t, integer, const double *, integer, const double *, integer, double *); \
    __host__ cublasStatus_t cublasCdotc##suffix(cublasHandle_t, integer, const cuComplex *, integer, const cuComplex *, integer, cuComplex *); \
    __host__ cublasStatus_t cublasZdotc##suffix(cublasHandle_t, integer, const cuDoubleComplex *, integer, const cuDoubleComplex *, integer, cuDoubleComplex *); \
    __host__ cublasStatus_t cublasSnrm2##suffix(cublasHandle_t, integer, const float *, integer, float *);     \
    __host__ cublasStatus_t cublasDnrm2##suffix(cublasHandle_t, integer, const double *, integer, double *);   \
    __host__ cublasStatus_t cublasScnrm2##suffix(cublasHandle_t, integer, const cuComplex *, integer, float *); \
    __host__ cublasStatus_t cublasDznrm2##suffix(cublasHandle_t, integer, const cuDoubleComplex *, integer, double *); \
    __host__ cublasStatus_t cublasSasum##suffix(cublasHandle_t, integer, const float *, integer, float *);     \
    __host__ cublasStatus_t cublasDasum##suffix(cublasHandle_t, integer, const double *, integer, double *);   \
    __host__ cublasStatus_t cublasSger##suffix(cublasHandle_t, integer, integer, const float *, const float *, integer, const float *, integer, float *, integer); \
    __host__ cublasStatus_t cublasDger##suffix(cublasHandle_t, integer, integer, const double *, const double *, integer, const double *, integer, double *, integer);
LW_BLAS_NORMS(_v2, int)
LW_BLAS_NORMS(_64, long)
#undef LW_BLAS_NORMS

// ---- mixed types ----

__host__ cublasStatus_t cublasHgemm(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m,
                                    int n, int k, const __half *alpha, const __half *a, int lda, const __half *b,
                                    int ldb, const __half *beta, __half *c, int ldc);
__host__ cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m,
                                     int n, int k, const void *alpha, const void *a, cudaDataType atype, int lda,
                                     const void *b, cudaDataType btype, int ldb, const void *beta, void *c,
                                     cudaDataType ctype, int ldc, cublasComputeType_t compute, cublasGemmAlgo_t algorithm);
__host__ cublasStatus_t cublasGemmBatchedEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
                                            int m, int n, int k, const void *alpha, const void *const a[],
                                            cudaDataType atype, int lda, const void *const b[], cudaDataType btype,
                                            int ldb, const void *beta, void *const c[], cudaDataType ctype, int ldc,
                                            int count, cublasComputeType_t compute, cublasGemmAlgo_t algorithm);
__host__ cublasStatus_t cublasGemmStridedBatchedEx(
    cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k, const void *alpha,
    const void *a, cudaDataType atype, int lda, long long stridea, const void *b, cudaDataType btype, int ldb,
    long long strideb, const void *beta, void *c, cudaDataType ctype, int ldc, long long stridec, int count,
    cublasComputeType_t compute, cublasGemmAlgo_t algorithm);
__host__ cublasStatus_t cublasDotEx(cublasHandle_t handle, int n, const void *x, cudaDataType xtype, int incx,
                                    const void *y, cudaDataType ytype, int incy, void *result, cudaDataType rtype,
                                    cudaDataType execution);
__host__ cublasStatus_t cublasNrm2Ex(cublasHandle_t handle, int n, const void *x, cudaDataType xtype, int incx,
                                     void *result, cudaDataType rtype, cudaDataType execution);
__host__ cublasStatus_t cublasAxpyEx(cublasHandle_t handle, int n, const void *alpha, cudaDataType alphatype,
                                     const void *x, cudaDataType xtype, int incx, void *y, cudaDataType ytype, int incy,
                                     cudaDataType execution);
__host__ cublasStatus_t cublasScalEx(cublasHandle_t handle, int n, const void *alpha, cudaDataType alphatype, void *x,
                                     cudaDataType xtype, int incx, cudaDataType execution);

} // extern "C"

// The names without _v2. amax and amin put the letter inside: cublasIsamax.
#define cublasSaxpy cublasSaxpy_v2
#define cublasDaxpy cublasDaxpy_v2
#define cublasCaxpy cublasCaxpy_v2
#define cublasZaxpy cublasZaxpy_v2
#define cublasScopy cublasScopy_v2
#define cublasDcopy cublasDcopy_v2
#define cublasCcopy cublasCcopy_v2
#define cublasZcopy cublasZcopy_v2
#define cublasSswap cublasSswap_v2
#define cublasDswap cublasDswap_v2
#define cublasSscal cublasSscal_v2
#define cublasDscal cublasDscal_v2
#define cublasCscal cublasCscal_v2
#define cublasZscal cublasZscal_v2
#define cublasSgemv cublasSgemv_v2
#define cublasDgemv cublasDgemv_v2
#define cublasCgemv cublasCgemv_v2
#define cublasZgemv cublasZgemv_v2
#define cublasSgemm cublasSgemm_v2
#define cublasDgemm cublasDgemm_v2
#define cublasCgemm cublasCgemm_v2
#define cublasZgemm cublasZgemm_v2
#define cublasStrsm cublasStrsm_v2
#define cublasDtrsm cublasDtrsm_v2
#define cublasStrsv cublasStrsv_v2
#define cublasDtrsv cublasDtrsv_v2
#define cublasSsyrk cublasSsyrk_v2
#define cublasDsyrk cublasDsyrk_v2
#define cublasSgeam cublasSgeam_v2
#define cublasDgeam cublasDgeam_v2
#define cublasCgeam cublasCgeam_v2
#define cublasZgeam cublasZgeam_v2
#define cublasSdgmm cublasSdgmm_v2
#define cublasDdgmm cublasDdgmm_v2
#define cublasCdgmm cublasCdgmm_v2
#define cublasZdgmm cublasZdgmm_v2
#define cublasSdot cublasSdot_v2
#define cublasDdot cublasDdot_v2
#define cublasCdotc cublasCdotc_v2
#define cublasZdotc cublasZdotc_v2
#define cublasSnrm2 cublasSnrm2_v2
#define cublasDnrm2 cublasDnrm2_v2
#define cublasScnrm2 cublasScnrm2_v2
#define cublasDznrm2 cublasDznrm2_v2
#define cublasSasum cublasSasum_v2
#define cublasDasum cublasDasum_v2
#define cublasSger cublasSger_v2
#define cublasDger cublasDger_v2
#define cublasIsamax cublasIS_amax_v2
#define cublasIdamax cublasID_amax_v2
#define cublasIcamax cublasIC_amax_v2
#define cublasIzamax cublasIZ_amax_v2
#define cublasIcamax_64 cublasIC_amax_64
#define cublasIsamin cublasIS_amin_v2
#define cublasIdamin cublasID_amin_v2

#endif
