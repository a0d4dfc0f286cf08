// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/editor.h"

#include "quaver/path.h"
#include "ui/cimgui/focus.h"
#include "ui/editor/clock.h"
#include "ui/editor/motion_bounds.h"
#include "ui/editor/places.h"
#include "ui/panels/frame.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The journal misses at most this much, seconds.
static const double FLUSH_PAUSE = 0.5;

void qvuiEditor_ResetLayout(qvuiEditor* editor)
{
    editor->showInspector = editor->showBottom = true;
    editor->inspectorWidth = editor->bottomHeight = 0.0f;
    editor->bottomTab = 0;
    for (int i = 0; i < qvui_panelCount; i++)
        editor->panelOpen[i] = qvuiGetPanel(i)->startsOpen;
    qvuiViewport_Reset(&editor->viewport);
}

qvResult qvuiEditor_Init(qvuiEditor* editor, qvuiRenderer* renderer, double scale, qvError* error)
{
    *editor = (qvuiEditor){ .renderer = renderer, .wantedScale = scale, .typedScale = scale };
    editor->kit.style.scale = (float)scale;
    qvuiViewport_Init(&editor->viewport);
    qvuiTimeline_Init(&editor->timeline);
    qvuiContacts_Init(&editor->contacts);
    editor->graph.takeRevision = UINT64_MAX;
    qvuiFindings_Init(&editor->findings);
    qvuiEditor_ResetLayout(editor);
    return qvuiSession_Init(&editor->session, error);
}

static void DropSurface(qvuiEditor* editor)
{
    qvuiViewport_DropBody(&editor->viewport);
    qvuiDestroySurface(editor->changed);
    qvuiDestroySurface(editor->surface);
    editor->preparation.isPast = true;
    qvReleaseBody(editor->surfaceBody);
    editor->surface = editor->changed = NULL;
    editor->surfaceBody = NULL;
}

void qvuiEditor_Yield(qvuiEditor* editor)
{
    qvError error;
    editor->wantsQuit = true;
    if (qvuiSession_IsDirty(&editor->session) && qvDocument_LeaveJournal(editor->session.document, &error) != qv_ok)
        fprintf(stderr, "quaver: %s\n", error.message);
}

void qvuiEditor_Free(qvuiEditor* editor)
{
    qvuiTask_End(&editor->loader.task);
    qvuiTask_End(&editor->exporter.task);
    qvuiContacts_Free(&editor->contacts);
    qvuiPreparation_Free(&editor->preparation);
    qvuiFindings_Free(&editor->findings);
    qvuiSession_Free(&editor->session);
    DropSurface(editor);
    qvuiViewport_Free(&editor->viewport);
    qvuiBrowser_Free(&editor->browser);
    qvuiNames_Free(&editor->kit.names);
    qvuiTimeline_Free(&editor->timeline);
    qvuiKeymap_Free(&editor->keymap);
    qvuiDemos_Free(&editor->demos);
    free(editor->manual);
}

void qvuiEditor_Notify(qvuiEditor* editor, bool isError, const char* format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(editor->toast.text, sizeof(editor->toast.text), format, args);
    va_end(args);
    editor->toast.isError = isError;
    editor->toast.until = igGetTime() + (isError ? 12.0 : 4.0);
}

bool qvuiEditor_Did(qvuiEditor* editor, qvResult result, const qvError* error)
{
    if (result != qv_ok && result != qv_cancelled)
        qvuiEditor_Notify(editor, true, "%s", error->message);
    return result == qv_ok;
}

void qvuiEditor_FrameMesh(qvuiEditor* editor)
{
    qvBox nothing = { { 1, 1, 1 }, { -1, -1, -1 } };
    const qvuiSurface* shown = qvuiEditor_Shown(editor);
    qvuiCamera_Focus(&editor->viewport.camera, shown != NULL ? qvuiSurface_Bounds(shown) : nothing,
                     qvuiViewport_Aspect(&editor->viewport));
}

const qvuiSurface* qvuiEditor_Shown(const qvuiEditor* editor)
{
    bool isChanged = editor->changed != NULL && qvuiSession_Changed(&editor->session) != NULL;
    return isChanged ? editor->changed : editor->surface;
}

