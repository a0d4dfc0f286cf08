// SPDX-License-Identifier: GPL-3.0-or-later
#include "modal/parts.h"

#include "base/memory.h"
#include "modal/symbolic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    RIGID = 6 // modes of a free part that are zero
};

typedef struct Part
{
    int size, rigid;
    const int32_t* dofs;      // [size] in the body, ascending; within the list of all parts
    qvSparsePattern* pattern; // of the part alone
    qvSymbolic* symbolic;
} Part;

struct qvModalParts
{
    int size, partCount, largest;
    Part* parts;
    int32_t* dofs; // [size] part by part
};

// --- Cutting --------------------------------------------------------------------------------------------------------

// The degrees of freedom part by part, in the order of the parts' first ones.
static qvResult SortDofs(qvModalParts* all, const qvSparsePattern* whole, qvError* error)
{
    size_t size = (size_t)whole->size;
    int32_t* part = qvAllocateRaw(size, sizeof(*part));
    int* next = NULL;
    all->dofs = qvAllocateRaw(size, sizeof(*all->dofs));
    if (part == NULL || all->dofs == NULL)
        goto failed;
    all->partCount = qvLabelParts(whole, part);
    all->parts = qvAllocate((size_t)all->partCount, sizeof(*all->parts));
    next = qvAllocate((size_t)all->partCount, sizeof(*next));
    if (all->parts == NULL || next == NULL)
        goto failed;
    for (size_t i = 0; i < size; i++)
        all->parts[part[i]].size++;
    for (int p = 0, start = 0; p < all->partCount; p++)
    {
        all->parts[p].dofs = all->dofs + start;
        next[p] = start;
        start += all->parts[p].size;
        if (all->parts[p].size > all->parts[all->largest].size)
            all->largest = p;
    }
    for (int32_t i = 0; i < whole->size; i++)
        all->dofs[next[part[i]]++] = i;
    free(part);
    free(next);
    return qv_ok;
failed:
    free(part);
    free(next);
    return qvError_OutOfMemory(error, (double)size * 3.0 * sizeof(*part));
}

static int EntryCount(const Part* part, const qvSparsePattern* whole)
{
    int count = 0;
    for (int i = 0; i < part->size; i++)
        count += whole->columnStart[part->dofs[i] + 1] - whole->columnStart[part->dofs[i]];
    return count;
}

// number [size of the body]: where a degree of freedom is in its part. Both lists ascend, so rows stay ascending.
static qvResult CutPattern(Part* part, const qvSparsePattern* whole, const int32_t* number, qvError* error)
{
    int entryCount = EntryCount(part, whole), entry = 0;
    int32_t* starts = qvAllocateRaw((size_t)part->size + 1, sizeof(*starts));
    int32_t* rows = qvAllocateRaw((size_t)entryCount, sizeof(*rows));
    qvResult result = qv_ok;
    if (starts == NULL || rows == NULL)
        result = qvError_OutOfMemory(error, (double)entryCount * sizeof(*rows));
    for (int i = 0; result == qv_ok && i < part->size; i++)
    {
        starts[i] = entry;
        for (int32_t k = whole->columnStart[part->dofs[i]]; k < whole->columnStart[part->dofs[i] + 1]; k++)
            rows[entry++] = number[whole->row[k]];
    }
    if (result == qv_ok)
    {
        starts[part->size] = entry;
        result = qvCopySparsePattern(part->size, starts, rows, &part->pattern, error);
    }
    free(starts);
    free(rows);
    return result;
}

// isFixed [size of the body]; fixed [size of the part] is room.
static qvResult Analyze(Part* part, const bool* isFixed, int32_t* fixed, const qvJob* job, qvError* error)
{
    int fixedCount = 0;
    for (int32_t i = 0; i < part->size; i++)
        if (isFixed[part->dofs[i]])
            fixed[fixedCount++] = i;
    part->rigid = fixedCount == 0 ? RIGID : 0;
    return qvCreateSymbolic(part->pattern, fixed, fixedCount, job, &part->symbolic, error);
}

