// SPDX-License-Identifier: GPL-3.0-or-later
// Morph targets as shapes of the whole mesh. Targets of the same name in several meshes (a smile of the face and of the
// teeth) are one shape. Nameless ones go by their number.
#include "formats/gltf.h"

#include "base/hash.h"
#include "math/affine.h"

#include <stdlib.h>
#include <string.h>

typedef struct Shapes
{
    qvModel* model;
    uint64_t hashes[QV_GLTF_MAX_MORPHS]; // of the names
    const qvJson** targetNames;          // per mesh of the file, found once: extras may be large
} Shapes;

// The names by custom stand in the mesh's extras. *next walks along them.
static const char* TargetName(const qvJson** next, int index, char* text, size_t capacity)
{
    const char* name = qvJson_Text(*next);
    *next = qvJson_Next(*next);
    if (name[0] != 0)
        return name;
    snprintf(text, capacity, "target %d", index + 1);
    return text;
}

static int FindShape(const Shapes* shapes, uint64_t hash, int guess)
{
    if (guess < shapes->model->morphCount && shapes->hashes[guess] == hash)
        return guess;
    for (int i = 0; i < shapes->model->morphCount; i++)
    {
        if (shapes->hashes[i] == hash)
            return i;
    }
    return -1;
}

// A new shape that moves nothing yet; NULL when memory runs out.
static qvMorph* AddShape(Shapes* shapes, const char* name, uint64_t hash, float weight)
{
    qvModel* model = shapes->model;
    qvMorph morph = { strdup(name), weight, qvAllocate((size_t)model->mesh->vertexCount, sizeof(qvVec3f)) };
    if (morph.name == NULL || morph.deltas == NULL)
    {
        free(morph.name);
        free(morph.deltas);
        return NULL;
    }
    shapes->hashes[model->morphCount] = hash;
    model->morphs[model->morphCount] = morph;
    return &model->morphs[model->morphCount++];
}

static void AddDeltas(const qvRig* rig, const qvRigState* rest, const qvRigPart* part, int target, qvVec3f* out)
{
    const qvRigGeometry* geometry = &rig->geometries[part->geometry];
    const qvVec3f* deltas = geometry->targets[target];
    qvAffine map = { 0 };
    for (int i = 0; deltas != NULL && i < geometry->vertexCount; i++)
    {
        if (i == 0 || part->skin >= 0)
            map = qvRig_VertexMap(rig, rest, part, i);
        out[part->firstVertex + i] = qvVec3_ToFloat(qvAffine_Vector(&map, qvVec3_FromFloat(deltas[i])));
    }
}

static qvResult AddPartShapes(qvGltf* gltf, const qvRig* rig, const qvRigState* rest, const qvRigPart* part,
                              Shapes* shapes, bool* full, qvError* error)
{
    const qvModel* model = shapes->model;
    int mesh = (int)qvJson_Number(qvJson_Find(gltf->nodes.items[part->node], "mesh"));
    const qvJson* next = qvJson_First(shapes->targetNames[mesh]);
    size_t bytes = (size_t)model->mesh->vertexCount * sizeof(qvVec3f);
    for (int k = 0; k < rig->geometries[part->geometry].targetCount; k++)
    {
        char text[32];
        const char* name = TargetName(&next, k, text, sizeof(text));
        uint64_t hash = qvHash(name, strlen(name), 0);
        int index = FindShape(shapes, hash, k);
        qvMorph* morph = index >= 0 ? &model->morphs[index] : NULL;
        if (morph == NULL)
        {
            *full = model->morphCount >= QV_GLTF_MAX_MORPHS || !qvGltf_TakeForScene(gltf, bytes);
            if (*full)
                return qv_ok;
            morph = AddShape(shapes, name, hash, rig->weights[rig->nodes[part->node].firstWeight + k]);
            if (morph == NULL)
                return qvError_OutOfMemory(error, (double)bytes);
        }
        AddDeltas(rig, rest, part, k, morph->deltas);
    }
    return qv_ok;
}

static bool FindTargetNames(const qvGltf* gltf, Shapes* shapes)
{
    shapes->targetNames = qvAllocate((size_t)gltf->meshes.count, sizeof(*shapes->targetNames));
    for (int i = 0; i < gltf->meshes.count && shapes->targetNames != NULL; i++)
        shapes->targetNames[i] = qvJson_Find(qvJson_Find(gltf->meshes.items[i], "extras"), "targetNames");
    return shapes->targetNames != NULL;
}

qvResult qvGltf_MakeMorphs(qvGltf* gltf, const qvRig* rig, qvModel* model, qvError* error)
{
    if (rig->weightCount == 0)
        return qv_ok;
    void* scratch = qvAllocateRaw(qvRig_ScratchSize(rig), 1);
    Shapes* shapes = qvAllocate(1, sizeof(Shapes));
    model->morphs = qvAllocate(QV_GLTF_MAX_MORPHS, sizeof(qvMorph));
    qvResult result = qv_ok;
    if (scratch == NULL || shapes == NULL || model->morphs == NULL || !FindTargetNames(gltf, shapes))
        result = qvError_OutOfMemory(error, (double)qvRig_ScratchSize(rig));
    bool full = false;
    if (result == qv_ok)
    {
        shapes->model = model;
        qvRigState rest = qvRig_ComputeState(rig, -1, 0.0, scratch);
        for (int i = 0; i < rig->partCount && result == qv_ok && !full; i++)
            result = AddPartShapes(gltf, rig, &rest, &rig->parts[i], shapes, &full, error);
    }
    if (full)
        qvNotes_Add(&model->notes, "meshes: too many morph targets; %d are kept as shapes", model->morphCount);
    if (shapes != NULL)
        free(shapes->targetNames);
    free(shapes);
    free(scratch);
    return result;
}
