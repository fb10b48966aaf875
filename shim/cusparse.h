// SPDX-License-Identifier: Apache-2.0
//
// cuSPARSE: the generic interface (descriptors of sparse and dense vectors and matrices) and the few older functions that
// programs still call. Only declarations.

#ifndef LANEWISE_SHIM_CUSPARSE_H
#define LANEWISE_SHIM_CUSPARSE_H

#include "cuComplex.h"

#include <stdint.h>

#pragma clang system_header

typedef struct cusparseContext *cusparseHandle_t;
typedef struct cusparseMatDescr *cusparseMatDescr_t;
typedef struct csrilu02Info *csrilu02Info_t;
typedef struct cusparseSpVecDescr *cusparseSpVecDescr_t;
typedef struct cusparseDnVecDescr *cusparseDnVecDescr_t;
typedef struct cusparseSpMatDescr *cusparseSpMatDescr_t;
typedef struct cusparseDnMatDescr *cusparseDnMatDescr_t;
typedef const struct cusparseSpVecDescr *cusparseConstSpVecDescr_t;
typedef const struct cusparseDnVecDescr *cusparseConstDnVecDescr_t;
typedef const struct cusparseSpMatDescr *cusparseConstSpMatDescr_t;
typedef const struct cusparseDnMatDescr *cusparseConstDnMatDescr_t;
typedef struct cusparseSpGEMMDescr *cusparseSpGEMMDescr_t;
typedef struct cusparseSpSVDescr *cusparseSpSVDescr_t;
typedef struct cusparseSpSMDescr *cusparseSpSMDescr_t;

typedef enum {
    CUSPARSE_STATUS_SUCCESS = 0,
    CUSPARSE_STATUS_NOT_INITIALIZED = 1,
    CUSPARSE_STATUS_ALLOC_FAILED = 2,
    CUSPARSE_STATUS_INVALID_VALUE = 3,
    CUSPARSE_STATUS_ARCH_MISMATCH = 4,
    CUSPARSE_STATUS_MAPPING_ERROR = 5,
    CUSPARSE_STATUS_EXECUTION_FAILED = 6,
    CUSPARSE_STATUS_INTERNAL_ERROR = 7,
    CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED = 8,
    CUSPARSE_STATUS_ZERO_PIVOT = 9,
    CUSPARSE_STATUS_NOT_SUPPORTED = 10,
    CUSPARSE_STATUS_INSUFFICIENT_RESOURCES = 11
} cusparseStatus_t;
typedef enum {
    CUSPARSE_OPERATION_NON_TRANSPOSE = 0,
    CUSPARSE_OPERATION_TRANSPOSE = 1,
    CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE = 2
} cusparseOperation_t;
typedef enum { CUSPARSE_INDEX_BASE_ZERO = 0, CUSPARSE_INDEX_BASE_ONE = 1 } cusparseIndexBase_t;
typedef enum { CUSPARSE_INDEX_16U = 1, CUSPARSE_INDEX_32I = 2, CUSPARSE_INDEX_64I = 3 } cusparseIndexType_t;
typedef enum { CUSPARSE_ORDER_COL = 1, CUSPARSE_ORDER_ROW = 2 } cusparseOrder_t;
typedef enum { CUSPARSE_MATRIX_TYPE_GENERAL = 0, CUSPARSE_MATRIX_TYPE_SYMMETRIC = 1, CUSPARSE_MATRIX_TYPE_HERMITIAN = 2, CUSPARSE_MATRIX_TYPE_TRIANGULAR = 3 } cusparseMatrixType_t;
typedef enum { CUSPARSE_FILL_MODE_LOWER = 0, CUSPARSE_FILL_MODE_UPPER = 1 } cusparseFillMode_t;
typedef enum { CUSPARSE_DIAG_TYPE_NON_UNIT = 0, CUSPARSE_DIAG_TYPE_UNIT = 1 } cusparseDiagType_t;
typedef enum { CUSPARSE_DIRECTION_ROW = 0, CUSPARSE_DIRECTION_COLUMN = 1 } cusparseDirection_t;
typedef enum { CUSPARSE_ACTION_SYMBOLIC = 0, CUSPARSE_ACTION_NUMERIC = 1 } cusparseAction_t;
typedef enum { CUSPARSE_POINTER_MODE_HOST = 0, CUSPARSE_POINTER_MODE_DEVICE = 1 } cusparsePointerMode_t;
typedef enum { CUSPARSE_SOLVE_POLICY_NO_LEVEL = 0, CUSPARSE_SOLVE_POLICY_USE_LEVEL = 1 } cusparseSolvePolicy_t;
typedef enum { CUSPARSE_SPMAT_FILL_MODE = 0, CUSPARSE_SPMAT_DIAG_TYPE = 1 } cusparseSpMatAttribute_t;
typedef enum { CUSPARSE_SPMV_ALG_DEFAULT = 0, CUSPARSE_SPMV_COO_ALG1 = 1, CUSPARSE_SPMV_CSR_ALG1 = 2, CUSPARSE_SPMV_CSR_ALG2 = 3, CUSPARSE_SPMV_COO_ALG2 = 4 } cusparseSpMVAlg_t;
typedef enum { CUSPARSE_SPMM_ALG_DEFAULT = 0, CUSPARSE_SPMM_COO_ALG1 = 1, CUSPARSE_SPMM_CSR_ALG1 = 4, CUSPARSE_SPMM_CSR_ALG2 = 6 } cusparseSpMMAlg_t;
typedef enum { CUSPARSE_SPGEMM_DEFAULT = 0, CUSPARSE_SPGEMM_ALG1 = 3, CUSPARSE_SPGEMM_ALG2 = 4, CUSPARSE_SPGEMM_ALG3 = 5 } cusparseSpGEMMAlg_t;
typedef enum { CUSPARSE_SPSV_ALG_DEFAULT = 0 } cusparseSpSVAlg_t;
typedef enum { CUSPARSE_SPSM_ALG_DEFAULT = 0 } cusparseSpSMAlg_t;
typedef enum { CUSPARSE_SDDMM_ALG_DEFAULT = 0 } cusparseSDDMMAlg_t;
typedef enum { CUSPARSE_SPARSETODENSE_ALG_DEFAULT = 0 } cusparseSparseToDenseAlg_t;
typedef enum { CUSPARSE_DENSETOSPARSE_ALG_DEFAULT = 0 } cusparseDenseToSparseAlg_t;
typedef enum { CUSPARSE_CSR2CSC_ALG_DEFAULT = 1, CUSPARSE_CSR2CSC_ALG1 = 1, CUSPARSE_CSR2CSC_ALG2 = 2 } cusparseCsr2CscAlg_t;

