// SPDX-License-Identifier: GPL-3.0-or-later
#include "motion/expand.h"

#include "base/cpu.h"
#include "base/memory.h"
#include "base/parked.h"
#include "base/watch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LANES 4
#ifdef __SSE2__
#include <immintrin.h>
#define LOAD(from, to) (*(to) = (Lanes)_mm_cvtepi32_ps(Widen(_mm_loadl_epi64((const __m128i*)(from)))))

static inline __m128i Widen(__m128i x)
{
    return _mm_srai_epi32(_mm_unpacklo_epi16(x, x), 16);
}
#else
#define LOAD(from, to) (*(to) = (Lanes){ (from)[0], (from)[1], (from)[2], (from)[3] })
#endif
#define EXPAND_ONE qvExpandOne_Portable
#define EXPAND_TWO qvExpandTwo_Portable
#include "motion/expand_kernel.inl"

enum
{
    LARGEST_LANES = 8
};

static const double HALF = 65536.0, LIMIT = 0x1p-23; // of a product, that a column may leave out
static const double ROUND = 0x1.8p52;
static const double LARGE = 4.0e6; // bytes

static int StripCount(int rowCount)
{
    return rowCount / qv_expandStrip + (rowCount % qv_expandStrip != 0);
}

qvResult qvExpander_Init(qvExpander* expander, int rowCount, int columnCount, qvError* error)
{
    size_t strips = (size_t)StripCount(rowCount) + 1; // the last one is only asked for, never read
    *expander = (qvExpander){ .rowCount = rowCount, .columnCount = columnCount };
    expander->steps = qvAllocate((size_t)columnCount, sizeof(double));
    double bytes = (double)strips * 2.0 * columnCount * qv_expandStrip * sizeof(int16_t);
    if (bytes > LARGE && bytes < (double)PTRDIFF_MAX)
    {
        expander->mapped = (size_t)bytes;
        expander->halves = qvMapLarge(expander->mapped);
    }
    else
        expander->halves = qvAllocateRaw(strips * 2 * (size_t)columnCount, qv_expandStrip * sizeof(int16_t));
    if (expander->steps == NULL || expander->halves == NULL)
        return qvError_OutOfMemory(error, 2.0 * rowCount * columnCount * sizeof(int16_t));
    return qv_ok;
}

void qvExpander_Free(qvExpander* expander)
{
    free(expander->steps);
    if (expander->mapped > 0 && expander->halves != NULL)
        qvUnpark(expander->halves, expander->mapped);
    else
        free(expander->halves);
}

void qvExpander_Park(qvExpander* expander, const char* folder)
{
    if (expander->mapped > 0 && !expander->isParked)
        expander->isParked = qvParkInPlace(folder, expander->halves, expander->mapped);
}

void qvExpander_Rest(const qvExpander* expander)
{
    if (expander->isParked)
        qvRestParked(expander->halves, expander->mapped);
}

typedef struct Filling
{
    qvExpander* expander;
    const double* values;
} Filling;

static double Largest(const double* values, int count)
{
    double largest[LARGEST_LANES] = { 0.0 }; // side by side: each waits for the one before
    int i = 0;
    for (; i + LARGEST_LANES <= count; i += LARGEST_LANES)
    {
        for (int k = 0; k < LARGEST_LANES; k++)
        {
            double x = fabs(values[i + k]);
            largest[k] = x > largest[k] ? x : largest[k];
        }
    }
    for (; i < count; i++)
        largest[0] = fmax(largest[0], fabs(values[i]));
    for (int k = 1; k < LARGEST_LANES; k++)
        largest[0] = fmax(largest[0], largest[k]);
    return largest[0];
}

// The units of the columns [begin, end).
static void FindSteps(void* context, int begin, int end)
{
    const Filling* filling = context;
    qvExpander* expander = filling->expander;
    for (int c = begin; c < end; c++)
        expander->steps[c] =
            Largest(filling->values + (size_t)c * (size_t)expander->rowCount, expander->rowCount) / INT16_MAX;
}

// count values of a column, and zeros after them.
static void Split(const double* values, int count, double step, int16_t* high, int16_t* low)
{
    double inverse = step > 0.0 ? 1.0 / step : 0.0;
    for (int i = 0; i < count; i++)
    {
        double x = inverse * values[i];
        // As lrint does, but for many at once: the sum has no digits after the point.
        double whole = x + ROUND - ROUND, rest = HALF * (x - whole) + ROUND - ROUND;
        high[i] = (int16_t)(int32_t)whole;
        low[i] = (int16_t)(int32_t)(rest < INT16_MAX ? rest : INT16_MAX);
    }
    memset(high + count, 0, (size_t)(qv_expandStrip - count) * sizeof(int16_t));
    memset(low + count, 0, (size_t)(qv_expandStrip - count) * sizeof(int16_t));
}

