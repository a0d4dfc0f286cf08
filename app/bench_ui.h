// SPDX-License-Identifier: GPL-3.0-or-later
// The benchmark of the window.
#pragma once

#include "bench.h"

/// NULL in a build without the window.
extern const qvBench* const benchUi;
