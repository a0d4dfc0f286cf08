// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/gltf_bones.h"

#include "base/memory.h"
#include "base/watch.h"
#include "math/affine.h"
#include "math/rotation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    BLOCK = 64,            // points
    POINTS_AT_ONCE = 4096, // after which one asks whether to go on
};

static const double NORMAL_LENGTH = 0.016; // of the diagonal: a normal that is off by 6 degrees is like 0.1 %

// --- Points --------------------------------------------------------------------------------------------------------

static qvVec3f FrameOf(const qvGltfBones* bones, int vertex, int frame)
{
    const qvMorphFrames* frames = &bones->motion.frames;
    const float* d = frames->values + ((size_t)frame * (size_t)frames->vertexCount + (size_t)vertex) * 3;
    qvVec3f p = bones->task->mesh->positions[vertex];
    return (qvVec3f){ p.x + d[0], p.y + d[1], p.z + d[2] };
}

static bool MovesAlike(const qvGltfBones* bones, int a, int b)
{
    double least = 1e-6 * bones->task->report->diagonal;
    for (int f = 0; f < bones->frameCount; f++)
    {
        if (qvDistance(qvVec3_FromFloat(FrameOf(bones, a, f)), qvVec3_FromFloat(FrameOf(bones, b, f))) > least)
            return false;
    }
    return true;
}

// Vertices at one place get the same weights, so that seams stay closed; unless they part as they move.
static qvResult FindPoints(qvGltfBones* bones, qvError* error)
{
    const qvMesh* mesh = bones->task->mesh;
    size_t count = (size_t)mesh->vertexCount;
    bones->point = qvAllocateRaw(count, sizeof(int32_t));
    bones->vertex = qvAllocateRaw(count, sizeof(int32_t));
    if (bones->point == NULL || bones->vertex == NULL)
        return qvError_OutOfMemory(error, 8.0 * (double)count);
    for (int v = 0; v < mesh->vertexCount; v++)
    {
        int32_t place = mesh->vertexPoint[v], first = place >= 0 ? mesh->pointVertex[place] : v;
        bones->point[v] = -1;
        if (place >= 0 && first < v && MovesAlike(bones, first, v))
            bones->point[v] = bones->point[first];
        else if (place >= 0)
        {
            bones->point[v] = bones->pointCount;
            bones->vertex[bones->pointCount++] = v;
        }
    }
    return qv_ok;
}

// --- Normals -------------------------------------------------------------------------------------------------------

static qvResult FindNormals(qvGltfBones* bones, qvError* error)
{
    const qvExportTask* task = bones->task;
    const qvGltfSplit* split = &bones->fresh.split;
    bones->hasNormals = task->options.normals && bones->shown.normalDomain != qv_domainNone;
    bones->group = qvAllocateRaw((size_t)split->count, sizeof(int32_t));
    if (bones->group == NULL)
        return qvError_OutOfMemory(error, 4.0 * split->count);
    memset(bones->group, -1, (size_t)split->count * sizeof(int32_t));
    if (!bones->hasNormals)
        return qv_ok;
    qvResult result = qvCreateNormalGroups(&bones->shown, &bones->groups, error);
    for (size_t c = 0; c < 3 * (size_t)task->mesh->triangleCount && result == qv_ok; c++)
        bones->group[split->ofCorner[c]] = bones->groups.ofCorner[c];
    if (result != qv_ok)
        return result;
    size_t size = (size_t)bones->frameCount * 3 * (size_t)bones->groups.count;
    bones->normals = qvAllocateRaw(size, sizeof(float));
    if (bones->normals == NULL)
        return qvError_OutOfMemory(error, (double)size * sizeof(float));
    return qvFindFrameNormals(&bones->groups, task->mesh, &bones->motion.frames, bones->frameCount, task->options.job,
                              bones->normals, error);
}

static qvVec3 GroupNormal(const qvGltfBones* bones, int group, int frame)
{
    const float* n = bones->normals + ((size_t)frame * (size_t)bones->groups.count + (size_t)group) * 3;
    return qvMakeVec3(n[0], n[1], n[2]);
}

// --- What the bones are to follow ----------------------------------------------------------------------------------

typedef struct Points
{
    qvVec3f *rest, *restNormals, *places, *normals;
} Points;

static void FreePoints(Points* points)
{
    free(points->rest);
    free(points->restNormals);
    free(points->places);
    free(points->normals);
}

