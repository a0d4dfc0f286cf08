// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/numbers.h"

#include <stdio.h>
#include <string.h>

char* qvuiFormatCount(int count, char* text, size_t capacity)
{
    char digits[16];
    int length = snprintf(digits, sizeof(digits), "%d", count);
    size_t out = 0;
    for (int i = 0; i < length && out + 2 < capacity; i++)
    {
        if (i > 0 && (length - i) % 3 == 0 && digits[i - 1] != '-')
            text[out++] = ',';
        text[out++] = digits[i];
    }
    text[out] = 0;
    return text;
}
