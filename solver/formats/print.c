// SPDX-License-Identifier: GPL-3.0-or-later
// With nine digits, the numbers that read back as a given float reach at least three units of the ninth digit to either
// side of it, so that the rounding of a product in double precision, far below one unit, cannot matter.
#include "formats/print.h"

#include <locale.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

char* qvPrintInt(char* to, int value)
{
    char digits[12];
    int count = 0;
    uint32_t left = value < 0 ? 0u - (uint32_t)value : (uint32_t)value;
    do
        digits[count++] = (char)('0' + left % 10);
    while ((left /= 10) > 0);
    if (value < 0)
        *to++ = '-';
    while (count > 0)
        *to++ = digits[--count];
    return to;
}

// Numbers with an exponent. Text of the C locale, whatever the decimal point of the current one.
static char* PrintExtreme(char* to, float value)
{
    char text[qv_maxPrintedNumber];
    snprintf(text, sizeof(text), "%.9g", value);
    const char* point = localeconv()->decimal_point;
    const char* found = strstr(text, point);
    size_t before = found != NULL ? (size_t)(found - text) : strlen(text);
    memcpy(to, text, before);
    to += before;
    if (found == NULL)
        return to;
    *to++ = '.';
    size_t after = strlen(found + strlen(point));
    memcpy(to, found + strlen(point), after);
    return to + after;
}

// digits * 10^(exponent - 8) with nine digits, in plain notation.
static char* PrintDigits(char* to, uint32_t digits, int exponent)
{
    char text[9];
    for (int i = 8; i >= 0; i--, digits /= 10)
        text[i] = (char)('0' + digits % 10);
    int count = 9;
    while (count > 1 && count > exponent + 1 && text[count - 1] == '0')
        count--;
    if (exponent < 0)
    {
        *to++ = '0';
        *to++ = '.';
        for (int i = -1; i > exponent; i--)
            *to++ = '0';
    }
    for (int i = 0; i < count; i++)
    {
        if (i == exponent + 1 && exponent >= 0)
            *to++ = '.';
        *to++ = text[i];
    }
    return to;
}

char* qvPrintFloat(char* to, float value)
{
    static const double powers[] = { 1e-4, 1e-3, 1e-2, 1e-1, 1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9 };
    double size = fabs((double)value);
    if (value == 0.0f && !signbit(value))
    {
        *to++ = '0';
        return to;
    }
    if (!(size >= 1e-4 && size < 9e8))
        return PrintExtreme(to, value);
    int exponent = -4;
    while (size >= powers[exponent + 5])
        exponent++;
    // Nine digits before the point: times 10^(8 - exponent).
    double scaled = exponent < 0 ? size * 1e8 * powers[4 - exponent] : size * powers[12 - exponent];
    uint32_t digits = (uint32_t)(scaled + 0.5);
    if (digits >= 1000000000u)
    {
        digits = 100000000u;
        exponent++;
    }
    if (value < 0.0f)
        *to++ = '-';
    return PrintDigits(to, digits, exponent);
}
