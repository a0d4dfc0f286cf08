// SPDX-License-Identifier: GPL-3.0-or-later
#include "modal/tall.h"

#include "base/memory.h"
#include "base/parked.h"
#include "base/watch.h"
#include "math/blas.h"
#include "math/dense_eigen.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum
{
    PIECE = 4096,          // rows
    MULTIPLY_PIECE = 1024, // rows of a product with a matrix that may be large, too
    REST = 4 * PIECE       // rows after which the memory of parked columns is given back
};

typedef struct Product
{
    int n, k, m;
    const double *a, *b, *c;
    int ldc;
    double alpha, beta;
    double* out;   // partial sums [pieces x k x m], or B
    bool isParked; // A
} Product;

static void RestNowAndThen(const Product* p, int end)
{
    if (p->isParked && (end % REST == 0 || end == p->n))
        qvRestParked(p->a, (size_t)p->n * (size_t)p->k * sizeof(double));
}

static void DotRows(void* context, int begin, int end)
{
    const Product* p = context;
    size_t items = (size_t)p->k * (size_t)p->m;
    qvBlas_Multiply(true, false, p->k, p->m, end - begin, 1.0, p->a + begin, p->n, p->b + begin, p->n, 0.0,
                    p->out + (size_t)(begin / PIECE) * items, p->k);
    RestNowAndThen(p, end);
}

qvResult qvTall_Dot(int n, int k, int m, const double* a, const double* b, double* c, int ldc, const qvJob* job,
                    qvError* error)
{
    return qvTall_DotColumns(n, (qvTallColumns){ a, k, false }, m, b, c, ldc, job, error);
}

qvResult qvTall_DotColumns(int n, qvTallColumns a, int m, const double* b, double* c, int ldc, const qvJob* job,
                           qvError* error)
{
    int k = a.count;
    if (k == 0 || m == 0)
        return qv_ok;
    if (n <= PIECE)
    {
        qvBlas_Multiply(true, false, k, m, n, 1.0, a.items, n, b, n, 0.0, c, ldc);
        return qvJob_Ask(job, error);
    }
    int pieces = (n + PIECE - 1) / PIECE;
    double* sums = qvAllocateRaw((size_t)pieces * (size_t)k, (size_t)m * sizeof(double));
    if (sums == NULL)
        return qvError_OutOfMemory(error, (double)pieces * k * m * sizeof(double));
    Product product = { .n = n, .k = k, .m = m, .a = a.items, .b = b, .out = sums, .isParked = a.isParked };
    qvResult result = qvWatchedFor(job, n, PIECE, DotRows, &product, error);
    for (int j = 0; result == qv_ok && j < m; j++)
    {
        double* column = c + (size_t)j * (size_t)ldc;
        memset(column, 0, (size_t)k * sizeof(double));
        for (int p = 0; p < pieces; p++)
            qvBlas_AddScaled(k, 1.0, sums + ((size_t)p * (size_t)m + (size_t)j) * (size_t)k, column);
    }
    free(sums);
    return result;
}

static void MultiplyRows(void* context, int begin, int end)
{
    const Product* p = context;
    qvBlas_Multiply(false, false, end - begin, p->m, p->k, p->alpha, p->a + begin, p->n, p->c, p->ldc, p->beta,
                    p->out + begin, p->n);
    RestNowAndThen(p, end);
}

qvResult qvTall_Multiply(int n, int k, int m, double alpha, const double* a, const double* c, int ldc, double beta,
                         double* b, const qvJob* job, qvError* error)
{
    return qvTall_MultiplyColumns(n, (qvTallColumns){ a, k, false }, m, alpha, c, ldc, beta, b, job, error);
}

qvResult qvTall_MultiplyColumns(int n, qvTallColumns a, int m, double alpha, const double* c, int ldc, double beta,
                                double* b, const qvJob* job, qvError* error)
{
    Product product = { .n = n, .k = a.count, .m = m, .a = a.items, .c = c, .ldc = ldc };
    product.alpha = alpha, product.beta = beta, product.out = b, product.isParked = a.isParked;
    return qvWatchedFor(job, n, MULTIPLY_PIECE, MultiplyRows, &product, error);
}

// --- QR -------------------------------------------------------------------------------------------------------------

typedef struct Tall
{
    int n, k;
    double* w;
    double* stack; // [pieces k x k] the pieces' triangles on top of each other, then their factor
    int stackRows;
    const double* factor; // [k x count] what all rows are multiplied with, or the triangle whose transpose divides them
    int count;
    atomic_int result;
} Tall;

// Pieces are numbered; the last one has the rest of the rows, too, and so no fewer than k.
static int PieceCount(const Tall* tall)
{
    int pieces = tall->n / PIECE;
    return pieces > 0 && tall->k <= PIECE ? pieces : 1;
}

static int PieceRows(const Tall* tall, int piece)
{
    return piece + 1 < PieceCount(tall) ? PIECE : tall->n - piece * PIECE;
}

static void FactorizePieces(void* context, int begin, int end)
{
    Tall* tall = context;
    size_t k = (size_t)tall->k;
    double* triangle = qvAllocateRaw(k * k, sizeof(double));
    for (int p = begin; p < end; p++)
    {
        qvError ignored;
        qvResult result = triangle == NULL ? qv_outOfMemory
                                           : qvDense_QR(PieceRows(tall, p), tall->k, tall->w + (size_t)p * PIECE,
                                                        tall->n, triangle, &ignored);
        if (result != qv_ok)
            tall->result = result;
        for (size_t j = 0; result == qv_ok && j < k; j++)
            memcpy(tall->stack + j * (size_t)tall->stackRows + (size_t)p * k, triangle + j * k, k * sizeof(double));
    }
    free(triangle);
}

