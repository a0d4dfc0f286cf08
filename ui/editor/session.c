// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/session.h"

#include "quaver/blas.h"
#include "quaver/file.h"
#include "quaver/path.h"
#include "quaver/primitive.h"
#include "ui/editor/key_place.h"
#include "ui/grow.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const qvuiPlayback standstill = { .speed = 1.0, .direction = 1.0, .clock = -1.0, .previewMode = -1 };

qvResult qvuiSession_Init(qvuiSession* session, qvError* error)
{
    *session = (qvuiSession){ .playback = standstill, .autoKey = true, .diskCache = qvui_diskCache };
    qvResult result = qvCreatePool(0, &session->pool, error);
    if (result == qv_ok) // the worker and an export, each with its pool, and what else is under way
        result = qvBlas_Claim(2 * qvPool_ThreadCount(session->pool) + 2, error);
    char cache[4096];
    qvPipelineDef def = qvDefaultPipelineDef();
    if (qvCacheFolder(cache, sizeof(cache)))
        def.cacheFolder = cache;
    if (result == qv_ok)
        result = qvCreateWorker(&def, &session->worker, error);
    return result;
}

void qvuiSession_SetDiskCache(qvuiSession* session, double gigabytes)
{
    bool isOther = session->diskCache != gigabytes;
    session->diskCache = gigabytes;
    if (isOther && session->worker != NULL)
        qvPipeline_SetCacheLimit(qvWorker_Pipeline(session->worker), (size_t)(gigabytes * (double)(1 << 30)));
}

static void FreeShown(qvuiSession* session)
{
    free(session->points);
    free(session->vertices);
    session->points = session->vertices = NULL;
}

// A take that there is no memory to look at is not shown.
static void SetTake(qvuiSession* session, const qvTake* take)
{
    qvError error;
    if (qvTakeView_SetTake(&session->view, take, &error) != qv_ok)
        snprintf(session->problem, sizeof(session->problem), "%s", error.message);
    qvReleaseTake(session->take);
    session->take = take;
    session->takeRevision++;
}

void qvuiSession_Free(qvuiSession* session)
{
    qvuiSession_SetDocument(session, NULL, NULL);
    qvTakeView_Free(&session->view);
    qvDestroyWorker(session->worker);
    qvDestroyPool(session->pool);
    free(session->selection.keys);
    free(session->copiedPose);
    *session = (qvuiSession){ 0 };
}

// The shown points are those of the body at rest until a take says otherwise.
static void SetBody(qvuiSession* session, const qvBody* body)
{
    if (session->body == body)
        return;
    const qvBody* old = session->body;
    session->body = body != NULL ? qvRetainBody(body) : NULL;
    qvReleaseBody(old);
    FreeShown(session);
    if (body == NULL)
        return;
    size_t points = (size_t)body->mesh->pointCount, vertices = (size_t)body->mesh->vertexCount;
    session->points = malloc(points * sizeof(qvVec3f));
    session->vertices = malloc(vertices * sizeof(qvVec3f));
    if (session->points == NULL || session->vertices == NULL)
    {
        FreeShown(session);
        qvReleaseBody(session->body);
        session->body = NULL;
        snprintf(session->problem, sizeof(session->problem), "out of memory; close other programs");
        return;
    }
    memcpy(session->points, body->rest, points * sizeof(qvVec3f));
    qvMesh_ScatterPoints(body->mesh, session->points, session->vertices);
}

// What was read is not read again for the takes.
static void ShareBody(qvuiSession* session, const qvBody* body)
{
    if (body == NULL || session->worker == NULL)
    {
        SetBody(session, body);
        return;
    }
    const qvBody* shared = qvWorker_ShareBody(session->worker, body);
    SetBody(session, shared);
    qvReleaseBody(shared);
}

// The file's name; before there is one, the scene's or that of its mesh.
void qvuiSession_Rename(qvuiSession* session)
{
    session->name[0] = 0;
    if (session->document == NULL)
        return;
    const char* path = qvDocument_Path(session->document);
    const qvScene* scene = qvDocument_Scene(session->document);
    const char* name = path[0] != 0 ? qvPath_FileName(path) : scene->name;
    if (name[0] == 0 && scene->mesh.primitive != NULL)
        name = qvFindPrimitive(scene->mesh.primitive)->label;
    else if (name[0] == 0)
        name = qvPath_FileName(scene->mesh.file);
    snprintf(session->name, sizeof(session->name), "%s", name);
}

