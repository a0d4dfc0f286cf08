// SPDX-License-Identifier: GPL-3.0-or-later
// A scene's mesh, loaded, and what of a scene only its mesh can check.
#include "scene/body.h"

#include "base/assert.h"
#include "base/hash.h"
#include "base/memory.h"
#include "quaver/path.h"
#include "quaver/primitive.h"
#include "scene/fields.h"
#include "scene/labels.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// --- Loading -------------------------------------------------------------------------------------------------------

static qvLoadedBody* Loaded(const qvBody* body)
{
    return (qvLoadedBody*)body;
}

static char* MeshPath(const qvSceneMesh* mesh, const char* folder)
{
    bool asIs = mesh->file[0] == '/' || strcmp(folder, ".") == 0;
    return asIs ? strdup(mesh->file) : qvPath_Join(folder, mesh->file);
}

uint64_t qvHashBodySource(const qvSceneMesh* mesh, const char* folder)
{
    if (mesh->file == NULL)
        return qvHashFields(qv_objectMesh, mesh);
    char* path = MeshPath(mesh, folder);
    if (path == NULL)
        return 0;
    uint64_t hash = qvHash(path, strlen(path), qvHashFields(qv_objectMesh, mesh));
    struct stat about;
    if (stat(path, &about) == 0)
    {
        uint64_t facts[] = { (uint64_t)about.st_size, (uint64_t)about.st_ino, (uint64_t)about.st_mtim.tv_sec,
                             (uint64_t)about.st_mtim.tv_nsec };
        hash = qvHash(facts, sizeof(facts), hash);
    }
    free(path);
    return hash;
}

// A built-in shape goes through the checks of a file for its report.
static qvResult Inspect(const qvMesh* mesh, qvMeshReport* report, qvError* error)
{
    qvMeshDef def = qvDefaultMeshDef();
    def.vertexCount = mesh->vertexCount, def.positions = mesh->positions;
    def.faceCount = mesh->triangleCount, def.corners = mesh->triangles[0].v;
    qvMesh* copy;
    qvResult result = qvCreateMesh(&def, &copy, report, error);
    qvDestroyMesh(copy);
    return result;
}

static qvResult ReadMesh(qvLoadedBody* loaded, const qvSceneMesh* mesh, const char* folder, const qvJob* job,
                         qvError* error)
{
    qvBody* body = &loaded->body;
    if (mesh->file == NULL)
    {
        qvResult result = qvCreatePrimitive(mesh->primitive, mesh->resolution, &loaded->mesh, error);
        body->mesh = loaded->mesh;
        return result == qv_ok ? Inspect(body->mesh, &body->report, error) : result;
    }
    char* path = MeshPath(mesh, folder);
    if (path == NULL)
        return qvError_OutOfMemory(error, (double)strlen(mesh->file));
    qvLoadOptions options = qvDefaultLoadOptions();
    options.job = job;
    qvResult result = qvLoadModel(path, &options, &loaded->model, error);
    free(path);
    if (result != qv_ok)
        return result;
    body->model = loaded->model, body->mesh = loaded->model->mesh, body->report = loaded->model->report;
    return qv_ok;
}

static double LongestEdge(const qvTopology* topology, const qvVec3f* points)
{
    double longest = 0.0;
    for (int i = 0; i < topology->edgeCount; i++)
    {
        const int32_t* ends = topology->edges[i].point;
        longest = fmax(longest, qvDistance(qvVec3_FromFloat(points[ends[0]]), qvVec3_FromFloat(points[ends[1]])));
    }
    return longest;
}

static qvResult Measure(qvLoadedBody* loaded, const qvJob* job, qvError* error)
{
    qvBody* body = &loaded->body;
    qvResult result = qvCreateTopology(body->mesh, &loaded->topology, error);
    if (result == qv_ok)
        result = qvJob_Ask(job, error);
    if (result != qv_ok)
        return result;
    size_t n = (size_t)body->mesh->pointCount;
    loaded->points = qvAllocate(n, sizeof(*loaded->points));
    loaded->masses = qvAllocate(n, sizeof(*loaded->masses));
    if (loaded->points == NULL || loaded->masses == NULL)
        return qvError_OutOfMemory(error, (double)n * sizeof(qvVec3f));
    qvMesh_GatherPoints(body->mesh, body->mesh->positions, loaded->points);
    qvComputeMasses(loaded->topology, loaded->points, loaded->masses);
    loaded->longest = LongestEdge(loaded->topology, loaded->points);
    body->topology = loaded->topology, body->rest = loaded->points;
    body->diagonal = qvBox_Diagonal(body->mesh->bounds);
    body->hash = qvMesh_Hash(body->mesh);
    return qvJob_Ask(job, error);
}

