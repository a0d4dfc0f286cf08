// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/editor.h"

#include "quaver/path.h"
#include "ui/panels/frame.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static double CameraValue(const qvuiCamera* camera, const char* name, bool* known)
{
    *known = true;
    if (strcmp(name, "camera.yaw") == 0)
        return camera->yaw;
    if (strcmp(name, "camera.pitch") == 0)
        return camera->pitch;
    if (strcmp(name, "camera.distance") == 0)
        return camera->distance;
    if (strcmp(name, "camera.x") == 0)
        return camera->target.x;
    if (strcmp(name, "camera.y") == 0)
        return camera->target.y;
    if (strcmp(name, "camera.z") == 0)
        return camera->target.z;
    *known = false;
    return 0.0;
}

static void GhostTime(const qvuiEditor* editor, qvuiGhostKind kind, char* text, size_t capacity)
{
    double time = editor->viewport.overlay.ghostTimes[kind];
    if (isnan(time))
        snprintf(text, capacity, "none");
    else
        snprintf(text, capacity, "%.6g", time);
}

static int CountStrips(const qvScene* scene, bool solo)
{
    int count = 0;
    for (int i = 0; scene != NULL && i < scene->stripCount; i++)
        count += solo ? scene->strips[i]->solo : scene->strips[i]->mute;
    return count;
}

// A field of the scene or of what is selected: "material.frequency", "key.time", "event.speed".
static bool QueryField(const qvuiSession* session, const char* name, char* text, size_t capacity)
{
    static const char* const kinds[qv_objectKindCount] = { "scene", "mesh",   "material", "secondary", "pin",
                                                           "strip", "marker", "key",      "stroke",    "event" };
    const qvuiSelection* selection = &session->selection;
    const char* dot = strchr(name, '.');
    const qvScene* scene = qvuiSession_Scene(session);
    for (int kind = 0; scene != NULL && dot != NULL && kind < qv_objectKindCount; kind++)
    {
        if (strncmp(kinds[kind], name, (size_t)(dot - name)) != 0 || kinds[kind][dot - name] != 0)
            continue;
        qvRef object = { (qvObjectKind)kind, 0 };
        object.id = kind == qv_objectKey ? selection->key : kind == qv_objectStroke ? selection->stroke : 0;
        object.id = kind == qv_objectEvent ? selection->event : object.id;
        double values[4];
        const char* value = qvReadText(scene, object, dot + 1);
        if (value != NULL)
            snprintf(text, capacity, "%s", value);
        else if (qvReadField(scene, object, dot + 1, values))
            isnan(values[0]) ? snprintf(text, capacity, "none") : snprintf(text, capacity, "%.6g", values[0]);
        else
            return false;
        return true;
    }
    return false;
}

// "control.Wobble_warning": whether there is a control of that name now; "left.Format", "middle.Format", "top.Format"
// and "bottom.Format": where it is, pixels.
static bool QueryControl(const qvuiNames* names, const char* name, char* text, size_t capacity)
{
    char control[qvui_maxNameLength];
    size_t kind = strcspn(name, ".");
    snprintf(control, sizeof(control), "%s", name[kind] != 0 ? name + kind + 1 : "");
    for (char* c = control; *c != 0; c++)
        *c = *c == '_' ? ' ' : *c;
    const qvuiName* found = qvuiNames_Find(names, control);
    ImVec2 lower = found != NULL ? found->lower : (ImVec2){ -1, -1 };
    ImVec2 upper = found != NULL ? found->upper : (ImVec2){ -1, -1 };
    const struct
    {
        const char* name;
        float value;
    } values[] = { { "control", found != NULL },
                   { "left", lower.x },
                   { "middle", 0.5f * (lower.x + upper.x) },
                   { "top", lower.y },
                   { "bottom", upper.y } };
    for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++)
        if (strlen(values[i].name) == kind && strncmp(values[i].name, name, kind) == 0)
        {
            snprintf(text, capacity, "%.6g", (double)values[i].value);
            return true;
        }
    return false;
}

