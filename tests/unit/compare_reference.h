// SPDX-License-Identifier: GPL-3.0-or-later
// Runs a file of reference cases through qvEvaluateCases and compares every output by name: the largest difference
// relative to the largest entry of the reference. A case with a "tol" of its own is held to that.
#pragma once

#include "testing.h"

#include "quaver/eval.h"
#include "quaver/file.h"

#include <math.h>
#include <string.h>

typedef struct Tolerance
{
    const char* name; // NULL ends the list
    double relative;
    double absolute;
} Tolerance;

typedef struct Difference
{
    double largest, difference;
    int count;
} Difference;

static void Compare(const qvJson* expected, const qvJson* actual, Difference* d)
{
    if (qvJson_IsNull(expected))
    {
        assert_true(qvJson_IsNull(actual));
        return;
    }
    if (qvJson_IsArray(expected))
    {
        assert_true(qvJson_IsArray(actual));
        assert_int_equal(qvJson_Count(actual), qvJson_Count(expected));
        const qvJson* other = qvJson_First(actual);
        for (const qvJson* item = qvJson_First(expected); item != NULL; item = qvJson_Next(item))
        {
            Compare(item, other, d);
            other = qvJson_Next(other);
        }
        return;
    }
    if (qvJson_IsObject(expected))
    {
        for (const qvJson* item = qvJson_First(expected); item != NULL; item = qvJson_Next(item))
            Compare(item, qvJson_Find(actual, qvJson_Name(item)), d);
        return;
    }
    assert_true(qvJson_IsNumber(expected) && qvJson_IsNumber(actual));
    d->largest = fmax(d->largest, fabs(qvJson_Number(expected)));
    d->difference = fmax(d->difference, fabs(qvJson_Number(expected) - qvJson_Number(actual)));
    d->count++;
}

// A row called "*" is for all names that have none.
static const Tolerance* FindTolerance(const Tolerance* tolerances, const char* name)
{
    while (tolerances->name != NULL && strcmp(tolerances->name, name) != 0 && strcmp(tolerances->name, "*") != 0)
        tolerances++;
    if (tolerances->name == NULL)
        fail_msg("no tolerance for \"%s\"", name);
    return tolerances;
}

static int CompareCase(const qvJson* expected, const qvJson* actual, const Tolerance* tolerances)
{
    const char* id = qvJson_Text(qvJson_Find(expected, "id"));
    assert_string_equal(qvJson_Text(qvJson_Find(actual, "id")), id);
    if (qvJson_Find(actual, "error") != NULL)
        fail_msg("%s: %s", id, qvJson_Text(qvJson_Find(actual, "error")));
    int numbers = 0;
    const qvJson* out = qvJson_Find(actual, "out");
    for (const qvJson* item = qvJson_First(qvJson_Find(expected, "out")); item != NULL; item = qvJson_Next(item))
    {
        const char* name = qvJson_Name(item);
        Tolerance allowed = *FindTolerance(tolerances, name);
        if (qvJson_Find(expected, "tol") != NULL)
            allowed.relative = qvJson_Number(qvJson_Find(expected, "tol"));
        const qvJson* found = qvJson_Find(out, name);
        if (found == NULL)
            fail_msg("%s: \"%s\" is missing", id, name);
        Difference d = { 0 };
        Compare(item, found, &d);
        if (!(d.difference <= allowed.relative * d.largest + allowed.absolute))
            fail_msg("%s: %s differs by %.3g of %.6g, allowed %.3g", id, name, d.difference, d.largest,
                     allowed.relative);
        numbers += d.count;
    }
    return numbers;
}

/// Every case of the file must be there with every output, within the tolerance of its name.
static void CompareWithReference(const char* name, const Tolerance* tolerances, int caseCount)
{
    char path[512];
    qvBytes bytes;
    qvError error;
    qvJson *input, *output;
    int failed, count = 0, numbers = 0;
    ASSERT_OK(qvReadFile(DataPath(path, sizeof(path), name), 1 << 24, &bytes, &error), error);
    ASSERT_OK(qvParseJson(bytes.data, bytes.size, NULL, &input, &error), error);
    ASSERT_OK(qvEvaluateCases(input, &output, &failed, &error), error);
    const qvJson* actual = qvJson_First(qvJson_Find(output, "cases"));
    for (const qvJson* item = qvJson_First(qvJson_Find(input, "cases")); item != NULL; item = qvJson_Next(item))
    {
        numbers += CompareCase(item, actual, tolerances);
        actual = qvJson_Next(actual);
        count++;
    }
    assert_int_equal(count, caseCount);
    assert_int_equal(failed, 0);
    assert_true(numbers > 20 * caseCount);
    qvDestroyJson(input);
    qvDestroyJson(output);
    qvFreeBytes(&bytes);
}
