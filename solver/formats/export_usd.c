// SPDX-License-Identifier: GPL-3.0-or-later
// Pixar's Universal Scene Description as text (.usda): a mesh whose points and normals, and where it changes its
// topology too, are samples in time. Arrays of other lengths are held until the next sample; others move on lines.
//
// Texture coordinates and normals are where the mesh has them, at vertices or at corners; of a mesh that changes, all
// are at corners, because readers ask for one kind at all times.
#include "formats/export.h"

#include "base/memory.h"
#include "formats/gltf.h"
#include "formats/print.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// What is written of a frame.
typedef struct Frame
{
    const qvMesh* mesh;
    const qvVec3f* positions;
    qvVec3f* normals; // made for the frame
    qvDomain normalDomain;
} Frame;

typedef struct Usd
{
    const qvExportTask* task;
    FILE* stream;
    bool changes;
} Usd;

static void PutInt(FILE* stream, int value)
{
    char text[qv_maxPrintedNumber];
    fwrite(text, 1, (size_t)(qvPrintInt(text, value) - text), stream);
}

// "(1, 2, 3)"
static void PutTuple(FILE* stream, const float* values, int count)
{
    char text[4 * (qv_maxPrintedNumber + 2)], *at = text;
    for (int i = 0; i < count; i++)
    {
        *at++ = i == 0 ? '(' : ',';
        at = qvPrintFloat(at, values[i]);
    }
    *at++ = ')';
    fwrite(text, 1, (size_t)(at - text), stream);
}

// --- Arrays of a frame -----------------------------------------------------------------------------------------------

typedef void PutFcn(const Usd* usd, const Frame* frame);

static void PutCounts(const Usd* usd, const Frame* frame)
{
    for (int i = 0; i < frame->mesh->triangleCount; i++)
        fputs(i == 0 ? "3" : ",3", usd->stream);
}

static void PutIndices(const Usd* usd, const Frame* frame)
{
    for (int i = 0; i < 3 * frame->mesh->triangleCount; i++)
    {
        if (i > 0)
            fputc(',', usd->stream);
        PutInt(usd->stream, frame->mesh->triangles[i / 3].v[i % 3]);
    }
}

static void PutExtent(const Usd* usd, const Frame* frame)
{
    qvBox box = qvComputeBounds(frame->positions, frame->mesh->vertexCount);
    PutTuple(usd->stream, &box.lower.x, 3);
    fputc(',', usd->stream);
    PutTuple(usd->stream, &box.upper.x, 3);
}

// Values per vertex or corner; at corners where the mesh changes. values NULL: zeros.
static void PutValues(const Usd* usd, const Frame* frame, const float* values, int components, qvDomain domain)
{
    static const float zeros[3] = { 0.0f, 0.0f, 0.0f };
    bool atCorners = usd->changes || domain == qv_domainCorner;
    int count = atCorners ? 3 * frame->mesh->triangleCount : frame->mesh->vertexCount;
    for (int i = 0; i < count; i++)
    {
        int vertex = atCorners ? frame->mesh->triangles[i / 3].v[i % 3] : i,
            at = domain == qv_domainCorner ? i : vertex;
        if (i > 0)
            fputc(',', usd->stream);
        PutTuple(usd->stream, values != NULL ? values + (size_t)at * (size_t)components : zeros, components);
    }
}

static void PutPoints(const Usd* usd, const Frame* frame)
{
    for (int i = 0; i < frame->mesh->vertexCount; i++)
    {
        if (i > 0)
            fputc(',', usd->stream);
        PutTuple(usd->stream, &frame->positions[i].x, 3);
    }
}

static void PutNormals(const Usd* usd, const Frame* frame)
{
    PutValues(usd, frame, &frame->normals->x, 3, frame->normalDomain);
}

static void PutUvs(const Usd* usd, const Frame* frame)
{
    const qvMesh* mesh = frame->mesh;
    PutValues(usd, frame, mesh->uvDomain != qv_domainNone ? &mesh->uvs->x : NULL, 2, mesh->uvDomain);
}

