// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/editor.h"

#include "quaver/path.h"
#include "ui/panels/frame.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct Number
{
    const char* name;
    double value;
} Number;

// Writes the number of that name; false when there is none.
static bool WriteNumber(const Number* numbers, size_t count, const char* name, char* text, size_t capacity)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(numbers[i].name, name) == 0)
        {
            snprintf(text, capacity, numbers[i].value == floor(numbers[i].value) ? "%.0f" : "%.6g", numbers[i].value);
            return true;
        }
    return false;
}

#define WRITE_NUMBER(numbers, name, text, capacity) \
    WriteNumber(numbers, sizeof(numbers) / sizeof((numbers)[0]), name, text, capacity)

typedef struct Words
{
    const char* name;
    const char* text;
} Words;

static bool WriteWords(const Words* words, size_t count, const char* name, char* text, size_t capacity)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(words[i].name, name) == 0)
        {
            snprintf(text, capacity, "%s", words[i].text);
            return true;
        }
    return false;
}

#define WRITE_WORDS(words, name, text, capacity) \
    WriteWords(words, sizeof(words) / sizeof((words)[0]), name, text, capacity)

static int CountStrips(const qvScene* scene, bool solo)
{
    int count = 0;
    for (int i = 0; scene != NULL && i < scene->stripCount; i++)
        count += solo ? scene->strips[i]->def.solo : scene->strips[i]->def.mute;
    return count;
}

// A field of the scene or of what is selected: "material.frequency", "key.time", "event.speed".
static bool QueryField(const qvuiSession* session, const char* name, char* text, size_t capacity)
{
    const qvuiSelection* selection = &session->selection;
    const char* dot = strchr(name, '.');
    const qvScene* scene = qvuiSession_Scene(session);
    for (int kind = 0; scene != NULL && dot != NULL && kind < qv_objectKindCount; kind++)
    {
        const char* word = qvObjectKind_Word((qvObjectKind)kind);
        if (strncmp(word, name, (size_t)(dot - name)) != 0 || word[dot - name] != 0)
            continue;
        qvRef object = { (qvObjectKind)kind, 0 };
        object.id = kind == qv_objectKey ? selection->key : kind == qv_objectStroke ? selection->stroke : 0;
        object.id = kind == qv_objectEvent ? selection->event : object.id;
        object.id = kind == qv_objectSimulation ? selection->simulation : object.id;
        object.id = kind == qv_objectJoint ? selection->joint : object.id;
        object.id = kind == qv_objectPart ? selection->part : object.id;
        object.id = kind == qv_objectObstacle ? selection->obstacle : object.id;
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

// "control.Wobble_warning": whether there is a control of that name now; "left.Format", "right.Format",
// "middle.Format", "top.Format" and "bottom.Format": where it is, pixels.
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
    const Number values[] = { { "control", found != NULL }, { "left", lower.x },
                              { "right", upper.x },         { "middle", 0.5f * (lower.x + upper.x) },
                              { "top", lower.y },           { "bottom", upper.y } };
    for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++)
        if (strlen(values[i].name) == kind && strncmp(values[i].name, name, kind) == 0)
        {
            snprintf(text, capacity, "%.6g", (double)values[i].value);
            return true;
        }
    return false;
}

// What was opened, and how far it is solved.
static bool QuerySession(const qvuiSession* session, const char* name, char* text, size_t capacity)
{
    const qvMesh* mesh = session->body != NULL ? session->body->mesh : NULL;
    const qvDocument* document = session->document;
    const Number numbers[] = {
        { "vertices", mesh != NULL ? mesh->vertexCount : 0 },
        { "triangles", mesh != NULL ? mesh->triangleCount : 0 },
        { "parts", session->body != NULL ? session->body->report.partCount : 0 },
        { "selected", session->selection.keyCount },
        { "dirty", qvuiSession_IsDirty(session) },
        { "undo", document != NULL && qvDocument_CanUndo(document) },
        { "redo", document != NULL && qvDocument_CanRedo(document) },
        { "steps", document != NULL ? qvDocument_StepCount(document) : 0 },
        { "solving", qvuiSession_IsSolving(session) },
        { "known", session->take != NULL && isinf(qvTake_ValidUntil(session->take)) },
    };
    char title[300];
    qvuiSession_Title(session, title, sizeof(title));
    const Words words[] = { { "mesh", session->name }, { "problem", session->problem }, { "title", title } };
    return WRITE_NUMBER(numbers, name, text, capacity) || WRITE_WORDS(words, name, text, capacity);
}

