// SPDX-License-Identifier: GPL-3.0-or-later
#include "quaver/numbered.h"

#include "quaver/path.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    DIGITS = 4,      // of names without a field
    MAX_DIGITS = 9,  // that any int has
    MAX_NUMBER = 12, // characters of an int
};

static const char DECIMAL[] = "0123456789";

// Length of the path without its ending.
static size_t StemLength(const char* path)
{
    const char* extension = qvPath_Extension(path);
    return extension[0] != 0 ? (size_t)(extension - path) - 1 : strlen(path);
}

// Length of the field that begins at a character; 0: none does. *digits is negative where it is none that can be used.
static size_t FieldLength(const char* at, const char* end, int* digits)
{
    size_t marks = strspn(at, "#"), width = at[0] == '%' ? strspn(at + 1, DECIMAL) : 0;
    if (marks > 1 || (marks == 1 && at + 1 == end))
    {
        *digits = marks <= MAX_DIGITS ? (int)marks : -1;
        return marks;
    }
    if (at[0] != '%' || at[1 + width] != 'd')
        return 0;
    bool isPadded = width == 0 || (at[1] == '0' && width > 1);
    *digits = !isPadded || width > 2 ? -1 : width == 0 ? 1 : at[2] - '0';
    return width + 2;
}

qvResult qvFindNumberField(const char* path, qvNumberField* field, qvError* error)
{
    size_t end = StemLength(path);
    *field = (qvNumberField){ .begin = end, .end = end };
    for (const char* at = qvPath_FileName(path); at < path + end;)
    {
        int digits = 0;
        size_t length = FieldLength(at, path + end, &digits);
        if (length == 0)
        {
            at++;
            continue;
        }
        if (digits < 1)
            return qvError_Set(error, qv_badInput, "%s: \"%.*s\" is no number field; write #### or %%04d", path,
                               (int)length, at);
        if (field->digits > 0)
            return qvError_Set(error, qv_badInput, "%s: has several number fields; leave one, as in walk.####.png",
                               path);
        *field = (qvNumberField){ (size_t)(at - path), (size_t)(at - path) + length, digits };
        at += length;
    }
    return qv_ok;
}

// Of a path that has been looked at before.
static qvNumberField Field(const char* path)
{
    qvNumberField field;
    if (qvFindNumberField(path, &field, NULL) != qv_ok)
        field.digits = 0, field.begin = field.end = StemLength(path);
    return field;
}

char* qvPathWithField(const char* path, const char* text)
{
    qvNumberField field = Field(path);
    size_t size = strlen(path) + strlen(text) + 2;
    char* made = malloc(size);
    if (made != NULL)
        snprintf(made, size, "%.*s%s%s%s", (int)field.begin, path, field.digits > 0 ? "" : "_", text, path + field.end);
    return made;
}

char* qvNumberedPath(const char* path, int number)
{
    char text[MAX_NUMBER];
    int digits = Field(path).digits;
    snprintf(text, sizeof(text), "%0*d", digits > 0 ? digits : DIGITS, number);
    return qvPathWithField(path, text);
}

char* qvUnnumberedPath(const char* path)
{
    qvNumberField field = Field(path);
    size_t name = (size_t)(qvPath_FileName(path) - path), begin = field.begin;
    bool isSeparated = begin > name && (path[begin - 1] == '_' || path[begin - 1] == '.');
    if (field.digits > 0 && isSeparated)
        begin--;
    const char* rest = path + field.end;
    const char* stem = begin == name && rest[0] == '.' ? "frames" : ""; // a name is more than its ending
    size_t size = strlen(path) + strlen(stem) + 1;
    char* made = malloc(size);
    if (made != NULL)
        snprintf(made, size, "%.*s%s%s", (int)begin, path, stem, rest);
    return made;
}

bool qvIsNumberedPath(const char* pattern, const char* path, int* number)
{
    qvNumberField field = Field(pattern);
    size_t begin = field.begin + (field.digits > 0 ? 0 : 1);
    if (strlen(path) < begin)
        return false;
    const char* digits = path + begin;
    *number = (int)strtol(digits, NULL, 10);
    char* own = qvNumberedPath(pattern, *number);
    bool isSame = own != NULL && strcmp(own, path) == 0;
    free(own);
    return isSame;
}
