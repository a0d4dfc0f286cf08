// SPDX-License-Identifier: GPL-3.0-or-later
// A pose while it is being changed: the stroke that is dragged is applied on a pose that was computed once, and shown
// before the document knows of it. The document changes when the mouse is released, in one step.
#include "ui/actions/state.h"
#include "ui/editor/clock.h"
#include "ui/editor/editor.h"
#include "ui/grow.h"

#include <stdlib.h>
#include <string.h>

static void FreeArrays(qvuiLive* live)
{
    free(live->before);
    free(live->points);
    free(live->dabs);
    *live = (qvuiLive){ 0 };
}

static bool Allocate(qvuiEditor* editor)
{
    qvuiLive* live = &editor->viewport.tools.live;
    size_t size = (size_t)editor->session.body->mesh->pointCount * sizeof(qvVec3f);
    qvError error;
    FreeArrays(live);
    live->before = malloc(size);
    live->points = malloc(size);
    if (live->before != NULL && live->points != NULL)
        return true;
    FreeArrays(live);
    return qvuiEditor_Did(editor, qvError_OutOfMemory(&error, 2.0 * (double)size), &error);
}

// What a key that is made here starts from: the motion as it is now.
static bool CaptureMotion(qvuiEditor* editor, double time, qvVec3f* points)
{
    const qvBody* body = editor->session.body;
    size_t vertices = (size_t)body->mesh->vertexCount;
    qvError error;
    qvVec3f* offsets = malloc(vertices * sizeof(*offsets));
    if (offsets == NULL)
        return qvuiEditor_Did(editor, qvError_OutOfMemory(&error, (double)vertices * sizeof(*offsets)), &error);
    qvuiSession_CaptureOffsets(&editor->session, time, offsets);
    for (int i = 0; i < body->mesh->pointCount; i++)
    {
        qvVec3f offset = offsets[body->mesh->pointVertex[i]], rest = body->rest[i];
        points[i] = (qvVec3f){ rest.x + offset.x, rest.y + offset.y, rest.z + offset.z };
    }
    free(offsets);
    qvResult result = qvPose_OnClip(qvuiSession_Scene(&editor->session), body, time, points, &error);
    return qvuiEditor_Did(editor, result, &error);
}

void qvuiKeyStamp_Set(qvuiKeyStamp* stamp, const qvuiEditor* editor, qvId key)
{
    const qvScene* scene = qvuiSession_Scene(&editor->session);
    const qvSceneKey* found = key != 0 ? qvScene_FindKey(scene, key, NULL) : NULL;
    qvReleaseScene(stamp->scene);
    stamp->key = found;
    stamp->scene = found != NULL ? qvRetainScene(scene) : NULL;
}

// Whether strokes are held by the same pins and ground.
static bool HoldsAlike(const qvScene* a, const qvScene* b)
{
    bool alike = a->pinCount == b->pinCount && memcmp(&a->ground, &b->ground, sizeof(a->ground)) == 0 &&
                 qvScene_KeysFrame(a) == qvScene_KeysFrame(b);
    for (int i = 0; alike && i < a->pinCount; i++)
        alike = a->pins[i] == b->pins[i];
    return alike;
}

// A key that builds on another one changes with it.
bool qvuiKeyStamp_IsValid(const qvuiKeyStamp* stamp, const qvuiEditor* editor, qvId key)
{
    const qvScene* scene = qvuiSession_Scene(&editor->session);
    const qvSceneKey* found = qvScene_FindKey(scene, key, NULL);
    if (found == NULL || found != stamp->key)
        return false;
    // Others, and a clip below, may have changed since.
    return scene == stamp->scene ||
           (found->base != qv_baseKey && qvuiSession_Clip(&editor->session) < 0 && HoldsAlike(scene, stamp->scene));
}