extern "C" {
#define LW_SPARSE __host__ cusparseStatus_t

LW_SPARSE cusparseCreate(cusparseHandle_t *handle);
LW_SPARSE cusparseDestroy(cusparseHandle_t handle);
LW_SPARSE cusparseSetStream(cusparseHandle_t handle, cudaStream_t stream);
LW_SPARSE cusparseSetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t mode);
__host__ const char *cusparseGetErrorName(cusparseStatus_t status);
__host__ const char *cusparseGetErrorString(cusparseStatus_t status);

// ---- descriptors ----

LW_SPARSE cusparseCreateSpVec(cusparseSpVecDescr_t *vector, int64_t size, int64_t count, void *indices, void *values,
                              cusparseIndexType_t index, cusparseIndexBase_t base, cudaDataType type);
LW_SPARSE cusparseDestroySpVec(cusparseConstSpVecDescr_t vector);
LW_SPARSE cusparseCreateDnVec(cusparseDnVecDescr_t *vector, int64_t size, void *values, cudaDataType type);
LW_SPARSE cusparseDestroyDnVec(cusparseConstDnVecDescr_t vector);
LW_SPARSE cusparseDnVecSetValues(cusparseDnVecDescr_t vector, void *values);
LW_SPARSE cusparseCreateDnMat(cusparseDnMatDescr_t *matrix, int64_t rows, int64_t columns, int64_t ld, void *values,
                              cudaDataType type, cusparseOrder_t order);
