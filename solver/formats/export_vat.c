// SPDX-License-Identifier: GPL-3.0-or-later
// Vertex animation textures in OpenVAT's layout (https://github.com/sharpen3d/openvat, packed normals): a folder with
//
//     NAME.glb              the mesh at rest, whose second texture coordinates say where a vertex is in the texture
//     NAME_vat.png          16 bits a channel, no colours: a row per frame, a column per vertex; normals below places
//     NAME-remap_info.json  {"os-remap": {"Min": …, "Max": …, "Frames": …}}, and the rate
//
// A pixel is a displacement from rest between Min and Max, or a normal between -1 and 1, in Blender's axes: glTF's
// (x, y, z) is (x, -z, y) there. More vertices than a row holds go on in further blocks of as many rows. A loop leaves
// out its last frame, which is the first one again.
#include "formats/export.h"

#include "base/memory.h"
#include "formats/gltf_fresh.h"
#include "formats/gltf_images.h"
#include "formats/image_png.h"
#include "quaver/path.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    MAX_WIDTH = 8192, // what most graphics cards take
    MAX_HEIGHT = 16384,
    STEPS = 65535,
};

typedef struct Vat
{
    const qvExportTask* task;
    qvMesh shown; // the task's mesh, with normals of its own where it has none
    qvVec3f* smooth;
    qvGltfFresh fresh;
    int* corners; // [split.count] one of each vertex, -1: no triangle uses it
    int frames, blocks, width, height;
    double lower[3], range[3];
    uint16_t* values; // [3 width height]
} Vat;

// --- Layout ----------------------------------------------------------------------------------------------------------

static qvResult Start(Vat* vat, qvError* error)
{
    const qvMesh* mesh = vat->task->mesh;
    vat->shown = *mesh;
    qvResult result = qv_ok;
    if (mesh->normalDomain == qv_domainNone)
    {
        vat->smooth = qvAllocateRaw((size_t)mesh->vertexCount, sizeof(qvVec3f));
        result = vat->smooth != NULL ? qvGltf_SmoothNormals(mesh, mesh->positions, vat->smooth, error)
                                     : qvError_OutOfMemory(error, 12.0 * mesh->vertexCount);
        vat->shown.normals = vat->smooth, vat->shown.normalDomain = qv_domainVertex;
    }
    return result == qv_ok ? qvGltfFresh_Start(&vat->fresh, &vat->shown, mesh->positions, error) : result;
}

static qvResult LayOut(Vat* vat, qvError* error)
{
    const qvAnimation* animation = vat->task->animation;
    const qvGltfSplit* split = &vat->fresh.split;
    vat->frames = animation->loop && animation->frameCount > 1 ? animation->frameCount - 1 : animation->frameCount;
    vat->blocks = (split->count + MAX_WIDTH - 1) / MAX_WIDTH;
    vat->width = (split->count + vat->blocks - 1) / vat->blocks;
    if (2 * (double)vat->frames * vat->blocks > MAX_HEIGHT)
        return qvError_Set(error, qv_unsupported,
                           "%d vertices in %d frames are too many for a texture of %d x %d; write fewer frames per "
                           "second or a shorter range",
                           split->count, vat->frames, MAX_WIDTH, MAX_HEIGHT);
    vat->height = 2 * vat->frames * vat->blocks;
    size_t size = 3 * (size_t)vat->width * (size_t)vat->height;
    vat->values = qvAllocate(size, sizeof(uint16_t));
    vat->corners = qvAllocateRaw((size_t)split->count, sizeof(int));
    if (vat->values == NULL || vat->corners == NULL)
        return qvError_OutOfMemory(error, (double)size * sizeof(uint16_t));
    memset(vat->corners, -1, (size_t)split->count * sizeof(int));
    for (int c = 0; c < 3 * vat->task->mesh->triangleCount; c++)
        vat->corners[split->ofCorner[c]] = c;
    return qv_ok;
}

// The pixel of a vertex; part 0: its place, 1: its normal.
static uint16_t* Pixel(const Vat* vat, int vertex, int frame, int part)
{
    int block = vertex / vat->width, row = (part * vat->blocks + block) * vat->frames + frame;
    return vat->values + 3 * ((size_t)row * (size_t)vat->width + (size_t)(vertex % vat->width));
}

static float* MakeSlots(const Vat* vat)
{
    float* slots = qvAllocateRaw((size_t)vat->fresh.split.count, 2 * sizeof(float));
    for (int i = 0; slots != NULL && i < vat->fresh.split.count; i++)
    {
        slots[2 * (size_t)i] = (float)((i % vat->width + 0.5) / vat->width);
        slots[2 * (size_t)i + 1] = (float)((i / vat->width * vat->frames + 0.5) / vat->height);
    }
    return slots;
}

static void ToBlender(qvVec3 v, double out[3])
{
    out[0] = v.x, out[1] = -v.z, out[2] = v.y;
}

// --- Places ----------------------------------------------------------------------------------------------------------

