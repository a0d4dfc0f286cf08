// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/format.h"

#include "base/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    MAX_NOTES = 100 // a broken file may earn one per line
};

void qvNotes_Add(qvNotes* notes, const char* format, ...)
{
    if (notes->count >= MAX_NOTES || !qvReserve(&notes->lines, &notes->capacity, notes->count + 1, sizeof(char*)))
        return;
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    for (char* c = text; *c != 0; c++)
        *c = (unsigned char)*c < 32 ? ' ' : *c;
    char* copy = strdup(text);
    if (copy != NULL)
        notes->lines[notes->count++] = copy;
}
