// SPDX-License-Identifier: GPL-3.0-or-later
// How far long work is: a line on the terminal that changes, or where standard error is none a line "Progress: 45%"
// every second, as render farms read it. Nothing is written for work of less than half a second.
#pragma once

#include "quaver/job.h"

#include <stdbool.h>

typedef struct ProgressLine
{
    double start; // s, when the work began
    double next;  // s, when the line is due again
    bool terminal, shown;
    double from, to; // what share of the whole the work of now is
    double reached;  // fraction of the whole that was told last
} ProgressLine;

void BeginProgress(ProgressLine* line);
/// A qvProgressFcn: the context is the line. Stops the work when the user has asked for that.
bool ShowProgress(void* context, const char* stage, double fraction);
/// From now on the work is this share of the whole.
void SetShare(ProgressLine* line, double from, double to);
/// A qvLogFcn: the context is the line. Prints warnings only.
void PrintWarning(void* context, qvLogLevel level, const char* line);
/// Takes the line away again, before anything else is printed.
void EndProgress(ProgressLine* line);