static void Displacement(const Vat* vat, int vertex, int frame, double out[3])
{
    int source = vat->fresh.split.source[vertex];
    qvVec3 to = qvVec3_FromFloat(qvExportTask_Frame(vat->task, frame)[source]);
    ToBlender(qvSub(to, qvVec3_FromFloat(vat->task->mesh->positions[source])), out);
}

// As numbers that a file has with nine digits.
static qvResult FindRange(Vat* vat, qvError* error)
{
    qvResult result = qv_ok;
    double upper[3] = { -INFINITY, -INFINITY, -INFINITY };
    for (int k = 0; k < 3; k++)
        vat->lower[k] = INFINITY;
    for (int frame = 0; frame < vat->frames && result == qv_ok; frame++)
    {
        result = qvJob_Ask(vat->task->options.job, error);
        for (int i = 0; i < vat->fresh.split.count; i++)
        {
            double d[3];
            Displacement(vat, i, frame, d);
            for (int k = 0; k < 3; k++)
            {
                vat->lower[k] = fmin(vat->lower[k], d[k]);
                upper[k] = fmax(upper[k], d[k]);
            }
        }
    }
    for (int k = 0; k < 3; k++)
    {
        vat->lower[k] = (double)(float)vat->lower[k];
        vat->range[k] = (double)(float)upper[k] - vat->lower[k];
    }
    return result;
}

// Returns how far the rounded one is off, squared.
static double PutPlace(const Vat* vat, int vertex, int frame)
{
    double d[3], squared = 0.0;
    uint16_t* pixel = Pixel(vat, vertex, frame, 0);
    Displacement(vat, vertex, frame, d);
    for (int k = 0; k < 3; k++)
    {
        double part = vat->range[k] > 0.0 ? (d[k] - vat->lower[k]) / vat->range[k] : 0.0;
        pixel[k] = (uint16_t)lrint(STEPS * fmax(0.0, fmin(1.0, part)));
        double off = vat->lower[k] + vat->range[k] * pixel[k] / STEPS - d[k];
        squared += off * off;
    }
    return squared;
}

static qvResult PutPlaces(Vat* vat, qvError* error)
{
    double largest = 0.0, sum = 0.0;
    qvResult result = FindRange(vat, error);
    for (int frame = 0; frame < vat->frames && result == qv_ok; frame++)
    {
        result = qvJob_Ask(vat->task->options.job, error);
        for (int i = 0; i < vat->fresh.split.count; i++)
        {
            double squared = PutPlace(vat, i, frame);
            largest = fmax(largest, squared);
            sum += squared;
        }
    }
    vat->task->report->maxError = sqrt(largest);
    vat->task->report->rmsError = sqrt(sum / ((double)vat->frames * vat->fresh.split.count));
    return result;
}

// --- Normals ---------------------------------------------------------------------------------------------------------

static void PutNormals(const Vat* vat, int frame, const qvVec3f* normals)
{
    bool isCorner = vat->shown.normalDomain == qv_domainCorner;
    for (int i = 0; i < vat->fresh.split.count; i++)
    {
        double n[3];
        int at = isCorner ? vat->corners[i] : vat->fresh.split.source[i];
        ToBlender(at >= 0 ? qvVec3_FromFloat(normals[at]) : qvMakeVec3(0.0, 1.0, 0.0), n);
        for (int k = 0; k < 3; k++)
            Pixel(vat, i, frame, 1)[k] = (uint16_t)lrint(STEPS * fmax(0.0, fmin(1.0, 0.5 + 0.5 * n[k])));
    }
}

static qvResult PutAllNormals(const Vat* vat, qvError* error)
{
    const qvMesh* shown = &vat->shown;
    size_t count =
        shown->normalDomain == qv_domainCorner ? 3 * (size_t)shown->triangleCount : (size_t)shown->vertexCount;
    qvVec3f* normals = qvAllocateRaw(count, sizeof(qvVec3f));
    bool* touched = qvAllocateRaw(count, sizeof(bool));
    qvResult result = normals != NULL && touched != NULL ? qv_ok : qvError_OutOfMemory(error, 13.0 * (double)count);
    for (int frame = 0; frame < vat->frames && result == qv_ok; frame++)
    {
        result = qvGltf_RecomputeNormals(shown, qvExportTask_Frame(vat->task, frame), normals, touched, error);
        if (result == qv_ok)
            PutNormals(vat, frame, normals);
        if (result == qv_ok)
            result = qvJob_Progress(vat->task->options.job, "measuring", 0.6 * (frame + 1) / vat->frames, error);
    }
    free(normals);
    free(touched);
    return result;
}

// --- Files -----------------------------------------------------------------------------------------------------------

// A file of the folder: its name is that of the folder without the ending, and the given end.
static qvResult Open(const Vat* vat, const char* end, FILE** stream, qvError* error)
{
    const char* folder = vat->task->path;
    const char* name = qvPath_FileName(folder);
    size_t stem = strlen(name) - strlen(qvPath_Extension(name)) - 1, size = strlen(folder) + strlen(name) + 32;
    char* path = qvAllocateRaw(size, 1);
    if (path == NULL)
        return qvError_OutOfMemory(error, (double)size);
    snprintf(path, size, "%s/%.*s%s", folder, (int)stem, name, end);
    qvResult result = qvFileSet_Add(vat->task->files, path, stream, error);
    free(path);
    return result;
}