void qvuiEditor_FrameMotion(qvuiEditor* editor)
{
    qvuiCamera_Focus(&editor->viewport.camera, qvuiSession_MotionBounds(&editor->session),
                     qvuiViewport_Aspect(&editor->viewport));
}

void qvuiEditor_BeginView(qvuiEditor* editor)
{
    qvuiViewport* viewport = &editor->viewport;
    const qvScene* scene = qvuiSession_Scene(&editor->session);
    // Place, lens and direction of one scene are not those of the next.
    viewport->camera = qvuiDefaultCamera();
    viewport->fromScene = scene != NULL && scene->hasCamera;
    if (viewport->fromScene)
        viewport->camera = qvuiCameraOfScene(&scene->camera);
    else
        qvuiEditor_FrameMotion(editor);
    editor->firstView = viewport->camera;
    editor->awaitsMotion = scene != NULL && !viewport->fromScene;
}

static bool IsSameView(const qvuiCamera* a, const qvuiCamera* b)
{
    return qvDistance(a->target, b->target) == 0.0 && a->yaw == b->yaw && a->pitch == b->pitch &&
           a->distance == b->distance && a->angle == b->angle && a->orthographic == b->orthographic;
}

void qvuiEditor_UpdateView(qvuiEditor* editor)
{
    if (!editor->awaitsMotion || editor->session.take == NULL)
        return;
    editor->awaitsMotion = false;
    if (IsSameView(&editor->viewport.camera, &editor->firstView))
        qvuiEditor_FrameMotion(editor);
}

// Remembers a file as the newest of the recent ones.
static void AddRecent(qvuiEditor* editor, const char* path)
{
    char kept[qvui_maxPath], full[PATH_MAX];
    snprintf(kept, sizeof(kept), "%s", realpath(path, full) != NULL ? full : path);
    int place = 0;
    while (place < qvui_maxRecent - 1 && editor->recent[place][0] != 0 && strcmp(editor->recent[place], kept) != 0)
        place++;
    memmove(editor->recent[1], editor->recent[0], (size_t)place * sizeof(editor->recent[0]));
    memcpy(editor->recent[0], kept, sizeof(kept));
}

// --- Opening and saving --------------------------------------------------------------------------------------------

// A journal is a convenience: without a place for it, editing goes on.
static void StartJournal(qvuiEditor* editor)
{
    char folder[qvui_maxPath];
    qvError error;
    qvDocument* document = editor->session.document;
    if (!editor->keepsJournal || document == NULL || !qvStateFolder(folder, sizeof(folder)))
        return;
    qvuiEditor_Did(editor, qvDocument_StartJournal(document, folder, &error), &error);
}

// What is going on and what was said belongs to the document that goes.
static void Leave(qvuiEditor* editor)
{
    qvuiEditor_EndGesture(editor);
    qvuiContacts_Close(&editor->contacts);
    editor->toast.text[0] = editor->shownProblem[0] = 0;
    editor->angles = (qvuiShownAngles){ 0 };
}

// The document that has come is shown from its start, with the tool to pose it.
static void Arrive(qvuiEditor* editor)
{
    editor->savedTime = 0.0;
    editor->fileNews = qv_fileSame;
    editor->fileVersion = 0;
    qvuiTools_Choose(editor, qvui_toolGrab);
    editor->viewport.overlay.showPlain = false;
    editor->timeline.fitPending = editor->framePending = true;
    StartJournal(editor);
}

// Why gravity and waves feel as they do in a mesh of an odd size.
static void TellUnit(qvuiEditor* editor)
{
    double unit = qvuiSession_Scene(&editor->session)->unit;
    if (unit != 1.0)
        qvuiEditor_Notify(editor, false,
                          "The mesh is %.3g units across. A unit counts as %.3g m, so that it is 2 m; Scene, Unit "
                          "changes that.",
                          editor->session.body->diagonal, unit);
}

// Takes a document over (NULL: closes) with its mesh, which is retained.
static void SetDocument(qvuiEditor* editor, qvDocument* document, const qvBody* body)
{
    Leave(editor);
    qvuiSession_SetDocument(&editor->session, document, body);
    if (document != NULL && qvDocument_Remark(document)[0] != 0)
        qvuiEditor_Notify(editor, true, "%s", qvDocument_Remark(document));
    Arrive(editor);
}

