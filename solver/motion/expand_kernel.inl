// SPDX-License-Identifier: GPL-3.0-or-later
// The inner loops of expand.c, compiled once per CPU level as EXPAND_ONE and EXPAND_TWO: for vectors of LANES floats,
// into which LOAD turns as many halves.
#include "motion/expand.h"

enum
{
    VECTORS = 4 // sums of each product that stay in registers
};

typedef float Lanes __attribute__((vector_size(LANES * sizeof(float)), aligned(4), may_alias));

// Few of the low halves are read, far from each other, which the CPU does not foresee.
static inline const int16_t* Column(const int16_t* strip, const qvReading* reading, int k)
{
    const int16_t* later = strip + (size_t)reading->columns[k + qv_expandAhead] * qv_expandStrip;
    __builtin_prefetch(later);
    __builtin_prefetch(later + qv_expandStrip / 2);
    return strip + (size_t)reading->columns[k] * qv_expandStrip;
}

void EXPAND_ONE(const int16_t* strip, const qvReading* reading, float* const out[qv_expandTerms])
{
    for (int at = 0; at < qv_expandStrip; at += VECTORS * LANES)
    {
        Lanes s[VECTORS] = { 0 }, x;
        for (int k = 0; k < reading->count; k++)
        {
            const int16_t* column = Column(strip, reading, k) + at;
            float a = reading->weights[0][k];
            for (int i = 0; i < VECTORS; i++)
            {
                LOAD(column + i * LANES, &x);
                s[i] += a * x;
            }
        }
        for (int i = 0; i < VECTORS; i++)
            *(Lanes*)(out[0] + at + i * LANES) = s[i];
    }
}

void EXPAND_TWO(const int16_t* strip, const qvReading* reading, float* const out[qv_expandTerms])
{
    for (int at = 0; at < qv_expandStrip; at += VECTORS * LANES)
    {
        Lanes s[VECTORS] = { 0 }, t[VECTORS] = { 0 }, x;
        for (int k = 0; k < reading->count; k++)
        {
            const int16_t* column = Column(strip, reading, k) + at;
            float a = reading->weights[0][k], b = reading->weights[1][k];
            for (int i = 0; i < VECTORS; i++)
            {
                LOAD(column + i * LANES, &x);
                s[i] += a * x;
                t[i] += b * x;
            }
        }
        for (int i = 0; i < VECTORS; i++)
        {
            *(Lanes*)(out[0] + at + i * LANES) = s[i];
            *(Lanes*)(out[1] + at + i * LANES) = t[i];
        }
    }
}
