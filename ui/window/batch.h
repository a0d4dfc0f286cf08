// SPDX-License-Identifier: GPL-3.0-or-later
/// Puts what is drawn in the same way together, so that a frame takes a dozen calls instead of hundreds. Order counts
/// only where things lie over each other: each goes into the first run that fits and that comes after all that it
/// covers.
#pragma once

#include "ui/render/canvas.h"

#include <stdbool.h>
#include <stdint.h>

/// A zeroed struct is an empty batch.
typedef struct qvuiBatch
{
    int columns, rows;
    uint16_t* cells; ///< of a few pixels: how many runs there were when one last touched it
    int cellCapacity;
    struct qvuiBatchItem* items; ///< in the order of drawing
    int itemCount, itemCapacity;
    qvuiCanvasRun* runs;
    int runCount, runCapacity;
    qvuiCanvasVertex* vertices; ///< of all runs
    int vertexCount, vertexCapacity;
} qvuiBatch;

void qvuiBatch_Free(qvuiBatch* batch);

/// Empties it for a canvas of that size. False when memory runs out, as for all below.
bool qvuiBatch_Begin(qvuiBatch* batch, int width, int height);

/// Two triangles at a time, because llvmpipe then sees rectangles. They touch no pixel outside the box from lower to
/// upper, which lies on the canvas. like says how they are drawn.
bool qvuiBatch_Add(qvuiBatch* batch, const qvuiCanvasRun* like, const int lower[2], const int upper[2],
                   const qvuiCanvasVertex vertices[6]);

/// Sorts the vertices by their runs.
bool qvuiBatch_End(qvuiBatch* batch);