void qvuiEditor_RunPending(qvuiEditor* editor)
{
    qvuiPending pending = editor->pending;
    editor->pending.kind = qvui_pendingNone;
    qvError error;
    switch (pending.kind)
    {
    case qvui_pendingNone:
        break;
    case qvui_pendingQuit:
        editor->wantsQuit = true;
        break;
    case qvui_pendingClose:
        qvuiTask_Cancel(&editor->loader.task);
        SetDocument(editor, NULL, NULL);
        break;
    case qvui_pendingFile:
        qvuiEditor_Did(editor, qvuiLoader_Start(&editor->loader, pending.argument, &error), &error);
        break;
    case qvui_pendingShape:
        qvuiEditor_Did(editor, qvuiLoader_StartShape(&editor->loader, pending.argument, &error), &error);
        break;
    }
}

void qvuiEditor_Request(qvuiEditor* editor, qvuiPendingKind kind, const char* argument)
{
    editor->pending.kind = kind;
    snprintf(editor->pending.argument, sizeof(editor->pending.argument), "%s", argument != NULL ? argument : "");
    if (qvuiSession_IsDirty(&editor->session))
        qvuiEditor_SetDialog(editor, qvui_dialogUnsaved);
    else
        qvuiEditor_RunPending(editor);
}

static void KeepFolder(const char* path, char kept[qvui_maxPath])
{
    char *folder = qvPath_Folder(path), *real = folder != NULL ? realpath(folder, NULL) : NULL;
    if (real != NULL)
        snprintf(kept, qvui_maxPath, "%s", real);
    free(folder);
    free(real);
}

static bool Write(qvuiEditor* editor, const char* path)
{
    qvDocument* document = editor->session.document;
    qvError error;
    bool collects = path != NULL && editor->collects && qvDocument_Scene(document)->mesh.file != NULL;
    qvResult result = collects ? qvDocument_Collect(document, path, &error) : qvDocument_Save(document, path, &error);
    if (!qvuiEditor_Did(editor, result, &error))
        return false;
    editor->session.isNew = false;
    if (path != NULL)
        KeepFolder(path, editor->saveFolder);
    KeepFolder(qvDocument_Path(document), editor->browser.folder); // where Open starts
    AddRecent(editor, qvDocument_Path(document));
    editor->savedTime = igGetTime();
    editor->fileNews = qv_fileSame;
    qvuiSession_Rename(&editor->session);
    qvuiEditor_Notify(editor, false, "Saved %s", qvDocument_Path(document));
    return true;
}

bool qvuiEditor_Save(qvuiEditor* editor, const char* path)
{
    qvDocument* document = editor->session.document;
    uint64_t version;
    if (document == NULL)
        return false;
    bool asks = path == NULL && (qvDocument_Path(document)[0] == 0 || qvuiIsDemo(document));
    if (asks)
        qvuiEditor_SetDialog(editor, qvui_dialogSave);
    if (asks || path != NULL)
        return !asks && Write(editor, path);
    editor->fileNews = qvDocument_LookAtFile(document, &version);
    if (editor->fileNews == qv_fileSame)
        return Write(editor, NULL);
    editor->fileVersion = version;
    qvuiEditor_SetDialog(editor, qvui_dialogChanged);
    return false;
}

bool qvuiEditor_Overwrite(qvuiEditor* editor)
{
    return editor->session.document != NULL && Write(editor, NULL);
}

void qvuiEditor_Reload(qvuiEditor* editor)
{
    editor->pending.kind = qvui_pendingFile;
    snprintf(editor->pending.argument, sizeof(editor->pending.argument), "%s",
             qvDocument_Path(editor->session.document));
    qvuiEditor_RunPending(editor);
}

void qvuiEditor_LookAtFile(qvuiEditor* editor)
{
    qvDocument* document = editor->session.document;
    uint64_t version;
    if (document == NULL || editor->loader.task.running)
        return;
    qvFileNews before = editor->fileNews;
    editor->fileNews = qvDocument_LookAtFile(document, &version);
    bool isNews = editor->fileNews != before || version != editor->fileVersion;
    editor->fileVersion = version;
    if (editor->fileNews == qv_fileGone && isNews)
        qvuiEditor_Notify(editor, true, "%s was deleted or moved by another program; save it to keep it",
                          editor->session.name);
    else if (editor->fileNews == qv_fileChanged && isNews)
        qvuiEditor_Notify(editor, true,
                          "%s was changed by another program; File, Reload shows that, and Save asks what to do",
                          editor->session.name);
}