// Of the chosen simulation.
static int CountJoints(const qvuiSession* session)
{
    const qvScene* scene = qvuiSession_Scene(session);
    const qvSceneSimulation* simulation =
        scene != NULL ? qvScene_FindSimulation(scene, session->selection.simulation, NULL) : NULL;
    return simulation != NULL ? simulation->jointCount : 0;
}

static bool QueryScene(const qvuiSession* session, const char* name, char* text, size_t capacity)
{
    const qvScene* scene = qvuiSession_Scene(session);
    const Number numbers[] = {
        { "keys", scene != NULL ? scene->keyCount : 0 },
        { "events", scene != NULL ? scene->eventCount : 0 },
        { "simulations", scene != NULL ? scene->simulationCount : 0 },
        { "joints", CountJoints(session) },
        { "obstacles", scene != NULL ? scene->obstacleCount : 0 },
        { "markers", scene != NULL ? scene->markerCount : 0 },
        { "clip", scene != NULL ? qvuiSession_Clip(session) + 1 : 0 },
        { "clip.start", scene != NULL ? scene->clip.start : 0.0 },
        { "clip.speed", scene != NULL ? scene->clip.speed : 0.0 },
        { "unit", scene != NULL ? scene->unit : 0.0 },
        { "loop", scene != NULL && scene->loop },
        { "soloed", CountStrips(scene, true) },
        { "muted", CountStrips(scene, false) },
        { "scene.camera", scene != NULL && scene->hasCamera },
        { "preview", scene != NULL && scene->hasPreview },
    };
    if (strcmp(name, "scene") != 0)
        return WRITE_NUMBER(numbers, name, text, capacity);
    snprintf(text, capacity, "#%016llx", scene != NULL ? (unsigned long long)qvScene_Hash(scene) : 0ull);
    return true;
}

// The timeline and its transport.
static bool QueryTime(const qvuiEditor* editor, const char* name, char* text, size_t capacity)
{
    const qvuiPlayback* playback = &editor->session.playback;
    const qvScene* scene = qvuiSession_Scene(&editor->session);
    double range[2] = { 0.0 };
    if (scene != NULL)
        qvScene_Range(scene, range);
    const Number numbers[] = {
        { "playing", playback->playing },
        { "time", playback->time },
        { "frame", scene != NULL ? floor(playback->time * scene->fps + 0.5) : 0.0 },
        { "mode", playback->mode },
        { "swings", playback->previewMode },
        { "tab", editor->bottomTab },
        { "frames", editor->timeline.showFrames },
        { "zoom", floor(editor->timeline.perSecond) },
        { "end", range[1] },
        { "end.seen", qvuiTimeline_ShowsEnd(editor) },
    };
    return WRITE_NUMBER(numbers, name, text, capacity);
}

static bool QueryView(const qvuiViewport* viewport, const char* name, char* text, size_t capacity)
{
    const qvuiCamera* camera = &viewport->camera;
    const qvuiOverlay* overlay = &viewport->overlay;
    const Number numbers[] = {
        { "camera.yaw", camera->yaw },
        { "camera.pitch", camera->pitch },
        { "camera.distance", camera->distance },
        { "camera.x", camera->target.x },
        { "camera.y", camera->target.y },
        { "camera.z", camera->target.z },
        { "angle", floor(camera->angle * 57.29577951308232 + 0.5) },
        { "orthographic", camera->orthographic },
        { "flat", viewport->look.flat },
        { "wireframe", viewport->look.wireframe },
        { "splats", viewport->look.splats },
        { "grid", viewport->look.grid },
        { "smooth", viewport->smoothEdges },
        { "ghosts.on", overlay->showGhosts },
        { "trails.on", overlay->showTrails },
        { "plain.on", overlay->showPlain },
        { "points.shown", overlay->shown.count },
        { "ghost.before", overlay->ghostTimes[qvui_ghostBefore] },
        { "ghost.after", overlay->ghostTimes[qvui_ghostAfter] },
    };
    if (strcmp(name, "points.channel") == 0)
    {
        snprintf(text, capacity, "%s", overlay->shown.count > 0 ? overlay->shown.channel->tag : "none");
        return true;
    }
    bool known = WRITE_NUMBER(numbers, name, text, capacity);
    if (known && strstr(text, "nan") != NULL) // a ghost that is not shown
        snprintf(text, capacity, "none");
    return known;
}

