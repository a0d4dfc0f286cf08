// SPDX-License-Identifier: GPL-3.0-or-later
// Nodes of an animated document. The rigid motion is that of a new root above everything that shows or carries the
// mesh. It turns about the middle of the mesh, so that a viewer that draws between two samples does not cut the corner.
#include "formats/gltf_stage.h"

#include "base/memory.h"

#include <stdlib.h>

static int AddNode(const qvGltfStage* stage, const char* name, qvJson** node)
{
    qvJson* nodes = qvGltfBuilder_List(stage->builder, "nodes");
    int index = qvJson_Count(nodes);
    *node = qvJson_AddObject(nodes, NULL);
    stage->builder->failed |= *node == NULL;
    qvJson_AddString(*node, "name", name);
    return index;
}

static void AddVector(qvJson* node, const char* name, double x, double y, double z)
{
    const double v[3] = { x, y, z };
    qvJson_AddNumbers(node, name, v, 3);
}

// --- Quantized meshes --------------------------------------------------------------------------------------------

static bool IsQuantized(const qvGltfBody* body)
{
    bool bytes = false;
    for (int t = 0; t < body->targetCount && body->byteNormals != NULL; t++)
        bytes |= body->byteNormals[t];
    return body->grid.scale > 0.0 || bytes;
}

// A node may have children that must not be scaled, and its mesh moves to a child of its own.
static void AddGridNode(qvGltfStage* stage, qvGltfActor* actor)
{
    const qvGltfRun* run = &stage->back->runs[actor->run];
    const qvGltfGrid* grid = &stage->bodies->items[stage->back->gltf->pieces[run->firstPiece].part].grid;
    if (grid->scale == 0.0)
        return;
    qvJson *node = qvGltfStage_Item(stage, "nodes", actor->node), *child;
    const char* name = qvJson_Text(qvJson_Find(node, "name"));
    int index = AddNode(stage, name[0] != 0 ? name : stage->task->animation->name, &child);
    qvJson_AddNumber(child, "mesh", qvJson_Number(qvJson_Find(node, "mesh")));
    qvJson_Remove(node, qvJson_Find(node, "mesh"));
    const qvJson* weights = qvJson_Find(node, "weights");
    if (weights != NULL)
        qvJson_AddNode(child, "weights", qvJson_Copy(weights));
    qvJson_Remove(node, qvJson_Find(node, "weights"));
    AddVector(child, "translation", grid->offset.x, grid->offset.y, grid->offset.z);
    AddVector(child, "scale", grid->scale, grid->scale, grid->scale);
    qvJson* children = qvJson_Find(node, "children");
    qvJson_AddNumber(children != NULL ? children : qvJson_AddArray(node, "children"), NULL, index);
    actor->node = index;
}

// --- The rigid motion --------------------------------------------------------------------------------------------

static int RootOf(const qvRig* rig, int node)
{
    while (rig->nodes[node].parent >= 0)
        node = rig->nodes[node].parent;
    return node;
}

// Roots that carry what moves the mesh. A skinned mesh follows its joints wherever its own node is.
static void MarkRoots(const qvRig* rig, bool* marked)
{
    for (int i = 0; i < rig->partCount; i++)
    {
        const qvRigPart* part = &rig->parts[i];
        if (part->skin < 0)
            marked[RootOf(rig, part->node)] = true;
        for (int j = 0; part->skin >= 0 && j < rig->skins[part->skin].jointCount; j++)
            marked[RootOf(rig, rig->skins[part->skin].joints[j])] = true;
    }
}

// Replaces the marked roots of a scene by one.
static void ReplaceRoots(qvJson* scene, const bool* marked, int nodeCount, int root)
{
    qvJson* list = qvJson_Find(scene, "nodes");
    bool found = false;
    for (qvJson *item = qvJson_First(list), *next; item != NULL; item = next)
    {
        next = qvJson_Next(item);
        int index = (int)qvJson_Number(item);
        if (index < 0 || index >= nodeCount || !marked[index])
            continue;
        qvJson_Remove(list, item);
        found = true;
    }
    if (found)
        qvJson_AddNumber(list, NULL, root);
}

