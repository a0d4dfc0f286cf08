// SPDX-License-Identifier: GPL-3.0-or-later
#include "bem/table.h"

#include "base/assert.h"
#include "base/memory.h"
#include "bem/radial.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    LANES = 4,       // channels are padded to whole vectors
    MIN_NODES = 64,  // distances of the smallest table
    START_NODES = 7, // from which the value at distance 0 is extrapolated
};

static const double MAX_NODES = 4e6;

static int StrideOf(int channels)
{
    return (channels + 1 + LANES - 1) / LANES * LANES;
}

static qvResult NewTable(double kappa, int channels, double reach, double spacing, qvBemTable** out, qvError* error)
{
    QV_ASSERT(channels > 0 && reach > 0.0 && spacing > 0.0);
    *out = NULL;
    spacing = fmin(spacing, reach / MIN_NODES);
    double nodes = ceil(reach / spacing) + 4.0;
    int stride = StrideOf(channels);
    if (!(nodes * stride < MAX_NODES * LANES))
        return qvError_Set(error, qv_badInput,
                           "a body %.3g times as long as a wave travels in a step is too large; "
                           "use larger steps or a softer material",
                           reach / spacing);
    qvBemTable* table = qvAllocate(1, sizeof(*table));
    if (table == NULL)
        return qvError_OutOfMemory(error, sizeof(*table));
    *table =
        (qvBemTable){ .kappa = kappa, .channels = channels, .stride = stride, .spacing = spacing, .count = (int)nodes };
    size_t size = (size_t)table->count * qv_radialCount * (size_t)stride;
    table->values = qvAllocate(size, sizeof(double));
    table->staticShare = qvAllocate((size_t)stride, sizeof(double));
    if (table->values == NULL || table->staticShare == NULL)
    {
        qvDestroyBemTable(table);
        return qvError_OutOfMemory(error, (double)size * sizeof(double));
    }
    *out = table;
    return qv_ok;
}

void qvDestroyBemTable(qvBemTable* table)
{
    if (table == NULL)
        return;
    free(table->values);
    free(table->staticShare);
    free(table);
}

static double* Node(qvBemTable* table, int node, int function)
{
    return table->values + ((size_t)node * qv_radialCount + (size_t)function) * (size_t)table->stride;
}

// Values at distance 0 by the polynomial through the nodes after it.
static void FillStart(qvBemTable* table)
{
    for (int f = 0; f < qv_radialCount; f++)
    {
        for (int c = 0; c < table->channels; c++)
        {
            double sum = 0.0, factor = START_NODES; // (-1)^(n+1) binomial(START_NODES, n)
            for (int n = 1; n <= START_NODES; n++)
            {
                sum += factor * Node(table, n, f)[c];
                factor *= -(double)(START_NODES - n) / (n + 1);
            }
            Node(table, 0, f)[c] = sum;
        }
    }
}

static double PowerOf(int function, double r)
{
    return function < qv_radialPa ? r : r * r;
}

static const double TINY = 1e-30; // of the complex step: the derivative is exact to rounding
static const double SMALL = 1e-4; // of differences, in |s|

// The kernels of a channel at a distance. Derivatives at a real s are those of the complex step, exact to the last
// digits; elsewhere central differences of a kernel that is analytic, exact to 1e-8 of it.
static void ChannelAt(const qvBemChannel* channel, double kappa, double r, double* out)
{
    double complex ahead[qv_radialCount], back[qv_radialCount];
    bool imaginary = channel->part == qv_bemImaginary || channel->part == qv_bemImaginaryDerivative;
    if (channel->part == qv_bemDerivative && cimag(channel->s) == 0.0)
    {
        qvBemRadial_Dynamic(kappa, qvComplex(creal(channel->s) * r, r * TINY), ahead);
        for (int f = 0; f < qv_radialCount; f++)
            out[f] = cimag(ahead[f]) / TINY;
        return;
    }
    double step = 0.0;
    qvBemRadial_Dynamic(kappa, channel->s * r, ahead);
    if (channel->part == qv_bemDerivative || channel->part == qv_bemImaginaryDerivative)
    {
        step = SMALL * cabs(channel->s);
        qvBemRadial_Dynamic(kappa, (channel->s + step) * r, ahead);
        qvBemRadial_Dynamic(kappa, (channel->s - step) * r, back);
    }
    for (int f = 0; f < qv_radialCount; f++)
    {
        double complex value = step > 0.0 ? (ahead[f] - back[f]) / (2.0 * step) : ahead[f];
        out[f] = imaginary ? cimag(value) : creal(value);
    }
}

