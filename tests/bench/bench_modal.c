// SPDX-License-Identifier: GPL-3.0-or-later
// Factorization, modes and reduced basis of shells of the paper's sizes. Baselines: ARPACK for the modes, single solves
// for the solves of eight columns, and starting from scratch for edits of the basis.
#include "bench.h"

#include "grid_shell.h"

#include "quaver/modal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    MODES = 26, // six of them zero
    COLUMNS = 8
};

typedef struct Case
{
    qvBenchSink* sink;
    const char* label;
    GridShell shell;
    int size;
    qvJob job;
    qvSymbolic* symbolic;
    qvFactor* factor;
    qvModesDef def;
    qvModes* modes;
    double *b, *x; // [size x COLUMNS]
    int columns;   // of a timed solve
    qvResult result;
    qvError* error;
} Case;

static void AddTime(Case* c, const char* what, double seconds, double baseline)
{
    char name[80];
    snprintf(name, sizeof(name), "%s/%s", what, c->label);
    qvBench_Add(c->sink, name, 1e3 * seconds, "ms", 1e3 * baseline);
}

static void TimeFactor(void* context)
{
    Case* c = context;
    if (c->result == qv_ok)
        c->result = qvFactor_Compute(c->factor, &c->shell.matrix, c->shell.mass, 0.5, &c->job, c->error);
}

static void TimeSolve(void* context)
{
    Case* c = context;
    for (int k = 0; c->result == qv_ok && k < COLUMNS; k += c->columns)
        c->result = qvFactor_Solve(c->factor, c->b, c->columns, c->x, NULL, c->error);
}

static void TimeModes(void* context)
{
    Case* c = context;
    if (c->result != qv_ok)
        return;
    qvDestroyModes(c->modes);
    c->result = qvComputeModes(&c->def, c->factor, &c->job, &c->modes, c->error);
}

static qvResult BenchModes(Case* c)
{
    char name[80];
    c->def = qvDefaultModesDef();
    c->def.matrix = c->shell.matrix;
    c->def.mass = c->shell.mass;
    c->def.count = MODES;
    c->def.method = qv_modesBlock;
    TimeModes(c); // finds the shift that further keys would start with
    if (c->result != qv_ok)
        return c->result;
    AddTime(c, "modes/first-key", 1e-3 * c->modes->report.milliseconds, 0.0);
    c->def.shift = c->modes->report.shift;
    double block = qvBench_Time(TimeModes, c, 2), found[MODES];
    if (c->result != qv_ok)
        return c->result;
    memcpy(found, c->modes->values, sizeof(found));
    c->def.method = qv_modesArpack;
    double arpack = qvBench_Time(TimeModes, c, 2), difference = 0.0;
    if (c->result != qv_ok)
        return c->result;
    for (int k = 0; k < MODES; k++)
        difference = fmax(difference, fabs(found[k] - c->modes->values[k]) / found[MODES - 1]);
    AddTime(c, "modes/next-key", block, arpack);
    snprintf(name, sizeof(name), "modes/difference-from-arpack/%s", c->label);
    qvBench_Add(c->sink, name, difference, "relative", 0.0);
    return qv_ok;
}

static qvResult RunCase(Case* c)
{
    c->size = 3 * c->shell.vertexCount;
    c->b = calloc((size_t)c->size * COLUMNS, sizeof(double));
    c->x = calloc((size_t)c->size * COLUMNS, sizeof(double));
    if (c->b == NULL || c->x == NULL)
        return qvError_OutOfMemory(c->error, (double)c->size * COLUMNS * sizeof(double));
    for (int i = 0; i < c->size * COLUMNS; i++)
        c->b[i] = sin(i);
    qvResult result = qvCreateSymbolic(c->shell.pattern, NULL, 0, &c->job, &c->symbolic, c->error);
    if (result == qv_ok)
        result = qvCreateFactor(c->symbolic, &c->factor, c->error);
    if (result != qv_ok)
        return result;
    AddTime(c, "analysis", 1e-3 * qvSymbolic_Stats(c->symbolic).milliseconds, 0.0);
    AddTime(c, "factor", qvBench_Time(TimeFactor, c, 2), 0.0);
    c->columns = 1;
    double single = qvBench_Time(TimeSolve, c, 3);
    c->columns = COLUMNS;
    AddTime(c, "solve-8", qvBench_Time(TimeSolve, c, 3), single);
    return c->result == qv_ok ? BenchModes(c) : c->result;
}

