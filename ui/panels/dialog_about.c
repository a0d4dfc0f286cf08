// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/editor.h"

#include "quaver/version.h"

#include <stdio.h>

static void Draw(qvuiEditor* editor)
{
    qvuiKit* kit = &editor->kit;
    igPushFont(kit->style.title);
    igTextUnformatted("Quaver " QV_VERSION, NULL);
    igPopFont();
    igPushTextWrapPos(0.0f);
    igTextUnformatted(
        "A keyframe spacetime animation editor: pose a mesh at a few moments, and physics finds the motion in "
        "between.",
        NULL);
    igSpacing();
    igPushStyleColor_U32(ImGuiCol_Text, QVUI_MUTED);
    igTextUnformatted(
        "Free software under the GNU General Public License, version 3 or later. It comes without warranty.", NULL);
    igSpacing();
    igText("Dear ImGui %s", igGetVersion());
    igTextUnformatted(editor->windowFacts != NULL ? editor->windowFacts : "", NULL);
    igPopStyleColor(1);
    igPopTextWrapPos();
}

const qvuiDialog qvuiDialogAbout = { "about", "About", 420, 0, NULL, Draw, false, true };