static qvResult AllocatePoints(const qvGltfBones* bones, Points* points, qvError* error)
{
    size_t count = (size_t)bones->pointCount, all = count * (size_t)bones->frameCount;
    *points = (Points){ .rest = qvAllocateRaw(count, sizeof(qvVec3f)), .places = qvAllocateRaw(all, sizeof(qvVec3f)) };
    if (bones->hasNormals)
    {
        points->restNormals = qvAllocate(count, sizeof(qvVec3f));
        points->normals = qvAllocate(all, sizeof(qvVec3f));
    }
    bool enough = points->rest != NULL && points->places != NULL;
    enough = enough && (!bones->hasNormals || (points->restNormals != NULL && points->normals != NULL));
    return enough ? qv_ok : qvError_OutOfMemory(error, 24.0 * (double)all);
}

static void AddNormal(qvVec3f* sum, qvVec3 n)
{
    *sum = qvVec3_ToFloat(qvAdd(qvVec3_FromFloat(*sum), n));
}

// Now and then.
static qvResult AskAt(const qvGltfBones* bones, int i, qvError* error)
{
    return i % POINTS_AT_ONCE == 0 ? qvJob_Ask(bones->task->options.job, error) : qv_ok;
}

// One normal per point: the sum of all that meet there.
static qvResult FillNormals(const qvGltfBones* bones, Points* points, qvError* error)
{
    const qvGltfSplit* split = &bones->fresh.split;
    size_t frames = (size_t)bones->frameCount;
    qvResult result = qv_ok;
    for (int i = 0; i < split->count && (result = AskAt(bones, i, error)) == qv_ok; i++)
    {
        int point = bones->point[split->source[i]], group = bones->group[i];
        if (point < 0 || group < 0)
            continue;
        AddNormal(&points->restNormals[point], qvVec3_FromFloat(split->values[i].normal));
        for (size_t f = 0; f < frames; f++)
            AddNormal(&points->normals[(size_t)point * frames + f], GroupNormal(bones, group, (int)f));
    }
    for (int i = 0; result == qv_ok && i < bones->pointCount; i++)
    {
        qvVec3f* own = points->normals + (size_t)i * frames;
        points->restNormals[i] = qvVec3_ToFloat(qvNormalize(qvVec3_FromFloat(points->restNormals[i])));
        for (size_t f = 0; f < frames; f++)
            own[f] = qvVec3_ToFloat(qvNormalize(qvVec3_FromFloat(own[f])));
        result = AskAt(bones, i, error);
    }
    return result;
}

// About the middle of the mesh, where sums of squares lose least.
static qvVec3 Origin(const qvGltfBones* bones)
{
    qvBox box = bones->task->mesh->bounds;
    return qvScale(0.5, qvAdd(qvVec3_FromFloat(box.lower), qvVec3_FromFloat(box.upper)));
}

static qvResult FillPlaces(const qvGltfBones* bones, Points* points, qvError* error)
{
    qvVec3 origin = Origin(bones);
    qvResult result = qv_ok;
    for (int i = 0; i < bones->pointCount && (result = AskAt(bones, i, error)) == qv_ok; i++)
    {
        qvVec3f rest = bones->task->mesh->positions[bones->vertex[i]];
        points->rest[i] = qvVec3_ToFloat(qvSub(qvVec3_FromFloat(rest), origin));
        for (int f = 0; f < bones->frameCount; f++)
        {
            qvVec3f place = FrameOf(bones, bones->vertex[i], f);
            points->places[(size_t)i * (size_t)bones->frameCount + (size_t)f] =
                qvVec3_ToFloat(qvSub(qvVec3_FromFloat(place), origin));
        }
    }
    return result;
}

// --- Rounding ------------------------------------------------------------------------------------------------------

// The largest remainders get what is missing of the whole.
static void RoundWeights(const double* weights, uint16_t* out)
{
    double rest[QV_BONES_OF_POINT];
    int missing = 65535;
    for (int k = 0; k < QV_BONES_OF_POINT; k++)
    {
        out[k] = (uint16_t)floor(65535.0 * weights[k]);
        rest[k] = 65535.0 * weights[k] - out[k];
        missing -= out[k];
    }
    for (; missing > 0; missing--)
    {
        int most = 0;
        for (int k = 1; k < QV_BONES_OF_POINT; k++)
            most = rest[k] > rest[most] ? k : most;
        out[most]++;
        rest[most] -= 1.0;
    }
}