static qvResult BenchBody(qvBenchSink* sink, qvPool* pool, int along, int across, const char* label, qvError* error)
{
    GridShellDef def = { GRID_TORUS, along, across, 1, 1.0, 1.0 };
    Case c = { .sink = sink, .label = label, .job = { .pool = pool }, .error = error };
    qvResult result = MakeGridShell(&def, &c.shell, error);
    if (result == qv_ok)
        result = RunCase(&c);
    qvDestroyModes(c.modes);
    qvDestroyFactor(c.factor);
    qvDestroySymbolic(c.symbolic);
    FreeGridShell(&c.shell);
    free(c.b);
    free(c.x);
    return result;
}

// --- Basis: 4.4k vertices, 12 keys with 16 or 17 vectors each, d = 200 ----------------------------------------------

enum
{
    KEYS = 12,
    DIMENSION = 200
};

typedef struct Edit
{
    GridShell shell;
    qvJob job;
    double* vectors[KEYS + 1];
    qvBasisBlock blocks[KEYS];
    qvBasisDef def;
    qvBasis *before, *basis;
    const qvBasis* previous;
    double *reducedBefore, *reduced, *values, *vectorsOut;
    qvResult result;
    qvError* error;
} Edit;

static void TimeBasis(void* context)
{
    Edit* e = context;
    if (e->result != qv_ok)
        return;
    qvDestroyBasis(e->basis);
    e->result = qvCreateBasis(&e->def, e->previous, &e->job, &e->basis, e->error);
}

static void TimeReduce(void* context)
{
    Edit* e = context;
    if (e->result == qv_ok)
        e->result = qvBasis_Reduce(e->basis, &e->shell.matrix, e->previous != NULL ? e->reducedBefore : NULL,
                                   e->reduced, &e->job, e->error);
}

static void TimeReducedModes(void* context)
{
    Edit* e = context;
    if (e->result == qv_ok)
        e->result = qvReducedModes(qvBasis_Dimension(e->basis), e->reduced, e->values, e->vectorsOut, e->error);
}

static qvResult FillEdit(Edit* e)
{
    int size = 3 * e->shell.vertexCount;
    size_t square = (size_t)DIMENSION * DIMENSION;
    for (int k = 0; k <= KEYS; k++)
    {
        int count = (k + 1) * DIMENSION / KEYS - k * DIMENSION / KEYS;
        e->vectors[k] = malloc((size_t)size * (size_t)count * sizeof(double));
        if (e->vectors[k] == NULL)
            return qvError_OutOfMemory(e->error, (double)size * count * sizeof(double));
        uint64_t random = (uint64_t)k + 1;
        for (int i = 0; i < size * count; i++)
        {
            random = random * 6364136223846793005u + 1442695040888963407u;
            e->vectors[k][i] = (double)(random >> 33) * 0x1p-30 - 1.0;
        }
        if (k < KEYS)
            e->blocks[k] = (qvBasisBlock){ e->vectors[k], count };
    }
    e->def = qvDefaultBasisDef();
    e->def.size = size;
    e->def.mass = e->shell.mass;
    e->def.blocks = e->blocks;
    e->def.blockCount = KEYS;
    e->reduced = calloc(square, sizeof(double));
    e->reducedBefore = calloc(square, sizeof(double));
    e->values = calloc(DIMENSION, sizeof(double));
    e->vectorsOut = calloc(square, sizeof(double));
    if (e->reduced == NULL || e->reducedBefore == NULL || e->values == NULL || e->vectorsOut == NULL)
        return qvError_OutOfMemory(e->error, 3.0 * (double)square * sizeof(double));
    return qv_ok;
}

