// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/findings.h"

#include <math.h>
#include <stdlib.h>

void qvuiFindings_Init(qvuiFindings* findings)
{
    *findings = (qvuiFindings){ .curves.revision = UINT64_MAX, .measures.revision = UINT64_MAX };
}

// --- The trace -----------------------------------------------------------------------------------------------------

// The mode in which physics adds most to the smooth motion, and how much that is.
static int StrongestMode(const double* wiggly, const double* smooth, int modes, double* peak)
{
    int strongest = 0;
    *peak = 0.0;
    for (int i = 0; i < qvui_traceSamples * modes; i++)
    {
        double by = fabs(wiggly[i] - smooth[i]);
        if (by > *peak)
            *peak = by, strongest = i % modes;
    }
    return strongest;
}

void qvuiReadTrace(const qvTake* take, qvuiTrace* trace)
{
    int modes = qvTake_ModeCount(take);
    double range[2], times[qvui_traceSamples];
    trace->count = 0;
    if (modes == 0)
        return;
    qvScene_Range(qvTake_Scene(take), range);
    for (int i = 0; i < qvui_traceSamples; i++)
        times[i] = range[0] + (range[1] - range[0]) * i / (qvui_traceSamples - 1);
    size_t size = qvui_traceSamples * (size_t)modes;
    double *rows = malloc(2 * size * sizeof(*rows)), *smooth = rows != NULL ? rows + size : NULL;
    if (rows != NULL && qvTake_ModeCurves(take, times, qvui_traceSamples, rows, smooth))
    {
        trace->start = range[0], trace->end = range[1], trace->count = qvui_traceSamples;
        int mode = StrongestMode(rows, smooth, modes, &trace->peak);
        for (int i = 0; i < qvui_traceSamples; i++)
            trace->values[i] = 0.5 * (rows[i * modes + mode] - smooth[i * modes + mode]) / fmax(trace->peak, 1e-30);
    }
    free(rows);
}

// --- Curves --------------------------------------------------------------------------------------------------------

static qvResult ReadCurves(void* context, qvJob* job, qvError* error)
{
    (void)job, (void)error;
    qvuiCurveInquiry* inquiry = context;
    qvuiReadTrace(inquiry->take, &inquiry->trace);
    if (inquiry->modes != NULL)
        qvuiGraph_ReadModes(inquiry->modes, inquiry->take);
    return qv_ok;
}

static void DropModes(qvuiGraph** modes)
{
    free(*modes);
    *modes = NULL;
}

static void CollectCurves(qvuiFindings* findings)
{
    qvuiCurveInquiry* inquiry = &findings->curves;
    if (qvuiTask_Collect(&inquiry->task) == NULL)
        return;
    qvReleaseTake(inquiry->take);
    inquiry->take = NULL;
    if (inquiry->revision != UINT64_MAX)
        findings->trace = inquiry->trace;
    if (inquiry->revision != UINT64_MAX && inquiry->modes != NULL)
    {
        DropModes(&findings->modes);
        findings->modes = inquiry->modes;
        inquiry->modes = NULL;
    }
    DropModes(&inquiry->modes);
}

static bool AreCurvesDue(const qvuiFindings* findings, const qvuiSession* session)
{
    const qvuiCurveInquiry* inquiry = &findings->curves;
    return inquiry->revision != session->takeRevision || (findings->wantsModes && !inquiry->withModes);
}

static void AskForCurves(qvuiFindings* findings, const qvuiSession* session)
{
    qvuiCurveInquiry* inquiry = &findings->curves;
    qvError ignored; // there are no curves then, until the next take
    if (inquiry->task.running || !AreCurvesDue(findings, session))
        return;
    inquiry->revision = session->takeRevision;
    inquiry->withModes = findings->wantsModes;
    inquiry->modes = inquiry->withModes ? calloc(1, sizeof(*inquiry->modes)) : NULL;
    inquiry->take = qvRetainTake(session->take);
    const qvuiErrand errand = { .work = ReadCurves, .order = inquiry, .stage = "curves" };
    if (qvuiTask_Start(&inquiry->task, &errand, &ignored) == qv_ok)
        return;
    qvReleaseTake(inquiry->take);
    inquiry->take = NULL;
    DropModes(&inquiry->modes);
}

// --- Measures ------------------------------------------------------------------------------------------------------

