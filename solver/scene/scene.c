// SPDX-License-Identifier: GPL-3.0-or-later
// Scenes as values: making, counting, hashing, finding.
#include "scene/reader.h"

#include "base/assert.h"
#include "base/hash.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

const qvScene* qvRetainScene(const qvScene* scene)
{
    return qvRetainShared(scene);
}

void qvReleaseScene(const qvScene* scene)
{
    qvReleaseShared(scene);
}

qvSceneKey qvDefaultSceneKey(void)
{
    qvSceneKey key;
    memset(&key, 0, sizeof(key));
    qvResetFields(qv_objectKey, &key);
    return key;
}

qvSceneEvent qvDefaultSceneEvent(void)
{
    qvSceneEvent event;
    memset(&event, 0, sizeof(event));
    qvResetFields(qv_objectEvent, &event);
    return event;
}

qvSceneSimulation qvDefaultSceneSimulation(void)
{
    qvSceneSimulation simulation;
    qvEngineInfo first;
    memset(&simulation, 0, sizeof(simulation));
    qvResetFields(qv_objectSimulation, &simulation);
    if (qvGetEngineInfo(0, &first))
        snprintf(simulation.engine, sizeof(simulation.engine), "%s", first.tag);
    return simulation;
}

// The mesh of a new scene, through the tables so that it is checked.
static qvResult ReadMesh(qvScene* scene, const qvSceneMesh* mesh, qvError* error)
{
    qvReader reader = { .nextId = 1, .error = error };
    qvValue from = { qv_valueObject, .data = mesh };
    size_t mark = qvReader_Enter(&reader, "mesh");
    qvResult result = qvReadFields(&reader, qv_objectMesh, &from, &scene->mesh);
    qvReader_Leave(&reader, mark);
    qvReader_Free(&reader);
    return result;
}

static qvResult AddFirstKey(qvScene* scene, qvError* error)
{
    qvSceneKey* key = qvCreateShared(&qvSharedKey);
    const void** keys = qvCreateSharedList(1);
    if (key == NULL || keys == NULL)
    {
        qvReleaseShared(key);
        qvReleaseShared(keys);
        return qvError_OutOfMemory(error, sizeof(*key));
    }
    qvResetFields(qv_objectKey, key);
    key->id = 1;
    strcpy(key->tag, "k1");
    keys[0] = key;
    scene->keys = (const qvSceneKey* const*)keys;
    scene->keyCount = 1;
    return qv_ok;
}

// Without keys; its one owner may still change it.
static qvResult CreateEmpty(const qvSceneMesh* mesh, qvScene** scene, qvError* error)
{
    *scene = qvCreateShared(&qvSharedScene);
    if (*scene == NULL)
        return qvError_OutOfMemory(error, sizeof(**scene));
    qvResetFields(qv_objectScene, *scene);
    return ReadMesh(*scene, mesh, error);
}

static qvResult HandOver(qvScene* made, qvResult result, const qvScene** scene)
{
    if (result != qv_ok)
        qvReleaseShared(made);
    *scene = result == qv_ok ? made : NULL;
    return result;
}

qvResult qvCreateScene(const qvSceneMesh* mesh, const qvScene** scene, qvError* error)
{
    qvScene* made;
    qvResult result = CreateEmpty(mesh, &made, error);
    if (result == qv_ok)
    {
        // Time to ring down after a pose; keys beyond push the end on.
        made->hasRange = true, made->range[0] = 0.0, made->range[1] = 2.0;
        result = AddFirstKey(made, error);
    }
    return HandOver(made, result, scene);
}

static bool Allows(const char* field, double value)
{
    const qvRow* row = qvFindRow(qv_objectScene, field);
    return value >= row->field.minimum && value <= row->field.maximum;
}

double qvUnitForSize(double diagonal)
{
    static const double SMALL = 0.2, LARGE = 20.0, USUAL = 2.0;
    bool isOdd = diagonal > 0.0 && isfinite(diagonal) && (diagonal < SMALL || diagonal > LARGE);
    return isOdd ? USUAL / diagonal : 1.0;
}