qvResult qvLoadBody(const qvSceneMesh* mesh, const char* folder, const qvJob* job, const qvBody** out, qvError* error)
{
    QV_ASSERT((mesh->file == NULL) != (mesh->primitive == NULL));
    *out = NULL;
    qvLoadedBody* loaded = qvAllocate(1, sizeof(*loaded));
    if (loaded == NULL)
        return qvError_OutOfMemory(error, sizeof(*loaded));
    atomic_init(&loaded->owners, 1);
    loaded->source = qvHashBodySource(mesh, folder);
    qvResult result = ReadMesh(loaded, mesh, folder, job, error);
    if (result == qv_ok)
        result = Measure(loaded, job, error);
    if (result == qv_ok)
        *out = &loaded->body;
    else
        qvReleaseBody(&loaded->body);
    return result;
}

const qvBody* qvRetainBody(const qvBody* body)
{
    atomic_fetch_add(&Loaded(body)->owners, 1);
    return body;
}

void qvReleaseBody(const qvBody* body)
{
    if (body == NULL || atomic_fetch_sub(&Loaded(body)->owners, 1) > 1)
        return;
    qvLoadedBody* loaded = Loaded(body);
    qvDestroyTopology(loaded->topology);
    qvDestroyModel(loaded->model);
    qvDestroyMesh(loaded->mesh);
    free(loaded->points);
    free(loaded->masses);
    free(loaded);
}

// --- Vertex sets ---------------------------------------------------------------------------------------------------

static bool InBox(const qvVertexSet* set, qvVec3f p)
{
    return p.x >= set->lower.x && p.x <= set->upper.x && p.y >= set->lower.y && p.y <= set->upper.y &&
           p.z >= set->lower.z && p.z <= set->upper.z;
}

static void MarkPoints(const qvVertexSet* set, const qvBody* body, bool* marks)
{
    const qvMesh* mesh = body->mesh;
    size_t count = set->vertices != NULL ? set->vertices->size / sizeof(int32_t) : 0;
    for (size_t i = 0; i < count; i++)
    {
        int32_t vertex = ((const int32_t*)set->vertices->data)[i];
        if (vertex >= 0 && vertex < mesh->vertexCount && mesh->vertexPoint[vertex] >= 0)
            marks[mesh->vertexPoint[vertex]] = true;
    }
    for (int i = 0; set->hasBox && i < mesh->pointCount; i++)
        marks[i] = marks[i] || InBox(set, body->rest[i]);
}

qvResult qvVertexSet_Points(const qvVertexSet* set, const qvBody* body, int32_t** points, int* count, qvError* error)
{
    int n = body->mesh->pointCount;
    bool* marks = qvAllocate((size_t)n, sizeof(*marks));
    *points = qvAllocateRaw((size_t)n, sizeof(**points));
    *count = 0;
    if (marks == NULL || *points == NULL)
    {
        free(marks);
        free(*points);
        *points = NULL;
        return qvError_OutOfMemory(error, (double)n * sizeof(**points));
    }
    MarkPoints(set, body, marks);
    for (int i = 0; i < n; i++)
    {
        if (marks[i])
            (*points)[(*count)++] = i;
    }
    free(marks);
    return qv_ok;
}

void qvBody_Offsets(const qvBody* body, const qvVec3f* points, qvVec3f* offsets)
{
    for (int v = 0; v < body->mesh->vertexCount; v++)
    {
        int i = body->mesh->vertexPoint[v];
        offsets[v] = i >= 0 ? (qvVec3f){ points[i].x - body->rest[i].x, points[i].y - body->rest[i].y,
                                         points[i].z - body->rest[i].z }
                            : (qvVec3f){ 0.0f, 0.0f, 0.0f };
    }
}

// --- Checks --------------------------------------------------------------------------------------------------------

static qvResult CheckSet(const qvVertexSet* set, const qvBody* body, const char* path, qvError* error)
{
    size_t count = set->vertices != NULL ? set->vertices->size / sizeof(int32_t) : 0;
    for (size_t i = 0; i < count; i++)
    {
        int32_t vertex = ((const int32_t*)set->vertices->data)[i];
        if (vertex < 0 || vertex >= body->mesh->vertexCount)
            return qvError_Set(error, qv_badInput, "%s.vertices[%zu]: there is no vertex %d; the mesh has %d", path, i,
                               (int)vertex, body->mesh->vertexCount);
    }
    return qv_ok;
}

// A list with one entry of size bytes per vertex.
static qvResult CheckList(const qvBlob* blob, size_t size, const qvBody* body, const char* path, qvError* error)
{
    size_t vertices = (size_t)body->mesh->vertexCount;
    if (blob == NULL || blob->size == vertices * size)
        return qv_ok;
    return qvError_Set(error, qv_badInput, "%s: made for %zu vertices; the mesh has %zu", path, blob->size / size,
                       vertices);
}

