// SPDX-License-Identifier: GPL-3.0-or-later
// Writes a glTF document back. Everything stays as it was in the file, but for the positions (and normals, tangents and
// normals of morph targets) of vertices that moved and the indices of triangles that were repaired:
// - where an accessor of floats serves nothing else its bytes are replaced, otherwise a new accessor is added;
// - positions go back from world space to mesh space through the rest state: morph weights, skin, node;
// - instances of one mesh that were moved differently get copies of it;
// - all buffers become one.
#include "formats/gltf_back.h"

#include "base/assert.h"
#include "formats/gltf_images.h"

#include <stdlib.h>
#include <string.h>

enum
{
    MAX_COMPARED = 10000 // accessors; with more, comparing each with all takes longer than adding new ones
};

// --- Buffers -----------------------------------------------------------------------------------------------------

// Views point into the one new buffer.
static void MoveView(const qvGltfBack* back, qvJson* view)
{
    double index = qvJson_Number(qvJson_Find(view, "buffer"));
    if (!qvJson_IsObject(view) || !(index >= 0.0 && index < back->gltf->bufferCount))
        return;
    int buffer = (int)index;
    size_t start = back->bufferStarts[buffer];
    double offset = qvJson_Number(qvJson_Find(view, "byteOffset"));
    if (buffer != 0)
        qvGltfBuilder_SetNumber(view, "buffer", 0);
    if (start != 0)
        qvGltfBuilder_SetNumber(view, "byteOffset", offset + (double)start);
}

static void MergeBuffers(qvGltfBack* back)
{
    const qvGltf* gltf = back->gltf;
    for (int i = 0; i < gltf->bufferCount; i++)
        back->bufferStarts[i] =
            qvGltfBuilder_AddBytes(&back->builder, gltf->buffers[i].bytes.data, gltf->buffers[i].bytes.size);
    qvJson* views = qvJson_Find(back->builder.json, "bufferViews");
    for (qvJson* view = qvJson_First(views); view != NULL; view = qvJson_Next(view))
        MoveView(back, view);
}

// --- Who uses what -----------------------------------------------------------------------------------------------

static void CountReference(const qvGltfBack* back, const qvJson* node)
{
    double index = qvJson_IsNumber(node) ? qvJson_Number(node) : -1.0;
    if (index >= 0.0 && index < back->gltf->accessors.count)
        back->references[(int)index]++;
}

static void CountMembers(const qvGltfBack* back, const qvJson* object)
{
    for (const qvJson* item = qvJson_First(object); item != NULL; item = qvJson_Next(item))
        CountReference(back, item);
}

static void CountPrimitive(const qvGltfBack* back, const qvJson* primitive)
{
    CountMembers(back, qvJson_Find(primitive, "attributes"));
    CountReference(back, qvJson_Find(primitive, "indices"));
    for (const qvJson* item = qvJson_First(qvJson_Find(primitive, "targets")); item != NULL; item = qvJson_Next(item))
        CountMembers(back, item);
}

static void CountReferences(const qvGltfBack* back)
{
    const qvGltf* gltf = back->gltf;
    for (int i = 0; i < gltf->accessors.count; i++)
    {
        // What cannot be read is not in the scene; it does not count as an overlap.
        if (qvGltf_LoadAccessor(gltf, i, &back->accessors[i], NULL) != qv_ok)
            back->accessors[i].viewIndex = -1;
    }
    for (int i = 0; i < gltf->meshes.count; i++)
    {
        const qvJson* primitives = qvJson_Find(gltf->meshes.items[i], "primitives");
        for (const qvJson* item = qvJson_First(primitives); item != NULL; item = qvJson_Next(item))
            CountPrimitive(back, item);
    }
    for (const qvJson* item = qvJson_First(qvJson_Find(gltf->json, "skins")); item != NULL; item = qvJson_Next(item))
        CountReference(back, qvJson_Find(item, "inverseBindMatrices"));
    const qvJson* clips = qvJson_Find(gltf->json, "animations");
    for (const qvJson* clip = qvJson_First(clips); clip != NULL; clip = qvJson_Next(clip))
    {
        for (const qvJson* item = qvJson_First(qvJson_Find(clip, "samplers")); item != NULL; item = qvJson_Next(item))
            CountMembers(back, item);
    }
}

