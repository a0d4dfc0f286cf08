// SPDX-License-Identifier: GPL-3.0-or-later
// Importing a torus of 100,000 triangles, from bytes to a finished mesh, against the reader that one writes first:
// sscanf for text and fread per number for binary data, which fills arrays and makes no mesh.
#include "bench.h"

#include "quaver/model.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    RINGS = 250,
    SIDES = 200,
    VERTICES = RINGS * SIDES,
    TRIANGLES = 2 * VERTICES,
};

typedef struct Input
{
    const char* format;
    char* bytes;
    size_t size, capacity;
    qvVec3f positions[VERTICES];
    qvTriangle triangles[TRIANGLES];
    qvResult result;
    qvError error;
    double sum; // keeps the baseline alive
} Input;

static void Put(Input* input, const void* bytes, size_t size)
{
    if (input->size + size > input->capacity)
    {
        input->capacity = 2 * (input->size + size);
        char* grown = realloc(input->bytes, input->capacity);
        if (grown == NULL)
            abort();
        input->bytes = grown;
    }
    memcpy(input->bytes + input->size, bytes, size);
    input->size += size;
}

static void Print(Input* input, const char* format, ...) QV_PRINTF(2, 3);
static void Print(Input* input, const char* format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    int length = vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    Put(input, text, (size_t)length);
}

static qvVec3f TorusNormal(int vertex)
{
    double ring = 6.283185307179586 * (vertex / SIDES) / RINGS, side = 6.283185307179586 * (vertex % SIDES) / SIDES;
    return (qvVec3f){ (float)(cos(ring) * cos(side)), (float)sin(side), (float)(sin(ring) * cos(side)) };
}

static qvVec3f TorusPosition(int vertex)
{
    double ring = 6.283185307179586 * (vertex / SIDES) / RINGS;
    qvVec3f normal = TorusNormal(vertex);
    return (qvVec3f){ (float)(cos(ring) + 0.4 * normal.x), 0.4f * normal.y, (float)(sin(ring) + 0.4 * normal.z) };
}

static qvTriangle TorusTriangle(int triangle)
{
    int ring = triangle / 2 / SIDES, side = triangle / 2 % SIDES;
    int nextRing = (ring + 1) % RINGS, nextSide = (side + 1) % SIDES;
    int a = ring * SIDES + side, b = nextRing * SIDES + side, c = nextRing * SIDES + nextSide,
        d = ring * SIDES + nextSide;
    return triangle % 2 == 0 ? (qvTriangle){ { a, d, c } } : (qvTriangle){ { a, c, b } };
}

static void MakeObj(Input* input)
{
    for (int i = 0; i < VERTICES; i++)
    {
        qvVec3f p = TorusPosition(i), n = TorusNormal(i);
        Print(input, "v %.6f %.6f %.6f\n", p.x, p.y, p.z);
        Print(input, "vt %.6f %.6f\n", (double)(i / SIDES) / RINGS, (double)(i % SIDES) / SIDES);
        Print(input, "vn %.4f %.4f %.4f\n", n.x, n.y, n.z);
    }
    for (int i = 0; i < TRIANGLES; i++)
    {
        qvTriangle t = TorusTriangle(i);
        Print(input, "f");
        for (int k = 0; k < 3; k++)
            Print(input, " %d/%d/%d", t.v[k] + 1, t.v[k] + 1, t.v[k] + 1);
        Print(input, "\n");
    }
}

static void PrintPlyHeader(Input* input, const char* encoding)
{
    Print(input,
          "ply\nformat %s 1.0\nelement vertex %d\nproperty float x\nproperty float y\nproperty float z\n"
          "element face %d\nproperty list uchar int vertex_indices\nend_header\n",
          encoding, VERTICES, TRIANGLES);
}

static void MakePlyText(Input* input)
{
    PrintPlyHeader(input, "ascii");
    for (int i = 0; i < VERTICES; i++)
    {
        qvVec3f p = TorusPosition(i);
        Print(input, "%.6f %.6f %.6f\n", p.x, p.y, p.z);
    }
    for (int i = 0; i < TRIANGLES; i++)
    {
        qvTriangle t = TorusTriangle(i);
        Print(input, "3 %d %d %d\n", t.v[0], t.v[1], t.v[2]);
    }
}

