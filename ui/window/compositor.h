// SPDX-License-Identifier: GPL-3.0-or-later
/// Brings what ImGui has drawn onto the canvas, and of it only what changed. ImGui says in every frame all that is to
/// be seen, so there is nobody to ask what is new: the window is divided into tiles, and each keeps a hash of
/// everything that touches it, in the order of drawing. Tiles whose hash is another than in the last frame are drawn
/// anew, in rectangles, from the lowest thing that can be seen in them. Whatever opens, closes, moves or changes its
/// colour changes hashes where it was and where it is; no one has to report it.
///
/// The picture of the body lies below the interface and is known by its revision.
#pragma once

#include "ui/cimgui/cimgui.h"
#include "ui/render/canvas.h"
#include "ui/render/target.h"
#include "ui/window/batch.h"
#include "ui/window/fill.h"

/// What lies below the interface.
typedef struct qvuiBackground
{
    const qvuiTarget* picture; ///< opaque; empty: none
    uint64_t revision;         ///< of the picture
    int x, y;                  ///< its upper left corner
} qvuiBackground;

typedef struct qvuiCompositor
{
    qvuiCanvas canvas;
    bool whole;               ///< the canvas holds nothing yet: all of it is to be drawn
    int budget;               ///< what tiles may cost in a frame; 0: no limit
    bool isBehind;            ///< some tiles show an older frame: the next one goes on with them
    int firstRow;             ///< of tiles, where it does
    uint64_t pictureRevision; ///< that it shows
    int pictureBox[4];
    qvuiOpacity opacity; ///< of ImGui's texture
    struct qvuiTile* tiles;
    int columns, rows;
    struct qvuiShape* shapes; ///< of this frame, in the order of drawing
    struct qvuiReach* seen;   ///< the pixels of each that may be seen
    int shapeCount, shapeCapacity, seenCapacity;
    qvuiBatch batch; ///< what this frame draws
} qvuiCompositor;

/// Needs a current OpenGL context and ImGui's.
QV_CHECKED qvResult qvuiCompositor_Init(qvuiCompositor* compositor, qvError* error);
void qvuiCompositor_Free(qvuiCompositor* compositor);

/// Uploads ImGui's fonts after they were built.
QV_CHECKED qvResult qvuiCompositor_TakeFonts(qvuiCompositor* compositor, qvError* error);

/// Draws a frame of that size in pixels into the canvas. What changed over a large area comes in several frames.
QV_CHECKED qvResult qvuiCompositor_Draw(qvuiCompositor* compositor, const ImDrawData* data,
                                        const qvuiBackground* background, int width, int height, qvError* error);

/// Draws what an earlier frame left.
QV_CHECKED qvResult qvuiCompositor_CatchUp(qvuiCompositor* compositor, const ImDrawData* data,
                                           const qvuiBackground* background, qvError* error);

/// Catches up, draws the frame once more, whole, and fails when a pixel comes out different: something was not noticed.
QV_CHECKED qvResult qvuiCompositor_Verify(qvuiCompositor* compositor, const ImDrawData* data,
                                          const qvuiBackground* background, qvError* error);