// Whether two accessors have bytes in common. Interleaved ones in one view do not, unless their columns meet.
static bool Overlap(const qvGltfAccessor* a, const qvGltfAccessor* b)
{
    if (b->viewIndex < 0 || a->view.buffer != b->view.buffer)
        return false;
    size_t startA = a->view.offset + a->offset, endA = startA + (size_t)(a->count - 1) * a->stride + a->elementSize;
    size_t startB = b->view.offset + b->offset, endB = startB + (size_t)(b->count - 1) * b->stride + b->elementSize;
    if (endA <= startB || endB <= startA)
        return false;
    if (a->stride != b->stride)
        return true;
    size_t low = startA < startB ? startA : startB, high = startA < startB ? startB : startA;
    size_t lowSize = startA < startB ? a->elementSize : b->elementSize;
    size_t highSize = startA < startB ? b->elementSize : a->elementSize;
    size_t distance = (high - low) % a->stride;
    return distance < lowSize || distance + highSize > a->stride;
}

// Whether the bytes of an accessor may be replaced: floats that nothing else reads.
static bool CanReplace(const qvGltfBack* back, const qvGltfAccessor* accessor, int uses)
{
    if (accessor->componentType != QV_GLTF_FLOAT || accessor->viewIndex < 0 || accessor->sparseCount > 0 ||
        back->references[accessor->index] != uses || back->gltf->accessors.count > MAX_COMPARED)
        return false;
    for (int i = 0; i < back->gltf->accessors.count; i++)
    {
        if (i != accessor->index && Overlap(accessor, &back->accessors[i]))
            return false;
    }
    return true;
}

// --- Editing a mesh ----------------------------------------------------------------------------------------------

static void ReplaceValues(qvGltfBack* back, const qvGltfAccessor* accessor, const float* values, int components)
{
    size_t start = back->bufferStarts[accessor->view.buffer] + accessor->view.offset + accessor->offset;
    size_t size = (size_t)components * sizeof(float);
    QV_ASSERT(back->builder.laterCount == 0); // places in the buffer and in what there is of it are the same
    for (size_t i = 0; i < (size_t)accessor->count && !back->builder.failed; i++)
        memcpy(back->builder.bytes + start + i * accessor->stride, values + (size_t)components * i, size);
}

// Gives an attribute of a primitive, or of one of its targets, other values. original and object are it in the document
// that was read and in the new one. *written is the accessor that holds the values already, or -1.
static void SetAttribute(qvGltfBack* back, const qvGltfRun* run, int piece, const qvJson* original, qvJson* object,
                         const char* name, const float* values, int components, int* written)
{
    const qvGltf* gltf = back->gltf;
    qvGltfAccessor accessor;
    if (qvGltf_GetAccessor(gltf, original, "", name, &accessor, NULL) != qv_ok || accessor.index < 0)
        return;
    int uses = 0; // the pieces of a part follow each other, and the first one comes here first
    for (int i = piece; i < run->firstPiece + run->pieceCount && gltf->pieces[i].part == gltf->pieces[piece].part; i++)
        uses++;
    bool isPosition = strcmp(name, "POSITION") == 0;
    if (*written < 0 && run->target == run->mesh && CanReplace(back, &accessor, uses))
    {
        ReplaceValues(back, &accessor, values, components);
        qvJson* item = back->accessorItems[accessor.index];
        if (isPosition || qvJson_Find(item, "min") != NULL)
            qvGltfBuilder_SetBounds(item, values, components, accessor.count);
        *written = accessor.index;
    }
    else if (*written < 0)
        *written =
            qvGltfBuilder_AddFloats(&back->builder, values, components, accessor.count, QV_GLTF_VERTICES, isPosition);
    if (*written != accessor.index)
        qvGltfBuilder_SetNumber(object, name, *written);
}

// Everything of a part that moved.
static void SetAttributes(qvGltfBack* back, const qvGltfRun* run, int piece, qvJson* primitive)
{
    qvGltfPartEdit* part = &back->edits.parts[back->gltf->pieces[piece].part];
    const qvJson* original = back->edits.primitives[piece];
    const qvJson* from = qvJson_Find(original, "attributes");
    qvJson* to = qvJson_Find(primitive, "attributes");
    if (part->positions != NULL)
        SetAttribute(back, run, piece, from, to, "POSITION", &part->positions[0].x, 3, &part->positionAccessor);
    if (part->normals != NULL)
        SetAttribute(back, run, piece, from, to, "NORMAL", &part->normals[0].x, 3, &part->normalAccessor);
    if (part->tangents != NULL)
        SetAttribute(back, run, piece, from, to, "TANGENT", part->tangents, 4, &part->tangentAccessor);
    from = qvJson_First(qvJson_Find(original, "targets"));
    to = qvJson_First(qvJson_Find(primitive, "targets"));
    for (int i = 0; i < part->targetCount; i++, from = qvJson_Next(from), to = qvJson_Next(to))
    {
        if (part->targetNormals[i] != NULL)
            SetAttribute(back, run, piece, from, to, "NORMAL", &part->targetNormals[i]->x, 3,
                         &part->targetAccessors[i]);
    }
}