LW_SPARSE cusparseDestroyDnMat(cusparseConstDnMatDescr_t matrix);
LW_SPARSE cusparseDnMatSetStridedBatch(cusparseDnMatDescr_t matrix, int count, int64_t stride);
LW_SPARSE cusparseCreateCsr(cusparseSpMatDescr_t *matrix, int64_t rows, int64_t columns, int64_t count, void *offsets,
                            void *indices, void *values, cusparseIndexType_t offset, cusparseIndexType_t index,
                            cusparseIndexBase_t base, cudaDataType type);
LW_SPARSE cusparseCreateCsc(cusparseSpMatDescr_t *matrix, int64_t rows, int64_t columns, int64_t count, void *offsets,
                            void *indices, void *values, cusparseIndexType_t offset, cusparseIndexType_t index,
                            cusparseIndexBase_t base, cudaDataType type);
LW_SPARSE cusparseCreateCoo(cusparseSpMatDescr_t *matrix, int64_t rows, int64_t columns, int64_t count, void *row,
                            void *column, void *values, cusparseIndexType_t index, cusparseIndexBase_t base,
                            cudaDataType type);
LW_SPARSE cusparseDestroySpMat(cusparseConstSpMatDescr_t matrix);
LW_SPARSE cusparseSpMatGetSize(cusparseConstSpMatDescr_t matrix, int64_t *rows, int64_t *columns, int64_t *count);
LW_SPARSE cusparseSpMatSetAttribute(cusparseSpMatDescr_t matrix, cusparseSpMatAttribute_t attribute, void *value,
                                    size_t size);
LW_SPARSE cusparseCsrSetPointers(cusparseSpMatDescr_t matrix, void *offsets, void *indices, void *values);
LW_SPARSE cusparseCsrSetStridedBatch(cusparseSpMatDescr_t matrix, int count, int64_t offsets, int64_t values);
LW_SPARSE cusparseCreateMatDescr(cusparseMatDescr_t *description);
LW_SPARSE cusparseDestroyMatDescr(cusparseMatDescr_t description);
LW_SPARSE cusparseSetMatType(cusparseMatDescr_t description, cusparseMatrixType_t type);
LW_SPARSE cusparseSetMatIndexBase(cusparseMatDescr_t description, cusparseIndexBase_t base);
LW_SPARSE cusparseSetMatFillMode(cusparseMatDescr_t description, cusparseFillMode_t fill);
LW_SPARSE cusparseSetMatDiagType(cusparseMatDescr_t description, cusparseDiagType_t diag);

// ---- vectors, products, solves ----

LW_SPARSE cusparseAxpby(cusparseHandle_t handle, const void *alpha, cusparseConstSpVecDescr_t x, const void *beta,
                        cusparseDnVecDescr_t y);
LW_SPARSE cusparseGather(cusparseHandle_t handle, cusparseConstDnVecDescr_t y, cusparseSpVecDescr_t x);
LW_SPARSE cusparseScatter(cusparseHandle_t handle, cusparseConstSpVecDescr_t x, cusparseDnVecDescr_t y);
LW_SPARSE cusparseSpMV_bufferSize(cusparseHandle_t handle, cusparseOperation_t op, const void *alpha,
                                  cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x, const void *beta,
                                  cusparseDnVecDescr_t y, cudaDataType type, cusparseSpMVAlg_t algorithm, size_t *size);
LW_SPARSE cusparseSpMV(cusparseHandle_t handle, cusparseOperation_t op, const void *alpha, cusparseConstSpMatDescr_t a,
                       cusparseConstDnVecDescr_t x, const void *beta, cusparseDnVecDescr_t y, cudaDataType type,
                       cusparseSpMVAlg_t algorithm, void *buffer);
LW_SPARSE cusparseSpMV_preprocess(cusparseHandle_t handle, cusparseOperation_t op, const void *alpha,
                                  cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x, const void *beta,
                                  cusparseDnVecDescr_t y, cudaDataType type, cusparseSpMVAlg_t algorithm, void *buffer);
LW_SPARSE cusparseSpMM_bufferSize(cusparseHandle_t handle, cusparseOperation_t opa, cusparseOperation_t opb,
                                  const void *alpha, cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                  const void *beta, cusparseDnMatDescr_t c, cudaDataType type,
                                  cusparseSpMMAlg_t algorithm, size_t *size);