// Takes over what the loader has finished.
static void CollectLoaded(qvuiEditor* editor, qvuiLoaded* loaded)
{
    qvResult result;
    qvError error;
    if (!qvuiLoader_Collect(&editor->loader, &result, loaded, &error))
        return;
    if (!qvuiEditor_Did(editor, result, &error))
        return;
    if (editor->loader.source == qvui_sourceFile)
        AddRecent(editor, editor->loader.path);
    if (loaded->document != NULL)
    {
        SetDocument(editor, loaded->document, loaded->body);
        loaded->document = NULL;
        if (loaded->body == NULL)
            qvuiEditor_Notify(editor, true, "%s", loaded->problem.message);
        else if (editor->loader.source == qvui_sourceLeftover)
            qvuiEditor_Notify(editor, false, "Restored. Save it to keep it.");
    }
    else
    {
        qvSceneMesh mesh = qvuiLoader_Mesh(&editor->loader);
        Leave(editor);
        if (qvuiEditor_Did(editor, qvuiSession_New(&editor->session, &mesh, loaded->body, &error), &error))
        {
            Arrive(editor);
            TellUnit(editor);
        }
    }
}

// --- Once a frame --------------------------------------------------------------------------------------------------

void qvuiEditor_HoldStep(qvuiEditor* editor, const char* label)
{
    if (editor->holdsStep || !editor->kit.dragging)
        return;
    qvDocument_Begin(editor->session.document, label, 0);
    editor->holdsStep = true;
}

static void LetStepGo(qvuiEditor* editor)
{
    if (!editor->holdsStep || igIsMouseDown(ImGuiMouseButton_Left))
        return;
    editor->holdsStep = false;
    if (editor->session.document != NULL)
        qvDocument_End(editor->session.document);
}

bool qvuiEditor_EndDrag(qvuiEditor* editor)
{
    bool drags = editor->kit.dragging && !editor->kit.dragCancelled;
    editor->kit.dragCancelled |= drags;
    if (editor->holdsStep && editor->session.document != NULL)
        qvDocument_Abort(editor->session.document);
    editor->holdsStep = false;
    return drags;
}

bool qvuiEditor_InGesture(const qvuiEditor* editor)
{
    const qvuiTools* tools = &editor->viewport.tools;
    return editor->kit.dragging || tools->active != NULL || tools->adjust != qvui_adjustNone ||
           qvuiTween_IsOpen(editor) || editor->graph.handleKey != 0 ||
           (editor->timeline.drag != qvui_timelineIdle && editor->timeline.drag != qvui_timelinePan);
}

bool qvuiEditor_EndGesture(qvuiEditor* editor)
{
    bool tool = qvuiTools_Cancel(editor), time = qvuiTimeline_Cancel(editor), drag = qvuiEditor_EndDrag(editor);
    editor->timeline.renamed = 0;
    editor->kit.typing = 0;
    return tool || time || drag;
}

bool qvuiEditor_Run(qvuiEditor* editor, const qvuiAction* action)
{
    if (strcmp(action->id, "cancel") != 0)
        qvuiEditor_EndGesture(editor);
    if (action->isPossible != NULL && !action->isPossible(editor))
        return false;
    qvuiAction_Do(action, editor);
    return true;
}

void qvuiEditor_SetDialog(qvuiEditor* editor, qvuiDialogKind dialog)
{
    if (dialog != qvui_dialogNone)
        qvuiEditor_EndGesture(editor);
    editor->dialogBefore = editor->dialog;
    editor->dialog = dialog;
    editor->popupOpen = false;
    editor->dialogOpened = false;
    editor->dialogTime = igGetTime();
    editor->dialogNeeds = editor->dialogTop = 0.0f;
    editor->dialogGrows = false;
}