static qvResult AllocateSkin(qvGltfBones* bones, qvError* error)
{
    size_t points = (size_t)bones->pointCount, count = (size_t)bones->boneCount;
    size_t keys = count * (size_t)bones->frameCount;
    bones->joints = qvAllocate(points, QV_BONES_OF_POINT);
    bones->weights = qvAllocate(points, QV_BONES_OF_POINT * sizeof(uint16_t));
    bones->centers = qvAllocate(count, sizeof(qvVec3f));
    bones->keys = qvAllocate(keys, 7 * sizeof(float));
    return bones->joints != NULL && bones->weights != NULL && bones->centers != NULL && bones->keys != NULL
               ? qv_ok
               : qvError_OutOfMemory(error, 28.0 * (double)keys + 12.0 * (double)points);
}

// Bones turn about the middle of what they carry, so that a viewer that draws between two samples does not cut corners.
static qvResult FindCenters(qvGltfBones* bones, qvError* error)
{
    qvVec3* sums = qvAllocate((size_t)bones->boneCount, sizeof(qvVec3));
    double* masses = qvAllocate((size_t)bones->boneCount, sizeof(double));
    bool enough = sums != NULL && masses != NULL;
    for (int i = 0; i < QV_BONES_OF_POINT * bones->pointCount && enough; i++)
    {
        int bone = bones->joints[i];
        double mass = bones->weights[i] / 65535.0;
        qvVec3f p = bones->task->mesh->positions[bones->vertex[i / QV_BONES_OF_POINT]];
        sums[bone] = qvMulAdd(sums[bone], mass, qvVec3_FromFloat(p));
        masses[bone] += mass;
    }
    for (int b = 0; b < bones->boneCount && enough; b++)
        bones->centers[b] = qvVec3_ToFloat(qvScale(1.0 / masses[b], sums[b]));
    free(sums);
    free(masses);
    return enough ? qv_ok : qvError_OutOfMemory(error, 32.0 * bones->boneCount);
}

// A key with the sign of the rotation that is closer to the one before.
static void PutKey(const qvGltfBones* bones, int bone, const qvBoneMap* map, const float* before, float* key)
{
    const double* m = map->m;
    const double linear[3][3] = { { m[0], m[3], m[6] }, { m[1], m[4], m[7] }, { m[2], m[5], m[8] } };
    qvVec3 origin = Origin(bones), arm = qvSub(qvVec3_FromFloat(bones->centers[bone]), origin);
    qvAffine affine = { .offset = qvMakeVec3(m[9], m[10], m[11]) };
    memcpy(affine.linear, linear, sizeof(linear));
    qvVec3 place = qvAdd(qvAffine_Point(&affine, arm), qvSub(origin, qvVec3_FromFloat(bones->motion.pivot)));
    qvQuat q = qvQuat_FromMatrix(linear);
    double sign = q.w < 0.0 ? -1.0 : 1.0;
    if (before != NULL)
        sign = before[3] * q.x + before[4] * q.y + before[5] * q.z + before[6] * q.w < 0.0 ? -1.0 : 1.0;
    const double numbers[7] = { place.x, place.y, place.z, sign * q.x, sign * q.y, sign * q.z, sign * q.w };
    bool isShort = bones->task->options.quantize;
    for (int i = 0; i < 7; i++)
        key[i] = i >= 3 && isShort ? (float)(round(32767.0 * numbers[i]) / 32767.0) : (float)numbers[i];
}

static qvResult RoundSkin(qvGltfBones* bones, const qvBoneSkin* skin, qvError* error)
{
    bones->boneCount = skin->boneCount;
    qvResult result = AllocateSkin(bones, error);
    if (result != qv_ok)
        return result;
    for (int i = 0; i < QV_BONES_OF_POINT * bones->pointCount; i++)
    {
        if (i % QV_BONES_OF_POINT == 0)
            RoundWeights(skin->weights + i, bones->weights + i);
        bones->joints[i] = bones->weights[i] > 0 ? (uint8_t)skin->bones[i] : 0;
    }
    result = FindCenters(bones, error);
    for (size_t i = 0; i < (size_t)bones->boneCount * (size_t)bones->frameCount && result == qv_ok; i++)
    {
        float* key = bones->keys + 7 * i;
        size_t bone = i / (size_t)bones->frameCount;
        PutKey(bones, (int)bone, &skin->maps[i], i % (size_t)bones->frameCount > 0 ? key - 7 : NULL, key);
    }
    return result;
}

