// SPDX-License-Identifier: GPL-3.0-or-later
#include "scene/key_waves.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static qvKeyWaveKind KindOf(const qvSceneKey* key)
{
    return key->interp == qv_interpWave ? qv_keyWaveChange : key->ripple ? qv_keyWaveRipple : qv_keyWaveNone;
}

bool qvTransientsAreBelow(const qvSolving* solving)
{
    bool any = false;
    for (int i = 0; i < solving->scene->keyCount; i++)
        any = any || KindOf(solving->scene->keys[i]) == qv_keyWaveChange;
    return any && qvSimulationLayer.count(solving) > 0;
}

// What a key sends of a kind, and where the motion below is known already.
static qvKeyWaveKind WantedOf(qvSolving* solving, qvKeyWaveKind wanted, const qvSceneKey* key)
{
    qvKeyWaveKind kind = KindOf(key);
    if (kind == qv_keyWaveNone || (wanted != qv_keyWaveNone && kind != wanted))
        return qv_keyWaveNone;
    if (key->time < solving->known)
        return kind;
    qvSolving_Miss(solving, key->time);
    return qv_keyWaveNone;
}

static double* CopyShape(const qvVec3f* points, int count)
{
    double* shape = qvAllocateRaw(3 * (size_t)count, sizeof(*shape));
    for (int i = 0; shape != NULL && i < count; i++)
        shape[3 * i] = points[i].x, shape[3 * i + 1] = points[i].y, shape[3 * i + 2] = points[i].z;
    return shape;
}

static qvResult AddMask(const qvSolving* solving, const qvBlob* mask, qvKeyWaves* waves, qvWaveStroke* stroke,
                        qvError* error)
{
    if (mask == NULL)
        return qv_ok;
    float* weights = qvMaskOfPoints(solving->body, mask->data);
    if (weights == NULL)
        return qvError_OutOfMemory(error, (double)solving->body->mesh->pointCount * sizeof(float));
    stroke->weights = waves->weights[waves->weightCount++] = weights;
    return qv_ok;
}

// The strokes of a key, each placed where the ones before it have brought the mesh. points: the base; changes.
static qvResult PlaceStrokes(const qvSolving* solving, const qvSceneKey* key, qvKeyWaves* waves, qvWaveStroke* strokes,
                             const uint8_t* pinned, qvVec3f* points, qvError* error)
{
    for (int i = 0; i < key->strokes.count; i++)
    {
        const qvSceneStroke* from = key->strokes.strokes[i];
        strokes[i].stroke = qvPlaceStroke(solving->body, points, &from->stroke);
        strokes[i].pinned = from->stroke.pins ? pinned : NULL;
        qvResult result = qvJob_Ask(solving->job, error);
        if (result == qv_ok)
            result = AddMask(solving, from->mask, waves, &strokes[i], error);
        if (result == qv_ok)
            result = qvScene_ApplyStroke(solving->scene, solving->body, key->time, &from->stroke,
                                         from->mask != NULL ? from->mask->data : NULL, qvJob_Pool(solving->job), points,
                                         error);
        if (result != qv_ok)
            return result;
    }
    return qv_ok;
}

