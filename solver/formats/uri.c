// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/uri.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int HexDigit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : isxdigit((unsigned char)c) ? tolower((unsigned char)c) - 'a' + 10 : -1;
}

void qvDecodeUri(char* text)
{
    char* to = text;
    for (const char* from = text; *from != 0;)
    {
        int high = from[0] == '%' ? HexDigit(from[1]) : -1;
        int low = high >= 0 ? HexDigit(from[2]) : -1;
        bool escaped = low >= 0 && high + low > 0; // a zero byte would cut the path short, so it stays encoded
        *to++ = escaped ? (char)(high * 16 + low) : *from;
        from += escaped ? 3 : 1;
    }
    *to = 0;
}

char* qvEncodeUri(const char* path)
{
    char* uri = malloc(3 * strlen(path) + 1);
    if (uri == NULL)
        return NULL;
    char* to = uri;
    for (const char* c = path; *c != 0; c++)
    {
        if (isalnum((unsigned char)*c) || strchr("-._~/", *c) != NULL)
            *to++ = *c;
        else
            to += sprintf(to, "%%%02X", (unsigned)(unsigned char)*c);
    }
    *to = 0;
    return uri;
}