static void MakePlyBinary(Input* input)
{
    PrintPlyHeader(input, "binary_little_endian");
    for (int i = 0; i < VERTICES; i++)
    {
        qvVec3f p = TorusPosition(i);
        Put(input, &p, sizeof(p));
    }
    for (int i = 0; i < TRIANGLES; i++)
    {
        qvTriangle t = TorusTriangle(i);
        Put(input, "\3", 1);
        Put(input, &t, sizeof(t));
    }
}

static void MakeStlText(Input* input)
{
    Print(input, "solid torus\n");
    for (int i = 0; i < TRIANGLES; i++)
    {
        qvTriangle t = TorusTriangle(i);
        Print(input, "  facet normal 0 0 0\n    outer loop\n");
        for (int k = 0; k < 3; k++)
        {
            qvVec3f p = TorusPosition(t.v[k]);
            Print(input, "      vertex %.6f %.6f %.6f\n", p.x, p.y, p.z);
        }
        Print(input, "    endloop\n  endfacet\n");
    }
    Print(input, "endsolid torus\n");
}

static void MakeStlBinary(Input* input)
{
    char header[80] = "torus";
    uint32_t count = TRIANGLES;
    Put(input, header, sizeof(header));
    Put(input, &count, sizeof(count));
    for (int i = 0; i < TRIANGLES; i++)
    {
        qvTriangle t = TorusTriangle(i);
        char facet[50] = { 0 };
        for (int k = 0; k < 3; k++)
        {
            qvVec3f p = TorusPosition(t.v[k]);
            memcpy(facet + 12 * (1 + k), &p, sizeof(p));
        }
        Put(input, facet, sizeof(facet));
    }
}

static void Ours(void* context)
{
    Input* input = context;
    qvModel* model;
    qvResult result =
        qvLoadModelFromMemory(input->format, input->bytes, input->size, "torus", NULL, NULL, &model, &input->error);
    input->result = result != qv_ok ? result : input->result;
    qvDestroyModel(model);
}

// Calls take for every line with a copy that ends in a zero byte.
static void ForEachLine(Input* input, void (*take)(Input* input, const char* line, float* floats, int* ints))
{
    float floats[3] = { 0 };
    int ints[9] = { 0 };
    char line[256];
    for (const char *at = input->bytes, *end = at + input->size; at < end;)
    {
        const char* stop = memchr(at, '\n', (size_t)(end - at));
        size_t length = stop != NULL ? (size_t)(stop - at) : (size_t)(end - at);
        length = length < sizeof(line) ? length : sizeof(line) - 1;
        memcpy(line, at, length);
        line[length] = 0;
        take(input, line, floats, ints);
        at += length + 1;
    }
}

static void TakeObjLine(Input* input, const char* line, float* f, int* n)
{
    if (sscanf(line, "v %f %f %f", &f[0], &f[1], &f[2]) == 3 || sscanf(line, "vt %f %f", &f[0], &f[1]) == 2 ||
        sscanf(line, "vn %f %f %f", &f[0], &f[1], &f[2]) == 3 ||
        sscanf(line, "f %d/%d/%d %d/%d/%d %d/%d/%d", &n[0], &n[1], &n[2], &n[3], &n[4], &n[5], &n[6], &n[7], &n[8]) ==
            9)
        input->sum += (double)f[0] + n[0];
}

static void TakePlyLine(Input* input, const char* line, float* f, int* n)
{
    if (sscanf(line, "3 %d %d %d", &n[0], &n[1], &n[2]) == 3 || sscanf(line, "%f %f %f", &f[0], &f[1], &f[2]) == 3)
        input->sum += (double)f[0] + n[0];
}

static void TakeStlLine(Input* input, const char* line, float* f, int* n)
{
    if (sscanf(line, " vertex %f %f %f", &f[0], &f[1], &f[2]) == 3)
        input->sum += (double)f[0] + n[0];
}

