// SPDX-License-Identifier: GPL-3.0-or-later
/// Curves of the motion against time, kept until the motion changes. Which moments they are sampled at depends on the
/// scene alone; those of a point cost a body each, and are filled in over several frames, the keys first. Those of the
/// modes are read elsewhere, all at once.
#pragma once

#include "ui/editor/session.h"

enum
{
    qvui_maxCurves = 4,
    qvui_maxCurveSteps = 2048, ///< of the even part
    qvui_maxCurveSamples = qvui_maxCurveSteps + 512
};

typedef struct qvuiCurve
{
    int mode;         ///< of the rest shape; or 0 to 2 for x, y, z of a point
    double frequency; ///< of the mode, Hz
    double wiggly[qvui_maxCurveSamples];
    double smooth[qvui_maxCurveSamples]; ///< the plain cubic motion
} qvuiCurve;

typedef struct qvuiGraph
{
    int point;             ///< whose place is shown; -1: the strongest modes
    uint64_t takeRevision; ///< of the session, that the curves are about
    int sampleCount, curveCount;
    double times[qvui_maxCurveSamples];  ///< ascending
    bool known[qvui_maxCurveSamples];    ///< samples that are there already
    int16_t order[qvui_maxCurveSamples]; ///< in which they come
    int doneCount;
    qvuiCurve curves[qvui_maxCurves];
    double low, high; ///< of all values
    qvId handleKey;   ///< whose velocity is being dragged; 0: none
    int handleAxis;
    bool handleArrives; ///< its speed before the key, not after
} qvuiGraph;

/// Makes the curves anew when the take or the point is another, and goes on for about that many seconds. point: the
/// picked one, or -1: then the curves are those of modes, or none when that is NULL.
void qvuiGraph_Update(qvuiGraph* graph, qvuiSession* session, const qvuiGraph* modes, int point, double seconds);

/// Fills an empty graph with the modes of a take that move most, strongest first; on any thread.
void qvuiGraph_ReadModes(qvuiGraph* graph, const qvTake* take);

/// Whether samples are missing.
bool qvuiGraph_IsBusy(const qvuiGraph* graph);

/// Value of a curve at a time, between samples by a straight line.
double qvuiGraph_Value(const qvuiGraph* graph, int curve, double time);
