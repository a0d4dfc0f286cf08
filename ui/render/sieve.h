// SPDX-License-Identifier: GPL-3.0-or-later
/// Picks the triangles of a surface that leave a trace in a picture, for renderers without a card, to which every
/// triangle is work: those that lie beside the picture or between the middles of its pixels make no difference. Those
/// that face the viewer come first, so that what lies behind them is not shaded in vain.
#pragma once

#include "quaver/mesh.h"
#include "ui/render/matrix.h"

#include <stdbool.h>
#include <stdint.h>

/// A zeroed struct is an empty sieve.
typedef struct qvuiSieve
{
    float* places; ///< of the vertices in the picture, two each
    int placeCapacity;
    uint32_t* corners; ///< of the triangles that were picked
    int cornerCount;
    int cornerCapacity;
} qvuiSieve;

/// What a picture shows of a surface. Front faces are clockwise, rows downwards.
typedef struct qvuiSieveView
{
    qvuiMatrix matrix; ///< to clip coordinates
    int width, height; ///< pixels
    bool frontOnly;    ///< back faces are left out
} qvuiSieveView;

void qvuiSieve_Free(qvuiSieve* sieve);

/// Finds where vertices lie and empties the list of triangles, which then has room for cornerCount entries. False when
/// memory runs out.
bool qvuiSieve_Begin(qvuiSieve* sieve, const qvuiSieveView* view, const qvVec3f* positions, int count, int cornerCount);

/// Appends the triangles among these (three indices each) that can be seen. Returns how many entries came.
int qvuiSieve_Add(qvuiSieve* sieve, const qvuiSieveView* view, const uint32_t* corners, int cornerCount);