// --- What is written, as a reader has it ---------------------------------------------------------------------------

typedef struct Sums
{
    double largest, squares;
} Sums;

typedef struct Measuring
{
    qvGltfBones* bones;
    qvAffine* maps;  // [boneCount][frameCount] of the joints, from the rest shape to below the root
    qvAffine* rigid; // [frames of the clip] the root
    Sums* sums;      // per block
} Measuring;

static qvAffine JointMap(const qvGltfBones* bones, int bone, int frame)
{
    const float* key = bones->keys + ((size_t)bone * (size_t)bones->frameCount + (size_t)frame) * 7;
    qvQuat q = qvQuat_Normalize((qvQuat){ key[3], key[4], key[5], key[6] });
    qvAffine map = qvAffine_FromParts(qvMakeVec3(key[0], key[1], key[2]), q, qvMakeVec3(1.0, 1.0, 1.0));
    qvVec3 arm = qvAffine_Vector(&map, qvVec3_FromFloat(bones->centers[bone]));
    map.offset = qvAdd(qvSub(map.offset, arm), qvVec3_FromFloat(bones->motion.pivot));
    return map;
}

// The mix of a point's joints.
static qvAffine MixMaps(const Measuring* measuring, int point, int frame)
{
    const qvGltfBones* bones = measuring->bones;
    qvAffine mix = { 0 };
    for (int k = 0; k < QV_BONES_OF_POINT; k++)
    {
        size_t at = QV_BONES_OF_POINT * (size_t)point + (size_t)k;
        double weight = bones->weights[at] / 65535.0;
        const qvAffine* map = &measuring->maps[(size_t)bones->joints[at] * (size_t)bones->frameCount + (size_t)frame];
        for (int i = 0; i < 9 && weight > 0.0; i++)
            mix.linear[i / 3][i % 3] += weight * map->linear[i / 3][i % 3];
        mix.offset = qvMulAdd(mix.offset, weight, map->offset);
    }
    return mix;
}

static void MeasurePoints(void* context, int begin, int end)
{
    const Measuring* measuring = context;
    const qvGltfBones* bones = measuring->bones;
    Sums* sums = &measuring->sums[begin / BLOCK];
    for (int i = begin; i < end; i++)
    {
        qvVec3f rest = bones->task->mesh->positions[bones->vertex[i]];
        for (int f = 0; f < bones->task->animation->frameCount; f++)
        {
            qvAffine mix = MixMaps(measuring, i, f % bones->frameCount);
            qvVec3 x = qvAffine_Point(&measuring->rigid[f], qvAffine_Point(&mix, qvVec3_FromFloat(rest)));
            double distance = qvDistance(x, qvVec3_FromFloat(qvExportTask_Frame(bones->task, f)[bones->vertex[i]]));
            sums->largest = fmax(sums->largest, distance);
            sums->squares += distance * distance;
        }
    }
}

// The normal that, carried along by its joints, is nearest to that of every frame: sum A^T A n = sum A^T N.
static qvVec3 BestNormal(const Measuring* measuring, int point, int group, qvVec3 rest)
{
    qvAffine sum = { 0 }, inverse;
    qvVec3 right = qvMakeVec3(0.0, 0.0, 0.0);
    for (int f = 0; f < measuring->bones->frameCount; f++)
    {
        qvAffine mix = MixMaps(measuring, point, f);
        for (int i = 0; i < 9; i++)
        {
            for (int k = 0; k < 3; k++)
                sum.linear[i / 3][i % 3] += mix.linear[k][i / 3] * mix.linear[k][i % 3];
        }
        right = qvAdd(right, qvAffine_TransposedVector(&mix, GroupNormal(measuring->bones, group, f)));
    }
    if (!qvAffine_Invert(&sum, &inverse))
        return rest;
    qvVec3 best = qvAffine_Vector(&inverse, right);
    return qvLength(best) > 0.1 ? qvNormalize(best) : rest;
}

