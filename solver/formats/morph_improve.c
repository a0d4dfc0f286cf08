// SPDX-License-Identifier: GPL-3.0-or-later
// Shapes for the largest error instead of the sum of squares, by iteratively reweighted least squares (C. L. Lawson,
// "Contributions to the theory of linear least maximum approximation", 1961): frames that are far off count more in the
// next round. A round costs little beside making the Gram matrix.
#include "formats/morph_space.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    ROUNDS = 3
};

static const double LEAST_FACTOR = 0.05;  // of a weight, from round to round
static const double LEAST_WEIGHT = 0.002; // so that no frame is forgotten

// A space of the same frames with weights of its own.
static qvResult CreateTwin(const qvMorphSpace* space, qvMorphSpace* twin, qvError* error)
{
    size_t n = (size_t)space->snapshotCount;
    *twin = (qvMorphSpace){
        .frames = space->frames, .mean = space->mean, .gram = space->gram, .snapshotCount = space->snapshotCount
    };
    twin->weights = qvAllocate(n, sizeof(double));
    twin->eigenvalues = qvAllocate(n, sizeof(double));
    twin->vectors = qvAllocateRaw(n * n, sizeof(double));
    if (twin->weights == NULL || twin->eigenvalues == NULL || twin->vectors == NULL)
        return qvError_OutOfMemory(error, (double)(n * n * sizeof(double)));
    return qv_ok;
}

static void FreeTwin(qvMorphSpace* twin)
{
    free(twin->weights);
    free(twin->eigenvalues);
    free(twin->vectors);
    free(twin->shapes);
    free(twin->coordinates);
}

static void Swap(qvMorphSpace* a, qvMorphSpace* b)
{
    qvMorphSpace c = *a;
    *a = *b;
    *b = c;
}

static double Largest(const double* errors, int count)
{
    double largest = 0.0;
    for (int k = 0; k < count; k++)
        largest = fmax(largest, errors[k]);
    return largest;
}

static void Reweigh(double* weights, const double* errors, int count)
{
    double worst = Largest(errors, count), largest = 0.0;
    for (int k = 0; k < count; k++)
    {
        weights[k] *= sqrt(fmax(worst > 0.0 ? errors[k] / worst : 1.0, LEAST_FACTOR));
        largest = fmax(largest, weights[k]);
    }
    for (int k = 0; k < count; k++)
        weights[k] = fmax(weights[k] / largest, LEAST_WEIGHT);
}

// One round: the twin gets new weights from its errors, and changes places with the space where it is better. *hopeful:
// another round may help; smooth motions show in the first one that none does.
static qvResult ImproveOnce(qvMorphSpace* space, qvMorphSpace* twin, double* weights, double* errors, double tolerance,
                            const qvJob* job, int* rank, double* worst, bool* hopeful, qvError* error)
{
    bool reached = *worst <= tolerance;
    int lower = reached ? *rank * 2 / 3 : *rank, upper = reached ? *rank - 1 : *rank;
    qvResult result = qvMorphSpace_FrameErrors(twin->rank > 0 ? twin : space, upper, job, errors, error);
    if (result != qv_ok)
        return result;
    Reweigh(weights, errors, space->snapshotCount);
    result = qvMorphSpace_Weigh(twin, weights, error);
    int found;
    double distance;
    if (result == qv_ok)
        result = qvMorphSpace_Choose(twin, tolerance, lower, upper, job, &found, &distance, error);
    if (result != qv_ok)
        return result;
    *hopeful = distance < 0.9 * Largest(errors, space->snapshotCount);
    if (!(reached ? distance <= tolerance : distance < 0.98 * *worst))
        return qv_ok;
    *hopeful = true;
    *rank = found;
    *worst = distance;
    Swap(space, twin);
    twin->rank = 0; // what is left is the worse one; the next round starts from the better
    return qv_ok;
}

qvResult qvMorphSpace_Improve(qvMorphSpace* space, double tolerance, const qvJob* job, int* rank, double* worst,
                              qvError* error)
{
    int frames = space->frames.frameCount;
    if (space->snapshotCount != frames || *rank < 2)
        return qv_ok;
    qvMorphSpace twin;
    qvResult result = CreateTwin(space, &twin, error);
    double* weights = qvAllocate((size_t)frames, sizeof(double));
    double* errors = qvAllocate((size_t)frames, sizeof(double));
    if (result == qv_ok && (weights == NULL || errors == NULL))
        result = qvError_OutOfMemory(error, 2.0 * frames * sizeof(double));
    for (int k = 0; k < frames && result == qv_ok; k++)
        weights[k] = space->weights[k];
    bool hopeful = true;
    for (int i = 0; i < ROUNDS && result == qv_ok && *rank >= 2 && (hopeful || i > 1); i++)
        result = ImproveOnce(space, &twin, weights, errors, tolerance, job, rank, worst, &hopeful, error);
    free(weights);
    free(errors);
    FreeTwin(&twin);
    return result;
}