LW_SPARSE cusparseSpMM(cusparseHandle_t handle, cusparseOperation_t opa, cusparseOperation_t opb, const void *alpha,
                       cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b, const void *beta,
                       cusparseDnMatDescr_t c, cudaDataType type, cusparseSpMMAlg_t algorithm, void *buffer);
#define LW_SDDMM(name, last)                                                                                   \
    LW_SPARSE name(cusparseHandle_t handle, cusparseOperation_t opa, cusparseOperation_t opb, const void *alpha, \
                   cusparseConstDnMatDescr_t a, cusparseConstDnMatDescr_t b, const void *beta,                 \
                   cusparseSpMatDescr_t c, cudaDataType type, cusparseSDDMMAlg_t algorithm, last);
LW_SDDMM(cusparseSDDMM_bufferSize, size_t *size)
LW_SDDMM(cusparseSDDMM_preprocess, void *buffer)
LW_SDDMM(cusparseSDDMM, void *buffer)
#undef LW_SDDMM

LW_SPARSE cusparseSpGEMM_createDescr(cusparseSpGEMMDescr_t *description);
LW_SPARSE cusparseSpGEMM_destroyDescr(cusparseSpGEMMDescr_t description);
#define LW_SPGEMM(name, ...)                                                                                   \
    LW_SPARSE name(cusparseHandle_t handle, cusparseOperation_t opa, cusparseOperation_t opb, const void *alpha, \
                   cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b, const void *beta,                 \
                   cusparseSpMatDescr_t c, cudaDataType type, cusparseSpGEMMAlg_t algorithm,                   \
                   cusparseSpGEMMDescr_t description __VA_ARGS__);
#define LW_COMMA ,
LW_SPGEMM(cusparseSpGEMM_workEstimation, LW_COMMA size_t *size LW_COMMA void *buffer)
LW_SPGEMM(cusparseSpGEMM_compute, LW_COMMA size_t *size LW_COMMA void *buffer)
LW_SPGEMM(cusparseSpGEMM_copy, )
#undef LW_SPGEMM
#undef LW_COMMA

LW_SPARSE cusparseSpSV_createDescr(cusparseSpSVDescr_t *description);
LW_SPARSE cusparseSpSV_destroyDescr(cusparseSpSVDescr_t description);
LW_SPARSE cusparseSpSV_bufferSize(cusparseHandle_t handle, cusparseOperation_t op, const void *alpha,
                                  cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x, cusparseDnVecDescr_t y,
                                  cudaDataType type, cusparseSpSVAlg_t algorithm, cusparseSpSVDescr_t description,
                                  size_t *size);
LW_SPARSE cusparseSpSV_analysis(cusparseHandle_t handle, cusparseOperation_t op, const void *alpha,
                                cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x, cusparseDnVecDescr_t y,
                                cudaDataType type, cusparseSpSVAlg_t algorithm, cusparseSpSVDescr_t description,
                                void *buffer);
LW_SPARSE cusparseSpSV_solve(cusparseHandle_t handle, cusparseOperation_t op, const void *alpha,
                             cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x, cusparseDnVecDescr_t y,
                             cudaDataType type, cusparseSpSVAlg_t algorithm, cusparseSpSVDescr_t description);
LW_SPARSE cusparseSpSM_createDescr(cusparseSpSMDescr_t *description);
LW_SPARSE cusparseSpSM_destroyDescr(cusparseSpSMDescr_t description);
#define LW_SPSM(name, ...)                                                                                     \
    LW_SPARSE name(cusparseHandle_t handle, cusparseOperation_t opa, cusparseOperation_t opb, const void *alpha, \
                   cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b, cusparseDnMatDescr_t c,           \
                   cudaDataType type, cusparseSpSMAlg_t algorithm, cusparseSpSMDescr_t description __VA_ARGS__);
#define LW_COMMA ,
LW_SPSM(cusparseSpSM_bufferSize, LW_COMMA size_t *size)
LW_SPSM(cusparseSpSM_analysis, LW_COMMA void *buffer)
LW_SPSM(cusparseSpSM_solve, )
#undef LW_SPSM
#undef LW_COMMA

// ---- changes of format ----

LW_SPARSE cusparseSparseToDense_bufferSize(cusparseHandle_t handle, cusparseConstSpMatDescr_t a, cusparseDnMatDescr_t b,
                                           cusparseSparseToDenseAlg_t algorithm, size_t *size);