// The strips [begin, end) of all columns.
static void FillStrips(void* context, int begin, int end)
{
    const Filling* filling = context;
    const qvExpander* expander = filling->expander;
    size_t columns = (size_t)expander->columnCount, rows = (size_t)expander->rowCount;
    for (size_t strip = (size_t)begin; strip < (size_t)end; strip++)
    {
        size_t first = strip * qv_expandStrip, left = rows - first;
        int count = left < qv_expandStrip ? (int)left : qv_expandStrip;
        int16_t* high = expander->halves + strip * 2 * columns * qv_expandStrip;
        int16_t* low = high + columns * qv_expandStrip;
        for (size_t c = 0; c < columns; c++)
            Split(filling->values + c * rows + first, count, expander->steps[c], high + c * qv_expandStrip,
                  low + c * qv_expandStrip);
    }
}

void qvExpander_Fill(qvExpander* expander, const double* values)
{
    Filling filling = { expander, values };
    FindSteps(&filling, 0, expander->columnCount);
    FillStrips(&filling, 0, StripCount(expander->rowCount));
}

qvResult qvExpander_SetColumns(qvExpander* expander, const double* values, const qvJob* job, qvError* error)
{
    Filling filling = { expander, values };
    qvResult result = qvWatchedFor(job, expander->columnCount, 8, FindSteps, &filling, error);
    return result == qv_ok ? qvWatchedFor(job, StripCount(expander->rowCount), 8, FillStrips, &filling, error) : result;
}

// --- Readings -------------------------------------------------------------------------------------------------------

static size_t RowSize(int columnCount)
{
    return 2 * (size_t)columnCount + qv_expandAhead;
}

size_t qvReading_Size(int columnCount)
{
    return (1 + qv_expandTerms) * RowSize(columnCount);
}

static qvReading Begin(const qvExpander* expander, float* memory)
{
    size_t size = RowSize(expander->columnCount);
    return (qvReading){ 0, (int32_t*)memory, { memory + size, memory + 2 * size } };
}

static void End(const qvExpander* expander, qvReading* reading)
{
    for (int i = 0; i < qv_expandAhead; i++)
        reading->columns[reading->count + i] =
            2 * expander->columnCount + (i < reading->count ? reading->columns[i] : 0);
}

qvReading qvExpander_Plan(const qvExpander* expander, int termCount, const double* const* vectors, double factor,
                          float* memory)
{
    qvReading reading = Begin(expander, memory);
    for (int i = 0; i < 2 * expander->columnCount; i++)
    {
        int c = i % expander->columnCount;
        double unit = expander->steps[c] * (i == c ? 1.0 : 1.0 / HALF), largest = 0.0;
        for (int m = 0; m < termCount; m++)
            largest = fmax(largest, fabs(vectors[m][c]));
        if (0.5 * HALF * unit * largest <= LIMIT) // half a step of the column before, or the whole of this one
            continue;
        reading.columns[reading.count] = i;
        for (int m = 0; m < termCount; m++)
            reading.weights[m][reading.count] = (float)(factor * unit * vectors[m][c]);
        reading.count++;
    }
    End(expander, &reading);
    return reading;
}

qvReading qvExpander_PlanColumn(const qvExpander* expander, int column, double factor, float* memory)
{
    qvReading reading = Begin(expander, memory);
    for (int half = 0; half < 2; half++, reading.count++)
    {
        reading.columns[half] = half * expander->columnCount + column;
        reading.weights[0][half] = (float)(factor * expander->steps[column] * (half == 0 ? 1.0 : 1.0 / HALF));
    }
    End(expander, &reading);
    return reading;
}

// --- Products -------------------------------------------------------------------------------------------------------

qvExpandKernel qvGetExpandKernel(void)
{
    qvCpuLevel level = qvGetCpuLevel();
    if (level >= qv_cpuAvx512)
        return (qvExpandKernel){ { qvExpandOne_Avx512, qvExpandTwo_Avx512 } };
    if (level >= qv_cpuAvx2)
        return (qvExpandKernel){ { qvExpandOne_Avx2, qvExpandTwo_Avx2 } };
    return (qvExpandKernel){ { qvExpandOne_Portable, qvExpandTwo_Portable } };
}

void qvExpander_Multiply(const qvExpander* expander, const qvExpandKernel* kernel, const qvReading* reading,
                         int termCount, int firstRow, int rowCount, float* const out[qv_expandTerms])
{
    size_t size = 2 * (size_t)expander->columnCount * qv_expandStrip, first = (size_t)(firstRow / qv_expandStrip);
    for (int i = 0; i < StripCount(rowCount); i++)
    {
        float* const rows[qv_expandTerms] = { out[0] + i * qv_expandStrip,
                                              termCount > 1 ? out[1] + i * qv_expandStrip : NULL };
        kernel->terms[termCount - 1](expander->halves + (first + (size_t)i) * size, reading, rows);
    }
}