typedef struct Path
{
    char text[80];
} Path;

static Path Inside(const char* path, const char* field)
{
    Path result;
    snprintf(result.text, sizeof(result.text), "%s.%s", path, field);
    return result;
}

static Path Item(const char* list, int index)
{
    Path result;
    snprintf(result.text, sizeof(result.text), "%s[%d]", list, index);
    return result;
}

static qvResult CheckStack(const qvStrokeStack* stack, const qvBody* body, const char* path, qvError* error)
{
    qvResult result = qv_ok;
    for (int i = 0; i < stack->count && result == qv_ok; i++)
        result =
            CheckList(stack->strokes[i]->mask, sizeof(float), body, Inside(Item(path, i).text, "mask").text, error);
    return result;
}

static qvResult CheckKey(const qvSceneKey* key, const qvBody* body, qvError* error)
{
    bool isSet = key->velocityMode == qv_velocitySet;
    qvResult result = qv_ok;
    if (key->base == qv_baseOffsets)
        result = CheckList(key->offsets, sizeof(qvVec3f), body, "base.offsets", error);
    if (result == qv_ok)
        result = CheckStack(&key->strokes, body, "strokes", error);
    if (result == qv_ok)
        result = CheckStack(&key->before.strokes, body, "velocity.in.strokes", error);
    if (result == qv_ok)
        result =
            CheckStack(&key->after.strokes, body, isSet ? "velocity.value.strokes" : "velocity.out.strokes", error);
    if (result == qv_ok)
        result = CheckList(key->before.offsets, sizeof(qvVec3f), body, "velocity.in.offsets", error);
    if (result == qv_ok)
        result = CheckList(key->after.offsets, sizeof(qvVec3f), body,
                           isSet ? "velocity.value.offsets" : "velocity.out.offsets", error);
    if (result == qv_ok && key->partial)
        result = CheckSet(&key->only, body, "only", error);
    if (result != qv_ok)
        qvError_Prefix(error, "%s", qvSceneKey_Label(key).text);
    return result;
}

static qvResult CheckEvent(const qvSceneEvent* event, const qvBody* body, qvError* error)
{
    qvResult result = CheckList(event->mask, sizeof(float), body, "mask", error);
    if (event->def.vertex >= body->mesh->vertexCount)
        result = qvError_Set(error, qv_badInput, "vertex: there is no vertex %d; the mesh has %d", event->def.vertex,
                             body->mesh->vertexCount);
    if (result != qv_ok)
        qvError_Prefix(error, "%s", qvSceneEvent_Label(event).text);
    return result;
}

static bool HasAutoRadius(const qvStrokeStack* stack)
{
    for (int i = 0; i < stack->count; i++)
    {
        if (!(stack->strokes[i]->stroke.radius > 0.0))
            return true;
    }
    return false;
}

// Radii that are left to the mesh must be such that brushes and waves take them: what would be wrong is its size.
static qvResult CheckSize(const qvScene* scene, const qvBody* body, qvError* error)
{
    static const double limits[2] = { 1e-9 / QV_DEFAULT_RADIUS, 1e9 / QV_DEFAULT_RADIUS };
    bool large = body->diagonal > limits[1];
    if (!large && !(body->diagonal < limits[0]))
        return qv_ok;
    bool used = false;
    for (int i = 0; i < scene->keyCount; i++)
    {
        const qvSceneKey* key = scene->keys[i];
        used = used || HasAutoRadius(&key->strokes) || HasAutoRadius(&key->before.strokes) ||
               HasAutoRadius(&key->after.strokes);
    }
    for (int i = 0; i < scene->eventCount; i++)
        used = used || !(scene->events[i]->def.stroke.radius > 0.0);
    if (!used)
        return qv_ok;
    return qvError_Set(
        error, qv_badInput,
        "the mesh is %g units across, too %s for brushes and waves (%s %.2g); scale it and save it again",
        body->diagonal, large ? "large" : "small", large ? "at most" : "at least", limits[large]);
}

qvResult qvScene_CheckBody(const qvScene* scene, const qvBody* body, qvError* error)
{
    qvResult result = CheckSize(scene, body, error);
    if (result == qv_ok)
        result = CheckList(scene->weights, sizeof(float), body, "weights", error);
    for (int i = 0; result == qv_ok && i < scene->pinCount; i++)
        result = CheckSet(&scene->pins[i]->where, body, Item("pins", i).text, error);
    for (int i = 0; result == qv_ok && i < scene->keyCount; i++)
        result = CheckKey(scene->keys[i], body, error);
    for (int i = 0; result == qv_ok && i < scene->eventCount; i++)
        result = CheckEvent(scene->events[i], body, error);
    return result;
}
