// SPDX-License-Identifier: GPL-3.0-or-later
// The menu of the right button: what can be done with the key or event under the mouse.
#include "ui/actions/state.h"
#include "ui/editor/editor.h"
#include "ui/panels/frame.h"

#include <string.h>

static const char* const keyActions[] = { "key.interpolation", "key.velocity", "key.duplicate", "key.reverse",
                                          "key.delete",        "pose.copy",    "pose.paste",    "pose.tween" };
static const char* const spanActions[] = { "simulation.capture", "simulation.mute", "simulation.duplicate",
                                           "simulation.delete" };
static const char* const otherActions[] = { "key.insert",        "simulation.add", "time.marker", "time.preview",
                                            "time.clearPreview", "key.all",        "time.fit",    "time.frames" };

void qvuiTimeline_OpenMenu(qvuiEditor* editor, qvRef object)
{
    editor->timeline.menuObject = object;
    if (object.kind == qv_objectKey && !qvuiSession_IsKeySelected(&editor->session, object.id))
        qvuiSession_SelectKey(&editor->session, object.id, false);
    if (object.kind == qv_objectEvent)
        qvuiSession_SelectEvent(&editor->session, object.id);
    if (object.kind == qv_objectSimulation && object.id != 0)
        qvuiSession_SelectSimulation(&editor->session, object.id);
    if (object.kind == qv_objectStroke)
        qvuiSession_SelectStroke(&editor->session, object.id);
    igOpenPopup_Str("timelineMenu", ImGuiPopupFlags_None);
}

static void DrawKinds(qvuiEditor* editor)
{
    const qvSceneKey* key = qvScene_FindKey(qvuiSession_Scene(&editor->session), editor->session.selection.key, NULL);
    for (int i = 0; key != NULL && i < qv_interpCount; i++)
    {
        if (igMenuItem_Bool(qvInterp_Label((qvInterp)i), NULL, (int)key->interp == i, true))
            qvuiSetInterpolation(editor, (qvInterp)i);
        qvuiNames_AddItem(&editor->kit.names, qvInterp_Label((qvInterp)i));
        qvuiTooltip(&editor->kit, qvFindField(qv_objectKey, "interp")->help, NULL);
    }
    igSeparator();
}

static void DrawEvent(qvuiEditor* editor, qvId id)
{
    const qvSceneEvent* event = qvScene_FindEvent(qvuiSession_Scene(&editor->session), id, NULL);
    qvRef object = { qv_objectEvent, id };
    qvDocument* document = editor->session.document;
    qvError error;
    if (event == NULL)
        return;
    if (igMenuItem_Bool("Mute", NULL, event->def.mute, true))
        qvuiEditor_Did(editor, qvDocument_SetBool(document, object, "mute", !event->def.mute, &error), &error);
    qvuiNames_AddItem(&editor->kit.names, "Mute");
    qvuiTooltip(&editor->kit, qvFindField(qv_objectEvent, "mute")->help, NULL);
    if (igMenuItem_Bool("Duplicate", NULL, false, true))
    {
        qvSceneEvent copy = *event;
        qvId added;
        copy.def.time += 0.25;
        copy.def.until += 0.25;
        if (qvuiEditor_Did(editor, qvDocument_AddEvent(document, &copy, &added, &error), &error))
            qvuiSession_SelectEvent(&editor->session, added);
    }
    qvuiNames_AddItem(&editor->kit.names, "Duplicate");
    qvuiTooltip(&editor->kit, "The same blow falls again a quarter of a second later", NULL);
    if (igMenuItem_Bool("Delete", "X", false, true))
        qvuiEditor_Did(editor, qvDocument_Remove(document, object, &error), &error);
    qvuiNames_AddItem(&editor->kit.names, "Delete");
    qvuiTooltip(&editor->kit, "Takes the blow and its wave out of the motion", NULL);
}

// A marker or a stroke.
static void DrawSmall(qvuiEditor* editor, qvRef object)
{
    qvError error;
    if (object.kind == qv_objectMarker && igMenuItem_Bool("Rename", "Double click", false, true))
        editor->timeline.renamed = object.id, editor->timeline.markerName[0] = 0;
    if (object.kind == qv_objectMarker)
    {
        qvuiNames_AddItem(&editor->kit.names, "Rename");
        qvuiTooltip(&editor->kit, "Another name for this moment; the motion stays as it is", NULL);
    }
    if (igMenuItem_Bool("Delete", NULL, false, true))
        qvuiEditor_Did(editor, qvDocument_Remove(editor->session.document, object, &error), &error);
    qvuiNames_AddItem(&editor->kit.names, "Delete");
    qvuiTooltip(&editor->kit,
                object.kind == qv_objectMarker ? "Takes the marker away; the motion stays as it is"
                                               : "Takes the stroke out of the pose; the motion follows",
                NULL);
}

void qvuiTimeline_DrawMenu(qvuiEditor* editor)
{
    if (!qvuiBeginMenuPopup(&editor->kit, "timelineMenu"))
        return;
    qvRef object = editor->timeline.menuObject;
    if (object.kind == qv_objectKey)
    {
        DrawKinds(editor);
        qvuiMenuItems(editor, keyActions, sizeof(keyActions) / sizeof(keyActions[0]));
    }
    else if (object.kind == qv_objectEvent)
        DrawEvent(editor, object.id);
    else if (object.kind == qv_objectSimulation && object.id != 0)
        qvuiMenuItems(editor, spanActions, sizeof(spanActions) / sizeof(spanActions[0]));
    else if (object.kind == qv_objectStroke || object.kind == qv_objectMarker)
        DrawSmall(editor, object);
    else
        qvuiMenuItems(editor, otherActions, sizeof(otherActions) / sizeof(otherActions[0]));
    qvuiEndMenuPopup();
}
