// SPDX-License-Identifier: GPL-3.0-or-later
// Steps of qvCreateTopology that have a file of their own.
#pragma once

#include "quaver/topology.h"

/// Makes ringStart and ring from triangles, fanStart and fan.
QV_CHECKED qvResult qvTopology_MakeRings(qvTopology* topology, qvError* error);