void qvuiEditor_LeaveDialog(qvuiEditor* editor)
{
    // What was to come after the dialog does not come after another one.
    editor->pending.kind = qvui_pendingNone;
    qvuiEditor_SetDialog(editor, editor->dialog == qvui_dialogPlace ? qvui_dialogExport : qvui_dialogNone);
}

void qvuiEditor_Key(qvuiEditor* editor, const qvuiShortcut* shortcut)
{
    if (qvuiDialogKeys_Key(editor, shortcut))
        return;
    bool typing = igGetIO()->WantTextInput || editor->dialog != qvui_dialogNone;
    if (typing ||
        (!qvuiTween_Key(editor, shortcut) && !qvuiTimeline_Key(editor, shortcut) && !qvuiTools_Key(editor, shortcut)))
        qvuiRunShortcut(editor, shortcut, typing);
}

bool qvuiEditor_Progress(qvuiEditor* editor, double* fraction, char* stage)
{
    return qvuiTask_Progress(&editor->loader.task, fraction, stage) ||
           qvWorker_Progress(editor->session.worker, fraction, stage) ||
           (editor->exporter.writes && qvuiTask_Progress(&editor->exporter.task, fraction, stage));
}

// What keeps the motion from being solved is said once in full; the status bar keeps it.
static void ReportProblem(qvuiEditor* editor)
{
    const char* problem = editor->session.problem;
    if (strcmp(problem, editor->shownProblem) == 0)
        return;
    if (problem[0] != 0)
        qvuiEditor_Notify(editor, true, "%s", problem);
    else if (strcmp(editor->toast.text, editor->shownProblem) == 0)
        editor->toast.text[0] = 0;
    snprintf(editor->shownProblem, sizeof(editor->shownProblem), "%s", problem);
}

// What a new motion leaves without effect is said once.
static void ReportChange(qvuiEditor* editor)
{
    char remark[256] = "";
    if (editor->remarkedTake == editor->session.takeRevision)
        return;
    editor->remarkedTake = editor->session.takeRevision;
    if (editor->session.take != NULL && !qvTake_ChangeRemark(editor->session.take, remark, sizeof(remark)))
        qvTake_DetailRemark(editor->session.take, remark);
    if (remark[0] != 0 && strcmp(remark, editor->shownRemark) != 0)
        qvuiEditor_Notify(editor, false, "%c%s", toupper((unsigned char)remark[0]), remark + 1);
    snprintf(editor->shownRemark, sizeof(editor->shownRemark), "%s", remark);
}

static void RememberExport(qvuiEditor* editor)
{
    qvuiExportForm* form = &editor->exportForm;
    KeepFolder(editor->exporter.path, editor->exportFolder);
    snprintf(form->written, sizeof(form->written), "%s", editor->exporter.path);
}

// The dialog may be closed by the time an export is through.
static void CollectExport(qvuiEditor* editor)
{
    qvuiExportForm* form = &editor->exportForm;
    const qvuiExporter* exporter = &editor->exporter;
    if (!qvuiExporter_Collect(&editor->exporter))
        return;
    bool ok = exporter->task.result == qv_ok, failed = !ok && exporter->task.result != qv_cancelled;
    bool asIs = form->saving == qvui_savingCount; // else a way to a smaller file, which is no problem where it fails
    if (exporter->writes)
        form->estimated = form->done = ok, form->report = exporter->report;
    else
        qvuiExportForm_TakeEstimate(form, &exporter->report, ok,
                                    editor->session.body != NULL ? editor->session.body->mesh->vertexCount : 0);
    if (exporter->writes && ok)
        RememberExport(editor);
    if (asIs)
        form->failed = failed;
    if (failed && asIs)
        snprintf(form->problem, sizeof(form->problem), "%s", exporter->task.error.message);
    if (editor->dialog == qvui_dialogExport || !exporter->writes)
        return;
    if (failed)
        qvuiEditor_Notify(editor, true, "%s", exporter->task.error.message);
    else if (form->done)
        qvuiEditor_Notify(editor, false, "Exported %s", exporter->path);
}

// In the dialog that asked for the folder, where it stays.
void qvuiEditor_ReportOpener(qvuiEditor* editor)
{
    static const char message[] = "There is no file manager to show the folder %s";
    qvuiExportForm* form = &editor->exportForm;
    if (editor->dialog == qvui_dialogExport)
        snprintf(form->problem, sizeof(form->problem), message, editor->opener.folder);
    else
        qvuiEditor_Notify(editor, true, message, editor->opener.folder);
}

