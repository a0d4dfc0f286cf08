// SPDX-License-Identifier: GPL-3.0-or-later
// A line on the terminal that says how far long work is. Nothing is written where standard error is no terminal, nor
// for work of less than half a second.
#pragma once

#include "quaver/job.h"

#include <stdbool.h>

typedef struct ProgressLine
{
    double start; // s, when the work began
    double next;  // s, when the line is due again
    bool terminal, shown;
} ProgressLine;

void BeginProgress(ProgressLine* line);
/// A qvProgressFcn: the context is the line. Stops the work when the user has asked for that.
bool ShowProgress(void* context, const char* stage, double fraction);
/// A qvLogFcn: the context is the line. Prints warnings only.
void PrintWarning(void* context, qvLogLevel level, const char* line);
/// Takes the line away again, before anything else is printed.
void EndProgress(ProgressLine* line);