void qvuiSession_Title(const qvuiSession* session, char* title, size_t capacity)
{
    if (session->document != NULL)
        snprintf(title, capacity, "%s%s - Quaver", qvuiSession_IsDirty(session) ? "*" : "", session->name);
    else
        snprintf(title, capacity, "Quaver");
}

qvResult qvuiSession_CheckTarget(const qvuiSession* session, const char* path, qvError* error)
{
    const char* own = qvDocument_Path(session->document);
    if (own[0] != 0 && qvIsSameFile(own, path))
        return qvError_Set(error, qv_badInput, "%s is the scene itself and stays; choose another name",
                           qvPath_FileName(path));
    return qvTake_CheckTarget(session->take, path, error);
}

void qvuiSession_FileStem(const qvuiSession* session, char* stem, size_t capacity)
{
    snprintf(stem, capacity, "%s", session->name);
    char* dot = strrchr(stem, '.');
    if (dot != NULL && dot != stem)
        *dot = 0;
    for (char* c = stem; *c != 0; c++)
        *c = *c == '/' ? '_' : *c;
}

static void ClearSelection(qvuiSelection* selection)
{
    selection->keyCount = selection->trailCount = 0;
    selection->key = selection->stroke = selection->event = selection->pin = 0;
    selection->simulation = selection->obstacle = 0;
}

const qvSceneKey* qvuiSession_FirstShown(const qvuiSession* session)
{
    const qvScene* scene = qvuiSession_Scene(session);
    return session->take == NULL && scene != NULL && scene->keyCount > 0 ? scene->keys[0] : NULL;
}

static void ShowFirstKey(qvuiSession* session, const qvScene* scene)
{
    qvError ignored;
    if (session->body == NULL)
        return;
    int count = session->body->mesh->pointCount;
    qvAffine frame = qvSceneKey_Frame(scene->keys[0]);
    if (qvScene_CheckBody(scene, session->body, &ignored) != qv_ok ||
        qvComputePose(scene, session->body, scene->keys[0]->id, -1, session->pool, session->points, &ignored) != qv_ok)
        memcpy(session->points, session->body->rest, (size_t)count * sizeof(qvVec3f));
    qvKeysToWorld(&frame, session->points, count);
    qvMesh_ScatterPoints(session->body->mesh, session->points, session->vertices);
}

void qvuiSession_SetDocument(qvuiSession* session, qvDocument* document, const qvBody* body)
{
    // A solve of the document that goes may still be under way; its take would bring back the old body.
    if (session->worker != NULL)
        qvWorker_Forget(session->worker);
    qvCloseDocument(session->document);
    SetTake(session, NULL);
    session->document = document;
    if (document != NULL)
        qvDocument_Relock(document); // the one that is closed may have had the same file
    session->isNew = document != NULL && qvDocument_Path(document)[0] == 0;
    session->postedRevision = UINT64_MAX;
    session->revision++;
    session->problem[0] = 0;
    session->show = qvui_showTake;
    ClearSelection(&session->selection);
    qvuiPlayback kept = session->playback;
    session->playback = standstill;
    session->playback.mode = kept.mode;
    ShareBody(session, body);
    qvuiSession_Rename(session);
    const qvScene* scene = qvuiSession_Scene(session);
    if (scene == NULL)
        return;
    double range[2];
    qvScene_Range(scene, range);
    session->playback.time = range[0];
    if (scene->keyCount > 0)
    {
        qvuiSession_SelectKey(session, scene->keys[0]->id, false);
        ShowFirstKey(session, scene);
    }
}

static bool HasClip(const qvBody* body)
{
    const qvRig* rig = body->model != NULL ? body->model->rig : NULL;
    return rig != NULL && qvRig_ClipCount(rig) > 0 && qvRig_ClipDuration(rig, 0) > 0.0;
}

const qvRig* qvuiSession_Rig(const qvuiSession* session)
{
    const qvBody* body = session->document != NULL ? session->body : NULL;
    const qvRig* rig = body != NULL && body->model != NULL ? body->model->rig : NULL;
    return rig != NULL && qvRig_ClipCount(rig) > 0 ? rig : NULL;
}