// From the last stroke when nothing has changed since.
static bool ComputePose(qvuiEditor* editor, qvId key, qvVec3f* points)
{
    qvuiSession* session = &editor->session;
    qvuiTools* tools = &editor->viewport.tools;
    qvError error;
    if (tools->kept != NULL && qvuiKeyStamp_IsValid(&tools->keptStamp, editor, key))
    {
        memcpy(points, tools->kept, (size_t)session->body->mesh->pointCount * sizeof(qvVec3f));
        return true;
    }
    qvResult result = qvComputePose(qvuiSession_Scene(session), session->body, key, -1, session->pool, points, &error);
    return qvuiEditor_Did(editor, result, &error);
}

bool qvuiLive_Begin(qvuiEditor* editor)
{
    qvuiSession* session = &editor->session;
    qvuiLive* live = &editor->viewport.tools.live;
    if (session->playback.playing)
        qvuiSession_Play(session, false);
    qvId key = qvuiSession_KeyAtTime(session);
    if (key == 0 && !session->autoKey)
    {
        qvuiEditor_Notify(editor, true, "There is no key here; insert one (I) or switch auto-key on");
        return false;
    }
    if (!Allocate(editor))
        return false;
    const qvSceneKey* found = qvScene_FindKey(qvuiSession_Scene(session), key, NULL);
    live->key = key;
    live->time = found != NULL ? found->time : qvuiSession_SnapTime(session, session->playback.time);
    live->frame = qvuiKeyFrame(editor, key, live->time);
    session->playback.time = live->time;
    if (!(found == NULL ? CaptureMotion(editor, live->time, live->before) : ComputePose(editor, key, live->before)))
    {
        FreeArrays(live);
        return false;
    }
    memcpy(live->points, live->before, (size_t)session->body->mesh->pointCount * sizeof(qvVec3f));
    return true;
}

bool qvuiLive_BeginEdit(qvuiEditor* editor, qvId stroke)
{
    qvuiSession* session = &editor->session;
    qvuiLive* live = &editor->viewport.tools.live;
    const qvSceneKey* key;
    int place;
    qvError error;
    const qvSceneStroke* found = qvScene_FindStroke(qvuiSession_Scene(session), stroke, &key, &place);
    if (found == NULL || session->body == NULL || !Allocate(editor))
        return false;
    live->key = key->id;
    live->time = key->time;
    live->frame = qvuiKeyFrame(editor, key->id, key->time);
    live->edited = stroke;
    live->stroke = found->stroke;
    qvResult result =
        qvComputePose(qvuiSession_Scene(session), session->body, key->id, place, session->pool, live->before, &error);
    if (qvuiEditor_Did(editor, result, &error))
        return true;
    FreeArrays(live);
    return false;
}

void qvuiLive_ShowPoints(qvuiEditor* editor)
{
    qvuiSession* session = &editor->session;
    const qvuiLive* live = &editor->viewport.tools.live;
    for (int i = 0; i < session->body->mesh->pointCount; i++)
        session->points[i] = qvVec3_ToFloat(qvuiToWorld(&live->frame, qvVec3_FromFloat(live->points[i])));
    qvMesh_ScatterPoints(session->body->mesh, session->points, session->vertices);
    session->show = qvui_showPose;
    session->revision++;
    session->shownRevision = session->revision;
    session->shownTime = session->playback.time;
    if (editor->surface != NULL)
        qvuiSurface_SetPositions(editor->surface, session->vertices);
}

// Mask of the next strokes per vertex, or NULL. The caller frees it.
static float* VertexMask(const qvuiEditor* editor)
{
    const float* mask = editor->viewport.tools.mask;
    qvError ignored;
    return mask != NULL ? qvuiVertexValues(editor->session.body->mesh, mask, 1.0f, &ignored) : NULL;
}

// A stroke's own mask, if it is one for this mesh.
static const float* StrokeMask(const qvuiEditor* editor, const qvSceneStroke* stroke)
{
    size_t size = (size_t)editor->session.body->mesh->vertexCount * sizeof(float);
    return stroke != NULL && stroke->mask != NULL && stroke->mask->size == size ? stroke->mask->data : NULL;
}

