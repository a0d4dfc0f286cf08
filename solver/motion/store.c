// SPDX-License-Identifier: GPL-3.0-or-later
#include "motion/store.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

// What stands before the values and vectors.
enum
{
    AT_SIZE,
    AT_COUNT,
    AT_ZEROS,
    AT_SHIFT,
    AT_RESIDUAL,
    HEADER
};

static size_t NumberCount(size_t size, size_t count)
{
    return HEADER + count + size * count;
}

qvModes* qvLoadModes(const qvNumberStore* store, uint64_t hash, int size)
{
    size_t found = 0;
    double* numbers = store != NULL ? store->load(store->context, hash, &found) : NULL;
    if (numbers == NULL)
        return NULL;
    qvModes* modes = NULL;
    double count = found >= HEADER ? numbers[AT_COUNT] : -1.0;
    bool fits = count >= 0.0 && count <= size && numbers[AT_SIZE] == size && numbers[AT_ZEROS] >= 0.0 &&
                numbers[AT_ZEROS] <= count && found == NumberCount((size_t)size, (size_t)count);
    if (fits)
        modes = qvAllocate(1, sizeof(*modes));
    if (modes != NULL)
    {
        size_t rows = (size_t)count, items = rows * (size_t)size;
        modes->size = size, modes->count = (int)count, modes->zeroCount = (int)numbers[AT_ZEROS];
        modes->report.shift = numbers[AT_SHIFT], modes->report.residual = numbers[AT_RESIDUAL];
        modes->values = qvAllocateRaw(rows, sizeof(double));
        modes->vectors = qvAllocateRaw(items, sizeof(double));
        if (modes->values != NULL && modes->vectors != NULL)
        {
            memcpy(modes->values, numbers + HEADER, rows * sizeof(double));
            memcpy(modes->vectors, numbers + HEADER + rows, items * sizeof(double));
        }
        else
        {
            qvDestroyModes(modes);
            modes = NULL;
        }
    }
    free(numbers);
    return modes;
}

void qvSaveModes(const qvNumberStore* store, uint64_t hash, const qvModes* modes)
{
    if (store == NULL || modes == NULL || modes->size < QV_WORTH_KEEPING)
        return;
    size_t rows = (size_t)modes->count, items = rows * (size_t)modes->size;
    size_t count = NumberCount((size_t)modes->size, rows);
    double* numbers = qvAllocateRaw(count, sizeof(double));
    if (numbers == NULL)
        return;
    numbers[AT_SIZE] = modes->size, numbers[AT_COUNT] = modes->count, numbers[AT_ZEROS] = modes->zeroCount;
    numbers[AT_SHIFT] = modes->report.shift, numbers[AT_RESIDUAL] = modes->report.residual;
    memcpy(numbers + HEADER, modes->values, rows * sizeof(double));
    memcpy(numbers + HEADER + rows, modes->vectors, items * sizeof(double));
    store->save(store->context, hash, numbers, count);
    free(numbers);
}