int qvuiSession_Clip(const qvuiSession* session)
{
    const qvRig* rig = qvuiSession_Rig(session);
    const qvSceneClip* clip = rig != NULL ? &qvDocument_Scene(session->document)->clip : NULL;
    int index;
    return clip != NULL && clip->on && qvSceneClip_Find(clip, rig, &index, NULL) == qv_ok ? index : -1;
}

// The same scene with another number. A document does it, so that it is checked.
static qvResult ChangeNumber(const qvScene** scene, const char* field, double value, qvError* error)
{
    qvDocument* document;
    qvResult result = qvCreateDocument(*scene, &document, error);
    if (result == qv_ok)
        result = qvDocument_SetNumber(document, (qvRef){ qv_objectScene, 0 }, field, value, error);
    if (result == qv_ok)
    {
        qvReleaseScene(*scene);
        *scene = qvRetainScene(qvDocument_Scene(document));
    }
    qvCloseDocument(document);
    return result;
}

enum
{
    LARGE_BODY = 20000, // points: keys of a new body with more are solved on fewer
    USUAL_DETAIL = 3000,
};

qvResult qvuiSession_New(qvuiSession* session, const qvSceneMesh* mesh, const qvBody* body, qvError* error)
{
    const qvScene* scene = NULL;
    qvDocument* document = NULL;
    const qvBody* loaded = body != NULL ? qvRetainBody(body) : NULL;
    qvResult result = qv_ok;
    if (loaded == NULL)
        result = qvLoadBody(mesh, ".", NULL, &loaded, error);
    if (result == qv_ok)
        result = HasClip(loaded) ? qvCreateClipScene(mesh, NULL, loaded->model->rig, &scene, error)
                                 : qvCreateScene(mesh, &scene, error);
    double unit = result == qv_ok ? qvUnitForSize(loaded->diagonal) : 1.0;
    if (unit != 1.0)
        result = ChangeNumber(&scene, "unit", unit, error);
    if (result == qv_ok && loaded->mesh->pointCount > LARGE_BODY)
        result = ChangeNumber(&scene, "detail", USUAL_DETAIL, error);
    if (result == qv_ok)
        result = qvCreateDocument(scene, &document, error);
    if (result == qv_ok)
        qvuiSession_SetDocument(session, document, loaded);
    qvReleaseScene(scene);
    qvReleaseBody(loaded);
    return result;
}

const qvScene* qvuiSession_Scene(const qvuiSession* session)
{
    return session->document != NULL ? qvDocument_Scene(session->document) : NULL;
}

// --- Once a frame --------------------------------------------------------------------------------------------------

void qvuiSession_Post(qvuiSession* session)
{
    if (session->document == NULL)
        return;
    uint64_t revision = qvDocument_Revision(session->document);
    if (revision == session->postedRevision)
        return;
    session->postedRevision = revision;
    qvWorker_Post(session->worker, qvDocument_Scene(session->document), qvDocument_Folder(session->document));
    qvuiSession_Rename(session);
}

static void CollectTake(qvuiSession* session)
{
    const qvTake* take = qvWorker_Collect(session->worker);
    qvError error;
    bool failed = qvWorker_CollectError(session->worker, &error); // of a newer scene than the take's
    if (failed)
        snprintf(session->problem, sizeof(session->problem), "%s", error.message);
    else if (take != NULL)
        session->problem[0] = 0;
    if (take == NULL)
        return;
    SetTake(session, take);
    session->revision++;
    SetBody(session, qvTake_Body(take));
    // What a tool shows stays until the motion has caught up with it.
    if (qvTake_Scene(take) == qvDocument_Scene(session->document))
        session->show = qvui_showTake;
}

// What is shown changes as the steps of a simulation come in.
static void FollowSimulation(qvuiSession* session)
{
    double until = session->take != NULL ? qvTake_ValidUntil(session->take) : INFINITY;
    session->revision += until != session->knownUntil;
    session->knownUntil = until;
}

static double Wrap(double time, const double range[2])
{
    double length = range[1] - range[0];
    return length > 0.0 ? range[0] + fmod(fmod(time - range[0], length) + length, length) : range[0];
}

