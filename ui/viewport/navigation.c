// SPDX-License-Identifier: GPL-3.0-or-later
// Both schools of navigation at once: the middle button (Shift pans, Ctrl zooms), and Alt with the three buttons. The
// left button alone orbits where no tool wants it: beside the body.
#include "ui/editor/editor.h"

#include <math.h>

// A drag across the height of the picture turns half a circle.
static const double TURN_PER_HEIGHT = QV_PI;

static qvuiDrag FindDrag(const ImGuiIO* io)
{
    if (igIsMouseClicked(ImGuiMouseButton_Middle, false))
    {
        if (io->KeyAlt || io->KeyShift)
            return qvui_dragPan;
        return io->KeyCtrl ? qvui_dragZoom : qvui_dragOrbit;
    }
    if (igIsMouseClicked(ImGuiMouseButton_Right, false))
        return io->KeyAlt ? qvui_dragZoom : qvui_dragNone;
    return igIsMouseClicked(ImGuiMouseButton_Left, false) ? qvui_dragOrbit : qvui_dragNone;
}

static void ApplyDrag(qvuiViewport* viewport, double dx, double dy)
{
    switch (viewport->drag)
    {
    case qvui_dragOrbit:
        qvuiCamera_OrbitAbout(&viewport->camera, viewport->pivot, -dx * TURN_PER_HEIGHT, dy * TURN_PER_HEIGHT);
        break;
    case qvui_dragPan:
        qvuiCamera_Pan(&viewport->camera, dx, dy);
        break;
    case qvui_dragZoom:
        qvuiCamera_Zoom(&viewport->camera, exp(3.0 * (dx - dy)), 0.0, 0.0, 1.0);
        break;
    case qvui_dragNone:
        break;
    }
}

// The view turns about what was under the mouse, else about the last stroke.
static qvVec3 FindPivot(qvuiEditor* editor)
{
    const qvuiTools* tools = &editor->viewport.tools;
    qvVec3 place;
    if (qvuiPickPlace(editor, igGetIO()->MousePos, &place))
        return place;
    return tools->hasFocus ? tools->focus : editor->viewport.camera.target;
}

void qvuiNavigate(qvuiEditor* editor, bool busy)
{
    qvuiViewport* viewport = &editor->viewport;
    const ImGuiIO* io = igGetIO();
    viewport->hovered = igIsItemHovered(ImGuiHoveredFlags_None);
    if (viewport->hovered && viewport->drag == qvui_dragNone && !busy)
    {
        viewport->drag = FindDrag(io);
        if (viewport->drag == qvui_dragOrbit)
            viewport->pivot = FindPivot(editor);
    }
    if (!igIsItemActive())
        viewport->drag = qvui_dragNone;
    if (viewport->drag != qvui_dragNone && (io->MouseDelta.x != 0.0f || io->MouseDelta.y != 0.0f))
        ApplyDrag(viewport, io->MouseDelta.x / viewport->size.y, io->MouseDelta.y / viewport->size.y);
    if (viewport->hovered && io->MouseWheel != 0.0f && !busy)
    {
        double x = 2.0 * (io->MousePos.x - viewport->place.x) / viewport->size.x - 1.0;
        double y = 1.0 - 2.0 * (io->MousePos.y - viewport->place.y) / viewport->size.y;
        qvuiCamera_Zoom(&viewport->camera, exp(0.14 * io->MouseWheel), x, y, qvuiViewport_Aspect(viewport));
    }
}

// About a place, with room for a few brushes around it.
static void FocusOn(qvuiEditor* editor, qvVec3 place)
{
    double reach = 2.0 * qvuiTools_Radius(editor);
    qvVec3 half = qvMakeVec3(reach, reach, reach);
    qvBox box = { qvVec3_ToFloat(qvSub(place, half)), qvVec3_ToFloat(qvAdd(place, half)) };
    qvuiCamera_Focus(&editor->viewport.camera, box, qvuiViewport_Aspect(&editor->viewport));
}

void qvuiViewport_Focus(qvuiEditor* editor)
{
    const qvuiTools* tools = &editor->viewport.tools;
    qvVec3 place;
    if (editor->viewport.hovered && qvuiPickPlace(editor, igGetIO()->MousePos, &place))
        FocusOn(editor, place);
    else if (tools->hasFocus)
        FocusOn(editor, tools->focus);
    else
        qvuiEditor_FrameMesh(editor);
}