static qvResult CutParts(qvModalParts* all, const qvSparsePattern* whole, const bool* isFixed, const qvJob* job,
                         qvError* error)
{
    qvResult result = SortDofs(all, whole, error);
    int32_t* number = qvAllocateRaw((size_t)whole->size, sizeof(*number));
    int32_t* fixed = qvAllocateRaw((size_t)whole->size, sizeof(*fixed));
    if (result == qv_ok && (number == NULL || fixed == NULL))
        result = qvError_OutOfMemory(error, 2.0 * whole->size * sizeof(*number));
    for (int p = 0; result == qv_ok && p < all->partCount; p++)
    {
        Part* part = &all->parts[p];
        for (int32_t i = 0; i < part->size; i++)
            number[part->dofs[i]] = i;
        result = CutPattern(part, whole, number, error);
        if (result == qv_ok)
            result = Analyze(part, isFixed, fixed, job, error);
    }
    free(number);
    free(fixed);
    return result;
}

qvResult qvCreateModalParts(const qvSparsePattern* pattern, const int32_t* fixed, int fixedCount, const qvJob* job,
                            qvModalParts** out, qvError* error)
{
    *out = NULL;
    qvModalParts* all = qvAllocate(1, sizeof(*all));
    bool* isFixed = qvAllocate((size_t)pattern->size, sizeof(*isFixed));
    qvResult result = qv_ok;
    if (all == NULL || isFixed == NULL)
        result = qvError_OutOfMemory(error, (double)pattern->size * sizeof(*isFixed));
    if (result == qv_ok)
    {
        for (int i = 0; i < fixedCount; i++)
            isFixed[fixed[i]] = true;
        all->size = pattern->size;
        result = CutParts(all, pattern, isFixed, job, error);
    }
    free(isFixed);
    if (result == qv_ok)
        *out = all;
    else
        qvDestroyModalParts(all);
    return result;
}

void qvDestroyModalParts(qvModalParts* all)
{
    if (all == NULL)
        return;
    for (int p = 0; all->parts != NULL && p < all->partCount; p++)
    {
        qvDestroySymbolic(all->parts[p].symbolic);
        qvDestroySparsePattern(all->parts[p].pattern);
    }
    free(all->parts);
    free(all->dofs);
    free(all);
}

// One part is searched after the other; the modes of all are kept until the lowest are chosen.
double qvModalParts_Bytes(const qvModalParts* all, int count)
{
    double factor = 0.0;
    for (int p = 0; p < all->partCount; p++)
        factor = fmax(factor, qvSymbolic_Stats(all->parts[p].symbolic).factorBytes);
    return factor + (150.0 * all->parts[all->largest].size + 2.0 * (count + RIGID) * all->size) * sizeof(double);
}

// --- Modes ----------------------------------------------------------------------------------------------------------

static qvResult SearchPart(const Part* part, const qvModesDef* whole, const qvJob* job, qvModes** modes, qvError* error)
{
    const qvSparsePattern* pattern = whole->matrix.pattern;
    qvModesDef def = *whole;
    double* values = qvAllocateRaw((size_t)part->pattern->entryCount, sizeof(double));
    double* mass = qvAllocateRaw((size_t)part->size, sizeof(double));
    qvFactor* factor = NULL;
    qvResult result = qv_ok;
    if (values == NULL || mass == NULL)
        result = qvError_OutOfMemory(error, (double)part->pattern->entryCount * sizeof(double));
    for (int i = 0, entry = 0; result == qv_ok && i < part->size; i++)
    {
        int32_t dof = part->dofs[i], start = pattern->columnStart[dof], count = pattern->columnStart[dof + 1] - start;
        memcpy(values + entry, whole->matrix.values + start, (size_t)count * sizeof(double));
        mass[i] = whole->mass[dof];
        entry += count;
    }
    if (result == qv_ok)
        result = qvCreateFactor(part->symbolic, &factor, error);
    if (result == qv_ok)
    {
        def.matrix = (qvSparse){ part->pattern, values };
        def.mass = mass;
        def.count = whole->count + part->rigid;
        result = qvComputeModes(&def, factor, job, modes, error);
    }
    qvDestroyFactor(factor);
    free(values);
    free(mass);
    return result;
}

