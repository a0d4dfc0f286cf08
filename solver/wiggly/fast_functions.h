// SPDX-License-Identifier: GPL-3.0-or-later
// exp, sin and cos for loops that compilers shall vectorize: calls into libm would stop that, and so would comparisons
// of doubles, which count as control flow. Cody and Waite's argument reduction and Taylor polynomials up to rounding;
// errors stay within two units in the last place.
#pragma once

#include <stdint.h>
#include <string.h>

static inline uint64_t ToBits(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof(bits));
    return bits;
}

static inline double FromBits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof(x));
    return x;
}

// All ones where x < limit, for numbers that are not negative: as integers, such doubles are in order. Shifts and
// differences are the comparison that every vector unit has.
static inline uint64_t Below(double x, double limit)
{
    return 0 - ((ToBits(x) - ToBits(limit)) >> 63);
}

// x < limit ? a : b for numbers that are not negative
static inline double SelectBelow(double x, double limit, double a, double b)
{
    uint64_t mask = Below(x, limit);
    return FromBits((ToBits(a) & mask) | (ToBits(b) & ~mask));
}

// Adding it rounds to an integer, which then stands in the lowest bits.
static const double ROUNDING_SHIFT = 6755399441055744.0; // 1.5 * 2^52

// exp(-x) for x >= 0; it stays at 3e-308 above 708
static inline double Decay(double x)
{
    x = -SelectBelow(x, 708.0, x, 708.0);
    double shifted = x * 1.4426950408889634 + ROUNDING_SHIFT, k = shifted - ROUNDING_SHIFT;
    double r = (x - k * 0.693147180369123816490) - k * 1.90821492927058770002e-10;
    double p = 1.0 / 6227020800.0;
    p = p * r + 1.0 / 479001600.0;
    p = p * r + 1.0 / 39916800.0;
    p = p * r + 1.0 / 3628800.0;
    p = p * r + 1.0 / 362880.0;
    p = p * r + 1.0 / 40320.0;
    p = p * r + 1.0 / 5040.0;
    p = p * r + 1.0 / 720.0;
    p = p * r + 1.0 / 120.0;
    p = p * r + 1.0 / 24.0;
    p = p * r + 1.0 / 6.0;
    p = p * r + 0.5;
    p = p * r * r + r + 1.0;
    return p * FromBits((ToBits(shifted) << 52) + (UINT64_C(1023) << 52));
}

// (exp(-z) - 1) / -z for 0 <= z < 0.5
static inline double SmallDecay(double z)
{
    double p = 1.0 / 87178291200.0;
    p = 1.0 / 6227020800.0 - p * z;
    p = 1.0 / 479001600.0 - p * z;
    p = 1.0 / 39916800.0 - p * z;
    p = 1.0 / 3628800.0 - p * z;
    p = 1.0 / 362880.0 - p * z;
    p = 1.0 / 40320.0 - p * z;
    p = 1.0 / 5040.0 - p * z;
    p = 1.0 / 720.0 - p * z;
    p = 1.0 / 120.0 - p * z;
    p = 1.0 / 24.0 - p * z;
    p = 1.0 / 6.0 - p * z;
    p = 0.5 - p * z;
    return 1.0 - p * z;
}

// sin and cos for |x| <= 1e5
static inline void SinCos(double x, double* sine, double* cosine)
{
    double shifted = x * 0.63661977236758134308 + ROUNDING_SHIFT, k = shifted - ROUNDING_SHIFT;
    // pi / 2 in three parts, the first two of 33 bits
    double r = ((x - k * 1.57079632673412561417e+00) - k * 6.07710050630396597660e-11) - k * 2.02226624879595063154e-21;
    double z = r * r, s = 1.0 / 355687428096000.0, c = -1.0 / 6402373705728000.0;
    s = s * z - 1.0 / 1307674368000.0;
    s = s * z + 1.0 / 6227020800.0;
    s = s * z - 1.0 / 39916800.0;
    s = s * z + 1.0 / 362880.0;
    s = s * z - 1.0 / 5040.0;
    s = s * z + 1.0 / 120.0;
    s = s * z - 1.0 / 6.0;
    s = s * z * r + r;
    c = c * z + 1.0 / 20922789888000.0;
    c = c * z - 1.0 / 87178291200.0;
    c = c * z + 1.0 / 479001600.0;
    c = c * z - 1.0 / 3628800.0;
    c = c * z + 1.0 / 40320.0;
    c = c * z - 1.0 / 720.0;
    c = c * z + 1.0 / 24.0;
    c = (c * z - 0.5) * z + 1.0;
    // The quadrant: odd ones exchange sine and cosine; bits 1 of k and of k + 1 are the signs.
    uint64_t quadrant = ToBits(shifted), swap = 0 - (quadrant & 1), sb = ToBits(s), cb = ToBits(c);
    *sine = FromBits(((sb & ~swap) | (cb & swap)) ^ ((quadrant & 2) << 62));
    *cosine = FromBits(((cb & ~swap) | (sb & swap)) ^ (((quadrant + 1) & 2) << 62));
}

// The smaller of two numbers that are not negative
static inline double Least(double x, double most)
{
    return SelectBelow(x, most, x, most);
}