static void SetTriangles(qvGltfBack* back, int piece, qvJson* primitive)
{
    int count;
    uint32_t* indices = qvGltfEdits_Indices(&back->edits, piece, &count);
    back->builder.failed |= indices == NULL;
    if (indices == NULL)
        return;
    qvGltfBuilder_SetNumber(primitive, "indices", qvGltfBuilder_AddIndices(&back->builder, indices, count));
    qvJson_Remove(primitive, qvJson_Find(primitive, "mode"));
    free(indices);
}

// A compressed twin of the primitive would still show the old shape.
static void DropCompression(qvJson* primitive)
{
    qvJson* extensions = qvJson_Find(primitive, "extensions");
    qvJson_Remove(extensions, qvJson_Find(extensions, "KHR_draco_mesh_compression"));
    if (extensions != NULL && qvJson_Count(extensions) == 0)
        qvJson_Remove(primitive, extensions);
}

static void EditMesh(qvGltfBack* back, const qvGltfRun* run, qvJson* mesh)
{
    qvJson* primitive = qvJson_First(qvJson_Find(mesh, "primitives"));
    int number = 0;
    for (int i = run->firstPiece; i < run->firstPiece + run->pieceCount; i++)
    {
        const qvGltfPiece* piece = &back->gltf->pieces[i];
        const qvGltfPartEdit* part = &back->edits.parts[piece->part];
        for (; number < piece->primitive; number++)
            primitive = qvJson_Next(primitive);
        // A mesh whose every triangle was repaired away cannot be written; it keeps its indices.
        bool retriangulate = back->edits.retriangulated[i] && back->edits.mesh->submeshes[i].triangleCount > 0;
        if (part->positions != NULL || retriangulate)
            DropCompression(primitive);
        SetAttributes(back, run, i, primitive);
        if (retriangulate)
            SetTriangles(back, i, primitive);
    }
}

// --- Instances ---------------------------------------------------------------------------------------------------

// Whether two nodes with the same mesh want it in the same shape.
static bool SameShape(const qvGltfBack* back, const qvGltfRun* a, const qvGltfRun* b)
{
    for (int i = 0; i < a->pieceCount; i++)
    {
        if (!qvGltfEdits_SamePiece(&back->edits, a->firstPiece + i, b->firstPiece + i))
            return false;
    }
    return true;
}

// An earlier run that has this mesh in this shape already, or -1.
static int FindTwin(const qvGltfBack* back, int run)
{
    int other = back->runs[run].previous;
    while (other >= 0 && !SameShape(back, &back->runs[other], &back->runs[run]))
        other = back->runs[other].previous;
    return other;
}

static void EditRun(qvGltfBack* back, int index)
{
    qvGltfRun* run = &back->runs[index];
    run->previous = back->latest[run->mesh];
    back->latest[run->mesh] = index;
    int twin = FindTwin(back, index);
    if (twin >= 0)
        run->target = back->runs[twin].target;
    else if (back->users[run->mesh] == 0 && !back->taken[run->mesh])
    {
        run->target = run->mesh;
        back->taken[run->mesh] = true;
        EditMesh(back, run, back->meshItems[run->mesh]);
    }
    else
    {
        run->target = back->meshCount++;
        qvJson* copy = qvJson_Copy(back->gltf->meshes.items[run->mesh]);
        back->builder.failed |= copy == NULL;
        qvJson_AddNode(qvGltfBuilder_List(&back->builder, "meshes"), NULL, copy);
        EditMesh(back, run, copy);
    }
    if (run->target != run->mesh)
        qvGltfBuilder_SetNumber(back->nodeItems[run->node], "mesh", run->target);
}

