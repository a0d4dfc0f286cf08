// SPDX-License-Identifier: GPL-3.0-or-later
#include "testing.h"

#include <stdio.h>
#include <string.h>

void AssertContains(const char* text, const char* part, const char* file, int line)
{
    if (strstr(text, part) == NULL)
    {
        print_error("\"%s\" does not contain \"%s\"\n", text, part);
        _fail(file, line);
    }
}

static uint64_t NextRandom(uint64_t* state)
{
    // splitmix64 (Steele, Lea, Flood 2014)
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

double RandomUnit(uint64_t* state)
{
    return (double)(NextRandom(state) >> 11) * 0x1p-53;
}

int RandomInt(uint64_t* state, int bound)
{
    return (int)(NextRandom(state) % (uint64_t)bound);
}

const char* DataPath(char* buffer, size_t capacity, const char* name)
{
    snprintf(buffer, capacity, "%s/%s", QUAVER_TEST_DATA, name);
    return buffer;
}

const char* OutputPath(char* buffer, size_t capacity, const char* name)
{
    snprintf(buffer, capacity, "%s/%s", QUAVER_TEST_OUTPUT, name);
    return buffer;
}
