// SPDX-License-Identifier: GPL-3.0-or-later
// State of tools and overlays by name, for scripts.
#include "ui/editor/editor.h"

#include "ui/editor/key_place.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int CountPinned(const qvScene* scene)
{
    int count = 0;
    for (int i = 0; scene != NULL && i < scene->pinCount; i++)
        if (scene->pins[i]->where.vertices != NULL)
            count += (int)(scene->pins[i]->where.vertices->size / sizeof(int32_t));
    return count;
}

// Vertices that a key holds; 0: all.
static int CountPart(const qvSceneKey* key)
{
    const qvBlob* vertices = key != NULL && key->partial ? key->only.vertices : NULL;
    return vertices != NULL ? (int)(vertices->size / sizeof(int32_t)) : 0;
}

// How far the selected key's time is from a frame, in frames.
static double OffFrames(const qvuiSession* session)
{
    const qvScene* scene = qvuiSession_Scene(session);
    const qvSceneKey* key = scene != NULL ? qvScene_FindKey(scene, session->selection.key, NULL) : NULL;
    return key != NULL ? fabs(key->time * scene->fps - round(key->time * scene->fps)) : 0.0;
}

// How far the shown points have gone on average to the right, thousandths of the body's size.
static double MeanShift(const qvuiSession* session)
{
    double sum = 0.0;
    if (session->body == NULL || session->body->mesh->pointCount == 0)
        return 0.0;
    for (int i = 0; i < session->body->mesh->pointCount; i++)
        sum += (double)session->points[i].x - (double)session->body->rest[i].x;
    return 1e3 * sum / session->body->mesh->pointCount / session->body->diagonal;
}

static int CountStrokes(const qvScene* scene)
{
    int count = 0;
    for (int i = 0; scene != NULL && i < scene->keyCount; i++)
        count += scene->keys[i]->strokes.count;
    return count;
}

static int CountMasked(const qvuiEditor* editor)
{
    const float* mask = editor->viewport.tools.mask;
    int count = 0;
    for (int i = 0; mask != NULL && i < editor->session.body->mesh->pointCount; i++)
        count += mask[i] < 0.5f;
    return count;
}

// Of the key at the playhead, in fractions of the body's size: how far the take misses what the key holds, and how far
// what is shown is anywhere from the key's pose.
static bool QueryMiss(const qvuiEditor* editor, const char* name, double* value)
{
    const qvuiSession* session = &editor->session;
    int index = 0;
    qvId key = qvuiSession_KeyAtTime(session);
    qvError error;
    bool away = strcmp(name, "key.away") == 0;
    if ((!away && strcmp(name, "key.error") != 0) || session->take == NULL || session->body == NULL || key == 0)
        return false;
    qvScene_FindKey(qvuiSession_Scene(session), key, &index);
    *value = away ? INFINITY : qvTake_KeyReport(session->take, index).error;
    int count = session->body->mesh->pointCount;
    qvVec3f* pose = away ? malloc((size_t)count * sizeof(*pose)) : NULL;
    if (pose != NULL &&
        qvComputePose(qvuiSession_Scene(session), session->body, key, -1, session->pool, pose, &error) == qv_ok)
    {
        qvAffine frame = qvuiKeyFrame(editor, key, session->playback.time);
        *value = 0.0;
        for (int i = 0; i < count; i++)
            *value = fmax(*value, qvDistance(qvuiToWorld(&frame, qvVec3_FromFloat(pose[i])),
                                             qvVec3_FromFloat(session->points[i])) /
                                      session->body->diagonal);
    }
    free(pose);
    return true;
}