// Pictures lie beside the mesh file. What cannot be read leaves the plain colour.
static void Prepare(qvuiEditor* editor)
{
    const qvuiSession* session = &editor->session;
    const char* file = qvuiSession_Scene(session)->mesh.file;
    char folder[qvui_maxPath] = ".";
    qvError error;
    if (file != NULL && file[0] == '/')
        snprintf(folder, sizeof(folder), "%s", file);
    else if (file != NULL)
        snprintf(folder, sizeof(folder), "%s/%s", qvDocument_Folder(session->document), file);
    char* slash = strrchr(folder, '/');
    if (slash != NULL)
        *slash = 0;
    qvuiEditor_Did(editor, qvuiPreparation_Start(&editor->preparation, editor->surfaceBody, folder, &error), &error);
}

static void SayReduced(qvuiEditor* editor)
{
    char line[320];
    qvuiReduction_Tell(&editor->preparation.reduction, line, sizeof(line));
    qvuiEditor_Notify(editor, false, "%s", line);
}

// What was prepared comes to the body that it belongs to, if that is still there.
static void UpdatePreparation(qvuiEditor* editor)
{
    qvuiPreparation* preparation = &editor->preparation;
    bool current = editor->surface != NULL && preparation->body == editor->surfaceBody && !preparation->isPast;
    if (preparation->task.running)
    {
        if (!qvuiPreparation_Collect(preparation))
            return;
        if (current && qvuiEditor_Did(editor, preparation->task.result, &preparation->task.error) &&
            preparation->reduction.count > 0)
            SayReduced(editor);
    }
    if (current)
        qvuiPreparation_Upload(preparation, editor->surface);
    else
        qvuiPreparation_DropPictures(preparation);
    if (editor->surface != NULL && !current)
        Prepare(editor);
}

// The one that was prepared while the body was read, or a new one.
static bool FindSurface(qvuiEditor* editor, qvuiLoaded* loaded)
{
    const qvBody* body = editor->session.body;
    qvError error;
    if (loaded->surface == NULL || loaded->body->hash != body->hash)
        return qvuiEditor_Did(editor, qvuiCreateSurface(body->mesh, &editor->surface, &error), &error);
    editor->surface = loaded->surface;
    loaded->surface = NULL;
    qvuiSurface_Upload(editor->surface);
    return true;
}

// Where the topology is another than the body's, every moment has a surface of its own.
static void UpdateChanged(qvuiEditor* editor)
{
    const qvMesh* mesh = qvuiSession_Changed(&editor->session);
    unsigned int epoch = editor->session.view.epoch;
    qvError error;
    if (mesh != NULL && editor->changed != NULL && editor->changedEpoch == epoch)
        return;
    qvuiDestroySurface(editor->changed);
    editor->changed = NULL;
    if (mesh != NULL && editor->surface != NULL)
        qvuiEditor_Did(editor, qvuiSurface_CreateLike(editor->surface, mesh, &editor->changed, &error), &error);
    editor->changedEpoch = epoch;
}

// The surface follows the session's body and its points.
static void UpdateSurface(qvuiEditor* editor, qvuiLoaded* loaded, bool moved)
{
    const qvuiSession* session = &editor->session;
    if (session->body != editor->surfaceBody)
    {
        // A gesture on the old mesh ends with it; its arrays have the wrong size for the new one.
        qvuiTools_Cancel(editor);
        DropSurface(editor);
        if (session->body == NULL)
            return;
        if (!FindSurface(editor, loaded))
            return;
        editor->surfaceBody = qvRetainBody(session->body);
        moved = true;
    }
    if (moved && editor->surface != NULL && qvuiSession_Changed(session) == NULL)
        qvuiSurface_SetPositions(editor->surface, session->vertices);
    UpdateChanged(editor);
}

static void FlushJournal(qvuiEditor* editor)
{
    qvError error;
    if (editor->session.document == NULL || igGetTime() - editor->flushTime < FLUSH_PAUSE)
        return;
    editor->flushTime = igGetTime();
    editor->flushedRevision = qvDocument_Revision(editor->session.document);
    qvuiEditor_Did(editor, qvDocument_Flush(editor->session.document, &error), &error);
}

