// SPDX-License-Identifier: GPL-3.0-or-later
/// The area that the graph's curves are drawn in, and the handles of velocities on them.
#pragma once

#include "ui/editor/editor.h"

typedef struct qvuiPlot
{
    qvuiEditor* editor;
    ImVec2 place, size; ///< pixels
} qvuiPlot;

/// Where a value is.
float qvuiPlot_Y(const qvuiPlot* plot, double value);
/// What a pixel is worth.
double qvuiPlot_PerPixel(const qvuiPlot* plot);

/// Of x, y, z.
ImU32 qvuiAxisColor(int axis);

/// The key whose velocity can be dragged: the selected one, while a point is picked. NULL: none.
const qvSceneKey* qvuiGraph_HandleKey(const qvuiPlot* plot);

/// Whether there is a handle. A velocity that strokes give differs from place to place, so that no slope shows it.
bool qvuiGraph_HasHandles(const qvSceneKey* key);

void qvuiGraph_DrawHandles(const qvuiPlot* plot);

/// Takes hold of the handle under the mouse. False when there is none.
bool qvuiGraph_PressHandle(const qvuiPlot* plot, ImVec2 mouse);
/// The slope follows the mouse; all of a drag is one step of undo.
void qvuiGraph_DragHandle(const qvuiPlot* plot);
void qvuiGraph_ReleaseHandle(const qvuiPlot* plot);