static void StepPlayback(qvuiSession* session, double now)
{
    qvuiPlayback* playback = &session->playback;
    double elapsed = playback->clock >= 0.0 ? now - playback->clock : 0.0, range[2];
    playback->clock = now;
    // What is opened plays from its start, once there is a motion.
    bool prepares = session->take == NULL && qvuiSession_IsSolving(session);
    if (!playback->playing || playback->waits || prepares)
        return;
    qvuiSession_PlayRange(session, range);
    double time = playback->time + elapsed * playback->speed * playback->direction;
    // Where a simulation is still coming in, playing waits for it.
    bool waits = session->knownUntil >= playback->time && session->knownUntil < fmin(time, range[1]);
    if (waits && qvWorker_IsSimulating(session->worker))
        time = session->knownUntil;
    bool outside = time > range[1] || time < range[0];
    if (outside && playback->mode == qvui_playOnce)
        time = range[1], playback->playing = false;
    else if (outside && playback->mode == qvui_playPingPong)
    {
        bool late = time > range[1];
        playback->direction = late ? -1.0 : 1.0;
        time = fmin(fmax(late ? 2.0 * range[1] - time : 2.0 * range[0] - time, range[0]), range[1]);
    }
    else if (outside)
        time = Wrap(time, range);
    playback->time = time;
}

static void DropDeadIds(qvuiSession* session)
{
    const qvScene* scene = qvDocument_Scene(session->document);
    qvuiSelection* selection = &session->selection;
    int kept = 0;
    for (int i = 0; i < selection->keyCount; i++)
        if (qvScene_FindKey(scene, selection->keys[i], NULL) != NULL)
            selection->keys[kept++] = selection->keys[i];
    selection->keyCount = kept;
    if (qvScene_FindKey(scene, selection->key, NULL) == NULL)
        selection->key = kept > 0 ? selection->keys[0] : 0;
    if (qvScene_FindStroke(scene, selection->stroke, NULL, NULL) == NULL)
        selection->stroke = 0;
    if (qvScene_FindEvent(scene, selection->event, NULL) == NULL)
        selection->event = 0;
    if (qvScene_FindSimulation(scene, selection->simulation, NULL) == NULL)
        selection->simulation = 0;
    if (qvScene_FindObstacle(scene, selection->obstacle, NULL) == NULL)
        selection->obstacle = 0;
}

static void EvaluateShown(qvuiSession* session, qvTakeLayers layers)
{
    const qvTake* take = session->take;
    const qvMesh* mesh = session->body->mesh;
    int mode = session->playback.previewMode;
    qvError error;
    session->showsChanged = false;
    if (mode >= 0 && mode < qvTake_ModeCount(take))
    {
        qvTake_ModeShape(take, mode, session->playback.clock, session->points);
        qvMesh_ScatterPoints(mesh, session->points, session->vertices);
    }
    else if (session->view.take != NULL)
    {
        if (qvTakeView_Show(&session->view, session->playback.time, layers, session->pool, &error) != qv_ok)
            snprintf(session->problem, sizeof(session->problem), "%s", error.message);
        session->showsChanged = session->view.changed != NULL;
        memcpy(session->points, session->view.points, (size_t)mesh->pointCount * sizeof(qvVec3f));
        if (!session->showsChanged)
            memcpy(session->vertices, session->view.vertices, (size_t)mesh->vertexCount * sizeof(qvVec3f));
    }
}

const qvMesh* qvuiSession_Changed(const qvuiSession* session)
{
    return session->show == qvui_showTake && session->showsChanged ? session->view.changed : NULL;
}

static bool UpdateShown(qvuiSession* session)
{
    if (session->body == NULL)
        return false;
    bool swinging = session->playback.previewMode >= 0;
    if (session->show == qvui_showTake && session->take != NULL)
    {
        qvTakeLayers layers = qvuiSession_ShowsWaveEnd(session) ? qv_layersMotion : qv_layersAll;
        if (layers != session->shownLayers)
            session->revision++;
        session->shownLayers = layers;
        if (session->shownRevision == session->revision && session->shownTime == session->playback.time && !swinging &&
            !session->shownSwings)
            return false;
        EvaluateShown(session, layers);
    }
    else if (session->shownRevision == session->revision)
        return false;
    else
        qvMesh_ScatterPoints(session->body->mesh, session->points, session->vertices);
    session->shownRevision = session->revision;
    session->shownTime = session->playback.time;
    session->shownSwings = swinging;
    return true;
}