typedef struct Mode
{
    double value;
    int part, index;
} Mode;

// By value; equal ones, as those of equal parts, in the order of the parts.
static int CompareModes(const void* left, const void* right)
{
    const Mode *a = left, *b = right;
    if (a->value != b->value)
        return a->value < b->value ? -1 : 1;
    return a->part != b->part ? a->part - b->part : a->index - b->index;
}

// The elastic modes of all parts: whatever rounding makes of the zero ones, they are the lowest six of a free part.
static int ListModes(const qvModalParts* all, qvModes* const* found, Mode* list)
{
    int count = 0;
    for (int p = 0; p < all->partCount; p++)
    {
        int rigid = all->parts[p].rigid, first = rigid > 0 && found[p]->zeroCount > rigid ? found[p]->zeroCount : rigid;
        for (int k = first; k < found[p]->count; k++)
            list[count++] = (Mode){ found[p]->values[k], p, k };
    }
    qsort(list, (size_t)count, sizeof(*list), CompareModes);
    return count;
}

static void Report(const qvModalParts* all, qvModes* const* found, qvModesReport* report)
{
    *report = found[all->largest]->report;
    for (int p = 0; p < all->partCount; p++)
    {
        if (p == all->largest)
            continue;
        const qvModesReport* of = &found[p]->report;
        report->factorizations += of->factorizations;
        report->steps += of->steps;
        report->solves += of->solves;
        report->residual = fmax(report->residual, of->residual);
        report->backwardError = fmax(report->backwardError, of->backwardError);
        report->milliseconds += of->milliseconds;
    }
}

static qvResult Merge(const qvModalParts* all, qvModes* const* found, int wanted, qvModes** out, qvError* error)
{
    size_t size = (size_t)all->size;
    Mode* list = qvAllocateRaw((size_t)all->partCount * (size_t)wanted, sizeof(*list));
    int count = list != NULL ? ListModes(all, found, list) : 0;
    count = count < wanted ? count : wanted;
    qvModes* modes = qvAllocate(1, sizeof(*modes));
    if (modes != NULL)
    {
        modes->values = qvAllocate((size_t)count, sizeof(double));
        modes->vectors = qvAllocate(size * (size_t)count, sizeof(double));
    }
    if (list == NULL || modes == NULL || modes->values == NULL || modes->vectors == NULL)
    {
        free(list);
        qvDestroyModes(modes);
        return qvError_OutOfMemory(error, (double)size * count * sizeof(double));
    }
    modes->size = all->size;
    modes->count = count;
    Report(all, found, &modes->report);
    for (int k = 0; k < count; k++)
    {
        const Part* part = &all->parts[list[k].part];
        const double* vector = found[list[k].part]->vectors + (size_t)list[k].index * (size_t)part->size;
        modes->values[k] = list[k].value;
        for (int i = 0; i < part->size; i++)
            modes->vectors[(size_t)k * size + (size_t)part->dofs[i]] = vector[i];
    }
    free(list);
    *out = modes;
    return qv_ok;
}

qvResult qvModalParts_Compute(const qvModalParts* all, const qvModesDef* def, const qvJob* job, qvModes** modes,
                              qvError* error)
{
    *modes = NULL;
    qvModes** found = qvAllocate((size_t)all->partCount, sizeof(qvModes*));
    if (found == NULL)
        return qvError_OutOfMemory(error, (double)all->partCount * sizeof(qvModes*));
    qvResult result = qv_ok;
    for (int p = 0; result == qv_ok && p < all->partCount; p++)
        result = SearchPart(&all->parts[p], def, job, &found[p], error);
    if (result == qv_ok)
        result = Merge(all, found, def->count, modes, error);
    for (int p = 0; p < all->partCount; p++)
        qvDestroyModes(found[p]);
    free(found);
    return result;
}