// The base colour of every triangle.
static void PutColors(const Usd* usd, const Frame* frame)
{
    const qvMesh* mesh = frame->mesh;
    bool first = true;
    for (int s = 0; s < mesh->submeshCount; s++)
    {
        int material = mesh->submeshes[s].material;
        qvColor color = material >= 0 ? mesh->materials[material].baseColor : qvMesh_PlainColor(mesh);
        for (int t = 0; t < mesh->submeshes[s].triangleCount; t++)
        {
            if (!first)
                fputc(',', usd->stream);
            PutTuple(usd->stream, &color.r, 3);
            first = false;
        }
    }
}

// --- Frames ----------------------------------------------------------------------------------------------------------

static qvResult StartFrame(const Usd* usd, int index, bool withNormals, Frame* frame, qvError* error)
{
    qvExportFrame any = qvExportTask_Any(usd->task, index);
    const qvMesh* mesh = any.model.mesh;
    bool isSmooth = mesh->normalDomain == qv_domainNone;
    *frame = (Frame){ mesh, any.positions, NULL, isSmooth ? qv_domainVertex : mesh->normalDomain };
    if (!withNormals)
        return qv_ok;
    size_t count = frame->normalDomain == qv_domainVertex ? (size_t)mesh->vertexCount : 3 * (size_t)mesh->triangleCount;
    frame->normals = qvAllocateRaw(count, sizeof(qvVec3f));
    bool* touched = qvAllocateRaw(count, sizeof(bool));
    qvResult result =
        frame->normals != NULL && touched != NULL ? qv_ok : qvError_OutOfMemory(error, 13.0 * (double)count);
    if (result == qv_ok && isSmooth)
        result = qvGltf_SmoothNormals(mesh, any.positions, frame->normals, error);
    else if (result == qv_ok)
        result = qvGltf_RecomputeNormals(mesh, any.positions, frame->normals, touched, error);
    free(touched);
    return result;
}

static bool HasSameTopology(const qvExportTask* task, int frame)
{
    return frame > 0 && qvExportTask_Any(task, frame).model.mesh == qvExportTask_Any(task, frame - 1).model.mesh;
}

// An attribute: one value, or one at every time. `fixed`: of the topology, which is said again only where it changes.
static qvResult PutAttribute(const Usd* usd, const char* declaration, bool fixed, PutFcn* put, qvError* error)
{
    const qvExportTask* task = usd->task;
    bool isSingle = fixed && !usd->changes;
    int count = isSingle ? 1 : task->animation->frameCount;
    fprintf(usd->stream, "        %s%s", declaration, isSingle ? " = [" : ".timeSamples = {\n");
    qvResult result = qv_ok;
    for (int i = 0; result == qv_ok && i < count; i++)
    {
        Frame frame;
        if (fixed && HasSameTopology(task, i))
            continue;
        result = StartFrame(usd, i, put == PutNormals, &frame, error);
        if (!isSingle)
            fprintf(usd->stream, "            %.12g: [", task->times[i] * task->animation->fps);
        if (result == qv_ok)
            put(usd, &frame);
        fputs(isSingle ? "]\n" : "],\n", usd->stream);
        free(frame.normals);
        if (result == qv_ok)
            result = qvJob_Progress(task->options.job, "writing", (i + 1.0) / count, error);
    }
    fputs(isSingle ? "" : "        }\n", usd->stream);
    return result;
}

// --- The file --------------------------------------------------------------------------------------------------------

// Letters, digits and underscores, with a letter first.
static void MakeName(const char* from, char* name, size_t size)
{
    size_t length = 0;
    for (; from[length] != 0 && length + 1 < size; length++)
    {
        char c = from[length];
        bool isLetter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        name[length] = isLetter || (length > 0 && c >= '0' && c <= '9') ? c : '_';
    }
    name[length] = 0;
    if (length == 0)
        snprintf(name, size, "body");
}

static void PutHeader(const Usd* usd, const char* name)
{
    const qvAnimation* animation = usd->task->animation;
    double last = usd->task->times[animation->frameCount - 1] * animation->fps;
    fprintf(usd->stream,
            "#usda 1.0\n(\n    doc = \"Quaver\"\n    defaultPrim = \"%s\"\n    startTimeCode = 0\n"
            "    endTimeCode = %.12g\n    timeCodesPerSecond = %.12g\n    framesPerSecond = %.12g\n"
            "    metersPerUnit = 1\n    upAxis = \"Y\"\n)\n\n",
            name, last, animation->fps, animation->fps);
    fprintf(usd->stream, "def Xform \"%s\"\n{\n    def Mesh \"mesh\"\n    {\n", name);
    fputs("        uniform bool doubleSided = 1\n        uniform token subdivisionScheme = \"none\"\n", usd->stream);
}

