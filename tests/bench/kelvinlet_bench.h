// SPDX-License-Identifier: GPL-3.0-or-later
// What the two halves of the Kelvinlet benchmark share: the names of its loads and the rows of errors.
#pragma once

#include "bench.h"
#include "quaver/kelvinlet.h"

/// "kelvinlet/impulse/affine/2-scales"
void qvNameBenchLoad(const qvKelvinlet* load, char name[64]);

/// Adds the largest errors of a load up to 10 and up to 1000 radii, in float and double, each with that of the paper's
/// formulas in the same precision as the baseline.
void qvBenchErrors(qvBenchSink* sink, const qvKelvinlet* load);