bool qvuiSession_Update(qvuiSession* session, double now)
{
    if (session->document == NULL)
        return false;
    qvuiSession_Post(session);
    CollectTake(session);
    FollowSimulation(session);
    DropDeadIds(session);
    StepPlayback(session, now);
    return UpdateShown(session);
}

bool qvuiSession_IsSolving(const qvuiSession* session)
{
    double fraction;
    char stage[64];
    if (session->document == NULL)
        return false;
    return session->postedRevision != qvDocument_Revision(session->document) ||
           qvWorker_Progress(session->worker, &fraction, stage) || qvWorker_HasNews(session->worker) ||
           qvWorker_IsSimulating(session->worker);
}

bool qvuiSession_IsDirty(const qvuiSession* session)
{
    const qvDocument* document = session->document;
    if (document == NULL || !qvDocument_IsDirty(document))
        return false;
    return !session->isNew || qvDocument_StepCount(document) > 1;
}

double qvuiSession_NextWake(const qvuiSession* session)
{
    if (session->document == NULL)
        return -1.0;
    const qvuiPlayback* playback = &session->playback;
    bool moves = (playback->playing && !playback->waits) || playback->previewMode >= 0;
    return moves || qvuiSession_IsSolving(session) ? 1.0 / 60.0 : -1.0;
}

// --- Time ----------------------------------------------------------------------------------------------------------

void qvuiSession_Seek(qvuiSession* session, double time)
{
    session->playback.time = time;
    session->playback.previewMode = -1;
    session->show = qvui_showTake;
}

void qvuiSession_Play(qvuiSession* session, bool playing)
{
    qvuiPlayback* playback = &session->playback;
    double range[2];
    if (session->document == NULL)
        return;
    qvuiSession_PlayRange(session, range);
    if (playing && (playback->time < range[0] || playback->time >= range[1]))
        playback->time = range[0];
    playback->playing = playing;
    playback->direction = 1.0;
    playback->previewMode = -1;
    session->show = qvui_showTake;
}

void qvuiSession_PlayRange(const qvuiSession* session, double range[2])
{
    const qvScene* scene = qvuiSession_Scene(session);
    if (scene->hasPreview)
        memcpy(range, scene->preview, 2 * sizeof(double));
    else
        qvScene_Range(scene, range);
}

double qvuiSession_SnapTime(const qvuiSession* session, double time)
{
    const qvScene* scene = qvuiSession_Scene(session);
    return scene != NULL ? round(time * scene->fps) / scene->fps : time;
}

// The nearest key within half a frame, or 0.
static qvId FindKeyAt(const qvuiSession* session, double time)
{
    const qvScene* scene = qvuiSession_Scene(session);
    double nearest = scene != NULL ? 0.5 / scene->fps : 0.0;
    qvId found = 0;
    for (int i = 0; scene != NULL && i < scene->keyCount; i++)
    {
        double distance = fabs(scene->keys[i]->time - time);
        if (distance < nearest)
            nearest = distance, found = scene->keys[i]->id;
    }
    return found;
}

qvId qvuiSession_KeyAtTime(const qvuiSession* session)
{
    return FindKeyAt(session, session->playback.time);
}

bool qvuiSession_ShowsWaveEnd(const qvuiSession* session)
{
    if (session->playback.playing || session->take == NULL)
        return false;
    const qvSceneKey* key = qvScene_FindKey(qvuiSession_Scene(session), qvuiSession_KeyAtTime(session), NULL);
    return key != NULL && key->interp == qv_interpWave && key->time == session->playback.time;
}

qvId qvuiSession_NeighbourKey(const qvuiSession* session, int direction)
{
    const qvScene* scene = qvuiSession_Scene(session);
    qvId found = 0, here = qvuiSession_KeyAtTime(session);
    for (int i = 0; scene != NULL && i < scene->keyCount; i++)
    {
        if (scene->keys[i]->id == here)
            continue;
        double distance = scene->keys[i]->time - session->playback.time;
        if (direction > 0 && distance > 1e-6)
            return scene->keys[i]->id;
        if (direction < 0 && distance < -1e-6)
            found = scene->keys[i]->id;
    }
    return found;
}

// --- Selection -----------------------------------------------------------------------------------------------------