qvResult qvSceneClip_Find(const qvSceneClip* clip, const qvRig* rig, int* index, qvError* error)
{
    char number[16];
    *index = clip->number - 1;
    if (clip->name == NULL && rig != NULL && *index < qvRig_ClipCount(rig))
        return qv_ok;
    snprintf(number, sizeof(number), "%d", clip->number);
    qvResult result = qvRig_FindClip(rig, clip->name != NULL ? clip->name : number, index, error);
    if (result != qv_ok)
        qvError_Prefix(error, "clip.%s", clip->name != NULL ? "name" : "number");
    return result;
}

const char* qvTellingClipName(const qvRig* rig, int index)
{
    const char* name = qvRig_ClipName(rig, index);
    int found;
    bool tells = *name != 0 && qvIsUtf8(name) && qvRig_FindClip(rig, name, &found, NULL) == qv_ok && found == index;
    return tells ? name : NULL;
}

static qvResult NameClip(const qvRig* rig, int index, qvSceneClip* clip, qvError* error)
{
    const char* name = qvTellingClipName(rig, index);
    clip->number = index + 1;
    if (index == 0 || name == NULL)
        return qv_ok;
    clip->number = 1;
    clip->name = qvCreateSharedText(name);
    return clip->name != NULL ? qv_ok : qvError_OutOfMemory(error, (double)strlen(name));
}

qvResult qvCreateClipScene(const qvSceneMesh* mesh, const char* name, const qvRig* rig, const qvScene** scene,
                           qvError* error)
{
    int clip;
    *scene = NULL;
    qvResult result = qvRig_FindClip(rig, name, &clip, error);
    if (result != qv_ok)
        return result;
    qvScene* made;
    result = CreateEmpty(mesh, &made, error);
    if (result == qv_ok)
        result = NameClip(rig, clip, &made->clip, error);
    double duration = qvRig_ClipDuration(rig, clip), rate = qvRig_ClipRate(rig, clip);
    if (result == qv_ok && duration > 0.0 && Allows("range", duration))
    {
        made->hasRange = true, made->range[0] = 0.0, made->range[1] = duration;
        made->loop = qvRig_ClipLoops(rig, clip);
    }
    if (result == qv_ok && Allows("fps", rate))
        made->fps = rate;
    return HandOver(made, result, scene);
}

uint64_t qvScene_Hash(const qvScene* scene)
{
    uint64_t hash = qvShared_GetHash(scene);
    if (hash != 0)
        return hash;
    hash = qvHashFields(qv_objectScene, scene);
    for (int i = 0; i < scene->keyCount; i++)
    {
        const qvSceneKey* key = scene->keys[i];
        const qvSceneKey* base = key->base == qv_baseKey ? qvScene_FindKey(scene, key->baseKey, NULL) : NULL;
        if (base != NULL)
            hash = qvHash(base->tag, strlen(base->tag), qvHash_Combine(hash, (uint64_t)i));
    }
    hash += hash == 0; // which stands for "not known"
    qvShared_SetHash(scene, hash);
    return hash;
}

// --- Finding --------------------------------------------------------------------------------------------------------

const qvSceneKey* qvScene_FindKey(const qvScene* scene, qvId id, int* index)
{
    for (int i = 0; i < scene->keyCount; i++)
    {
        if (scene->keys[i]->id != id)
            continue;
        if (index != NULL)
            *index = i;
        return scene->keys[i];
    }
    return NULL;
}

bool qvScene_KeysFrame(const qvScene* scene)
{
    for (int i = 0; i < scene->keyCount; i++)
    {
        if (scene->keys[i]->hasTransform)
            return true;
    }
    return false;
}

const qvSceneEvent* qvScene_FindEvent(const qvScene* scene, qvId id, int* index)
{
    for (int i = 0; i < scene->eventCount; i++)
    {
        if (scene->events[i]->id != id)
            continue;
        if (index != NULL)
            *index = i;
        return scene->events[i];
    }
    return NULL;
}

