// SPDX-License-Identifier: GPL-3.0-or-later
// R. B. Lehoucq, D. C. Sorensen, C. Yang, "ARPACK Users' Guide: solution of large-scale eigenvalue problems with
// implicitly restarted Arnoldi methods", SIAM 1998. Mode 1 on OP itself: as K' is mass-scaled, no product with M is
// needed, and the largest algebraic eigenvalues of OP are the lowest of K'.
#include "modal/eigen.h"

#include "base/memory.h"
#include "modal/factor.h"

#include <arpack/arpack.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// A Krylov space of one vector sees one copy of a repeated eigenvalue; rounding brings up the others, such as the six
// zero modes of a free body, but late. More eigenvalues than wanted and a tolerance near rounding give it the time.
enum
{
    GUARD = 12
};

static const double STRICT_TOLERANCE = 1e-13;

// ARPACK keeps the state of its reverse communication in static variables.
static pthread_mutex_t arpackLock = PTHREAD_MUTEX_INITIALIZER;

typedef struct Arpack
{
    a_int n, nev, ncv, lworkl;
    double tolerance;
    double *resid, *v, *workd, *workl, *values;
    a_int* select;
    a_int iparam[11], ipntr[11];
} Arpack;

static bool AllocateArpack(const qvEigenProblem* problem, Arpack* arpack)
{
    int n = problem->n, nev = problem->count + GUARD < n ? problem->count + GUARD : n - 1;
    int ncv = 2 * nev + 16 < n ? 2 * nev + 16 : n;
    *arpack = (Arpack){ .n = n, .nev = nev, .ncv = ncv, .lworkl = ncv * (ncv + 8) };
    arpack->tolerance = fmin(problem->tolerance, STRICT_TOLERANCE);
    arpack->resid = qvAllocate((size_t)n, sizeof(double));
    arpack->v = qvAllocate((size_t)n * (size_t)ncv, sizeof(double));
    arpack->workd = qvAllocate(3 * (size_t)n, sizeof(double));
    arpack->workl = qvAllocate((size_t)arpack->lworkl, sizeof(double));
    arpack->values = qvAllocate((size_t)nev, sizeof(double));
    arpack->select = qvAllocate((size_t)ncv, sizeof(a_int));
    return arpack->resid != NULL && arpack->v != NULL && arpack->workd != NULL && arpack->workl != NULL &&
           arpack->values != NULL && arpack->select != NULL;
}

static void FreeArpack(Arpack* arpack)
{
    free(arpack->resid);
    free(arpack->v);
    free(arpack->workd);
    free(arpack->workl);
    free(arpack->values);
    free(arpack->select);
}

// Runs the reverse communication until ARPACK is done. *info is ARPACK's.
static qvResult Iterate(const qvEigenProblem* problem, Arpack* arpack, a_int* info, int* solves, qvError* error)
{
    a_int ido = 0;
    *info = 1; // start from resid
    for (;;)
    {
        dsaupd_c(&ido, "I", arpack->n, "LA", arpack->nev, arpack->tolerance, arpack->resid, arpack->ncv, arpack->v,
                 arpack->n, arpack->iparam, arpack->ipntr, arpack->workd, arpack->workl, arpack->lworkl, info);
        if (ido != 1 && ido != -1)
            return qv_ok;
        const double* x = arpack->workd + arpack->ipntr[0] - 1;
        double* y = arpack->workd + arpack->ipntr[1] - 1;
        qvResult result = qvFactor_SolveFree(problem->factor, x, 1, y, problem->job, error);
        if (result == qv_ok)
            result = qvJob_Progress(problem->job, "modes", 1.0 - 1.0 / (1.0 + *solves / (2.0 * arpack->ncv)), error);
        if (result != qv_ok)
            return result;
        ++*solves;
    }
}

static qvResult Extract(const qvEigenProblem* problem, Arpack* arpack, qvEigenResult* result, qvError* error)
{
    a_int info = 0;
    dseupd_c(1, "A", arpack->select, arpack->values, arpack->v, arpack->n, 0.0, "I", arpack->n, "LA", arpack->nev,
             arpack->tolerance, arpack->resid, arpack->ncv, arpack->v, arpack->n, arpack->iparam, arpack->ipntr,
             arpack->workd, arpack->workl, arpack->lworkl, &info);
    if (info != 0)
        return qvError_Set(error, qv_notConverged, "the vibration modes could not be extracted (ARPACK %d)", (int)info);
    // Eigenvalues of OP ascend: the wanted ones are the last.
    size_t n = (size_t)arpack->n, skipped = (size_t)(arpack->nev - problem->count);
    memcpy(result->vectors, arpack->v + n * skipped, n * (size_t)problem->count * sizeof(double));
    result->residual = arpack->tolerance;
    return qv_ok;
}

static qvResult Run(const qvEigenProblem* problem, Arpack* arpack, qvEigenResult* result, qvError* error)
{
    qvFillRandom(arpack->resid, (size_t)arpack->n, 1);
    arpack->iparam[0] = 1; // exact shifts
    arpack->iparam[2] = problem->maxSteps;
    arpack->iparam[3] = 1;
    arpack->iparam[6] = 1; // mode
    a_int info = 0;
    qvResult status = Iterate(problem, arpack, &info, &result->solves, error);
    result->steps = arpack->iparam[2];
    if (status != qv_ok)
        return status;
    if (info != 0)
        return qvError_Set(error, qv_notConverged, "the vibration modes did not converge in %d restarts (ARPACK %d)",
                           problem->maxSteps, (int)info);
    return Extract(problem, arpack, result, error);
}

qvResult qvSolveEigenArpack(const qvEigenProblem* problem, qvEigenResult* result, qvError* error)
{
    Arpack arpack;
    qvResult status;
    pthread_mutex_lock(&arpackLock);
    if (AllocateArpack(problem, &arpack))
        status = Run(problem, &arpack, result, error);
    else
        status = qvError_OutOfMemory(error, (double)problem->n * arpack.ncv * sizeof(double));
    FreeArpack(&arpack);
    pthread_mutex_unlock(&arpackLock);
    return status;
}
