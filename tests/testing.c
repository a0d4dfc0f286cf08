// SPDX-License-Identifier: GPL-3.0-or-later
#include "testing.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
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

bool AnswerQuestion(void* context, const char* stage, double fraction)
{
    Answers* answers = context;
    (void)stage;
    (void)fraction;
    return answers->asked++ < answers->allowed;
}

double RandomUnit(uint64_t* state)
{
    return (double)(NextRandom(state) >> 11) * 0x1p-53;
}

int RandomInt(uint64_t* state, int bound)
{
    return (int)(NextRandom(state) % (uint64_t)bound);
}

void SetLocaleWithComma(void)
{
    char command[2000];
    snprintf(command, sizeof(command), "mkdir -p '%s/locale' && localedef -i de_DE -f UTF-8 '%s/locale/de_DE.UTF-8'",
             QUAVER_TEST_OUTPUT, QUAVER_TEST_OUTPUT);
    assert_int_equal(system(command), 0);
    setenv("LOCPATH", QUAVER_TEST_OUTPUT "/locale", 1);
    assert_non_null(setlocale(LC_ALL, "de_DE.UTF-8"));
    char half[8];
    snprintf(half, sizeof(half), "%.1f", 0.5);
    assert_string_equal(half, "0,5");
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
