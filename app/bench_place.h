// SPDX-License-Identifier: GPL-3.0-or-later
// A folder for what benchmarks write. It goes when they end, also by a signal.
#pragma once

#include "quaver/result.h"

typedef struct BenchPlace
{
    char folder[512];
} BenchPlace;

/// Makes the folder inside TMPDIR and becomes TMPDIR itself. Before other threads are made: SIGINT, SIGTERM and SIGHUP
/// go to one that removes the folder and ends the program. Must live until the program ends.
QV_CHECKED qvResult MakeBenchPlace(BenchPlace* place, qvError* error);
void RemoveBenchPlace(const BenchPlace* place);

/// A folder with all that is in it.
void RemoveFolder(const char* path);