// As the pipeline will, with what is pinned at the key's time.
static qvResult Apply(qvuiEditor* editor, const qvStroke* stroke, const float* mask, qvError* error)
{
    qvuiSession* session = &editor->session;
    qvuiLive* live = &editor->viewport.tools.live;
    return qvScene_ApplyStroke(qvuiSession_Scene(session), session->body, live->time, stroke, mask, session->pool,
                               live->points, error);
}

// The strokes that lie above the one that is being changed.
static qvResult ApplyLater(qvuiEditor* editor, qvError* error)
{
    const qvuiSession* session = &editor->session;
    const qvuiLive* live = &editor->viewport.tools.live;
    const qvSceneKey* key = NULL;
    int place = 0;
    if (qvScene_FindStroke(qvuiSession_Scene(session), live->edited, &key, &place) == NULL)
        return qv_ok;
    for (int i = place + 1; i < key->strokes.count; i++)
    {
        const qvSceneStroke* later = key->strokes.strokes[i];
        qvResult result = Apply(editor, &later->stroke, StrokeMask(editor, later), error);
        if (result != qv_ok)
            return result;
    }
    return qv_ok;
}

static qvResult ApplyStroke(qvuiEditor* editor, qvError* error)
{
    qvuiSession* session = &editor->session;
    qvuiLive* live = &editor->viewport.tools.live;
    memcpy(live->points, live->before, (size_t)session->body->mesh->pointCount * sizeof(qvVec3f));
    if (live->edited == 0)
    {
        float* mask = VertexMask(editor);
        qvResult result = Apply(editor, &live->stroke, mask, error);
        free(mask);
        return result;
    }
    const qvSceneStroke* found = qvScene_FindStroke(qvuiSession_Scene(session), live->edited, NULL, NULL);
    qvResult result = Apply(editor, &live->stroke, StrokeMask(editor, found), error);
    return result == qv_ok ? ApplyLater(editor, error) : result;
}

void qvuiLive_Show(qvuiEditor* editor)
{
    qvError error;
    double start = qvuiWallClock();
    if (qvuiEditor_Did(editor, ApplyStroke(editor, &error), &error))
        qvuiLive_ShowPoints(editor);
    editor->meshSeconds += qvuiWallClock() - start;
}

void qvuiLive_AddDab(qvuiEditor* editor)
{
    qvuiLive* live = &editor->viewport.tools.live;
    if (!qvuiGrow(&live->dabs, &live->dabCapacity, live->dabCount + 1, sizeof(qvStroke)))
        return;
    qvuiLive_Show(editor);
    live->dabs[live->dabCount++] = live->stroke;
    memcpy(live->before, live->points, (size_t)editor->session.body->mesh->pointCount * sizeof(qvVec3f));
}

static qvResult AddStrokes(qvuiEditor* editor, qvId* added, qvError* error)
{
    qvuiSession* session = &editor->session;
    qvuiLive* live = &editor->viewport.tools.live;
    qvId key = 0;
    float* mask = VertexMask(editor);
    int count = live->dabCount > 0 ? live->dabCount : 1;
    const qvStroke* strokes = live->dabCount > 0 ? live->dabs : &live->stroke;
    qvResult result = qvuiSession_KeyForStroke(session, &key, error);
    for (int i = 0; result == qv_ok && i < count; i++)
        result = qvDocument_AddStroke(session->document, key, &strokes[i], mask, session->body->mesh->vertexCount,
                                      added, error);
    free(mask);
    return result;
}

void qvuiKeepCentre(qvuiEditor* editor, qvId key, qvId stroke, const qvStroke* values, const qvVec3f* before)
{
    qvuiTools* tools = &editor->viewport.tools;
    qvuiKeyStamp_Set(&tools->centreStamp, editor, key);
    tools->centreStroke = stroke;
    tools->centre = qvBody_Carry(editor->session.body, before, values->at);
    tools->joint = qvBody_Carry(editor->session.body, before, values->joint);
}

