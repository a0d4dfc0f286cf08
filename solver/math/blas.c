// SPDX-License-Identifier: GPL-3.0-or-later
// The BLAS calls of the solver and the set-up of OpenBLAS.
#include "math/blas.h"

#include "quaver/blas.h"

#include "base/assert.h"
#include "base/cpu.h"

#include <cblas.h>
#include <lapacke.h>
#include <stddef.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/resource.h>

// Of OpenBLAS itself; other libraries with the same interface have none.
extern void* blas_memory_alloc(int place) __attribute__((weak));
extern void blas_memory_free(void* memory) __attribute__((weak));

static const size_t BUFFER = ((size_t)128 << 20) + (1 << 16); // bytes that a call works in, at most
enum
{
    MOST_BUFFERS = 128 // half of what OpenBLAS can have
};

void qvBlas_UseOneThread(void)
{
    openblas_set_num_threads(1);
}

bool qvBlas_IsCramped(void)
{
    struct rlimit limit;
    return getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

// Room for all of them was there, and what OpenBLAS has taken it keeps.
static void TakeBuffers(int count)
{
    void* buffers[MOST_BUFFERS];
    for (int i = 0; i < count; i++)
        buffers[i] = blas_memory_alloc(0);
    for (int i = 0; i < count; i++)
        blas_memory_free(buffers[i]);
}

qvResult qvBlas_Claim(int threads, qvError* error)
{
    int count = threads < MOST_BUFFERS ? threads : MOST_BUFFERS;
    size_t bytes = (size_t)count * BUFFER;
    if (!qvBlas_IsCramped())
        return qv_ok;
    void* room = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (room == MAP_FAILED)
        return qvError_Set(error, qv_outOfMemory,
                           "not enough address space for %.0f MB, which linear algebra needs; raise the limit (ulimit "
                           "-v)",
                           (double)bytes / 1e6);
    munmap(room, bytes);
    if (blas_memory_alloc != NULL && blas_memory_free != NULL)
        TakeBuffers(count);
    return qv_ok;
}

const char* qvBlas_CoreName(void)
{
    const char* name = openblas_get_corename();
    return name != NULL ? name : "unknown";
}

const char* qvBlas_WantedCore(void)
{
    // What OpenBLAS falls back to on an unknown CPU. Any other choice was made by looking at the CPU.
    static const char* const fallbacks[] = { "Prescott", "Core2", "Generic", "Unknown" };
    bool fellBack = false;
    for (size_t i = 0; i < sizeof(fallbacks) / sizeof(fallbacks[0]); i++)
        fellBack = fellBack || strcasecmp(qvBlas_CoreName(), fallbacks[i]) == 0;
    if (!fellBack)
        return NULL;
    switch (qvGetCpuLevel())
    {
    case qv_cpuAvx512:
        return "SKYLAKEX";
    case qv_cpuAvx2:
        return "HASWELL";
    default:
        return NULL;
    }
}

void qvBlas_Multiply(bool transA, bool transB, int m, int n, int k, double alpha, const double* a, int lda,
                     const double* b, int ldb, double beta, double* c, int ldc)
{
    QV_ASSERT(m >= 0 && n >= 0 && k >= 0);
    if (m == 0 || n == 0)
        return;
    // CBLAS wants positive leading dimensions even where a matrix is empty.
    if (n == 1 && !transA && !transB) // a product with one column copies the whole matrix first
    {
        cblas_dgemv(CblasColMajor, CblasNoTrans, m, k, alpha, a, lda > 0 ? lda : 1, b, 1, beta, c, 1);
        return;
    }
    cblas_dgemm(CblasColMajor, transA ? CblasTrans : CblasNoTrans, transB ? CblasTrans : CblasNoTrans, m, n, k, alpha,
                a, lda > 0 ? lda : 1, b, ldb > 0 ? ldb : 1, beta, c, ldc);
}

void qvBlas_Gram(int m, int n, const double* a, int lda, double* c, int ldc)
{
    QV_ASSERT(m >= 0 && n >= 0);
    if (n == 0)
        return;
    cblas_dsyrk(CblasColMajor, CblasLower, CblasTrans, n, m, 1.0, a, lda > 0 ? lda : 1, 0.0, c, ldc);
    for (int j = 0; j < n; j++)
    {
        for (int i = 0; i < j; i++)
            c[(size_t)j * (size_t)ldc + (size_t)i] = c[(size_t)i * (size_t)ldc + (size_t)j];
    }
}

int qvBlas_Cholesky(int n, double* a, int lda)
{
    lapack_int info = LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', n, a, lda);
    QV_ASSERT(info >= 0);
    return (int)info - 1;
}

void qvBlas_SolveLower(int m, int n, const double* l, int ldl, double* a, int lda)
{
    cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, m, n, 1.0, l, ldl, a, lda);
}

double qvBlas_Norm(int count, const double* x)
{
    return cblas_dnrm2(count, x, 1);
}

void qvBlas_Scale(int count, double alpha, double* x)
{
    cblas_dscal(count, alpha, x, 1);
}

void qvBlas_AddScaled(int count, double alpha, const double* x, double* y)
{
    cblas_daxpy(count, alpha, x, 1, y, 1);
}
