// SPDX-License-Identifier: GPL-3.0-or-later
// What every test includes: cmocka with the headers it wants first, and a few helpers.
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "quaver/result.h"

#include <stdbool.h>

/// Fails with the error's message when a call did not succeed.
#define ASSERT_OK(call, error)                          \
    do                                                  \
    {                                                   \
        if ((call) != qv_ok)                            \
            fail_msg("%s: %s", #call, (error).message); \
    } while (0)

/// |a - b| <= tolerance, with both values in the message.
#define ASSERT_NEAR(a, b, tolerance)                                                                                 \
    do                                                                                                               \
    {                                                                                                                \
        double valueA = (a), valueB = (b), allowed = (tolerance);                                                    \
        double difference = valueA > valueB ? valueA - valueB : valueB - valueA;                                     \
        if (!(difference <= allowed))                                                                                \
            fail_msg("%s = %.17g, %s = %.17g, difference %.3g > %.3g", #a, valueA, #b, valueB, difference, allowed); \
    } while (0)

/// Fails unless text contains part.
#define ASSERT_CONTAINS(text, part) AssertContains(text, part, __FILE__, __LINE__)
void AssertContains(const char* text, const char* part, const char* file, int line);

/// What a job is answered: so many times to go on, then to stop. Counts what was asked.
typedef struct Answers
{
    int asked, allowed;
} Answers;

/// A qvProgressFcn on Answers.
bool AnswerQuestion(void* context, const char* stage, double fraction);

/// A deterministic random number in [0, 1).
double RandomUnit(uint64_t* state);

/// A deterministic random integer in [0, bound).
int RandomInt(uint64_t* state, int bound);

/// Switches to a locale that writes 0,5 for one half, made for the test. Go back with setlocale(LC_ALL, "C").
void SetLocaleWithComma(void);

/// Path of a file below tests/data. The buffer is the caller's.
const char* DataPath(char* buffer, size_t capacity, const char* name);

/// Path of a file that a test may write. The folder exists.
const char* OutputPath(char* buffer, size_t capacity, const char* name);
