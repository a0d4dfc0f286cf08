// SPDX-License-Identifier: GPL-3.0-or-later
/// What the picture shows beside the body: ghosts, trails, pins, mirror planes, colours by quantity. Everything is kept
/// until what it depends on changes.
#pragma once

#include "quaver/scenery.h"
#include "quaver/take.h"
#include "ui/editor/session.h"
#include "ui/render/extra.h"
#include "ui/widgets/widgets.h"

struct qvuiEditor;

enum
{
    qvui_maxExtras = 8
};

/// What the body is coloured by.
typedef enum qvuiHeatKind
{
    qvui_colorsOwn,
    qvui_colorsDisplacement, ///< from rest; 1 is 0.15 of the diagonal
    qvui_colorsStrain,       ///< mean change of length of the edges; 1 is 30 %
    qvui_colorsWaves,
    qvui_colorsCount,
    qvui_colorsMask = qvui_colorsCount, ///< while masks or weights are painted
    qvui_colorsWeight,
} qvuiHeatKind;

typedef enum qvuiGhostKind
{
    qvui_ghostBefore, ///< the key before
    qvui_ghostAfter,  ///< the key after
    qvui_ghostPlain,  ///< the plain cubic motion now
    qvui_ghostCount,
} qvuiGhostKind;

typedef struct qvuiOverlay
{
    bool showGhosts, showTrails, showPlain;
    qvuiHeatKind heat;
    const qvChannel* channel; ///< what the points of simulations are shown by, instead of the body; NULL: they are not
    uint64_t revision;        ///< grows with every change; the picture compares it

    qvuiExtra extras[qvui_maxExtras];
    int extraCount;

    qvTakeView view; ///< of what the caches below were made from
    qvuiGhost* ghosts[qvui_ghostCount];
    double ghostTimes[qvui_ghostCount]; ///< NAN: not shown

    qvVec3f* pins; ///< what is pinned, then what a partial key holds
    int pinCount, heldCount;
    qvShownPoints shown; ///< of the view at shownTime; count 0: the body
    const qvChannel* shownChannel;
    float* values; ///< colours per point
    uint64_t shownRevision, documentRevision;
    double shownTime;
    int colors; ///< what the surface is coloured by now
    unsigned mirror;

    qvScenery* scenery; ///< obstacles; NULL: none
    qvuiSurface* scenerySurface;
    uint64_t sceneryRevision; ///< of the document that they were taken from
    double sceneryTime;       ///< where they are; NAN: nowhere yet

    qvVec3f* trails; ///< [trail][frame]
    int trailPoints[qvui_maxTrails];
    int trailCount, trailFrames, trailDone;
} qvuiOverlay;

void qvuiOverlay_Init(qvuiOverlay* overlay);

/// Frees everything; switches stay. Call it before the surface goes.
void qvuiOverlay_Drop(qvuiOverlay* overlay);

/// Something that is painted has changed.
void qvuiOverlay_Touch(qvuiOverlay* overlay);

/// Brings the extras and the surface's colours up to date.
void qvuiOverlay_Update(struct qvuiEditor* editor);

/// Trails, over the picture.
void qvuiOverlay_Draw(struct qvuiEditor* editor, ImDrawList* list);

/// Trails are being computed, a few frames at a time.
bool qvuiOverlay_IsBusy(const qvuiOverlay* overlay);
