// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bench.h"

/// How much a bar, free or held at one end, stretches on the way between two keys: bent by 120 degrees and twisted by
/// 180, its shapes straight from displacements (plain), with three more linearizations on the way (ghosts), and by
/// rotations and strains (warped).
QV_CHECKED qvResult qvBenchBar(qvBenchSink* sink, qvError* error);