static qvResult FillKey(qvSolving* solving, int index, qvKeyWaveKind wanted, const qvVec3f* base, qvKeyWaves* waves,
                        qvError* error)
{
    const qvSceneKey* from = solving->scene->keys[index];
    int n = solving->body->mesh->pointCount;
    qvKeyWave* key = &waves->keys[index];
    *key = qvDefaultKeyWave();
    key->time = from->time, key->kind = WantedOf(solving, wanted, from);
    waves->labels[index] = qvSceneKey_Label(from);
    key->label = waves->labels[index].text;
    key->amount = from->waveAmount;
    key->speed = from->waveSpeed / solving->scene->unit;
    key->base = waves->shapes[2 * index] = CopyShape(base, n);
    key->pose = waves->shapes[2 * index + 1] = CopyShape(solving->take->poses[index]->object, n);
    key->strokes = waves->strokes[index] = qvAllocate((size_t)from->strokes.count, sizeof(qvWaveStroke));
    key->strokeCount = from->strokes.count;
    key->transform = qvTake_KeyFrame(solving->take, index);
    qvVec3f* points = qvAllocateRaw((size_t)n, sizeof(*points));
    if (key->base == NULL || key->pose == NULL || key->strokes == NULL || points == NULL)
    {
        free(points);
        return qvError_OutOfMemory(error, 60.0 * n);
    }
    memcpy(points, base, (size_t)n * sizeof(*points));
    qvResult result = qvPose_OnClip(solving->scene, solving->body, from->time, points, error);
    if (result == qv_ok)
        result = qvFindPinned(solving->scene, solving->body, from->time, &waves->pinned[index], error);
    if (result == qv_ok)
        result = PlaceStrokes(solving, from, waves, waves->strokes[index], waves->pinned[index], points, error);
    free(points);
    return result;
}

static qvResult Allocate(const qvScene* scene, qvKeyWaves* waves, qvError* error)
{
    size_t keys = (size_t)scene->keyCount, strokes = 0;
    for (int i = 0; i < scene->keyCount; i++)
        strokes += (size_t)scene->keys[i]->strokes.count;
    waves->keys = qvAllocate(keys, sizeof(*waves->keys));
    waves->labels = qvAllocate(keys, sizeof(*waves->labels));
    waves->shapes = qvAllocate(2 * keys, sizeof(*waves->shapes));
    waves->strokes = qvAllocate(keys, sizeof(*waves->strokes));
    waves->weights = qvAllocate(strokes, sizeof(*waves->weights));
    waves->pinned = qvAllocate(keys, sizeof(*waves->pinned));
    if (waves->pinned == NULL || waves->keys == NULL || waves->labels == NULL || waves->shapes == NULL ||
        waves->strokes == NULL || waves->weights == NULL)
        return qvError_OutOfMemory(error, (double)keys * sizeof(*waves->keys));
    waves->count = scene->keyCount;
    return qv_ok;
}

qvResult qvMakeKeyWaves(qvSolving* solving, qvKeyWaveKind kind, qvWaveHold* hold, qvKeyWaves* waves, qvError* error)
{
    const qvScene* scene = solving->scene;
    *waves = (qvKeyWaves){ 0 };
    bool any = false;
    for (int i = 0; i < scene->keyCount; i++)
        any = any || (kind == qv_keyWaveNone ? KindOf(scene->keys[i]) != kind : KindOf(scene->keys[i]) == kind);
    if (!any)
        return qv_ok;
    qvResult result = Allocate(scene, waves, error);
    qvPoseMaker maker = { scene, solving->body, solving->job, &solving->pipeline->caches[qv_stagePoses] };
    for (int i = 0; result == qv_ok && i < scene->keyCount; i++)
    {
        qvStaged* base;
        result = qvPoseMaker_Base(&maker, i, &base, error);
        if (result == qv_ok)
            result = FillKey(solving, i, kind, base->object, waves, error);
        if (result == qv_ok)
            result = qvWaveHold_Mask(hold, scene->keys[i]->time, NULL, &waves->keys[i].mask, error);
        qvReleaseStaged(base);
    }
    return result;
}

void qvFreeKeyWaves(qvKeyWaves* waves)
{
    for (int i = 0; i < waves->count; i++)
    {
        free(waves->shapes[2 * i]);
        free(waves->shapes[2 * i + 1]);
        free(waves->strokes[i]);
        free(waves->pinned[i]);
    }
    for (int i = 0; i < waves->weightCount; i++)
        free(waves->weights[i]);
    free(waves->keys);
    free(waves->labels);
    free(waves->shapes);
    free(waves->strokes);
    free(waves->weights);
    free(waves->pinned);
    *waves = (qvKeyWaves){ 0 };
}