static void FindRuns(qvGltfBack* back)
{
    const qvGltf* gltf = back->gltf;
    for (int i = 0; i < gltf->nodes.count; i++)
    {
        const qvJson* mesh = qvJson_Find(gltf->nodes.items[i], "mesh");
        if (mesh != NULL)
            back->users[(int)qvJson_Number(mesh)]++;
    }
    for (int i = 0; i < gltf->pieceCount; i++)
    {
        const qvGltfPiece* piece = &gltf->pieces[i];
        if (i == 0 || piece->node != gltf->pieces[i - 1].node)
            back->runs[back->runCount++] = (qvGltfRun){ piece->node, piece->mesh, i, 0, false, -1, -1 };
        qvGltfRun* run = &back->runs[back->runCount - 1];
        run->pieceCount++;
        run->changed |= back->edits.parts[piece->part].positions != NULL || back->edits.retriangulated[i];
    }
    for (int i = 0; i < back->runCount; i++)
        back->users[back->runs[i].mesh] -= back->runs[i].changed;
}

// --- The document ------------------------------------------------------------------------------------------------

// The items of a list in the new document, for access by index; NULL when memory runs out.
static qvJson** FindItems(const qvGltfBack* back, const qvGltfTable* table)
{
    qvJson** items = qvAllocate((size_t)table->count, sizeof(qvJson*));
    qvJson* item = qvJson_First(qvJson_Find(back->builder.json, table->name));
    for (int i = 0; items != NULL && i < table->count; i++, item = qvJson_Next(item))
        items[i] = item;
    return items;
}

static qvResult Allocate(qvGltfBack* back, qvError* error)
{
    const qvGltf* gltf = back->gltf;
    back->bufferStarts = qvAllocate((size_t)gltf->bufferCount, sizeof(size_t));
    back->runs = qvAllocate((size_t)gltf->pieceCount, sizeof(qvGltfRun));
    back->users = qvAllocate((size_t)gltf->meshes.count, sizeof(int));
    back->taken = qvAllocate((size_t)gltf->meshes.count, sizeof(bool));
    back->latest = qvAllocate((size_t)gltf->meshes.count, sizeof(int));
    back->meshItems = FindItems(back, &gltf->meshes);
    back->nodeItems = FindItems(back, &gltf->nodes);
    back->accessorItems = FindItems(back, &gltf->accessors);
    back->references = qvAllocate((size_t)gltf->accessors.count, sizeof(int));
    back->accessors = qvAllocate((size_t)gltf->accessors.count, sizeof(qvGltfAccessor));
    if (back->bufferStarts == NULL || back->runs == NULL || back->users == NULL || back->taken == NULL ||
        back->references == NULL || back->accessors == NULL || back->latest == NULL || back->meshItems == NULL ||
        back->nodeItems == NULL || back->accessorItems == NULL)
        return qvError_OutOfMemory(error, (double)gltf->pieceCount * sizeof(qvGltfRun));
    back->meshCount = gltf->meshes.count;
    for (int i = 0; i < gltf->meshes.count; i++)
        back->latest[i] = -1;
    return qv_ok;
}

void qvGltfBack_Free(qvGltfBack* back)
{
    qvGltfBuilder_Finish(&back->builder);
    qvGltfEdits_Free(&back->edits);
    free(back->bufferStarts);
    free(back->runs);
    free(back->users);
    free(back->taken);
    free(back->latest);
    free(back->meshItems);
    free(back->nodeItems);
    free(back->accessorItems);
    free(back->references);
    free(back->accessors);
}

qvResult qvGltfBack_Start(qvGltfBack* back, const qvModel* model, const qvVec3f* positions, qvError* error)
{
    *back = (qvGltfBack){ .gltf = model->source };
    qvGltfBuilder_Start(&back->builder, model->source->json);
    qvResult result = Allocate(back, error);
    if (result == qv_ok)
        result = qvGltf_FindEdits(model, positions, &back->edits, error);
    if (result != qv_ok)
        return result;
    MergeBuffers(back);
    FindRuns(back);
    CountReferences(back);
    for (int i = 0; i < back->runCount; i++)
    {
        if (back->runs[i].changed)
            EditRun(back, i);
    }
    return qv_ok;
}

qvResult qvWriteGltfBack(const qvModel* model, const qvVec3f* positions, bool binary, qvFileSet* files, qvError* error)
{
    qvGltfBack back;
    qvResult result = qvGltfBack_Start(&back, model, positions, error);
    if (result == qv_ok)
        result = qvGltf_PackImages(&back.builder, model->folder, binary, files, error);
    if (result == qv_ok)
        result = qvGltfBuilder_Write(&back.builder, binary, files, error);
    qvGltfBack_Free(&back);
    return result;
}