// What both ways end with. A file of facets has three vertices for each; the others share them.
static void CreateTorus(Input* input)
{
    bool isSoup = strcmp(input->format, "stl") == 0;
    int vertexCount = isSoup ? 3 * TRIANGLES : VERTICES;
    qvVec3f* positions = malloc((size_t)vertexCount * sizeof(*positions));
    qvTriangle* triangles = malloc(TRIANGLES * sizeof(*triangles));
    if (positions == NULL || triangles == NULL)
        abort();
    for (int i = 0; i < TRIANGLES; i++)
        triangles[i] = isSoup ? (qvTriangle){ { 3 * i, 3 * i + 1, 3 * i + 2 } } : input->triangles[i];
    for (int i = 0; i < vertexCount; i++)
        positions[i] = input->positions[isSoup ? input->triangles[i / 3].v[i % 3] : i];
    qvMeshDef def = qvDefaultMeshDef();
    def.vertexCount = vertexCount;
    def.positions = positions;
    def.faceCount = TRIANGLES;
    def.corners = triangles->v;
    qvMesh* mesh;
    qvResult result = qvCreateMesh(&def, &mesh, NULL, &input->error);
    input->result = result != qv_ok ? result : input->result;
    qvDestroyMesh(mesh);
    free(positions);
    free(triangles);
}

static void ScanObj(void* context)
{
    ForEachLine(context, TakeObjLine);
    CreateTorus(context);
}

static void ScanPly(void* context)
{
    ForEachLine(context, TakePlyLine);
    CreateTorus(context);
}

static void ScanStl(void* context)
{
    ForEachLine(context, TakeStlLine);
    CreateTorus(context);
}

static void ReadNumbers(void* context)
{
    Input* input = context;
    FILE* stream = fmemopen(input->bytes, input->size, "rb");
    float number;
    while (stream != NULL && fread(&number, sizeof(number), 1, stream) == 1)
        input->sum += number == 0.5f;
    if (stream != NULL)
        fclose(stream);
    CreateTorus(input);
}

static void FillTorus(Input* input)
{
    for (int i = 0; i < VERTICES; i++)
        input->positions[i] = TorusPosition(i);
    for (int i = 0; i < TRIANGLES; i++)
        input->triangles[i] = TorusTriangle(i);
}

typedef struct Case
{
    const char *name, *format;
    void (*make)(Input* input);
    void (*baseline)(void* context);
} Case;

static qvResult RunCase(const Case* it, qvBenchSink* sink, qvError* error)
{
    Input* input = calloc(1, sizeof(*input));
    if (input == NULL)
        return qvError_OutOfMemory(error, sizeof(*input));
    input->format = it->format;
    FillTorus(input);
    it->make(input);
    double ours = 1e3 * qvBench_Time(Ours, input, 5);
    double baseline = 1e3 * qvBench_Time(it->baseline, input, 3);
    qvResult result = input->result;
    if (result == qv_ok)
        qvBench_Add(sink, it->name, ours, "ms", baseline);
    else
        qvError_Set(error, result, "%s", input->error.message);
    free(input->bytes);
    free(input);
    return result;
}

static qvResult Run(qvBenchSink* sink, qvError* error)
{
    static const Case cases[] = {
        { "obj/100k", "obj", MakeObj, ScanObj },
        { "ply_ascii/100k", "ply", MakePlyText, ScanPly },
        { "ply_binary/100k", "ply", MakePlyBinary, ReadNumbers },
        { "stl_ascii/100k", "stl", MakeStlText, ScanStl },
        { "stl_binary/100k", "stl", MakeStlBinary, ReadNumbers },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
    {
        qvResult result = RunCase(&cases[i], sink, error);
        if (result != qv_ok)
            return result;
    }
    return qv_ok;
}

const qvBench qvBenchImport = { "import", "reading OBJ, PLY and STL against sscanf and fread", Run,
                                "sscanf and fread per number into arrays, without making a mesh",
                                "with the bytes of the file" };
