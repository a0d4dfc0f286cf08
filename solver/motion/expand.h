// SPDX-License-Identifier: GPL-3.0-or-later
// Tall matrices times short vectors, in float: what a frame reads of the reduced basis. Memory is the limit, so every
// number is kept in two halves of 16 bits; of columns that count little only the high halves are read.
#pragma once

#include "quaver/job.h"
#include "quaver/math.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum
{
    qv_expandPoints = 256, ///< points of a block, the piece in which frames are made
    qv_expandRows = 3 * qv_expandPoints,
    qv_expandBuffer = qv_expandRows + 1, ///< of a block, with what loads of four numbers read beyond
    qv_expandStrip = 64,                 ///< rows of which all columns follow each other in memory
    qv_expandTerms = 2,                  ///< vectors that are multiplied at once, at most
    qv_expandAhead = 16,                 ///< columns that are asked for before they are needed
};

typedef struct qvExpander
{
    int rowCount, columnCount;
    double* steps;   // [columnCount] unit of the high halves; the low ones count 2^-16 of that
    int16_t* halves; // [strips x 2 columnCount x qv_expandStrip] in each strip all high halves, then the low ones
    size_t mapped;   // bytes of large halves, that may be parked; 0: they are in the heap
    bool isParked;
} qvExpander;

/// In scaled units: what is left out of a product is 1e-8 of the body for each column. To be filled before it is read.
QV_CHECKED qvResult qvExpander_Init(qvExpander* expander, int rowCount, int columnCount, qvError* error);
void qvExpander_Free(qvExpander* expander);

/// Puts the halves into a file of a folder, should they be large; what is not read needs no memory then. Others may be
/// reading, but no column is set any more.
void qvExpander_Park(qvExpander* expander, const char* folder);
void qvExpander_Rest(const qvExpander* expander);

/// values [rowCount x columnCount]
void qvExpander_Fill(qvExpander* expander, const double* values);

/// The same on several threads.
QV_CHECKED qvResult qvExpander_SetColumns(qvExpander* expander, const double* values, const qvJob* job, qvError* error);

/// What is read of each strip, in this order. After count columns follow the first qv_expandAhead of the next strip.
typedef struct qvReading
{
    int count;
    int32_t* columns;               // [count + qv_expandAhead]
    float* weights[qv_expandTerms]; // [count]
} qvReading;

/// Words of 4 bytes that a reading needs.
size_t qvReading_Size(int columnCount);

/// For the products with factor times each of the vectors [columnCount].
qvReading qvExpander_Plan(const qvExpander* expander, int termCount, const double* const* vectors, double factor,
                          float* memory);

/// For factor times one of the columns.
qvReading qvExpander_PlanColumn(const qvExpander* expander, int column, double factor, float* memory);

/// One strip for one and for two vectors: one version per CPU level, all with the same bits.
typedef void qvExpandFcn(const int16_t* strip, const qvReading* reading, float* const out[qv_expandTerms]);
qvExpandFcn qvExpandOne_Portable, qvExpandOne_Avx2, qvExpandOne_Avx512;
qvExpandFcn qvExpandTwo_Portable, qvExpandTwo_Avx2, qvExpandTwo_Avx512;

/// The best versions on this machine.
typedef struct qvExpandKernel
{
    qvExpandFcn* terms[qv_expandTerms]; // by the number of vectors, less one
} qvExpandKernel;

qvExpandKernel qvGetExpandKernel(void);

/// out[m] = the rows of the product m from a multiple of qv_expandStrip on, and zeros after the last one: rowCount
/// numbers, rounded up to whole strips.
void qvExpander_Multiply(const qvExpander* expander, const qvExpandKernel* kernel, const qvReading* reading,
                         int termCount, int firstRow, int rowCount, float* const out[qv_expandTerms]);