static double NormalSquares(const Measuring* measuring, int point, int group, qvVec3 normal)
{
    double sum = 0.0;
    for (int f = 0; f < measuring->bones->frameCount; f++)
    {
        qvAffine mix = MixMaps(measuring, point, f);
        qvVec3 shown = qvNormalize(qvAffine_Vector(&mix, normal));
        double angle = 2.0 * asin(fmin(0.5 * qvDistance(shown, GroupNormal(measuring->bones, group, f)), 1.0));
        sum += angle * angle;
    }
    return sum;
}

static void PlaceNormals(void* context, int begin, int end)
{
    const Measuring* measuring = context;
    qvGltfBones* bones = measuring->bones;
    for (int i = begin; i < end; i++)
    {
        int point = bones->point[bones->fresh.split.source[i]], group = bones->group[i];
        if (point < 0 || group < 0)
            continue;
        qvVec3f* normal = &bones->fresh.split.values[i].normal;
        *normal = qvVec3_ToFloat(BestNormal(measuring, point, group, qvVec3_FromFloat(*normal)));
        measuring->sums[begin / BLOCK].squares +=
            NormalSquares(measuring, point, group, qvVec3_FromFloat(*normal)) / bones->frameCount;
        measuring->sums[begin / BLOCK].largest += 1.0; // how many
    }
}

static Sums Total(const Sums* sums, int blocks)
{
    Sums total = { 0.0, 0.0 };
    for (int i = 0; i < blocks; i++)
    {
        total.largest = fmax(total.largest, sums[i].largest);
        total.squares += sums[i].squares;
    }
    return total;
}

static qvResult MeasureAll(Measuring* measuring, qvError* error)
{
    qvGltfBones* bones = measuring->bones;
    qvExportReport* report = bones->task->report;
    const qvJob* job = bones->task->options.job;
    int frames = bones->task->animation->frameCount, split = bones->fresh.split.count;
    for (int f = 0; f < frames; f++)
        measuring->rigid[f] = qvMorphTargets_Rigid(&bones->motion, f);
    for (int i = 0; i < bones->boneCount * bones->frameCount; i++)
        measuring->maps[i] = JointMap(bones, i / bones->frameCount, i % bones->frameCount);
    qvResult result = qvWatchedFor(job, bones->pointCount, BLOCK, MeasurePoints, measuring, error);
    Sums total = Total(measuring->sums, (bones->pointCount + BLOCK - 1) / BLOCK);
    report->maxError = total.largest;
    report->rmsError = bones->pointCount > 0 ? sqrt(total.squares / ((double)bones->pointCount * frames)) : 0.0;
    int blocks = (split + BLOCK - 1) / BLOCK;
    memset(measuring->sums, 0, (size_t)blocks * sizeof(Sums));
    if (bones->hasNormals && result == qv_ok)
        result = qvWatchedFor(job, split, BLOCK, PlaceNormals, measuring, error);
    double count = 0.0;
    for (int i = 0; i < blocks; i++)
        count += measuring->sums[i].largest;
    report->normalsRms = count > 0.0 ? sqrt(Total(measuring->sums, blocks).squares / count) : 0.0;
    return result;
}

static qvResult Measure(qvGltfBones* bones, qvError* error)
{
    int most = bones->fresh.split.count > bones->pointCount ? bones->fresh.split.count : bones->pointCount;
    size_t maps = (size_t)bones->boneCount * (size_t)bones->frameCount;
    Measuring measuring = { .bones = bones,
                            .maps = qvAllocateRaw(maps, sizeof(qvAffine)),
                            .rigid = qvAllocateRaw((size_t)bones->task->animation->frameCount, sizeof(qvAffine)),
                            .sums = qvAllocate((size_t)most / BLOCK + 1, sizeof(Sums)) };
    bool enough = measuring.maps != NULL && measuring.rigid != NULL && measuring.sums != NULL;
    qvResult result = enough ? MeasureAll(&measuring, error) : qv_ok;
    free(measuring.maps);
    free(measuring.rigid);
    free(measuring.sums);
    return enough ? result : qvError_OutOfMemory(error, (double)maps * sizeof(qvAffine));
}

// --- All of it -----------------------------------------------------------------------------------------------------