// The pose that was shown is the pose that the document has now, and so is the stroke's centre.
static void KeepPose(qvuiEditor* editor, qvId stroke)
{
    qvuiTools* tools = &editor->viewport.tools;
    qvuiLive* live = &tools->live;
    qvuiKeyStamp_Set(&tools->keptStamp, editor, editor->session.selection.key);
    qvuiKeepCentre(editor, editor->session.selection.key, stroke, &live->stroke, live->before);
    free(tools->kept);
    tools->kept = live->points;
    live->points = NULL;
}

void qvuiLive_Commit(qvuiEditor* editor, const char* label)
{
    qvuiSession* session = &editor->session;
    qvuiTools* tools = &editor->viewport.tools;
    qvError error;
    qvId stroke = tools->live.edited;
    qvDocument_Begin(session->document, label, 0);
    qvResult result = stroke != 0 ? qvDocument_SetStroke(session->document, stroke, &tools->live.stroke, &error)
                                  : AddStrokes(editor, &stroke, &error);
    if (result == qv_ok)
        qvDocument_End(session->document);
    else
        qvDocument_Abort(session->document);
    if (!qvuiEditor_Did(editor, result, &error))
    {
        qvuiLive_Cancel(editor);
        return;
    }
    qvuiSession_SelectStroke(session, stroke);
    // At a key that was made with the stroke, the ground is where the key has the body.
    if (tools->live.key != 0 || !tools->live.stroke.ground)
        KeepPose(editor, stroke);
    FreeArrays(&tools->live);
}

void qvuiLive_CommitPose(qvuiEditor* editor, const char* label)
{
    const qvBody* body = editor->session.body;
    qvError error;
    size_t size = (size_t)body->mesh->vertexCount * sizeof(qvVec3f);
    qvVec3f* offsets = malloc(size);
    qvuiLive* live = &editor->viewport.tools.live;
    qvResult result = offsets != NULL
                          ? qvPose_OffClip(qvuiSession_Scene(&editor->session), body, live->time, live->points, &error)
                          : qvError_OutOfMemory(&error, (double)size);
    if (result == qv_ok)
        qvBody_Offsets(body, live->points, offsets);
    bool done = qvuiEditor_Did(editor, result, &error) && qvuiSetPose(editor, label, offsets);
    free(offsets);
    if (done)
        FreeArrays(&editor->viewport.tools.live);
    else
        qvuiLive_Cancel(editor);
}

void qvuiLive_Cancel(qvuiEditor* editor)
{
    editor->session.show = qvui_showTake;
    editor->session.revision++;
    FreeArrays(&editor->viewport.tools.live);
}

qvStroke qvuiNewStroke(const qvuiEditor* editor, const char* brush)
{
    const qvuiTools* tools = &editor->viewport.tools;
    qvStroke stroke = qvDefaultStroke(qvFindBrush(brush), editor->session.body->diagonal);
    stroke.at = tools->hitRest;
    stroke.radius = qvuiTools_Radius(editor);
    stroke.strength = tools->strength;
    stroke.poisson = tools->poisson;
    stroke.scales = tools->scales;
    stroke.segments = tools->segments;
    stroke.mirror = tools->mirror;
    stroke.connected = tools->connected;
    stroke.pins = tools->pins;
    stroke.ground = tools->ground;
    return stroke;
}

bool qvuiBrush_Begin(qvuiEditor* editor, const char* brush)
{
    qvuiTools* tools = &editor->viewport.tools;
    if (!qvuiLive_Begin(editor))
        return false;
    tools->live.stroke = qvuiNewStroke(editor, brush);
    return true;
}

// A press without a drag changes nothing.
void qvuiBrush_End(qvuiEditor* editor)
{
    qvuiTools* tools = &editor->viewport.tools;
    if (!tools->moved)
    {
        qvuiLive_Cancel(editor);
        return;
    }
    tools->hasFocus = true;
    tools->focus = tools->hit.position;
    qvuiLive_Commit(editor, qvuiStrokeLabel(&tools->live.stroke));
}