static void AdoptRoots(const qvGltfStage* stage, qvJson* parent, const bool* marked)
{
    const qvRig* rig = stage->back->edits.rig;
    qvJson* children = qvJson_AddArray(parent, "children");
    for (int i = 0; i < rig->nodeCount; i++)
    {
        if (marked[i])
            qvJson_AddNumber(children, NULL, i);
    }
    qvJson* scenes = qvJson_Find(stage->builder->json, "scenes");
    for (qvJson* scene = qvJson_First(scenes); scene != NULL; scene = qvJson_Next(scene))
        ReplaceRoots(scene, marked, rig->nodeCount, stage->root);
}

static qvResult AddRootAbove(qvGltfStage* stage, qvError* error)
{
    const qvRig* rig = stage->back->edits.rig;
    qvVec3f pivot = stage->targets->pivot;
    bool* marked = qvAllocate((size_t)rig->nodeCount, sizeof(bool));
    if (marked == NULL)
        return qvError_OutOfMemory(error, rig->nodeCount);
    MarkRoots(rig, marked);
    qvJson *root, *below;
    stage->root = AddNode(stage, stage->task->animation->name, &root);
    below = root;
    if (stage->targets->turns)
    {
        AddVector(root, "translation", pivot.x, pivot.y, pivot.z);
        const double child = AddNode(stage, "pivot", &below);
        AddVector(below, "translation", -(double)pivot.x, -(double)pivot.y, -(double)pivot.z);
        qvJson_AddNumbers(root, "children", &child, 1);
    }
    AdoptRoots(stage, below, marked);
    free(marked);
    return qv_ok;
}

// In a new document the node of the mesh takes the pivot and the grid.
static void PlaceNewNodes(qvGltfStage* stage)
{
    const qvGltfGrid* grid = &stage->bodies->items[0].grid;
    qvVec3f pivot = stage->targets->pivot;
    qvJson *node = qvGltfStage_Item(stage, "nodes", 0), *root;
    if (stage->targets->turns || grid->scale > 0.0)
        AddVector(node, "translation", (double)grid->offset.x - pivot.x, (double)grid->offset.y - pivot.y,
                  (double)grid->offset.z - pivot.z);
    if (grid->scale > 0.0)
        AddVector(node, "scale", grid->scale, grid->scale, grid->scale);
    if (!stage->targets->moves)
        return;
    char name[256];
    snprintf(name, sizeof(name), "%.240s motion", stage->task->animation->name);
    stage->root = AddNode(stage, name, &root);
    if (stage->targets->turns)
        AddVector(root, "translation", pivot.x, pivot.y, pivot.z);
    const double child = 0.0, top = stage->root;
    qvJson_AddNumbers(root, "children", &child, 1);
    qvJson* scene = qvGltfStage_Item(stage, "scenes", 0);
    qvJson_Remove(scene, qvJson_Find(scene, "nodes"));
    qvJson_AddNumbers(scene, "nodes", &top, 1);
}

qvResult qvGltfStage_AddNodes(qvGltfStage* stage, qvError* error)
{
    bool quantized = false;
    for (int i = 0; i < stage->bodies->count; i++)
        quantized |= IsQuantized(&stage->bodies->items[i]);
    if (quantized)
        qvGltfBuilder_Require(stage->builder, "KHR_mesh_quantization");
    if (stage->back == NULL)
    {
        PlaceNewNodes(stage);
        return qv_ok;
    }
    for (int i = 0; i < stage->actorCount; i++)
        AddGridNode(stage, &stage->actors[i]);
    return stage->targets->moves ? AddRootAbove(stage, error) : qv_ok;
}