qvResult qvCreateLaplaceTable(double kappa, const qvBemChannel* channels, int count, double reach, double step,
                              qvBemTable** table, qvError* error)
{
    double fastest = 0.0;
    for (int c = 0; c < count; c++)
        fastest = fmax(fastest, cabs(channels[c].s));
    qvResult result = NewTable(kappa, count, reach, step / fastest, table, error);
    if (result != qv_ok)
        return result;
    for (int c = 0; c < count; c++)
    {
        double radial[qv_radialCount];
        (*table)->staticShare[c] = channels[c].part == qv_bemReal;
        for (int node = 1; node < (*table)->count; node++)
        {
            double r = node * (*table)->spacing;
            ChannelAt(&channels[c], kappa, r, radial);
            for (int f = 0; f < qv_radialCount; f++)
                Node(*table, node, f)[c] = radial[f] / PowerOf(f, r);
        }
    }
    FillStart(*table);
    return qv_ok;
}

qvResult qvCreateBdf1Table(double kappa, double shearStep, int last, double reach, double step, qvBemTable** table,
                           qvError* error)
{
    qvResult result = NewTable(kappa, last + 1, reach, step * shearStep, table, error);
    if (result != qv_ok)
        return result;
    double farthest = (*table)->spacing * (*table)->count / shearStep, fixed[qv_radialCount];
    double* scratch = qvAllocate((size_t)qvBemRadial_Bdf1Scratch(farthest, last), sizeof(double));
    double* weights = qvAllocate((size_t)qv_radialCount * (size_t)(last + 1), sizeof(double));
    if (scratch == NULL || weights == NULL)
    {
        result = qvError_OutOfMemory(error, 8.0 * (farthest + last));
        qvDestroyBemTable(*table);
        *table = NULL;
    }
    qvBemRadial_Static(kappa, fixed);
    for (int node = 1; result == qv_ok && node < (*table)->count; node++)
    {
        double r = node * (*table)->spacing;
        qvBemRadial_Bdf1(kappa, r / shearStep, last, weights, scratch);
        for (int f = 0; f < qv_radialCount; f++)
        {
            for (int k = 0; k <= last; k++)
                Node(*table, node, f)[k] = (weights[f * (last + 1) + k] - (k == 0 ? fixed[f] : 0.0)) / PowerOf(f, r);
        }
    }
    if (result == qv_ok)
    {
        (*table)->staticShare[0] = 1.0;
        FillStart(*table);
    }
    free(scratch);
    free(weights);
    return result;
}

qvResult qvCreateBemTablePart(const qvBemTable* table, int first, int count, qvBemTable** out, qvError* error)
{
    QV_ASSERT(first >= 0 && count > 0 && first + count <= table->channels);
    *out = NULL;
    int stride = StrideOf(count);
    size_t size = (size_t)table->count * qv_radialCount * (size_t)stride;
    qvBemTable* part = qvAllocate(1, sizeof(*part));
    if (part == NULL)
        return qvError_OutOfMemory(error, sizeof(*part));
    *part = *table;
    part->channels = count;
    part->stride = stride;
    part->values = qvAllocate(size, sizeof(double));
    part->staticShare = qvAllocate((size_t)stride, sizeof(double));
    if (part->values == NULL || part->staticShare == NULL)
    {
        qvDestroyBemTable(part);
        return qvError_OutOfMemory(error, (double)size * sizeof(double));
    }
    for (size_t row = 0; row < (size_t)table->count * qv_radialCount; row++)
        memcpy(part->values + row * (size_t)stride, table->values + row * (size_t)table->stride + first,
               (size_t)count * sizeof(double));
    memcpy(part->staticShare, table->staticShare + first, (size_t)count * sizeof(double));
    *out = part;
    return qv_ok;
}

int qvBemHistoryLength(double diameter, double shearStep)
{
    double tau = diameter / shearStep;
    return (int)ceil(tau + 4.0 * sqrt(tau) + 4.0);
}