static qvResult Measure(void* context, qvJob* job, qvError* error)
{
    qvuiMeasureInquiry* inquiry = context;
    const qvScene* scene = qvTake_Scene(inquiry->take);
    int index = 0;
    bool hasKey = inquiry->key != 0 && qvScene_FindKey(scene, inquiry->key, &index) != NULL;
    qvResult result = qvTake_Measure(inquiry->take, hasKey ? index : -1, job, error);
    if (result != qv_ok)
        return result;
    inquiry->hasSeam = scene->loop;
    if (inquiry->hasSeam)
        inquiry->seam = qvTake_Seam(inquiry->take);
    inquiry->hasReport = hasKey;
    if (inquiry->hasReport)
        inquiry->report = qvTake_KeyReport(inquiry->take, index);
    return qv_ok;
}

static void CollectMeasures(qvuiFindings* findings)
{
    qvuiMeasureInquiry* inquiry = &findings->measures;
    if (qvuiTask_Collect(&inquiry->task) == NULL)
        return;
    qvReleaseTake(inquiry->take);
    inquiry->take = NULL;
    if (inquiry->revision == UINT64_MAX)
        return;
    findings->hasSeam = inquiry->hasSeam;
    findings->seam = inquiry->seam;
    // What was known of a key stays while nobody asks, so that its rows do not come and go with each edit.
    if (inquiry->key == 0)
        return;
    findings->reportKey = inquiry->hasReport ? inquiry->key : 0;
    findings->report = inquiry->report;
}

static bool AreMeasuresDue(const qvuiFindings* findings, const qvuiSession* session)
{
    const qvuiMeasureInquiry* inquiry = &findings->measures;
    bool asksMore = findings->wantedKey != 0 && findings->wantedKey != inquiry->key;
    bool hasCome = !inquiry->ofWhole && isinf(qvTake_ValidUntil(session->take));
    return inquiry->revision != session->takeRevision || asksMore || hasCome;
}

static void AskForMeasures(qvuiFindings* findings, const qvuiSession* session)
{
    qvuiMeasureInquiry* inquiry = &findings->measures;
    qvError ignored;
    if (inquiry->task.running || !AreMeasuresDue(findings, session))
        return;
    inquiry->revision = session->takeRevision;
    inquiry->key = findings->wantedKey;
    inquiry->ofWhole = isinf(qvTake_ValidUntil(session->take));
    inquiry->take = qvRetainTake(session->take);
    const qvuiErrand errand = { .work = Measure, .order = inquiry, .stage = "measures" };
    if (qvuiTask_Start(&inquiry->task, &errand, &ignored) == qv_ok)
        return;
    qvReleaseTake(inquiry->take);
    inquiry->take = NULL;
}

// --- All -----------------------------------------------------------------------------------------------------------

// What is under way ends by itself and is not taken over.
static void Forget(qvuiFindings* findings)
{
    findings->trace.count = 0;
    DropModes(&findings->modes);
    findings->hasSeam = false;
    findings->reportKey = 0;
    findings->curves.revision = findings->measures.revision = UINT64_MAX;
}

void qvuiFindings_Update(qvuiFindings* findings, const qvuiSession* session)
{
    if (session->document != findings->document || session->take == NULL)
        Forget(findings);
    findings->document = session->document;
    CollectCurves(findings);
    CollectMeasures(findings);
    if (!findings->wantsModes)
    {
        DropModes(&findings->modes);
        findings->curves.withModes = false;
    }
    if (session->take != NULL)
    {
        AskForCurves(findings, session);
        AskForMeasures(findings, session);
    }
    findings->wantsModes = false;
    findings->wantedKey = 0;
}

bool qvuiFindings_IsBusy(const qvuiFindings* findings, const qvuiSession* session)
{
    if (findings->curves.task.running || findings->measures.task.running)
        return true;
    return session->take != NULL && (AreCurvesDue(findings, session) || AreMeasuresDue(findings, session));
}

void qvuiFindings_Free(qvuiFindings* findings)
{
    qvuiTask_End(&findings->curves.task);
    qvuiTask_End(&findings->measures.task);
    qvReleaseTake(findings->curves.take);
    qvReleaseTake(findings->measures.take);
    DropModes(&findings->curves.modes);
    DropModes(&findings->modes);
}
