// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/editor.h"

enum
{
    MOST_CHANNELS = 8
};

// What can be shown of simulations, whatever engines there are.
static void ChooseChannel(qvuiEditor* editor)
{
    const qvChannel* channels[MOST_CHANNELS];
    const char* labels[MOST_CHANNELS + 1] = { "hidden" };
    qvuiOverlay* overlay = &editor->viewport.overlay;
    int count = qvFindChannels(channels, MOST_CHANNELS), chosen = 0;
    count = count < MOST_CHANNELS ? count : MOST_CHANNELS;
    for (int i = 0; i < count; i++)
    {
        labels[i + 1] = channels[i]->label;
        chosen = channels[i] == overlay->channel ? i + 1 : chosen;
    }
    if (qvuiChoiceRow(
            &editor->kit, "Simulated", labels, count + 1, &chosen,
            "Shows the points that a simulation moves instead of the body, in its span: of points coloured "
            "by how far they are stretched, how much has flowed for good, or how liquid they are; of surfaces "
            "by the pressure of what they touch, or with its forces as arrows; with Wireframe the body's "
            "edges too; changes only the picture"))
        overlay->channel = chosen > 0 ? channels[chosen - 1] : NULL;
}

static void Draw(qvuiEditor* editor)
{
    static const char* const shadings[] = { "smooth", "flat" };
    static const char* const edges[] = { "never", "at rest", "always" };
    qvuiKit* kit = &editor->kit;
    qvuiViewport* viewport = &editor->viewport;
    int shading = viewport->look.flat;
    if (qvuiSegmentedRow(
            kit, "Shading", shadings, 2, &shading, QVUI_CHOSEN,
            "Smooth, with the hard edges of the file, or one shade per triangle; changes only the picture"))
        viewport->look.flat = shading == 1;
    qvuiSwitchRow(kit, "Wireframe", &viewport->look.wireframe,
                  "Draws the edges of the triangles; changes only the picture");
    qvuiSwitchRow(kit, "Splats", &viewport->look.splats,
                  "Draws the surface as round discs at its vertices; changes only the picture");
    qvuiSwitchRow(kit, "Ground grid", &viewport->look.grid,
                  "Draws lines on the ground, x in red and z in blue; changes only the picture");
    qvuiSwitchRow(kit, "Contact shadow", &viewport->look.shadow,
                  "Draws a soft shadow where the body is near the ground; changes only the picture");
    int smooth = (int)viewport->smoothEdges;
    if (qvuiSegmentedRow(
            kit, "Soft edges", edges, 3, &smooth, QVUI_CHOSEN,
            "Smooth outlines in the picture; slow without a graphics card, so at first only when nothing moves"))
        viewport->smoothEdges = (qvuiSmoothEdges)smooth;
    static const char* const colors[] = { "own", "moved", "strain", "waves" };
    qvuiOverlay* overlay = &viewport->overlay;
    qvuiSwitchRow(kit, "Ghosts", &overlay->showGhosts,
                  "Draws the key before in blue and the key after in amber dashes; changes only the picture");
    qvuiSwitchRow(kit, "Trails", &overlay->showTrails,
                  "Draws the paths of picked points, a dot per frame; changes only the picture");
    qvuiSwitchRow(kit, "Plain motion", &overlay->showPlain,
                  "Draws the plain spline as a grey outline, to see what physics adds; changes only the picture");
    int heat = (int)overlay->heat;
    if (qvuiSegmentedRow(kit, "Colours", colors, qvui_colorsCount, &heat, QVUI_CHOSEN,
                         "The body's own, or how far it has moved, how much it is stretched, where waves run; changes "
                         "only the picture"))
        overlay->heat = (qvuiHeatKind)heat;
    ChooseChannel(editor);
    qvuiSwitchRow(kit, "Badges", &viewport->showBadges, "Counts and times in the corners of the picture");
}

const qvuiPanel qvuiPanelDisplay = {
    "display", "Display", NULL, NULL, Draw, false, "How the body is drawn; changes only the picture"
};
