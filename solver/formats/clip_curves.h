// SPDX-License-Identifier: GPL-3.0-or-later
// What a clip says at each frame, and the keys that say it: all frames with straight lines between them, or fewer with
// cubic curves (glTF 2.0, appendix C: Hermite splines with a tangent on either side of every key).
#pragma once

#include "quaver/math.h"
#include "quaver/result.h"

#include <stdbool.h>

/// Numbers of a frame: three of the translation, four of the rotation, and the coordinates of the shapes.
enum
{
    QV_CLIP_TRANSLATION = 0,
    QV_CLIP_ROTATION = 3,
    QV_CLIP_SHAPES = 7,
};

typedef struct qvClipCurves
{
    int frameCount;
    const double* times; ///< [frameCount] s
    int width;           ///< numbers of a frame
    double* values;      ///< [frameCount][width]

    int keyCount;
    int* keys;         ///< [keyCount] frames, the first and the last among them
    bool isCubic;      ///< tangents count
    double* tangents;  ///< [keyCount][2][width]: arriving and leaving, per second
    double* evaluated; ///< [frameCount][width] what a viewer shows at the frames; rotations not normalised
} qvClipCurves;

/// Room for the frames' values; every frame is a key at first. False when memory runs out.
QV_CHECKED bool qvClipCurves_Start(qvClipCurves* curves, int frameCount, const double* times, int width);
void qvClipCurves_Free(qvClipCurves* curves);

/// How far the worst vertex of a frame is off when its numbers are these.
typedef double qvClipErrorFcn(void* context, int frame, const double* values);

/// Every frame is a key, and lines connect them.
void qvClipCurves_UseLines(qvClipCurves* curves);

/// As few keys as keep every frame within tolerance. False when memory runs out.
QV_CHECKED bool qvClipCurves_UseCubics(qvClipCurves* curves, bool loop, double tolerance, qvClipErrorFcn* measure,
                                       void* context);

/// Least and largest value of one of the numbers, over all times.
void qvClipCurves_Range(const qvClipCurves* curves, int number, double* least, double* largest);