static qvResult FindSkin(qvGltfBones* bones, qvError* error)
{
    const qvExportTask* task = bones->task;
    Points points;
    qvBoneSkin skin = { 0 };
    qvResult result = AllocatePoints(bones, &points, error);
    if (result == qv_ok)
        result = FillPlaces(bones, &points, error);
    if (result == qv_ok && bones->hasNormals)
        result = FillNormals(bones, &points, error);
    if (result == qv_ok)
    {
        qvBoneTask work = { .pointCount = bones->pointCount,
                            .frameCount = bones->frameCount,
                            .rest = points.rest,
                            .restNormals = points.restNormals,
                            .places = points.places,
                            .normals = points.normals,
                            .normalLength = NORMAL_LENGTH * task->report->diagonal,
                            .tolerance = 0.99 * task->options.error * task->report->diagonal,
                            .maxBones = task->options.bones,
                            .job = task->options.job };
        result = qvFindBones(&work, &skin, error);
    }
    if (result == qv_ok)
        result = RoundSkin(bones, &skin, error);
    qvBoneSkin_Free(&skin);
    FreePoints(&points);
    return result;
}

qvResult qvGltfBones_Start(qvGltfBones* bones, const qvExportTask* task, qvError* error)
{
    const qvAnimation* animation = task->animation;
    *bones = (qvGltfBones){ .task = task, .shown = *task->mesh };
    bones->frameCount = animation->frameCount - (animation->loop && animation->frameCount > 1);
    qvResult result = qv_ok;
    if (task->mesh->normalDomain == qv_domainNone && task->options.normals)
        result = qvGltf_AddSmoothNormals(task->mesh, &bones->shown, &bones->smooth, error);
    if (result == qv_ok)
        result = qvGltfFresh_Start(&bones->fresh, &bones->shown, task->mesh->positions, error);
    if (result == qv_ok)
        result = qvMorphTargets_StartRigid(&bones->motion, task, error);
    if (result == qv_ok)
        result = FindPoints(bones, error);
    if (result == qv_ok)
        result = FindNormals(bones, error);
    if (result == qv_ok)
        result = FindSkin(bones, error);
    if (result == qv_ok)
        result = Measure(bones, error);
    return result;
}

void qvGltfBones_Free(qvGltfBones* bones)
{
    qvMorphTargets_Free(&bones->motion);
    qvNormalGroups_Free(&bones->groups);
    qvGltfFresh_Free(&bones->fresh);
    free(bones->smooth);
    free(bones->group);
    free(bones->normals);
    free(bones->point);
    free(bones->vertex);
    free(bones->joints);
    free(bones->weights);
    free(bones->centers);
    free(bones->keys);
}

static void Warn(const qvExportTask* task)
{
    qvExportReport* report = task->report;
    double reached = report->maxError / report->diagonal;
    if (reached > task->options.error)
        qvExportReport_Warn(report, "%d bone%s an error of %.3g of the diagonal, not %.3g; %s", report->bones,
                            report->bones == 1 ? " reaches" : "s reach", reached, task->options.error,
                            reached > 2.0 * task->options.error
                                ? "allow more bones; a motion full of waves does not fit bones, shapes hold it"
                                : "allow more bones or a larger error, or use shapes");
    if (task->model->source != NULL)
        qvExportReport_Warn(report, "the file has bones of its own and nothing else of the imported file but mesh, "
                                    "materials and textures");
}

qvResult qvExportGltfBones(const qvExportTask* task, qvGltfForm form, qvError* error)
{
    if (task->animation->meshes != NULL)
        return qvError_Set(error, qv_unsupported, "the body changes its topology, which no skin can; leave out bones");
    if (task->animation->space == qv_framesBind)
        return qvError_Set(error, qv_unsupported, "bones take frames in the world, not below a skin");
    qvGltfBones* bones = qvAllocate(1, sizeof(qvGltfBones));
    if (bones == NULL)
        return qvError_OutOfMemory(error, sizeof(qvGltfBones));
    qvResult result = qvGltfBones_Start(bones, task, error);
    task->report->bones = bones->boneCount;
    if (result == qv_ok)
        result = qvJob_Progress(task->options.job, "writing", 0.95, error);
    if (result == qv_ok)
    {
        Warn(task);
        qvGltfBones_Build(bones);
        qvGltfBuilder_EmbedScene(&bones->fresh.builder, task->animation->scene);
        result = qvGltf_WriteOut(task, &bones->fresh.builder, form, error);
    }
    qvGltfBones_Free(bones);
    free(bones);
    return result;
}