// Each piece times its part of the stack's factor.
static void JoinPieces(void* context, int begin, int end)
{
    Tall* tall = context;
    for (int p = begin; p < end; p++)
    {
        const double* part = tall->stack + (size_t)p * (size_t)tall->k;
        if (!qvDense_MultiplyInPlace(PieceRows(tall, p), tall->k, tall->w + (size_t)p * PIECE, tall->n, part,
                                     tall->stackRows, tall->k))
            tall->result = qv_outOfMemory;
    }
}

static qvResult Report(const Tall* tall, qvError* error)
{
    qvResult result = (qvResult)tall->result;
    if (result == qv_outOfMemory)
        return qvError_OutOfMemory(error, (double)tall->stackRows * tall->k * sizeof(double));
    if (result != qv_ok)
        return qvError_Set(error, result, "vectors of %d numbers have some that are not finite; check the shape",
                           tall->n);
    return qv_ok;
}

qvResult qvTall_QR(int n, int k, double* w, double* triangle, const qvJob* job, qvError* error)
{
    Tall tall = { .n = n, .k = k, .w = w };
    int pieces = PieceCount(&tall);
    if (pieces == 1 || k == 0)
        return qvDense_QR(n, k, w, n, triangle, error);
    tall.stackRows = pieces * k;
    tall.stack = qvAllocateRaw((size_t)tall.stackRows * (size_t)k, sizeof(double));
    if (tall.stack == NULL)
        return qvError_OutOfMemory(error, (double)tall.stackRows * k * sizeof(double));
    qvResult result = qvWatchedFor(job, pieces, 1, FactorizePieces, &tall, error);
    if (result == qv_ok)
        result = Report(&tall, error);
    if (result == qv_ok)
        result = qvDense_QR(tall.stackRows, k, tall.stack, tall.stackRows, triangle, error);
    if (result == qv_ok)
        result = qvWatchedFor(job, pieces, 1, JoinPieces, &tall, error);
    if (result == qv_ok)
        result = Report(&tall, error);
    free(tall.stack);
    return result;
}

static void DivideRows(void* context, int begin, int end)
{
    const Tall* tall = context;
    qvBlas_SolveLower(end - begin, tall->k, tall->factor, tall->k, tall->w + begin, tall->n);
}

// How far a Gram matrix is from that of orthonormal columns; also when it is no number.
static bool IsNearOne(int k, const double* gram)
{
    for (int i = 0; i < k * k; i++)
    {
        if (!(fabs(gram[i] - (i / k == i % k)) < 0.1))
            return false;
    }
    return true;
}

qvResult qvTall_FastQR(int n, int k, double* w, double* triangle, const qvJob* job, qvError* error)
{
    if (k == 0)
        return qv_ok;
    double* l = qvAllocateRaw((size_t)k * (size_t)k, sizeof(double));
    if (l == NULL)
        return qvError_OutOfMemory(error, (double)k * k * sizeof(double));
    qvResult result = qvTall_Dot(n, k, k, w, w, l, k, job, error);
    if (result == qv_ok && IsNearOne(k, l) && qvBlas_Cholesky(k, l, k) < 0)
    {
        Tall tall = { .n = n, .k = k, .w = w, .factor = l };
        result = qvWatchedFor(job, n, PIECE, DivideRows, &tall, error);
        for (int i = 0; i < k * k; i++)
            triangle[i] = i % k <= i / k ? l[(size_t)(i % k) * (size_t)k + (size_t)(i / k)] : 0.0;
    }
    else if (result == qv_ok)
        result = qvTall_QR(n, k, w, triangle, job, error);
    free(l);
    return result;
}

// --- Singular vectors -----------------------------------------------------------------------------------------------

static void TurnRows(void* context, int begin, int end)
{
    Tall* tall = context;
    if (!qvDense_MultiplyInPlace(end - begin, tall->k, tall->w + begin, tall->n, tall->factor, tall->k, tall->count))
        tall->result = qv_outOfMemory;
}

qvResult qvTall_Turn(int n, int k, double* w, const double* factor, int count, const qvJob* job, qvError* error)
{
    Tall tall = { .n = n, .k = k, .w = w, .factor = factor, .count = count };
    qvResult result = k > 0 ? qvWatchedFor(job, n, PIECE, TurnRows, &tall, error) : qv_ok;
    return result == qv_ok ? Report(&tall, error) : result;
}

qvResult qvTall_Orthonormalize(int n, int k, double* w, double cutoff, double* singular, int* rank, const qvJob* job,
                               qvError* error)
{
    *rank = 0;
    double* triangle = qvAllocateRaw((size_t)k * (size_t)k, sizeof(double));
    if (triangle == NULL)
        return qvError_OutOfMemory(error, (double)k * k * sizeof(double));
    qvResult result = qvTall_QR(n, k, w, triangle, job, error);
    if (result == qv_ok)
        result = qvDense_Orthonormalize(k, k, triangle, k, cutoff, singular, rank, error);
    if (result == qv_ok)
        result = qvTall_Turn(n, k, w, triangle, *rank, job, error);
    free(triangle);
    return result;
}
