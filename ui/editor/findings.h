// SPDX-License-Identifier: GPL-3.0-or-later
/// What the window says about a take besides showing it: the wiggle on the timeline, the curves of the graph, the seam
/// of the loop, how well a key is met. Found out beside the frames, so that none waits for it; what is known of the
/// take before stays until then.
#pragma once

#include "ui/editor/session.h"
#include "ui/editor/task.h"
#include "ui/timeline/graph.h"

enum
{
    qvui_traceSamples = 200
};

/// What physics adds to the smooth motion over time, in the mode where that is most.
typedef struct qvuiTrace
{
    int count;                        ///< of even samples; 0: there is none
    double start, end;                ///< s
    double peak;                      ///< mesh units
    double values[qvui_traceSamples]; ///< -0.5 to 0.5: fractions of twice the peak
} qvuiTrace;

/// What a thread finds out about one take, and what it is asked.
typedef struct qvuiCurveInquiry
{
    qvuiTask task;
    const qvTake* take; ///< while it runs; retained
    uint64_t revision;  ///< of the session's take that it is or was about
    bool withModes;     ///< it is or was asked for the graph's curves too
    qvuiTrace trace;
    qvuiGraph* modes; ///< NULL: not asked, or no memory
} qvuiCurveInquiry;

typedef struct qvuiMeasureInquiry
{
    qvuiTask task;
    const qvTake* take;
    uint64_t revision;
    qvId key;     ///< that it is or was asked about; 0: none
    bool ofWhole; ///< no simulation of the take had steps to come
    bool hasSeam, hasReport;
    qvSeam seam;
    qvKeyReport report;
} qvuiMeasureInquiry;

typedef struct qvuiFindings
{
    // Wanted by what was drawn last.
    bool wantsModes;
    qvId wantedKey; ///< 0: none

    // Known.
    qvuiTrace trace;
    qvuiGraph* modes; ///< curves of the strongest modes; NULL: not known
    bool hasSeam;
    qvSeam seam;
    qvId reportKey; ///< what the report is about; 0: there is none
    qvKeyReport report;

    // At work.
    const qvDocument* document; ///< that all of it is about; not looked into
    qvuiCurveInquiry curves;
    qvuiMeasureInquiry measures;
} qvuiFindings;

void qvuiFindings_Init(qvuiFindings* findings);
void qvuiFindings_Free(qvuiFindings* findings); ///< waits for what is under way

/// Once a frame, after the session: takes over what was found, and starts on what is not known yet.
void qvuiFindings_Update(qvuiFindings* findings, const qvuiSession* session);

/// Whether something that is wanted is not known yet.
bool qvuiFindings_IsBusy(const qvuiFindings* findings, const qvuiSession* session);

/// The trace of a take, on any thread.
void qvuiReadTrace(const qvTake* take, qvuiTrace* trace);