void qvuiEditor_Draw(qvuiEditor* editor, float width, float height)
{
    qvuiNames_Clear(&editor->kit.names);
    editor->hint = editor->kit.hint = NULL;
    editor->kit.dragging = false;
    qvuiBeginTooltips(&editor->kit);
    LetStepGo(editor);
    if (editor->closesPopups)
        qvui_ClosePopups(editor->dialog != qvui_dialogNone);
    editor->closesPopups = false;
    qvuiLoaded loaded = { 0 };
    CollectLoaded(editor, &loaded);
    CollectExport(editor);
    double start = qvuiWallClock();
    editor->session.playback.waits = qvuiGetDialog(editor->dialog)->holds;
    bool moved = qvuiSession_Update(&editor->session, igGetTime());
    UpdateSurface(editor, &loaded, moved);
    qvuiDropLoaded(&loaded);
    qvuiTween_Update(editor);
    qvuiContacts_Update(&editor->contacts, &editor->session);
    editor->meshSeconds = qvuiWallClock() - start;
    qvuiFindings_Update(&editor->findings, &editor->session);
    UpdatePreparation(editor);
    qvuiDemos_Update(&editor->demos);
    ReportProblem(editor);
    ReportChange(editor);
    if (qvuiOpener_HasFailed(&editor->opener))
        qvuiEditor_ReportOpener(editor);
    FlushJournal(editor);
    qvuiDrawFrame(editor, width, height);
    qvuiSession_Post(&editor->session);
    if (editor->kit.remark[0] != 0)
        qvuiEditor_Notify(editor, true, "%s", editor->kit.remark);
    editor->kit.remark[0] = 0;
    if (editor->dialog == qvui_dialogNone)
        editor->popupOpen = igIsPopupOpen_Str("", ImGuiPopupFlags_AnyPopup);
    // Elsewhere Tab, arrows, Space and Enter are shortcuts.
    igGetIO()->ConfigFlags =
        editor->dialog != qvui_dialogNone ? ImGuiConfigFlags_NavEnableKeyboard : ImGuiConfigFlags_None;
}

bool qvuiEditor_DrawsGraph(const qvuiEditor* editor)
{
    return editor->session.document != NULL && editor->showBottom && editor->bottomTab == qvuiTabGraphIndex &&
           qvuiGraph_IsBusy(&editor->graph);
}

static double Sooner(double a, double b)
{
    if (a < 0.0 || b < 0.0)
        return fmax(a, b);
    return fmin(a, b);
}

double qvuiEditor_NextWake(const qvuiEditor* editor)
{
    double wake = qvuiViewport_NextWake(&editor->viewport);
    wake = Sooner(wake, qvuiTooltipWake(&editor->kit));
    wake = Sooner(wake, qvuiSession_NextWake(&editor->session));
    wake = Sooner(wake, qvuiStatusWake(editor));
    if (igGetTime() - editor->dialogTime < 0.25 || editor->dialogGrows || editor->timeline.stretches ||
        qvuiTween_IsPending(editor) || qvuiEditor_DrawsGraph(editor))
        wake = 0.0;
    if (editor->loader.task.running || editor->exporter.task.running || editor->preparation.task.running ||
        editor->contacts.task.running)
        wake = Sooner(wake, 1.0 / 30.0);
    if (qvuiFindings_IsBusy(&editor->findings, &editor->session) || qvuiDemos_IsBusy(&editor->demos))
        wake = Sooner(wake, 1.0 / 60.0);
    wake = Sooner(wake, qvuiOpener_NextWake(&editor->opener, igGetTime()));
    if (qvuiPreparation_HasPictures(&editor->preparation) && !editor->preparation.task.running)
        wake = 0.0;
    if (editor->toast.text[0] != 0)
        wake = Sooner(wake, fmax(0.0, editor->toast.until - igGetTime()) + 0.02);
    // An edit is in the journal within half a second, even when nobody moves the mouse.
    if (editor->session.document != NULL && editor->flushedRevision != qvDocument_Revision(editor->session.document))
        wake = Sooner(wake, FLUSH_PAUSE);
    return wake;
}