static qvResult WriteMesh(Vat* vat, FILE* stream, qvError* error)
{
    const qvExportTask* task = vat->task;
    const qvGltfGrid floats = { 0 };
    float* slots = MakeSlots(vat);
    if (slots == NULL)
        return qvError_OutOfMemory(error, 8.0 * vat->fresh.split.count);
    qvGltfBuilder* builder = &vat->fresh.builder;
    vat->fresh.slots = slots;
    qvGltfFresh_Build(&vat->fresh, task->animation->name, &floats);
    if (task->mesh->materialCount == 0)
    {
        int clay = qvGltfBuilder_AddClay(builder, qvMesh_PlainColor(task->mesh));
        qvJson* item = qvJson_First(qvJson_Find(qvJson_First(qvJson_Find(builder->json, "meshes")), "primitives"));
        for (; item != NULL; item = qvJson_Next(item))
            qvJson_AddNumber(item, "material", clay);
    }
    qvResult result = qvGltf_PackImages(builder, task->model->folder, true, NULL, error);
    if (result == qv_ok)
        result = qvGltfBuilder_WriteBinary(builder, stream, error);
    free(slots);
    return result;
}

static qvResult WriteFacts(const Vat* vat, FILE* stream, qvError* error)
{
    double upper[3];
    for (int k = 0; k < 3; k++)
        upper[k] = vat->lower[k] + vat->range[k];
    qvJson* json = qvCreateJsonObject();
    qvJson* remap = qvJson_AddObject(json, "os-remap");
    qvJson_AddNumbers(remap, "Min", vat->lower, 3);
    qvJson_AddNumbers(remap, "Max", upper, 3);
    qvJson_AddNumber(remap, "Frames", vat->frames);
    qvJson_AddNumber(json, "fps", vat->task->animation->fps);
    qvJson_AddBool(json, "loop", vat->task->animation->loop);
    char* text = qvJson_Print(json, true);
    if (text != NULL)
        fprintf(stream, "%s\n", text);
    bool failed = text == NULL;
    qvFreeText(text);
    qvDestroyJson(json);
    return failed ? qvError_OutOfMemory(error, 1000.0) : qv_ok;
}

static qvResult WriteTexture(const Vat* vat, FILE* stream, qvError* error)
{
    return qvWritePngValues(vat->width, vat->height, vat->values, stream, vat->task->options.job, error);
}

// How much that writes: it goes to memory.
static qvResult Estimate(Vat* vat, qvError* error)
{
    char* text = NULL;
    size_t size = 0;
    FILE* stream = open_memstream(&text, &size);
    if (stream == NULL)
        return qvError_OutOfMemory(error, 1.0);
    qvResult result = WriteMesh(vat, stream, error);
    if (result == qv_ok)
        result = WriteFacts(vat, stream, error);
    if (result == qv_ok)
        result = WriteTexture(vat, stream, error);
    fclose(stream);
    free(text);
    vat->task->report->bytes = (double)size;
    return result;
}

static qvResult WriteFiles(Vat* vat, qvError* error)
{
    FILE *mesh = NULL, *facts = NULL, *texture = NULL;
    qvResult result = qvFileSet_AddFolder(vat->task->files, vat->task->path, error);
    if (result == qv_ok)
        result = Open(vat, ".glb", &mesh, error);
    if (result == qv_ok)
        result = Open(vat, "-remap_info.json", &facts, error);
    if (result == qv_ok)
        result = Open(vat, "_vat.png", &texture, error);
    if (result == qv_ok)
        result = WriteMesh(vat, mesh, error);
    if (result == qv_ok)
        result = WriteFacts(vat, facts, error);
    if (result == qv_ok)
        result = WriteTexture(vat, texture, error);
    return result;
}

static qvResult Write(const qvExportTask* task, qvError* error)
{
    Vat vat = { .task = task };
    qvResult result = Start(&vat, error);
    if (result == qv_ok)
        result = LayOut(&vat, error);
    if (result == qv_ok)
        result = PutPlaces(&vat, error);
    if (result == qv_ok)
        result = PutAllNormals(&vat, error);
    if (result == qv_ok)
        result = task->files != NULL ? WriteFiles(&vat, error) : Estimate(&vat, error);
    if (result == qv_ok)
        result = qvJob_Progress(task->options.job, "writing", 1.0, error);
    qvGltfFresh_Free(&vat.fresh);
    free(vat.smooth);
    free(vat.corners);
    free(vat.values);
    return result;
}

const qvExporter qvExporterVat = {
    .info = { .tag = "vat",
              .label = "Vertex animation texture, a folder",
              .extensions = "vat",
              .folder = true,
              .rounds = true },
    .write = Write,
};
