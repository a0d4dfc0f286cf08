// SPDX-License-Identifier: GPL-3.0-or-later
// Free vibrations of an elastic sphere (H. Lamb, "On the vibrations of an elastic sphere", 1881): the yardstick of the
// boundary elements.
#pragma once

#include <stdbool.h>

/// omega a / c2 of the n-th root above 0.5 (n = 1, 2, …) of degree l: torsional ("T") or spheroidal ("S") modes.
double qvLambFrequency(bool torsional, int l, int n, double poisson);