static bool QueryExport(const qvuiEditor* editor, const char* name, char* text, size_t capacity)
{
    const qvuiExportForm* form = &editor->exportForm;
    const Number numbers[] = {
        { "exporting", editor->exporter.task.running && editor->exporter.writes },
        { "contact", editor->contacts.open },
        { "contact.busy", editor->contacts.task.running },
        { "contact.count", editor->contacts.report != NULL ? editor->contacts.report->contactCount : -1 },
        { "contact.keys", editor->contacts.report != NULL ? editor->contacts.report->keyCount : -1 },
        { "export.failed", form->failed },
        { "export.shapes", form->estimated ? form->report.targets : -1 },
        { "export.bones", form->estimated ? form->report.bones : -1 },
        { "export.frames", form->estimated ? form->report.frames : -1 },
        { "export.bytes", form->estimated ? form->report.bytes : -1 },
        { "export.quantized", form->savingBytes[qvui_savingQuantize] },
        { "export.coarser", form->savingBytes[qvui_savingError] },
    };
    const Words words[] = { { "export.problem", form->problem },
                            { "export.warning", form->report.warning },
                            { "export.name", form->name },
                            { "export.folder", qvPath_FileName(form->folder) },
                            { "contact.remark", editor->contacts.remark },
                            { "folder", qvPath_FileName(editor->browser.folder) },
                            { "typed", editor->browser.typed } };
    return WRITE_NUMBER(numbers, name, text, capacity) || WRITE_WORDS(words, name, text, capacity);
}

// The window around it: panels, dialogs, what is said and what has the keyboard.
static bool QueryWindow(const qvuiEditor* editor, const char* name, char* text, size_t capacity)
{
    const qvuiName* unexplained = qvuiNames_FindUnexplained(&editor->kit.names);
    const double* angles = editor->angles.angles;
    char hint[256], shown[64];
    snprintf(hint, sizeof(hint), "%.*s", (int)strcspn(qvuiFindHint(editor), "|"), qvuiFindHint(editor));
    snprintf(shown, sizeof(shown), "%.6g %.6g %.6g", angles[0], angles[1], angles[2]);
    const Number numbers[] = {
        { "inspector", editor->showInspector },
        { "inspector.width", floor(editor->inspectorWidth) },
        { "fullscreen", editor->wantsFullScreen },
        { "scale", floor(100.0 * editor->wantedScale + 0.5) },
        { "loading", editor->loader.task.running },
        { "textured", editor->surface != NULL && qvuiSurface_HasTextures(editor->surface) },
        { "gesture", qvuiEditor_InGesture(editor) },
        { "focus", igGetIO()->NavVisible },
        { "failed", editor->toast.text[0] != 0 && editor->toast.isError },
        { "menu", editor->popupOpen },
    };
    const Words words[] = { { "dialog", qvuiGetDialog(editor->dialog)->id },
                            { "focused", editor->kit.names.focused },
                            { "hint", hint },
                            { "unexplained", unexplained != NULL ? unexplained->text : "" },
                            { "angles", shown },
                            { "toast", editor->toast.text } };
    return WRITE_NUMBER(numbers, name, text, capacity) || WRITE_WORDS(words, name, text, capacity);
}

bool qvuiEditor_Query(const qvuiEditor* editor, const char* name, char* text, size_t capacity)
{
    const qvuiSession* session = &editor->session;
    return QuerySession(session, name, text, capacity) || QueryScene(session, name, text, capacity) ||
           QueryTime(editor, name, text, capacity) || QueryView(&editor->viewport, name, text, capacity) ||
           QueryExport(editor, name, text, capacity) || QueryWindow(editor, name, text, capacity) ||
           qvuiViewport_Query(editor, name, text, capacity) || QueryField(session, name, text, capacity) ||
           QueryControl(&editor->kit.names, name, text, capacity);
}