bool qvuiEditor_Query(const qvuiEditor* editor, const char* name, char* text, size_t capacity)
{
    const qvuiSession* session = &editor->session;
    const qvMesh* mesh = session->body != NULL ? session->body->mesh : NULL;
    const qvScene* scene = qvuiSession_Scene(session);
    const struct
    {
        const char* name;
        int value;
    } numbers[] = {
        { "vertices", mesh != NULL ? mesh->vertexCount : 0 },
        { "triangles", mesh != NULL ? mesh->triangleCount : 0 },
        { "parts", session->body != NULL ? session->body->report.partCount : 0 },
        { "keys", scene != NULL ? scene->keyCount : 0 },
        { "selected", session->selection.keyCount },
        { "events", scene != NULL ? scene->eventCount : 0 },
        { "markers", scene != NULL ? scene->markerCount : 0 },
        { "loop", scene != NULL && scene->loop },
        { "playing", session->playback.playing },
        { "frame", scene != NULL ? (int)floor(session->playback.time * scene->fps + 0.5) : 0 },
        { "dirty", qvuiSession_IsDirty(session) },
        { "undo", session->document != NULL && qvDocument_CanUndo(session->document) },
        { "redo", session->document != NULL && qvDocument_CanRedo(session->document) },
        { "steps", session->document != NULL ? qvDocument_StepCount(session->document) : 0 },
        { "solving", qvuiSession_IsSolving(session) },
        { "orthographic", editor->viewport.camera.orthographic },
        { "flat", editor->viewport.look.flat },
        { "wireframe", editor->viewport.look.wireframe },
        { "grid", editor->viewport.look.grid },
        { "inspector", editor->showInspector },
        { "inspector.width", (int)editor->inspectorWidth },
        { "smooth", editor->viewport.smoothEdges },
        { "fullscreen", editor->wantsFullScreen },
        { "scale", (int)(100.0 * editor->wantedScale + 0.5) },
        { "loading", editor->loader.task.running },
        { "exporting", editor->exporter.task.running && editor->exporter.writes },
        { "gesture", qvuiEditor_InGesture(editor) },
        { "focus", igGetIO()->NavVisible },
        { "tab", editor->bottomTab },
        { "soloed", CountStrips(scene, true) },
        { "muted", CountStrips(scene, false) },
        { "export.shapes", editor->exportForm.estimated ? editor->exportForm.report.targets : -1 },
        { "export.frames", editor->exportForm.estimated ? editor->exportForm.report.frames : -1 },
        { "scene.camera", scene != NULL && scene->hasCamera },
        { "preview", scene != NULL && scene->hasPreview },
        { "frames", editor->timeline.showFrames },
        { "zoom", (int)editor->timeline.perSecond },
        { "end.seen", qvuiTimeline_ShowsEnd(editor) },
        { "mode", session->playback.mode },
        { "swings", session->playback.previewMode },
        { "ghosts.on", editor->viewport.overlay.showGhosts },
        { "trails.on", editor->viewport.overlay.showTrails },
        { "failed", editor->toast.text[0] != 0 && editor->toast.isError },
        { "menu", editor->popupOpen },
        { "angle", (int)(editor->viewport.camera.angle * 57.29577951308232 + 0.5) },
    };
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
    {
        if (strcmp(numbers[i].name, name) != 0)
            continue;
        snprintf(text, capacity, "%d", numbers[i].value);
        return true;
    }
    bool known;
    double value = CameraValue(&editor->viewport.camera, name, &known);
    if (known)
        snprintf(text, capacity, "%.6g", value);
    else if (strcmp(name, "mesh") == 0)
        snprintf(text, capacity, "%s", session->name);
    else if (strcmp(name, "problem") == 0)
        snprintf(text, capacity, "%s", session->problem);
    else if (strcmp(name, "scene") == 0)
        snprintf(text, capacity, "#%016llx", scene != NULL ? (unsigned long long)qvScene_Hash(scene) : 0ull);
    else if (strcmp(name, "time") == 0)
        snprintf(text, capacity, "%.6g", session->playback.time);
    else if (strcmp(name, "ghost.before") == 0 || strcmp(name, "ghost.after") == 0)
        GhostTime(editor, name[6] == 'b' ? qvui_ghostBefore : qvui_ghostAfter, text, capacity);
    else if (strcmp(name, "export.problem") == 0)
        snprintf(text, capacity, "%s", editor->exportForm.problem);
    else if (strcmp(name, "export.name") == 0)
        snprintf(text, capacity, "%s", editor->exportForm.name);
    else if (strcmp(name, "export.folder") == 0)
        snprintf(text, capacity, "%s", qvPath_FileName(editor->exportForm.folder));
    else if (strcmp(name, "typed") == 0)
        snprintf(text, capacity, "%s", editor->browser.typed);
    else if (strcmp(name, "dialog") == 0)
        snprintf(text, capacity, "%s", qvuiGetDialog(editor->dialog)->id);
    else if (strcmp(name, "hint") == 0)
        snprintf(text, capacity, "%.*s", (int)strcspn(qvuiFindHint(editor), "|"), qvuiFindHint(editor));
    else if (strcmp(name, "unexplained") == 0)
    {
        const qvuiName* control = qvuiNames_FindUnexplained(&editor->kit.names);
        snprintf(text, capacity, "%s", control != NULL ? control->text : "");
    }
    else if (strcmp(name, "angles") == 0)
        snprintf(text, capacity, "%.6g %.6g %.6g", editor->angles.angles[0], editor->angles.angles[1],
                 editor->angles.angles[2]);
    else if (strcmp(name, "toast") == 0)
        snprintf(text, capacity, "%s", editor->toast.text);
    else
        return qvuiViewport_Query(editor, name, text, capacity) || QueryField(session, name, text, capacity) ||
               QueryControl(&editor->kit.names, name, text, capacity);
    return true;
}
