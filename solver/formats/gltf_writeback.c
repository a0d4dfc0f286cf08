// SPDX-License-Identifier: GPL-3.0-or-later
// Writes a glTF document back. Everything stays as it was in the file, but for the positions (and normals) of vertices
// that moved and the indices of triangles that were repaired:
// - where an accessor of floats serves nothing else its bytes are replaced, otherwise a new accessor is added;
// - positions go back from world space to mesh space through the rest state: morph weights, skin, node;
// - instances of one mesh that were moved differently get copies of it;
// - all buffers become one, and in a binary file it takes in the images that stood in the JSON as data URIs.
#include "formats/gltf_builder.h"

#include "formats/gltf_edit.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum
{
    MAX_COMPARED = 10000 // accessors; with more, comparing each with all takes longer than adding new ones
};

// A node and the pieces of its mesh.
typedef struct Run
{
    int node, mesh;
    int firstPiece, pieceCount;
    bool changed;
    int target;   // the mesh that it gets in the new document, -1 while unknown
    int previous; // the last changed run with the same mesh, -1 for none
} Run;

typedef struct Writer
{
    const qvGltf* gltf;
    qvGltfBuilder builder;
    qvGltfEdits edits;
    size_t* bufferStarts; // where the file's buffers are in the new one
    int runCount;
    Run* runs;
    int* users;                                       // per mesh: nodes that keep it as it is
    bool* taken;                                      // per mesh: edited in place
    int* latest;                                      // per mesh: the last run that was edited, -1 for none
    int meshCount;                                    // in the new document
    qvJson **meshItems, **nodeItems, **accessorItems; // of the new document, as far as they were in the file
    int* references;                                  // per accessor
    qvGltfAccessor* accessors;
} Writer;

// --- Buffers -----------------------------------------------------------------------------------------------------

// Views, and the compressed twins that some of them have, point into the one new buffer.
static void MoveView(const Writer* writer, qvJson* view)
{
    double index = qvJson_Number(qvJson_Find(view, "buffer"));
    if (!qvJson_IsObject(view) || !(index >= 0.0 && index < writer->gltf->bufferCount))
        return;
    int buffer = (int)index;
    size_t start = writer->bufferStarts[buffer];
    double offset = qvJson_Number(qvJson_Find(view, "byteOffset"));
    if (buffer != 0)
        qvGltfBuilder_SetNumber(view, "buffer", 0);
    if (start != 0)
        qvGltfBuilder_SetNumber(view, "byteOffset", offset + (double)start);
}

static void MergeBuffers(Writer* writer)
{
    const qvGltf* gltf = writer->gltf;
    for (int i = 0; i < gltf->bufferCount; i++)
        writer->bufferStarts[i] =
            qvGltfBuilder_AddBytes(&writer->builder, gltf->buffers[i].bytes.data, gltf->buffers[i].bytes.size);
    qvJson* views = qvJson_Find(writer->builder.json, "bufferViews");
    for (qvJson* view = qvJson_First(views); view != NULL; view = qvJson_Next(view))
    {
        MoveView(writer, view);
        qvJson* twin = qvJson_Find(qvJson_Find(view, "extensions"), "EXT_meshopt_compression");
        if (twin != NULL)
            MoveView(writer, twin);
    }
}

// A binary file has its images in the buffer, not as text in the JSON.
static qvResult EmbedImage(Writer* writer, qvJson* image, qvError* error)
{
    const char* uri = qvJson_Text(qvJson_Find(image, "uri"));
    if (strncasecmp(uri, "data:", 5) != 0)
        return qv_ok;
    qvGltf unlimited = { .budget = SIZE_MAX };
    qvBytes bytes = { 0 };
    qvResult result = qvGltf_DecodeDataUri(&unlimited, uri, "images", &bytes, error);
    if (result == qv_ok)
    {
        char mime[64] = "";
        size_t length = strcspn(uri + 5, ";,");
        if (length < sizeof(mime))
            memcpy(mime, uri + 5, length);
        if (qvJson_Find(image, "mimeType") == NULL)
            qvJson_AddString(image, "mimeType", mime);
        qvJson_AddNumber(image, "bufferView",
                         qvGltfBuilder_AddView(&writer->builder, bytes.data, bytes.size, 0, QV_GLTF_NO_TARGET));
        qvJson_Remove(image, qvJson_Find(image, "uri"));
    }
    qvFreeBytes(&bytes);
    return result;
}