bool qvuiSession_IsKeySelected(const qvuiSession* session, qvId key)
{
    for (int i = 0; i < session->selection.keyCount; i++)
        if (session->selection.keys[i] == key)
            return true;
    return false;
}

static bool AppendKey(qvuiSelection* selection, qvId key)
{
    if (!qvuiGrow(&selection->keys, &selection->keyCapacity, selection->keyCount + 1, sizeof(qvId)))
        return false;
    selection->keys[selection->keyCount++] = key;
    return true;
}

// Takes a key out of the selection.
static void DropKey(qvuiSelection* selection, qvId key)
{
    int kept = 0;
    for (int i = 0; i < selection->keyCount; i++)
        if (selection->keys[i] != key)
            selection->keys[kept++] = selection->keys[i];
    selection->keyCount = kept;
    if (selection->key == key)
        selection->key = kept > 0 ? selection->keys[kept - 1] : 0;
}

void qvuiSession_SelectKey(qvuiSession* session, qvId key, bool add)
{
    qvuiSelection* selection = &session->selection;
    if (add && qvuiSession_IsKeySelected(session, key))
    {
        DropKey(selection, key);
        return;
    }
    if (!add)
        selection->keyCount = 0;
    if (key != 0 && AppendKey(selection, key))
        selection->key = key;
    else if (!add)
        selection->key = 0;
    selection->stroke = selection->event = selection->simulation = selection->obstacle = 0;
}

void qvuiSession_SelectAllKeys(qvuiSession* session)
{
    const qvScene* scene = qvuiSession_Scene(session);
    session->selection.keyCount = 0;
    for (int i = 0; scene != NULL && i < scene->keyCount; i++)
        if (AppendKey(&session->selection, scene->keys[i]->id) && session->selection.key == 0)
            session->selection.key = scene->keys[i]->id;
}

bool qvuiSession_SelectedRange(const qvuiSession* session, double range[2])
{
    const qvScene* scene = qvuiSession_Scene(session);
    range[0] = INFINITY, range[1] = -INFINITY;
    for (int i = 0; i < session->selection.keyCount; i++)
    {
        const qvSceneKey* key = qvScene_FindKey(scene, session->selection.keys[i], NULL);
        range[0] = key != NULL ? fmin(range[0], key->time) : range[0];
        range[1] = key != NULL ? fmax(range[1], key->time) : range[1];
    }
    return range[1] > range[0];
}

void qvuiSession_SelectStroke(qvuiSession* session, qvId stroke)
{
    const qvSceneKey* key = NULL;
    if (qvScene_FindStroke(qvuiSession_Scene(session), stroke, &key, NULL) == NULL)
        return;
    qvuiSession_SelectKey(session, key->id, false);
    session->selection.stroke = stroke;
}

void qvuiSession_SelectEvent(qvuiSession* session, qvId event)
{
    qvuiSession_SelectKey(session, 0, false);
    session->selection.event = event;
}

void qvuiSession_SelectSimulation(qvuiSession* session, qvId simulation)
{
    qvuiSession_SelectKey(session, 0, false);
    session->selection.simulation = simulation;
    session->selection.joint = session->selection.part = 0;
}

void qvuiSession_SelectObstacle(qvuiSession* session, qvId obstacle)
{
    qvuiSession_SelectKey(session, 0, false);
    session->selection.obstacle = obstacle;
}

// --- Keys ----------------------------------------------------------------------------------------------------------

// The body at a time as keys have it, without their transform. A key that is being solved is taken from its strokes,
// because the take still has the one before; *at is that key's time.
static bool CapturePoints(const qvuiSession* session, double* at, qvVec3f* points)
{
    double time = *at;
    const qvTake* take = session->take;
    const qvScene* scene = qvuiSession_Scene(session);
    qvId key = FindKeyAt(session, time);
    qvError ignored;
    if (key == 0 && qvuiSession_FirstShown(session) != NULL)
        key = qvuiSession_FirstShown(session)->id;
    if (key != 0 && (take == NULL || qvTake_Scene(take) != scene))
    {
        *at = qvScene_FindKey(scene, key, NULL)->time;
        return qvComputePose(scene, session->body, key, -1, session->pool, points, &ignored) == qv_ok;
    }
    qvTakeView view = { 0 };
    if (take == NULL || qvTake_Body(take) != session->body || qvTakeView_SetTake(&view, take, &ignored) != qv_ok)
        return false;
    int count = session->body->mesh->pointCount;
    qvTakeView_Evaluate(&view, time, qv_layersMotion, session->pool);
    memcpy(points, view.points, (size_t)count * sizeof(*points));
    qvTakeView_Free(&view);
    qvAffine frame = qvTake_KeyedFrame(take, time);
    qvWorldToKeys(&frame, points, count);
    return true;
}