LW_SPARSE cusparseSparseToDense(cusparseHandle_t handle, cusparseConstSpMatDescr_t a, cusparseDnMatDescr_t b,
                                cusparseSparseToDenseAlg_t algorithm, void *buffer);
LW_SPARSE cusparseDenseToSparse_bufferSize(cusparseHandle_t handle, cusparseConstDnMatDescr_t a, cusparseSpMatDescr_t b,
                                           cusparseDenseToSparseAlg_t algorithm, size_t *size);
LW_SPARSE cusparseDenseToSparse_analysis(cusparseHandle_t handle, cusparseConstDnMatDescr_t a, cusparseSpMatDescr_t b,
                                         cusparseDenseToSparseAlg_t algorithm, void *buffer);
LW_SPARSE cusparseDenseToSparse_convert(cusparseHandle_t handle, cusparseConstDnMatDescr_t a, cusparseSpMatDescr_t b,
                                        cusparseDenseToSparseAlg_t algorithm, void *buffer);
#define LW_CSR2CSC(name, last)                                                                                 \
    LW_SPARSE name(cusparseHandle_t handle, int m, int n, int count, const void *from, const int *fromOffsets, \
                   const int *fromIndices, void *to, int *toOffsets, int *toIndices, cudaDataType type,        \
                   cusparseAction_t action, cusparseIndexBase_t base, cusparseCsr2CscAlg_t algorithm, last);
LW_CSR2CSC(cusparseCsr2cscEx2_bufferSize, size_t *size)
LW_CSR2CSC(cusparseCsr2cscEx2, void *buffer)
#undef LW_CSR2CSC
LW_SPARSE cusparseCreateIdentityPermutation(cusparseHandle_t handle, int n, int *p);
LW_SPARSE cusparseXcsrsort_bufferSizeExt(cusparseHandle_t handle, int m, int n, int count, const int *offsets,
                                         const int *indices, size_t *size);
LW_SPARSE cusparseXcsrsort(cusparseHandle_t handle, int m, int n, int count, const cusparseMatDescr_t description,
                           const int *offsets, int *indices, int *p, void *buffer);
LW_SPARSE cusparseXcoo2csr(cusparseHandle_t handle, const int *rows, int count, int m, int *offsets,
                           cusparseIndexBase_t base);

// ---- one a precision ----

#define LW_SPARSE_FAMILY(L, type)                                                                              \
    LW_SPARSE cusparse##L##nnz(cusparseHandle_t handle, cusparseDirection_t direction, int m, int n,           \
                               const cusparseMatDescr_t description, const type *a, int lda, int *each, int *total); \
    LW_SPARSE cusparse##L##gthr(cusparseHandle_t handle, int count, const type *y, type *x, const int *indices, \
                                cusparseIndexBase_t base);                                                     \
    LW_SPARSE cusparse##L##csrilu02_bufferSize(cusparseHandle_t handle, int m, int count,                      \
                                               const cusparseMatDescr_t description, type *values,             \
                                               const int *offsets, const int *indices, csrilu02Info_t info, int *size); \
    LW_SPARSE cusparse##L##csrilu02_analysis(cusparseHandle_t handle, int m, int count,                        \
                                             const cusparseMatDescr_t description, const type *values,         \
                                             const int *offsets, const int *indices, csrilu02Info_t info,      \
                                             cusparseSolvePolicy_t policy, void *buffer);                      \
    LW_SPARSE cusparse##L##csrilu02(cusparseHandle_t handle, int m, int count, const cusparseMatDescr_t description, \
                                    type *values, const int *offsets, const int *indices, csrilu02Info_t info, \
                                    cusparseSolvePolicy_t policy, void *buffer);
LW_SPARSE_FAMILY(S, float)
LW_SPARSE_FAMILY(D, double)
#undef LW_SPARSE_FAMILY
LW_SPARSE cusparseCreateCsrilu02Info(csrilu02Info_t *info);
LW_SPARSE cusparseDestroyCsrilu02Info(csrilu02Info_t info);
LW_SPARSE cusparseXcsrilu02_zeroPivot(cusparseHandle_t handle, csrilu02Info_t info, int *position);

#undef LW_SPARSE
}

#endif
