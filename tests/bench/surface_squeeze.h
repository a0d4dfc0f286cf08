// SPDX-License-Identifier: GPL-3.0-or-later
// Part of the benchmark of surfaces: the full history of a body, compressed.
#pragma once

#include "bem/model.h"
#include "bench.h"

/// Memory, error of the matrices, error of a motion and time of a step for some ratios of compression.
QV_CHECKED qvResult qvBenchSqueeze(qvBenchSink* sink, const qvBemModel* model, qvError* error);
