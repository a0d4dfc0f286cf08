// SPDX-License-Identifier: GPL-3.0-or-later
// Fills a polygon with triangles about as large as its edges.
#pragma once

#include "quaver/mesh.h"

typedef struct qvCap
{
    int innerCount, triangleCount;
    double (*inner)[2];    ///< points inside of it
    qvTriangle* triangles; ///< counterclockwise; first the points of the polygon count, then the inner ones
} qvCap;

/// polygon: counterclockwise, without crossings. qv_badInput: it is not. Frees nothing of the caller's.
QV_CHECKED qvResult qvCreateCap(const double (*polygon)[2], int count, qvCap* cap, qvError* error);
void qvFreeCap(qvCap* cap);
