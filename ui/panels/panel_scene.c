// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/fields.h"

#include "ui/actions/state.h"

#include <math.h>
#include <stdio.h>

static const qvRef sceneObject = { qv_objectScene, 0 };
static const qvRef secondaryObject = { qv_objectSecondary, 0 };

static void DrawScene(qvuiEditor* editor)
{
    // The camera and the ground have sections of their own.
    static const char* const without[] = { "quaver",        "preview",         "camera.target", "camera.yaw",
                                           "camera.pitch",  "camera.distance", "camera.lens",   "camera.ortho",
                                           "ground.height", "ground.friction", "ground.on",     NULL };
    qvuiFieldRows(editor, sceneObject, without, QVUI_SOLVED);
}

static void SecondaryRemark(const qvuiEditor* editor, char* text, size_t capacity)
{
    const qvTake* take = editor->session.take;
    if (qvuiSession_Scene(&editor->session)->secondary.enabled && take != NULL)
        snprintf(text, capacity, "%d impulses", qvTake_GeneratedCount(take));
}

// Generated impulses become events of the scene, which can be moved and changed one by one.
static void Freeze(qvuiEditor* editor)
{
    const qvTake* take = editor->session.take;
    qvDocument* document = editor->session.document;
    qvError error;
    bool done = true;
    qvDocument_Begin(document, "Freeze secondary motion", 0);
    for (int i = 0; done && i < qvTake_GeneratedCount(take); i++)
        done =
            qvuiEditor_Did(editor, qvDocument_AddEvent(document, qvTake_GeneratedEvent(take, i), NULL, &error), &error);
    if (done)
        done = qvuiEditor_Did(editor, qvDocument_SetBool(document, secondaryObject, "enabled", false, &error), &error);
    if (done)
        qvDocument_End(document);
    else
        qvDocument_Abort(document);
}

// What an automatic radius has come to.
static void AutomaticRadius(qvuiEditor* editor)
{
    const qvTake* take = editor->session.take;
    double least = INFINITY, most = 0.0;
    char text[64];
    if (qvuiSession_Scene(&editor->session)->secondary.terms.radius > 0.0)
        return;
    for (int i = 0; i < qvTake_GeneratedCount(take); i++)
    {
        double radius = qvTake_GeneratedEvent(take, i)->def.stroke.radius;
        least = fmin(least, radius);
        most = fmax(most, radius);
    }
    if (most - least < 0.005 * most)
        snprintf(text, sizeof(text), "%.3g", most);
    else
        snprintf(text, sizeof(text), "%.3g to %.3g", least, most);
    qvuiTextRow(&editor->kit, "Automatic radius", text);
}

static void DrawSecondary(qvuiEditor* editor)
{
    qvuiFieldRows(editor, secondaryObject, NULL, QVUI_STRUCK);
    const qvTake* take = editor->session.take;
    if (take == NULL || qvTake_GeneratedCount(take) == 0)
        return;
    AutomaticRadius(editor);
    igSetCursorPosX(igGetCursorPosX() + qvuiPixels(&editor->kit.style, 12));
    if (qvuiPill(&editor->kit, "Freeze to events", 0.0f,
                 "Makes events of the waves that were found, to move and change one by one; the search goes off"))
        Freeze(editor);
}

const qvuiPanel qvuiPanelScene = {
    "scene", "Scene", qvuiHasDocument, NULL, DrawScene, false, "Length, loop and frame rate of the motion"
};
const qvuiPanel qvuiPanelSecondary = {
    "secondary",
    "Secondary motion",
    qvuiHasDocument,
    SecondaryRemark,
    DrawSecondary,
    false,
    "Waves that the motion itself sets off: ears, tails and bellies that swing along"
};