// Numbers of the selected stroke.
static bool QueryStroke(const qvuiEditor* editor, const char* name, double* value)
{
    const qvScene* scene = qvuiSession_Scene(&editor->session);
    const qvSceneStroke* found =
        scene != NULL ? qvScene_FindStroke(scene, editor->session.selection.stroke, NULL, NULL) : NULL;
    qvStroke none = { 0 };
    const qvStroke* stroke = found != NULL ? &found->stroke : &none;
    const struct
    {
        const char* name;
        double value;
    } rows[] = {
        { "stroke.drag.x", stroke->drag.x },   { "stroke.drag.y", stroke->drag.y },
        { "stroke.drag.z", stroke->drag.z },   { "stroke.drag", qvLength(stroke->drag) },
        { "stroke.angle", stroke->angle },     { "stroke.amount", stroke->amount },
        { "stroke.radius", stroke->radius },   { "stroke.scales", stroke->scales },
        { "stroke.mirror", stroke->mirror },   { "stroke.strength", stroke->strength },
        { "stroke.at.y", stroke->at.y },       { "stroke.segments", stroke->segments },
        { "stroke.joint.x", stroke->joint.x },
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (strcmp(rows[i].name, name) == 0)
        {
            *value = rows[i].value;
            return true;
        }
    return false;
}

// How far the farthest pinned vertex is shown from where the key before has it at rest.
static double PinnedMoved(const qvuiEditor* editor, const qvScene* scene)
{
    const qvBody* body = editor->session.body;
    double farthest = 0.0;
    for (int i = 0; body != NULL && scene != NULL && i < scene->pinCount; i++)
    {
        const qvBlob* held = scene->pins[i]->where.vertices;
        const int32_t* vertices = held != NULL ? held->data : NULL;
        for (size_t k = 0; held != NULL && k < held->size / sizeof(int32_t); k++)
        {
            bool exists = vertices[k] >= 0 && vertices[k] < body->mesh->vertexCount;
            int point = exists ? body->mesh->vertexPoint[vertices[k]] : -1;
            if (point >= 0)
                farthest = fmax(farthest, qvDistance(qvVec3_FromFloat(body->rest[point]),
                                                     qvVec3_FromFloat(editor->session.points[point])));
        }
    }
    return farthest;
}

// The lowest y of the body as it is shown.
static double LowestShown(const qvuiSession* session)
{
    double lowest = INFINITY;
    for (int i = 0; session->body != NULL && i < session->body->mesh->pointCount; i++)
        lowest = fmin(lowest, (double)session->points[i].y);
    return lowest;
}

static bool QueryNumber(const qvuiEditor* editor, const char* name, double* value)
{
    const qvuiSession* session = &editor->session;
    const qvScene* scene = qvuiSession_Scene(session);
    const qvuiTools* tools = &editor->viewport.tools;
    const qvuiOverlay* overlay = &editor->viewport.overlay;
    const qvSceneKey* key = scene != NULL ? qvScene_FindKey(scene, qvuiSession_KeyAtTime(session), NULL) : NULL;
    qvuiPlace place = { { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0, 1.0 } };
    if (key != NULL && !qvuiSession_TakesPlaceOver(session, key->id, &place))
        place.translate = key->translate;
    const struct
    {
        const char* name;
        double value;
    } rows[] = {
        { "radius", qvuiTools_Radius(editor) },
        { "strength", tools->strength },
        { "scales", tools->scales },
        { "segments", tools->segments },
        { "mirror", tools->mirror },
        { "adjusting", tools->adjust },
        { "dragging", tools->active != NULL },
        { "amount", tools->amount },
        { "posing", session->show == qvui_showPose },
        { "masked", CountMasked(editor) },
        { "pins", scene != NULL ? scene->pinCount : 0 },
        { "pinned", CountPinned(scene) },
        { "pinned.moved", PinnedMoved(editor, scene) },
        { "pins.hold", tools->pins },
        { "ground.holds", tools->ground },
        { "lowest", LowestShown(session) },
        { "weights", scene != NULL && scene->weights != NULL },
        { "strokes", CountStrokes(scene) },
        { "key.strokes", key != NULL ? key->strokes.count : 0 },
        { "key.part", CountPart(key) },
        { "key.x", key != NULL ? key->translate.x : 0.0 },
        { "key.y", key != NULL ? key->translate.y : 0.0 },
        { "key.placed", key != NULL && key->hasTransform },
        { "place.x", place.translate.x },
        { "place.y", place.translate.y },
        { "key.turn", key != NULL ? 2.0 * acos(fmin(fabs(key->rotate.w), 1.0)) : 0.0 },
        { "key.speed", key != NULL ? qvLength(key->after.value) : 0.0 },
        { "key.frames", OffFrames(session) },
        { "shift", MeanShift(session) },
        { "trails", session->selection.trailCount },
        { "ghosts", overlay->extraCount },
        { "colors", overlay->colors },
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (strcmp(rows[i].name, name) == 0)
        {
            *value = rows[i].value;
            return true;
        }
    return QueryStroke(editor, name, value) || QueryMiss(editor, name, value);
}

bool qvuiViewport_Query(const qvuiEditor* editor, const char* name, char* text, size_t capacity)
{
    double value;
    if (strcmp(name, "tool") == 0)
        snprintf(text, capacity, "%s", qvuiGetTool(editor->viewport.tools.tool)->id);
    else if (QueryNumber(editor, name, &value))
        snprintf(text, capacity, "%.6g", value);
    else
        return false;
    return true;
}
