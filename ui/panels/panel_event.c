// SPDX-License-Identifier: GPL-3.0-or-later
// The event that is selected on the waves track.
#include "ui/panels/fields.h"

#include "quaver/waves.h"

#include <stdio.h>
#include <string.h>

static const qvSceneEvent* SelectedEvent(const qvuiEditor* editor)
{
    const qvScene* scene = qvuiSession_Scene(&editor->session);
    bool known = scene != NULL && editor->session.body != NULL;
    return known ? qvScene_FindEvent(scene, editor->session.selection.event, NULL) : NULL;
}

static bool IsShown(const qvuiEditor* editor)
{
    return SelectedEvent(editor) != NULL;
}

static void Remark(const qvuiEditor* editor, char* text, size_t capacity)
{
    const qvSceneEvent* event = SelectedEvent(editor);
    snprintf(text, capacity, "%.40s %.2f s", event->name, event->def.time);
}

// What the preset says, at this event's place and time, in the direction that it has.
static void ApplyPreset(qvuiEditor* editor, const qvSceneEvent* event, int preset)
{
    const qvStroke* stroke = &event->def.stroke;
    qvSceneEvent made = *event;
    snprintf(made.name, sizeof(made.name), "%s", qvGetWavePreset(preset)->label);
    qvWavePreset_Apply(preset, editor->session.body->diagonal,
                       qvLength(stroke->drag) > 0.0 ? stroke->drag : stroke->axis, &made.def);
    qvDocument* document = editor->session.document;
    qvError error;
    qvDocument_Begin(document, made.name, 0);
    qvResult result = qvDocument_SetEvent(document, event->id, &made, &error);
    qvDocument_End(document);
    qvuiEditor_Did(editor, result, &error);
}

static void PresetRow(qvuiEditor* editor, const qvSceneEvent* event)
{
    const char* labels[16];
    int count = 0, choice = -1;
    for (; count < qvWavePresetCount() && count < 16; count++)
        labels[count] = qvGetWavePreset(count)->label;
    if (qvuiChoiceRow(&editor->kit, "Preset", labels, count, &choice,
                      "Takes over the shape, size and speed of a typical blow, in this event's direction"))
        ApplyPreset(editor, event, choice);
}

// --- "This point should move by d at the playhead" ------------------------------------------------------------------

static void Aim(qvuiEditor* editor, const qvSceneEvent* event)
{
    const qvuiSession* session = &editor->session;
    const qvuiSelection* selection = &session->selection;
    qvWaveEvent wave = { .def = event->def };
    int vertex = event->def.vertex;
    wave.def.vertex = vertex >= 0 ? session->body->mesh->vertexPoint[vertex] : -1;
    if (!(wave.def.stroke.radius > 0.0))
        wave.def.stroke.radius = qvDefaultStroke(wave.def.stroke.brush, session->body->diagonal).radius;
    qvVec3 center = vertex >= 0 ? qvVec3_FromFloat(session->body->rest[wave.def.vertex]) : wave.def.stroke.at;
    qvWaveTarget target = { center, session->playback.time,
                            qvMakeVec3(editor->aim[0], editor->aim[1], editor->aim[2]) };
    if (selection->trailCount > 0)
        target.at = qvVec3_FromFloat(session->body->rest[selection->trails[0]]);
    qvSolveReport report;
    qvError error;
    if (!qvuiEditor_Did(editor, qvSolveWaveEvents(&wave, 1, session->body->rest, &target, 1, &report, &error), &error))
        return;
    qvVec3 to = wave.def.stroke.drag;
    double drag[3] = { to.x, to.y, to.z };
    qvRef object = { qv_objectEvent, event->id };
    qvuiEditor_Did(editor, qvDocument_SetNumbers(session->document, object, "drag", drag, 3, &error), &error);
}

static void AimRows(qvuiEditor* editor, const qvSceneEvent* event)
{
    if (event->def.stroke.brush->measure != offsetof(qvStroke, drag) || event->path != NULL)
        return;
    qvuiNumbersDef def = { .label = "Aim", .unit = "", .count = 3, .speed = 0.002 * editor->session.body->diagonal };
    def.tooltip = "How far the wave should have moved the picked point, or the event's centre, at the playhead";
    qvuiNumbersRow(&editor->kit, &def, editor->aim);
    igSetCursorPosX(igGetCursorPosX() + qvuiPixels(&editor->kit.style, 12));
    igBeginDisabled(editor->session.playback.time <= event->def.time);
    if (qvuiPill(&editor->kit, "Reach it at the playhead", 0.0f,
                 "Makes the blow as strong as that takes; the playhead must be later than the blow"))
        Aim(editor, event);
    igEndDisabled();
}

static void Draw(qvuiEditor* editor)
{
    static const char* const without[] = { "id", "mask", "path", NULL };
    const qvSceneEvent* event = SelectedEvent(editor);
    qvRef object = { qv_objectEvent, event->id };
    PresetRow(editor, event);
    qvuiFieldRows(editor, object, without, QVUI_STRUCK);
    event = SelectedEvent(editor);
    if (event != NULL)
        AimRows(editor, event);
    igDummy((ImVec2){ 1, qvuiPixels(&editor->kit.style, 6) });
    igSetCursorPosX(igGetCursorPosX() + qvuiPixels(&editor->kit.style, 12));
    if (qvuiPill(&editor->kit, "Delete event", 0.0f, "Takes the blow and its wave out of the motion"))
    {
        qvError error;
        qvuiEditor_Did(editor, qvDocument_Remove(editor->session.document, object, &error), &error);
    }
}

const qvuiPanel qvuiPanelEvent = { "event",
                                   "Wave event",
                                   IsShown,
                                   Remark,
                                   Draw,
                                   true,
                                   "The selected blow or push: where, how strong and how fast its wave runs" };
