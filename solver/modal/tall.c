// SPDX-License-Identifier: GPL-3.0-or-later
#include "modal/tall.h"

#include "base/memory.h"
#include "math/blas.h"

#include <stdlib.h>
#include <string.h>

enum
{
    PIECE = 8192 // rows
};

typedef struct Product
{
    int n, k, m;
    const double *a, *b, *c;
    int ldc;
    double alpha, beta;
    double* out; // partial sums [pieces x k x m], or B
} Product;

static void DotRows(void* context, int begin, int end)
{
    const Product* p = context;
    size_t items = (size_t)p->k * (size_t)p->m;
    qvBlas_Multiply(true, false, p->k, p->m, end - begin, 1.0, p->a + begin, p->n, p->b + begin, p->n, 0.0,
                    p->out + (size_t)(begin / PIECE) * items, p->k);
}

bool qvTall_Dot(int n, int k, int m, const double* a, const double* b, double* c, int ldc, qvPool* pool)
{
    if (k == 0 || m == 0)
        return true;
    if (n <= PIECE)
    {
        qvBlas_Multiply(true, false, k, m, n, 1.0, a, n, b, n, 0.0, c, ldc);
        return true;
    }
    int pieces = (n + PIECE - 1) / PIECE;
    double* sums = qvAllocateRaw((size_t)pieces * (size_t)k, (size_t)m * sizeof(double));
    if (sums == NULL)
        return false;
    Product product = { .n = n, .k = k, .m = m, .a = a, .b = b, .out = sums };
    qvParallelFor(pool, n, PIECE, DotRows, &product);
    for (int j = 0; j < m; j++)
    {
        double* column = c + (size_t)j * (size_t)ldc;
        memset(column, 0, (size_t)k * sizeof(double));
        for (int p = 0; p < pieces; p++)
            qvBlas_AddScaled(k, 1.0, sums + ((size_t)p * (size_t)m + (size_t)j) * (size_t)k, column);
    }
    free(sums);
    return true;
}

static void MultiplyRows(void* context, int begin, int end)
{
    const Product* p = context;
    qvBlas_Multiply(false, false, end - begin, p->m, p->k, p->alpha, p->a + begin, p->n, p->c, p->ldc, p->beta,
                    p->out + begin, p->n);
}

void qvTall_Multiply(int n, int k, int m, double alpha, const double* a, const double* c, int ldc, double beta,
                     double* b, qvPool* pool)
{
    Product product = { .n = n, .k = k, .m = m, .a = a, .c = c, .ldc = ldc, .alpha = alpha, .beta = beta, .out = b };
    qvParallelFor(pool, n, PIECE, MultiplyRows, &product);
}
