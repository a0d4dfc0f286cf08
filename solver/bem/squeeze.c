// SPDX-License-Identifier: GPL-3.0-or-later
// Sugimoto, Batty, Hachisuka 2022, section 3.3 (bem/squeeze.h).
#include "bem/squeeze.h"

#include "base/assert.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// --- Order ----------------------------------------------------------------------------------------------------------

typedef struct Place
{
    double at;
    int32_t vertex;
} Place;

static int ComparePlaces(const void* a, const void* b)
{
    const Place *x = a, *y = b;
    return x->at != y->at ? (x->at > y->at) - (x->at < y->at) : (x->vertex > y->vertex) - (x->vertex < y->vertex);
}

static double Along(qvVec3 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

static void Halve(const qvVec3* vertices, int32_t* order, int count, Place* places)
{
    if (count < 2)
        return;
    int longest = 0;
    double most = -1.0;
    for (int axis = 0; axis < 3; axis++)
    {
        double low = INFINITY, high = -INFINITY;
        for (int i = 0; i < count; i++)
        {
            low = fmin(low, Along(vertices[order[i]], axis));
            high = fmax(high, Along(vertices[order[i]], axis));
        }
        longest = high - low > most ? axis : longest;
        most = fmax(most, high - low);
    }
    for (int i = 0; i < count; i++)
        places[i] = (Place){ Along(vertices[order[i]], longest), order[i] };
    qsort(places, (size_t)count, sizeof(*places), ComparePlaces);
    for (int i = 0; i < count; i++)
        order[i] = places[i].vertex;
    Halve(vertices, order, count / 2, places);
    Halve(vertices, order + count / 2, count - count / 2, places);
}

qvResult qvMakeSqueezeBasis(const qvVec3* vertices, int count, qvSqueezeBasis* basis, qvError* error)
{
    QV_ASSERT(count > 0 && 3 * count <= UINT16_MAX);
    *basis = (qvSqueezeBasis){ .count = count, .order = qvAllocate((size_t)count, sizeof(int32_t)) };
    Place* places = qvAllocate((size_t)count, sizeof(*places));
    bool failed = basis->order == NULL || places == NULL;
    for (int i = 0; !failed && i < count; i++)
        basis->order[i] = i;
    if (!failed)
        Halve(vertices, basis->order, count, places);
    free(places);
    return failed ? qvError_OutOfMemory(error, 20.0 * count) : qv_ok;
}

void qvFreeSqueezeBasis(qvSqueezeBasis* basis)
{
    free(basis->order);
}

// --- Transform ------------------------------------------------------------------------------------------------------

// Rows of that width are transformed together: the sum of a node comes first, its difference where its right half
// begins.
static void Forward(double* rows, int count, size_t width)
{
    if (count < 2)
        return;
    int left = count / 2, right = count - left;
    double *a = rows, *b = rows + (size_t)left * width;
    Forward(a, left, width);
    Forward(b, right, width);
    double l = sqrt((double)left / count), r = sqrt((double)right / count);
    for (size_t i = 0; i < width; i++)
    {
        double sum = l * a[i] + r * b[i], gap = r * a[i] - l * b[i];
        a[i] = sum;
        b[i] = gap;
    }
}

static void Backward(double* rows, int count)
{
    if (count < 2)
        return;
    int left = count / 2, right = count - left;
    double l = sqrt((double)left / count), r = sqrt((double)right / count);
    double sum = rows[0], gap = rows[left];
    rows[0] = l * sum + r * gap;
    rows[left] = r * sum - l * gap;
    Backward(rows, left);
    Backward(rows + left, right);
}

void qvSqueezeBasis_Forward(const qvSqueezeBasis* basis, const double* vector, double* out)
{
    for (int c = 0; c < 3; c++, out += basis->count)
    {
        for (int i = 0; i < basis->count; i++)
            out[i] = vector[3 * basis->order[i] + c];
        Forward(out, basis->count, 1);
    }
}

void qvSqueezeBasis_Backward(const qvSqueezeBasis* basis, double* vector, double* out)
{
    for (int c = 0; c < 3; c++, vector += basis->count)
    {
        Backward(vector, basis->count);
        for (int i = 0; i < basis->count; i++)
            out[3 * basis->order[i] + c] = vector[i];
    }
}

// Its rows are those of the matrix, transformed; the columns come in the order of the vector they will meet.
static void TransformColumns(const qvSqueezeBasis* basis, const double* matrix, double* out)
{
    size_t size = 3 * (size_t)basis->count;
    for (int c = 0; c < 3; c++)
    {
        double* block = out + (size_t)c * (size_t)basis->count * size;
        for (int i = 0; i < basis->count; i++)
            memcpy(block + (size_t)i * size, matrix + (3 * (size_t)basis->order[i] + (size_t)c) * size,
                   size * sizeof(double));
        Forward(block, basis->count, size);
    }
}

// --- Compression ----------------------------------------------------------------------------------------------------

enum
{
    HALF = 1 << 16
};

static uint32_t BitsOf(float value)
{
    uint32_t bits;
    value = fabsf(value);
    memcpy(&bits, &value, sizeof(bits));
    return bits; // of positive numbers they ascend as these do
}

// The place from the top where so many are reached; *keep is left with how many of that place.
static uint32_t PlaceFromTop(const uint32_t* counts, size_t* keep)
{
    uint32_t place = HALF - 1;
    while (place > 0 && counts[place] < *keep)
        *keep -= counts[place--];
    return place;
}

// The bits of the smallest magnitude that is kept, and how many of exactly that one.
static uint32_t FindLimit(const float* values, size_t count, size_t* keep, uint32_t* counts)
{
    memset(counts, 0, HALF * sizeof(*counts));
    for (size_t i = 0; i < count; i++)
        counts[BitsOf(values[i]) / HALF]++;
    uint32_t high = PlaceFromTop(counts, keep);
    memset(counts, 0, HALF * sizeof(*counts));
    for (size_t i = 0; i < count; i++)
    {
        if (BitsOf(values[i]) / HALF == high)
            counts[BitsOf(values[i]) % HALF]++;
    }
    return high * HALF + PlaceFromTop(counts, keep);
}

static void Gather(qvSqueezed* squeezed, const float* values, uint32_t limit, size_t ties)
{
    size_t size = (size_t)squeezed->size, kept = 0;
    double lost = 0.0, all = 0.0;
    for (size_t i = 0; i < size * size; i++)
    {
        if (i % size == 0)
            squeezed->rowStart[i / size] = (int32_t)kept;
        uint32_t bits = BitsOf(values[i]);
        bool stays = bits > limit || (bits == limit && ties > 0);
        ties -= stays && bits == limit;
        all += (double)values[i] * values[i];
        if (stays)
        {
            squeezed->columns[kept] = (uint16_t)(i % size);
            squeezed->values[kept++] = values[i];
        }
        else
            lost += (double)values[i] * values[i];
    }
    squeezed->rowStart[size] = (int32_t)kept;
    squeezed->error = all > 0.0 ? sqrt(lost / all) : 0.0;
}

static size_t KeptOf(int size, double ratio)
{
    return (size_t)fmax(1.0, floor((double)size * size / ratio));
}

qvResult qvMakeSqueezed(const qvSqueezeBasis* basis, const double* matrix, double ratio, qvSqueezed* squeezed,
                        qvError* error)
{
    QV_ASSERT(ratio >= 1.0);
    size_t size = 3 * (size_t)basis->count, count = size * size, keep = KeptOf((int)size, ratio);
    *squeezed = (qvSqueezed){ .size = (int)size,
                              .rowStart = qvAllocate(size + 1, sizeof(int32_t)),
                              .columns = qvAllocate(keep, sizeof(uint16_t)),
                              .values = qvAllocate(keep, sizeof(float)) };
    double* scratch = qvAllocateRaw(2 * count, sizeof(double));
    uint32_t* counts = qvAllocateRaw(HALF, sizeof(*counts));
    bool failed = squeezed->rowStart == NULL || squeezed->columns == NULL || squeezed->values == NULL ||
                  scratch == NULL || counts == NULL;
    if (!failed)
    {
        double *once = scratch, *turned = scratch + count;
        TransformColumns(basis, matrix, once);
        for (size_t i = 0; i < count; i++)
            turned[i] = once[i % size * size + i / size];
        TransformColumns(basis, turned, once);
        float* values = (float*)turned;
        for (size_t i = 0; i < count; i++)
            values[i] = (float)once[i % size * size + i / size];
        uint32_t limit = FindLimit(values, count, &keep, counts);
        Gather(squeezed, values, limit, keep);
    }
    free(scratch);
    free(counts);
    return failed ? qvError_OutOfMemory(error, 16.0 * (double)count) : qv_ok;
}

void qvFreeSqueezed(qvSqueezed* squeezed)
{
    free(squeezed->rowStart);
    free(squeezed->columns);
    free(squeezed->values);
}

double qvSqueezed_Bytes(const qvSqueezed* squeezed)
{
    return 4.0 * (squeezed->size + 1) + 6.0 * squeezed->rowStart[squeezed->size];
}

double qvSqueezed_Row(const qvSqueezed* squeezed, int row, const double* vector)
{
    double sum = 0.0;
    for (int i = squeezed->rowStart[row]; i < squeezed->rowStart[row + 1]; i++)
        sum += (double)squeezed->values[i] * vector[squeezed->columns[i]];
    return sum;
}