static qvResult EmbedImages(Writer* writer, qvError* error)
{
    qvResult result = qv_ok;
    qvJson* images = qvJson_Find(writer->builder.json, "images");
    for (qvJson* image = qvJson_First(images); image != NULL && result == qv_ok; image = qvJson_Next(image))
        result = EmbedImage(writer, image, error);
    return result;
}

// --- Who uses what -----------------------------------------------------------------------------------------------

static void CountReference(const Writer* writer, const qvJson* node)
{
    double index = qvJson_IsNumber(node) ? qvJson_Number(node) : -1.0;
    if (index >= 0.0 && index < writer->gltf->accessors.count)
        writer->references[(int)index]++;
}

static void CountMembers(const Writer* writer, const qvJson* object)
{
    for (const qvJson* item = qvJson_First(object); item != NULL; item = qvJson_Next(item))
        CountReference(writer, item);
}

static void CountPrimitive(const Writer* writer, const qvJson* primitive)
{
    CountMembers(writer, qvJson_Find(primitive, "attributes"));
    CountReference(writer, qvJson_Find(primitive, "indices"));
    for (const qvJson* item = qvJson_First(qvJson_Find(primitive, "targets")); item != NULL; item = qvJson_Next(item))
        CountMembers(writer, item);
}

static void CountReferences(const Writer* writer)
{
    const qvGltf* gltf = writer->gltf;
    for (int i = 0; i < gltf->accessors.count; i++)
    {
        // What cannot be read is not in the scene; it does not count as an overlap.
        if (qvGltf_LoadAccessor(gltf, i, &writer->accessors[i], NULL) != qv_ok)
            writer->accessors[i].viewIndex = -1;
    }
    for (int i = 0; i < gltf->meshes.count; i++)
    {
        const qvJson* primitives = qvJson_Find(gltf->meshes.items[i], "primitives");
        for (const qvJson* item = qvJson_First(primitives); item != NULL; item = qvJson_Next(item))
            CountPrimitive(writer, item);
    }
    for (const qvJson* item = qvJson_First(qvJson_Find(gltf->json, "skins")); item != NULL; item = qvJson_Next(item))
        CountReference(writer, qvJson_Find(item, "inverseBindMatrices"));
    const qvJson* clips = qvJson_Find(gltf->json, "animations");
    for (const qvJson* clip = qvJson_First(clips); clip != NULL; clip = qvJson_Next(clip))
    {
        for (const qvJson* item = qvJson_First(qvJson_Find(clip, "samplers")); item != NULL; item = qvJson_Next(item))
            CountMembers(writer, item);
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
static bool CanReplace(const Writer* writer, const qvGltfAccessor* accessor, int uses)
{
    if (accessor->componentType != QV_GLTF_FLOAT || accessor->viewIndex < 0 || accessor->sparseCount > 0 ||
        writer->references[accessor->index] != uses || writer->gltf->accessors.count > MAX_COMPARED)
        return false;
    for (int i = 0; i < writer->gltf->accessors.count; i++)
    {
        if (i != accessor->index && Overlap(accessor, &writer->accessors[i]))
            return false;
    }
    return true;
}

// --- Editing a mesh ----------------------------------------------------------------------------------------------

static void ReplaceValues(Writer* writer, const qvGltfAccessor* accessor, const float* values)
{
    size_t start = writer->bufferStarts[accessor->view.buffer] + accessor->view.offset + accessor->offset;
    for (size_t i = 0; i < (size_t)accessor->count && !writer->builder.failed; i++)
        memcpy(writer->builder.bytes + start + i * accessor->stride, values + 3 * i, 3 * sizeof(float));
}

// Gives an attribute of a primitive other values. *written is the accessor that holds them already, or -1.
static void SetAttribute(Writer* writer, const Run* run, int piece, qvJson* attributes, const char* name,
                         const float* values, int* written)
{
    const qvGltf* gltf = writer->gltf;
    const qvJson* original = qvJson_Find(writer->edits.primitives[piece], "attributes");
    qvGltfAccessor accessor;
    if (qvGltf_GetAccessor(gltf, original, "", name, &accessor, NULL) != qv_ok || accessor.index < 0)
        return;
    int uses = 0; // the pieces of a part follow each other, and the first one comes here first
    for (int i = piece; i < run->firstPiece + run->pieceCount && gltf->pieces[i].part == gltf->pieces[piece].part; i++)
        uses++;
    bool isPosition = strcmp(name, "POSITION") == 0;
    if (*written < 0 && run->target == run->mesh && CanReplace(writer, &accessor, uses))
    {
        ReplaceValues(writer, &accessor, values);
        qvJson* item = writer->accessorItems[accessor.index];
        if (isPosition || qvJson_Find(item, "min") != NULL)
            qvGltfBuilder_SetBounds(item, values, 3, accessor.count);
        *written = accessor.index;
    }
    else if (*written < 0)
        *written = qvGltfBuilder_AddFloats(&writer->builder, values, 3, accessor.count, QV_GLTF_VERTICES, isPosition);
    if (*written != accessor.index)
        qvGltfBuilder_SetNumber(attributes, name, *written);
}

static void SetTriangles(Writer* writer, int piece, qvJson* primitive)
{
    int count;
    uint32_t* indices = qvGltfEdits_Indices(&writer->edits, piece, &count);
    writer->builder.failed |= indices == NULL;
    if (indices == NULL)
        return;
    qvGltfBuilder_SetNumber(primitive, "indices", qvGltfBuilder_AddIndices(&writer->builder, indices, count));
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

static void EditMesh(Writer* writer, const Run* run, qvJson* mesh)
{
    qvJson* primitive = qvJson_First(qvJson_Find(mesh, "primitives"));
    int number = 0;
    for (int i = run->firstPiece; i < run->firstPiece + run->pieceCount; i++)
    {
        const qvGltfPiece* piece = &writer->gltf->pieces[i];
        qvGltfPartEdit* part = &writer->edits.parts[piece->part];
        for (; number < piece->primitive; number++)
            primitive = qvJson_Next(primitive);
        qvJson* attributes = qvJson_Find(primitive, "attributes");
        // A mesh whose every triangle was repaired away cannot be written; it keeps its indices.
        bool retriangulate = writer->edits.retriangulated[i] && writer->edits.mesh->submeshes[i].triangleCount > 0;
        if (part->positions != NULL || retriangulate)
            DropCompression(primitive);
        if (part->positions != NULL)
            SetAttribute(writer, run, i, attributes, "POSITION", &part->positions[0].x, &part->positionAccessor);
        if (part->normals != NULL)
            SetAttribute(writer, run, i, attributes, "NORMAL", &part->normals[0].x, &part->normalAccessor);
        if (retriangulate)
            SetTriangles(writer, i, primitive);
    }
}

// --- Instances ---------------------------------------------------------------------------------------------------

// Whether two nodes with the same mesh want it in the same shape.
static bool SameShape(const Writer* writer, const Run* a, const Run* b)
{
    for (int i = 0; i < a->pieceCount; i++)
    {
        if (!qvGltfEdits_SamePiece(&writer->edits, a->firstPiece + i, b->firstPiece + i))
            return false;
    }
    return true;
}

// An earlier run that has this mesh in this shape already, or -1.
static int FindTwin(const Writer* writer, int run)
{
    int other = writer->runs[run].previous;
    while (other >= 0 && !SameShape(writer, &writer->runs[other], &writer->runs[run]))
        other = writer->runs[other].previous;
    return other;
}

static void EditRun(Writer* writer, int index)
{
    Run* run = &writer->runs[index];
    run->previous = writer->latest[run->mesh];
    writer->latest[run->mesh] = index;
    int twin = FindTwin(writer, index);
    if (twin >= 0)
        run->target = writer->runs[twin].target;
    else if (writer->users[run->mesh] == 0 && !writer->taken[run->mesh])
    {
        run->target = run->mesh;
        writer->taken[run->mesh] = true;
        EditMesh(writer, run, writer->meshItems[run->mesh]);
    }
    else
    {
        run->target = writer->meshCount++;
        qvJson* copy = qvJson_Copy(writer->gltf->meshes.items[run->mesh]);
        writer->builder.failed |= copy == NULL;
        qvJson_AddNode(qvGltfBuilder_List(&writer->builder, "meshes"), NULL, copy);
        EditMesh(writer, run, copy);
    }
    if (run->target != run->mesh)
        qvGltfBuilder_SetNumber(writer->nodeItems[run->node], "mesh", run->target);
}

static void FindRuns(Writer* writer)
{
    const qvGltf* gltf = writer->gltf;
    for (int i = 0; i < gltf->nodes.count; i++)
    {
        const qvJson* mesh = qvJson_Find(gltf->nodes.items[i], "mesh");
        if (mesh != NULL)
            writer->users[(int)qvJson_Number(mesh)]++;
    }
    for (int i = 0; i < gltf->pieceCount; i++)
    {
        const qvGltfPiece* piece = &gltf->pieces[i];
        if (i == 0 || piece->node != gltf->pieces[i - 1].node)
            writer->runs[writer->runCount++] = (Run){ piece->node, piece->mesh, i, 0, false, -1, -1 };
        Run* run = &writer->runs[writer->runCount - 1];
        run->pieceCount++;
        run->changed |= writer->edits.parts[piece->part].positions != NULL || writer->edits.retriangulated[i];
    }
    for (int i = 0; i < writer->runCount; i++)
        writer->users[writer->runs[i].mesh] -= writer->runs[i].changed;
}

// --- The document ------------------------------------------------------------------------------------------------

// The items of a list in the new document, for access by index; NULL when memory runs out.
static qvJson** FindItems(const Writer* writer, const qvGltfTable* table)
{
    qvJson** items = qvAllocate((size_t)table->count, sizeof(qvJson*));
    qvJson* item = qvJson_First(qvJson_Find(writer->builder.json, table->name));
    for (int i = 0; items != NULL && i < table->count; i++, item = qvJson_Next(item))
        items[i] = item;
    return items;
}

static qvResult Allocate(Writer* writer, qvError* error)
{
    const qvGltf* gltf = writer->gltf;
    writer->bufferStarts = qvAllocate((size_t)gltf->bufferCount, sizeof(size_t));
    writer->runs = qvAllocate((size_t)gltf->pieceCount, sizeof(Run));
    writer->users = qvAllocate((size_t)gltf->meshes.count, sizeof(int));
    writer->taken = qvAllocate((size_t)gltf->meshes.count, sizeof(bool));
    writer->latest = qvAllocate((size_t)gltf->meshes.count, sizeof(int));
    writer->meshItems = FindItems(writer, &gltf->meshes);
    writer->nodeItems = FindItems(writer, &gltf->nodes);
    writer->accessorItems = FindItems(writer, &gltf->accessors);
    writer->references = qvAllocate((size_t)gltf->accessors.count, sizeof(int));
    writer->accessors = qvAllocate((size_t)gltf->accessors.count, sizeof(qvGltfAccessor));
    if (writer->bufferStarts == NULL || writer->runs == NULL || writer->users == NULL || writer->taken == NULL ||
        writer->references == NULL || writer->accessors == NULL || writer->latest == NULL ||
        writer->meshItems == NULL || writer->nodeItems == NULL || writer->accessorItems == NULL)
        return qvError_OutOfMemory(error, (double)gltf->pieceCount * sizeof(Run));
    writer->meshCount = gltf->meshes.count;
    for (int i = 0; i < gltf->meshes.count; i++)
        writer->latest[i] = -1;
    return qv_ok;
}

static void FreeWriter(Writer* writer)
{
    qvGltfBuilder_Finish(&writer->builder);
    qvGltfEdits_Free(&writer->edits);
    free(writer->bufferStarts);
    free(writer->runs);
    free(writer->users);
    free(writer->taken);
    free(writer->latest);
    free(writer->meshItems);
    free(writer->nodeItems);
    free(writer->accessorItems);
    free(writer->references);
    free(writer->accessors);
}

qvResult qvWriteGltfBack(const qvModel* model, const qvVec3f* positions, bool binary, qvFileSet* files, qvError* error)
{
    Writer writer = { .gltf = model->source };
    qvGltfBuilder_Start(&writer.builder, model->source->json);
    qvResult result = Allocate(&writer, error);
    if (result == qv_ok)
        result = qvGltf_FindEdits(model, positions, &writer.edits, error);
    if (result == qv_ok)
    {
        MergeBuffers(&writer);
        FindRuns(&writer);
        CountReferences(&writer);
        for (int i = 0; i < writer.runCount; i++)
        {
            if (writer.runs[i].changed)
                EditRun(&writer, i);
        }
        if (binary)
            result = EmbedImages(&writer, error);
        if (result == qv_ok)
            result = qvGltfBuilder_Write(&writer.builder, binary, files, error);
    }
    FreeWriter(&writer);
    return result;
}