const qvSceneSimulation* qvScene_FindSimulation(const qvScene* scene, qvId id, int* index)
{
    for (int i = 0; i < scene->simulationCount; i++)
    {
        if (scene->simulations[i]->id != id)
            continue;
        if (index != NULL)
            *index = i;
        return scene->simulations[i];
    }
    return NULL;
}

const qvSceneObstacle* qvScene_FindObstacle(const qvScene* scene, qvId id, int* index)
{
    for (int i = 0; i < scene->obstacleCount; i++)
    {
        if (scene->obstacles[i]->id != id)
            continue;
        if (index != NULL)
            *index = i;
        return scene->obstacles[i];
    }
    return NULL;
}

static int FindInStack(const qvStrokeStack* stack, qvId id)
{
    for (int i = 0; i < stack->count; i++)
    {
        if (stack->strokes[i]->id == id)
            return i;
    }
    return -1;
}

const qvSceneStroke* qvScene_FindStroke(const qvScene* scene, qvId id, const qvSceneKey** key, int* place)
{
    for (int i = 0; i < scene->keyCount; i++)
    {
        int found = FindInStack(&scene->keys[i]->strokes, id);
        if (found < 0)
            continue;
        if (key != NULL)
            *key = scene->keys[i];
        if (place != NULL)
            *place = found;
        return scene->keys[i]->strokes.strokes[found];
    }
    return NULL;
}

// --- Time -----------------------------------------------------------------------------------------------------------

void qvScene_Range(const qvScene* scene, double range[2])
{
    double last = scene->keyCount > 0 ? scene->keys[scene->keyCount - 1]->time : 0.0;
    range[0] = scene->hasRange ? scene->range[0] : 0.0;
    range[1] = scene->hasRange ? scene->range[1] : last > 0.0 ? last : 1.0;
}

// Steps of 1 / fps in a range, of which one that nearly reaches the range's end, or ends a hair before it, is the last.
// Files hold times as float32: what they could not tell apart is one time as well.
static double WholeFrames(double fps, const double range[2], bool* hasRest)
{
    double frames = fmax((range[1] - range[0]) * fps, 0.0), hair = fmin(fmax(1e-4, 2.0 * FLT_EPSILON * frames), 0.1);
    double whole = floor(frames + hair);
    *hasRest = frames - whole > hair;
    return whole;
}

int qvScene_SampleCount(double fps, const double range[2])
{
    bool hasRest;
    double whole = WholeFrames(fps, range, &hasRest);
    return whole < INT_MAX - 2 ? (int)whole + 1 + hasRest : INT_MAX;
}

double qvScene_SampleTime(double fps, const double range[2], int sample)
{
    int count = qvScene_SampleCount(fps, range);
    QV_ASSERT(sample >= 0 && sample < count);
    return sample > 0 && sample == count - 1 ? range[1] : range[0] + sample / fps;
}

// --- Materials ------------------------------------------------------------------------------------------------------

const char* qvMaterialPreset(int index, qvBodyMaterial* material)
{
    static const struct
    {
        const char* label;
        double frequency, settle, stiffDamping, maxWobble, stretch, bend;
    } presets[] = {
#define MATERIAL(label, frequency, settle, stiffDamping, maxWobble, stretch, bend) \
    { label, frequency, settle, stiffDamping, maxWobble, stretch, bend },
#include "scene/material_list.inl"
#undef MATERIAL
    };
    if (index < 0 || index >= (int)(sizeof(presets) / sizeof(presets[0])))
        return NULL;
    qvResetFields(qv_objectMaterial, material);
    material->frequency = presets[index].frequency;
    material->settle = presets[index].settle;
    material->stiffDamping = presets[index].stiffDamping;
    material->maxWobble = presets[index].maxWobble;
    material->stretch = presets[index].stretch;
    material->bend = presets[index].bend;
    return presets[index].label;
}