static qvResult TimeEdits(Edit* e, qvBenchSink* sink)
{
    double scratchBasis = qvBench_Time(TimeBasis, e, 2), scratchReduce = qvBench_Time(TimeReduce, e, 2);
    if (e->result != qv_ok)
        return e->result;
    memcpy(e->reducedBefore, e->reduced, (size_t)DIMENSION * DIMENSION * sizeof(double));
    e->before = e->basis;
    e->basis = NULL;
    e->previous = e->before;
    e->blocks[KEYS / 2].vectors = e->vectors[KEYS]; // one key in the middle changes
    double editBasis = qvBench_Time(TimeBasis, e, 2), editReduce = qvBench_Time(TimeReduce, e, 2);
    double eigen = qvBench_Time(TimeReducedModes, e, 3);
    qvBench_Add(sink, "basis/4.4k x 200", 1e3 * scratchBasis, "ms", 0.0);
    qvBench_Add(sink, "basis-edit/4.4k x 200", 1e3 * editBasis, "ms", 1e3 * scratchBasis);
    qvBench_Add(sink, "reduce/one key/4.4k x 200", 1e3 * scratchReduce, "ms", 0.0);
    qvBench_Add(sink, "reduce-edit/one key/4.4k x 200", 1e3 * editReduce, "ms", 1e3 * scratchReduce);
    qvBench_Add(sink, "edit of 1 of 12 keys, reduced/4.4k x 200",
                1e3 * (editBasis + (KEYS - 1) * editReduce + scratchReduce), "ms",
                1e3 * (scratchBasis + KEYS * scratchReduce));
    qvBench_Add(sink, "reduced-modes/200", 1e3 * eigen, "ms", 0.0);
    return e->result;
}

static qvResult BenchBasis(qvBenchSink* sink, qvPool* pool, qvError* error)
{
    GridShellDef def = { GRID_TORUS, 110, 40, 1, 1.0, 1.0 };
    Edit e = { .job = { .pool = pool }, .error = error };
    qvResult result = MakeGridShell(&def, &e.shell, error);
    if (result == qv_ok)
        result = FillEdit(&e);
    if (result == qv_ok)
        result = TimeEdits(&e, sink);
    qvDestroyBasis(e.before);
    qvDestroyBasis(e.basis);
    for (int k = 0; k <= KEYS; k++)
        free(e.vectors[k]);
    free(e.reduced);
    free(e.reducedBefore);
    free(e.values);
    free(e.vectorsOut);
    FreeGridShell(&e.shell);
    return result;
}

static qvResult Run(qvBenchSink* sink, qvError* error)
{
    qvPool* pool;
    qvResult result = qvCreatePool(0, &pool, error);
    if (result == qv_ok)
        result = BenchBasis(sink, pool, error);
    if (result == qv_ok)
        result = BenchBody(sink, pool, 70, 26, "1.8k", error);
    if (result == qv_ok)
        result = BenchBody(sink, pool, 110, 40, "4.4k", error);
    if (result == qv_ok)
        result = BenchBody(sink, pool, 280, 100, "28k", error);
    if (result == qv_ok)
        qvBench_Add(sink, "peak-memory", qvBench_PeakMemory(), "MB", 0.0);
    qvDestroyPool(pool);
    return result;
}

const qvBench qvBenchModal = { "modal", "factorization, vibration modes and reduced basis against ARPACK", Run,
                               "ARPACK for modes; eight solves one by one for solve-8; starting from scratch for edits",
                               "slightly faster than the vertices; an edit of one key costs one block of "
                               "the basis, whatever the other keys" };