qvResult qvuiSession_CheckCapture(const qvuiSession* session, double time, qvError* error)
{
    double change = session->take != NULL ? qvTake_ChangesFrom(session->take) : INFINITY;
    if (time < change)
        return qv_ok;
    return qvError_Set(error, qv_badInput,
                       "the body changes its topology at %g s, and no key can hold what it is afterwards; go back "
                       "before that",
                       change);
}

void qvuiSession_CaptureOffsets(const qvuiSession* session, double time, qvVec3f* offsets)
{
    const qvMesh* mesh = session->body->mesh;
    qvVec3f* points = malloc((size_t)mesh->pointCount * sizeof(*points));
    qvError ignored;
    if (points != NULL && CapturePoints(session, &time, points) &&
        qvPose_OffClip(qvuiSession_Scene(session), session->body, time, points, &ignored) == qv_ok)
        qvBody_Offsets(session->body, points, offsets);
    else
        memset(offsets, 0, (size_t)mesh->vertexCount * sizeof(*offsets));
    free(points);
}

// The playhead goes along with the key that it is at within half a frame, so that what is seen is the key.
static void StandAt(qvuiSession* session, qvId key)
{
    const qvSceneKey* found = qvScene_FindKey(qvuiSession_Scene(session), key, NULL);
    if (!session->playback.playing)
        session->playback.time = found->time;
}

qvResult qvuiSession_InsertKey(qvuiSession* session, double time, qvId* key, qvError* error)
{
    *key = 0;
    if (session->body == NULL)
        return qvError_Set(error, qv_notFound, "there is no mesh to pose; open one");
    if (qvuiSession_CheckCapture(session, time, error) != qv_ok)
        return qv_badInput;
    int vertices = session->body->mesh->vertexCount;
    qvVec3f* offsets = malloc((size_t)vertices * sizeof(*offsets));
    if (offsets == NULL)
        return qvError_OutOfMemory(error, (double)vertices * sizeof(*offsets));
    qvuiSession_CaptureOffsets(session, time, offsets);
    const qvSceneKey* first = qvuiSession_FirstShown(session);
    // The first key over a clip is the clip there.
    bool isClip = qvuiSession_Clip(session) >= 0 && qvuiSession_Scene(session)->keyCount == 0;
    bool posed = (session->take != NULL && !isClip) ||
                 (first != NULL && (first->strokes.count > 0 || first->base != qv_baseRest));
    qvSceneKey like = qvDefaultSceneKey();
    qvuiPlace place = qvuiSession_PlaceAt(session, time);
    like.time = time;
    like.hasTransform = qvScene_MayKeyPlace(qvuiSession_Scene(session), time);
    if (like.hasTransform)
        like.translate = place.translate, like.rotate = place.rotate;
    qvDocument_Begin(session->document, "Insert key", 0);
    qvResult result = qvDocument_AddKey(session->document, &like, key, error);
    if (result == qv_ok && posed)
        result = qvDocument_SetOffsets(session->document, *key, offsets, vertices, error);
    if (result == qv_ok)
        qvDocument_End(session->document);
    else
        qvDocument_Abort(session->document);
    free(offsets);
    if (result == qv_ok)
    {
        StandAt(session, *key);
        qvuiSession_SelectKey(session, *key, false);
    }
    return result;
}

qvResult qvuiSession_KeyForStroke(qvuiSession* session, qvId* key, qvError* error)
{
    *key = qvuiSession_KeyAtTime(session);
    if (*key != 0)
    {
        StandAt(session, *key);
        return qv_ok;
    }
    if (!session->autoKey)
        return qvError_Set(error, qv_notFound, "there is no key here; insert one (I) or switch auto-key on");
    return qvuiSession_InsertKey(session, qvuiSession_SnapTime(session, session->playback.time), key, error);
}
