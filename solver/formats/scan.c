// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers: with a mantissa of up to 19 digits and a power of ten that doubles hold exactly, two roundings in double
// precision are off by less than two units in its last place (after Clinger, How to Read Floating Point Numbers
// Accurately, 1990). The float next to that is the right one unless a float midpoint is that close; then, and for long
// or extreme numbers, strtof decides.
#include "formats/scan.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

qvScan qvMakeScan(const char* data, size_t size)
{
    bool hasMark = size >= 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0;
    return (qvScan){ .at = data + (hasMark ? 3 : 0), .end = data + size, .line = 1 };
}

qvResult qvScan_Fail(const qvScan* scan, qvError* error, const char* format, ...)
{
    va_list args;
    va_start(args, format);
    qvError_SetV(error, qv_badInput, format, args);
    va_end(args);
    qvError_Prefix(error, "line %d", scan->line);
    return qv_badInput;
}

bool qvText_Is(qvText text, const char* word)
{
    return strlen(word) == (size_t)text.length && memcmp(text.start, word, (size_t)text.length) == 0;
}

bool qvText_IsNoCase(qvText text, const char* word)
{
    return strlen(word) == (size_t)text.length && strncasecmp(text.start, word, (size_t)text.length) == 0;
}

static void SkipLineEnd(qvScan* scan)
{
    if (scan->at >= scan->end)
        return;
    scan->at += scan->at[0] == '\r' && scan->at[1] == '\n' ? 2 : 1;
    scan->line++;
}

void qvScan_SkipJoint(qvScan* scan)
{
    scan->at++;
    SkipLineEnd(scan);
}

void qvScan_NextLine(qvScan* scan)
{
    while (!qvScan_AtLineEnd(scan))
    {
        if (qvScan_IsJoint(scan, scan->at))
            qvScan_SkipJoint(scan);
        else
            scan->at++;
    }
    SkipLineEnd(scan);
}

void qvScan_SkipSpace(qvScan* scan)
{
    qvScan_SkipBlanks(scan);
    while (scan->at < scan->end && qvScan_AtLineEnd(scan))
    {
        SkipLineEnd(scan);
        qvScan_SkipBlanks(scan);
    }
}

qvText qvScan_Word(qvScan* scan)
{
    qvScan_SkipBlanks(scan);
    const char* start = scan->at;
    while (!qvScan_IsBreak(scan, scan->at))
        scan->at++;
    return (qvText){ start, (int)(scan->at - start) };
}

qvText qvScan_RestOfLine(qvScan* scan)
{
    qvScan_SkipBlanks(scan);
    const char* start = scan->at;
    while (!qvScan_AtLineEnd(scan))
        scan->at++;
    const char* stop = scan->at;
    while (stop > start && (unsigned char)stop[-1] <= ' ')
        stop--;
    return (qvText){ start, (int)(stop - start) };
}

static bool IsDigit(char c)
{
    return c >= '0' && c <= '9';
}

bool qvScan_Integer(qvScan* scan, int64_t* value)
{
    const char* at = scan->at;
    bool negative = *at == '-';
    at += negative || *at == '+';
    const char* start = at;
    int64_t number = 0;
    while (IsDigit(*at) && at - start < 18)
        number = number * 10 + (*at++ - '0');
    if (at == start || IsDigit(*at))
        return false;
    *value = negative ? -number : number;
    scan->at = at;
    return true;
}

// What other programs print for numbers that are none: nan, -inf, nan(ind), 1.#QNAN, -1.#IND, 1.#INF.
static bool ScanNotFinite(qvScan* scan, float* value)
{
    qvScan rest = *scan;
    rest.at += *rest.at == '-' || *rest.at == '+';
    qvText word = qvScan_Word(&rest);
    if (word.length >= 3 && word.length < 16 && strncmp(word.start, "1.#", 3) == 0)
        word = (qvText){ word.start + 3, word.length - 3 };
    if (word.length < 3)
        return false;
    if (strncasecmp(word.start, "inf", 3) == 0)
        *value = *scan->at == '-' ? -INFINITY : INFINITY;
    else if (strncasecmp(word.start, "nan", 3) == 0 || strncasecmp(word.start, "ind", 3) == 0 ||
             strncasecmp(word.start, "qnan", 4) == 0 || strncasecmp(word.start, "snan", 4) == 0)
        *value = NAN;
    else
        return false;
    scan->at = rest.at;
    return true;
}

static float ConvertSlowly(const char* start)
{
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (plain == (locale_t)0)
        return NAN; // out of memory; readers refuse it as not finite
    float value = strtof_l(start, NULL, plain);
    freelocale(plain);
    return value;
}

// mantissa * 10^power with power in [-22, 22]. False when double precision cannot tell the nearest float.
static bool ConvertFast(uint64_t mantissa, int power, float* value)
{
    static const double powers[] = { 1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                     1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };
    double wide = power < 0 ? (double)mantissa / powers[-power] : (double)mantissa * powers[power];
    uint64_t bits;
    memcpy(&bits, &wide, sizeof(bits));
    int64_t fromMidpoint = (int64_t)(bits & 0x1fffffff) - 0x10000000; // a float lacks the last 29 bits of a double
    *value = (float)wide;
    return mantissa == 0 || (wide > 2.0 * FLT_MIN && wide < 0.5 * FLT_MAX && (fromMidpoint > 4 || fromMidpoint < -4));
}

// Digits with at most one point: their value without the point, and how many follow it.
static const char* ScanDigits(const char* at, uint64_t* mantissa, int* digitCount, int* decimals)
{
    const char* start = at;
    uint64_t number = 0;
    while (IsDigit(*at))
        number = number * 10 + (uint64_t)(*at++ - '0');
    *digitCount = (int)(at - start);
    *decimals = 0;
    if (*at == '.')
    {
        const char* point = at++;
        while (IsDigit(*at))
            number = number * 10 + (uint64_t)(*at++ - '0');
        *decimals = (int)(at - point) - 1;
        *digitCount += *decimals;
    }
    *mantissa = number;
    return at;
}

static const char* ScanExponent(const char* at, int* exponent)
{
    *exponent = 0;
    if (*at != 'e' && *at != 'E')
        return at;
    const char* digits = at + 1;
    bool negative = *digits == '-';
    digits += negative || *digits == '+';
    if (!IsDigit(*digits))
        return at;
    int number = 0;
    for (; IsDigit(*digits); digits++)
        number = number < 100000 ? number * 10 + (*digits - '0') : number;
    *exponent = negative ? -number : number;
    return digits;
}

bool qvScan_Float(qvScan* scan, float* value)
{
    qvScan_SkipBlanks(scan);
    const char* start = scan->at;
    bool negative = *start == '-';
    uint64_t mantissa;
    int digitCount, decimals, exponent;
    const char* at = ScanDigits(start + (negative || *start == '+'), &mantissa, &digitCount, &decimals);
    if (digitCount == 0)
        return ScanNotFinite(scan, value);
    at = ScanExponent(at, &exponent);
    if (!qvScan_IsBreak(scan, at))
        return ScanNotFinite(scan, value);

    int power = exponent - decimals;
    float size;
    if (digitCount <= 19 && power >= -22 && power <= 22 && ConvertFast(mantissa, power, &size))
        *value = negative ? -size : size;
    else
        *value = ConvertSlowly(start);
    scan->at = at;
    return true;
}
