// SPDX-License-Identifier: GPL-3.0-or-later
// quaver eval: evaluates the solver's kernels on cases given as JSON.
#include "command.h"

#include "quaver/blas.h"
#include "quaver/eval.h"
#include "quaver/file.h"

#include <string.h>

static qvResult ReadCases(const char* path, qvJson** cases, qvError* error)
{
    qvBytes bytes;
    qvResult result = qvReadFile(path, (size_t)256 << 20, &bytes, error);
    if (result != qv_ok)
        return result;
    result = qvParseJson(bytes.data, bytes.size, NULL, cases, error);
    if (result != qv_ok)
        qvError_Prefix(error, "%s", path);
    qvFreeBytes(&bytes);
    return result;
}

static int WriteReport(qvJson* report, const char* path)
{
    if (path == NULL)
        return PrintJson(report);
    qvError error;
    char* text = qvJson_Print(report, true);
    qvDestroyJson(report);
    if (text == NULL)
        return FailWith("not enough memory for the results");
    qvResult result = qvWriteFile(path, text, strlen(text), &error);
    qvFreeText(text);
    return result == qv_ok ? EXIT_DONE : FailCommand(&error);
}

static int Run(int argumentCount, char** arguments)
{
    const char *input = NULL, *output = NULL;
    const Option options[] = {
        { NULL, OPTION_TEXT, &input, "the cases", 0, 0 },
        { "-o", OPTION_TEXT, &output, "write the results to this file instead of standard output", 0, 0 },
    };
    int status;
    if (!ParseOptions(&commandEval, options, 2, argumentCount, arguments, &status))
        return status;
    if (input == NULL)
        return FailUsage(&commandEval, "eval needs a file with cases");
    qvError error;
    qvJson *cases, *report;
    int failed;
    if (qvBlas_Claim(1, &error) != qv_ok)
        return FailCommand(&error);
    if (ReadCases(input, &cases, &error) != qv_ok)
        return FailCommand(&error);
    qvResult result = qvEvaluateCases(cases, &report, &failed, &error);
    qvDestroyJson(cases);
    if (result != qv_ok)
    {
        qvError_Prefix(&error, "%s", input);
        return FailCommand(&error);
    }
    status = WriteReport(report, output);
    if (status == EXIT_DONE && failed > 0)
        return FailWith("%s: cases that could not be evaluated: %d; their \"error\" says why", input, failed);
    return status;
}

const Command commandEval = { "eval", "CASES [-o OUT]", "evaluates the solver's kernels on cases in JSON", Run };