static void PutInterpolation(const Usd* usd, const char* attribute, const char* kind)
{
    fprintf(usd->stream, "        %s (\n            interpolation = \"%s\"\n        )\n", attribute, kind);
}

static const char* KindOf(const Usd* usd, qvDomain domain)
{
    return usd->changes || domain == qv_domainCorner ? "faceVarying" : "vertex";
}

static bool HasUvs(const qvExportTask* task)
{
    bool found = false;
    for (int i = 0; i < task->animation->frameCount && !found; i++)
        found = qvExportTask_Any(task, i).model.mesh->uvDomain != qv_domainNone;
    return found;
}

static qvResult PutMesh(const Usd* usd, qvError* error)
{
    const qvMesh* mesh = usd->task->mesh;
    qvDomain normals = mesh->normalDomain == qv_domainNone ? qv_domainVertex : mesh->normalDomain;
    qvResult result = PutAttribute(usd, "float3[] extent", false, PutExtent, error);
    if (result == qv_ok)
        result = PutAttribute(usd, "int[] faceVertexCounts", true, PutCounts, error);
    if (result == qv_ok)
        result = PutAttribute(usd, "int[] faceVertexIndices", true, PutIndices, error);
    if (result == qv_ok)
        result = PutAttribute(usd, "point3f[] points", false, PutPoints, error);
    if (result == qv_ok && usd->task->options.normals)
    {
        PutInterpolation(usd, "normal3f[] normals", KindOf(usd, normals));
        result = PutAttribute(usd, "normal3f[] normals", false, PutNormals, error);
    }
    if (result == qv_ok && HasUvs(usd->task))
    {
        PutInterpolation(usd, "texCoord2f[] primvars:st", KindOf(usd, mesh->uvDomain));
        result = PutAttribute(usd, "texCoord2f[] primvars:st", true, PutUvs, error);
    }
    if (result != qv_ok)
        return result;
    PutInterpolation(usd, "color3f[] primvars:displayColor", "uniform");
    return PutAttribute(usd, "color3f[] primvars:displayColor", true, PutColors, error);
}

// About: numbers of 10 digits, three to a tuple.
static double Estimate(const qvExportTask* task)
{
    double bytes = 600.0;
    for (int i = 0; i < task->animation->frameCount; i++)
    {
        const qvMesh* mesh = qvExportTask_Any(task, i).model.mesh;
        bool atCorners = task->animation->meshes != NULL || mesh->normalDomain == qv_domainCorner;
        bytes += 36.0 * mesh->vertexCount + 120.0;
        if (task->options.normals)
            bytes += 36.0 * (atCorners ? 3.0 * mesh->triangleCount : mesh->vertexCount);
        if (!HasSameTopology(task, i))
            bytes += 48.0 * mesh->triangleCount + (HasUvs(task) ? 26.0 * 3.0 * mesh->triangleCount : 0.0);
    }
    return bytes;
}

static qvResult Write(const qvExportTask* task, qvError* error)
{
    if (task->animation->space != qv_framesWorld)
        return qvError_Set(error, qv_unsupported, "USD files hold world space; write .glb or .gltf for a skin");
    if (task->files == NULL)
    {
        task->report->bytes = Estimate(task);
        return qv_ok;
    }
    Usd usd = { .task = task, .changes = task->animation->meshes != NULL };
    qvResult result = qvFileSet_Add(task->files, task->path, &usd.stream, error);
    if (result != qv_ok)
        return result;
    char name[64];
    MakeName(task->animation->name, name, sizeof(name));
    PutHeader(&usd, name);
    result = PutMesh(&usd, error);
    fputs("    }\n}\n", usd.stream);
    return result;
}

const qvExporter qvExporterUsd = {
    .info = { .tag = "usda", .label = "USD text", .extensions = "usda", .changes = true },
    .write = Write,
};
