// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/editor.h"

static void Draw(qvuiEditor* editor)
{
    static const char* const shadings[] = { "smooth", "flat" };
    static const char* const edges[] = { "never", "at rest", "always" };
    qvuiKit* kit = &editor->kit;
    qvuiViewport* viewport = &editor->viewport;
    int shading = viewport->look.flat;
    if (qvuiSegmentedRow(kit, "Shading", shadings, 2, &shading, QVUI_CHOSEN, "Smooth follows hard edges of the file"))
        viewport->look.flat = shading == 1;
    qvuiSwitchRow(kit, "Wireframe", &viewport->look.wireframe, "Edges of the triangles over the surface");
    qvuiSwitchRow(kit, "Ground grid", &viewport->look.grid, "Lines on the ground; x is red, z is blue");
    qvuiSwitchRow(kit, "Contact shadow", &viewport->look.shadow, "A soft shadow where the mesh meets the ground");
    int smooth = (int)viewport->smoothEdges;
    if (qvuiSegmentedRow(kit, "Soft edges", edges, 3, &smooth, QVUI_CHOSEN,
                         "Four samples per pixel; slow without a graphics card, so by default only when nothing moves"))
        viewport->smoothEdges = (qvuiSmoothEdges)smooth;
    static const char* const colors[] = { "own", "moved", "strain", "waves" };
    qvuiOverlay* overlay = &viewport->overlay;
    qvuiSwitchRow(kit, "Ghosts", &overlay->showGhosts, "The key before in blue, the key after in amber dashes");
    qvuiSwitchRow(kit, "Trails", &overlay->showTrails, "The way of picked vertices, a dot per frame");
    qvuiSwitchRow(kit, "Plain motion", &overlay->showPlain, "The cubic motion without physics, as a teal ghost");
    int heat = (int)overlay->heat;
    if (qvuiSegmentedRow(kit, "Colours", colors, qvui_colorsCount, &heat, QVUI_CHOSEN,
                         "The body's own, or by how far it has moved, how much it is strained, where waves are"))
        overlay->heat = (qvuiHeatKind)heat;
    qvuiSwitchRow(kit, "Badges", &viewport->showBadges, "Counts and times over the picture");
}

const qvuiPanel qvuiPanelDisplay = { "display", "Display", NULL, NULL, Draw, false };
