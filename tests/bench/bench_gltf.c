// SPDX-License-Identifier: GPL-3.0-or-later
// Importing a binary glTF of 100,000 triangles, against making the mesh alone from arrays that are ready; and posing a
// skinned mesh of as many vertices, against blending in doubles vertex by vertex.
#include "bench.h"

#include "math/affine.h"
#include "mesh/rig.h"
#include "quaver/model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    RINGS = 250,
    SIDES = 200,
    VERTICES = RINGS * SIDES,
    TRIANGLES = 2 * VERTICES,
    JOINTS = 32,
};

// In the order of the file's buffer, without gaps.
typedef struct Torus
{
    float positions[VERTICES][3], normals[VERTICES][3], uvs[VERTICES][2];
    uint32_t indices[TRIANGLES][3];
    float weights[VERTICES][4]; // from here on only in the skinned one
    uint16_t joints[VERTICES][4];
} Torus;

typedef struct Input
{
    Torus torus;
    char* file;
    size_t fileSize;
    qvModel* model; // skinned
    void* scratch;
    qvVec3f* posed;
    qvResult result;
    qvError error;
} Input;

static void MakeTorus(Torus* torus)
{
    for (int i = 0; i < VERTICES; i++)
    {
        double u = (double)(i / SIDES) / RINGS, v = (double)(i % SIDES) / SIDES;
        double ring = 6.283185307179586 * u, side = 6.283185307179586 * v;
        const double n[3] = { cos(ring) * cos(side), sin(side), sin(ring) * cos(side) };
        const double centre[3] = { cos(ring), 0.0, sin(ring) };
        for (int k = 0; k < 3; k++)
        {
            torus->normals[i][k] = (float)n[k];
            torus->positions[i][k] = (float)(centre[k] + 0.4 * n[k]);
        }
        torus->uvs[i][0] = (float)u;
        torus->uvs[i][1] = (float)v;
        for (int k = 0; k < 4; k++)
        {
            torus->weights[i][k] = 0.25f;
            torus->joints[i][k] = (uint16_t)((i / 500 + 3 * k) % JOINTS);
        }
    }
    for (int i = 0; i < VERTICES; i++)
    {
        int ring = i / SIDES, side = i % SIDES, nextRing = (ring + 1) % RINGS, nextSide = (side + 1) % SIDES;
        uint32_t a = (uint32_t)i, b = (uint32_t)(nextRing * SIDES + side), c = (uint32_t)(nextRing * SIDES + nextSide),
                 d = (uint32_t)(ring * SIDES + nextSide);
        memcpy(torus->indices[2 * i], (uint32_t[3]){ a, d, c }, sizeof(torus->indices[0]));
        memcpy(torus->indices[2 * i + 1], (uint32_t[3]){ a, c, b }, sizeof(torus->indices[0]));
    }
}

// --- The file

static qvJson* AddAccessor(qvJson* json, size_t* offset, size_t size, int type, const char* shape, int count)
{
    qvJson* view = qvJson_AddObject(qvJson_Find(json, "bufferViews"), NULL);
    qvJson_AddNumber(view, "buffer", 0);
    qvJson_AddNumber(view, "byteOffset", (double)*offset);
    qvJson_AddNumber(view, "byteLength", (double)size);
    *offset += size;
    qvJson* accessors = qvJson_Find(json, "accessors");
    qvJson* accessor = qvJson_AddObject(accessors, NULL);
    qvJson_AddNumber(accessor, "bufferView", qvJson_Count(accessors) - 1);
    qvJson_AddNumber(accessor, "componentType", type);
    qvJson_AddString(accessor, "type", shape);
    qvJson_AddNumber(accessor, "count", count);
    return accessor;
}

static qvJson* MakeJson(bool skinned)
{
    qvJson* json = qvCreateJsonObject();
    qvJson_AddString(qvJson_AddObject(json, "asset"), "version", "2.0");
    qvJson_AddArray(json, "bufferViews");
    qvJson_AddArray(json, "accessors");
    size_t offset = 0;
    AddAccessor(json, &offset, sizeof(float[VERTICES][3]), 5126, "VEC3", VERTICES);
    AddAccessor(json, &offset, sizeof(float[VERTICES][3]), 5126, "VEC3", VERTICES);
    AddAccessor(json, &offset, sizeof(float[VERTICES][2]), 5126, "VEC2", VERTICES);
    AddAccessor(json, &offset, sizeof(uint32_t[TRIANGLES][3]), 5125, "SCALAR", 3 * TRIANGLES);
    if (skinned)
    {
        AddAccessor(json, &offset, sizeof(float[VERTICES][4]), 5126, "VEC4", VERTICES);
        AddAccessor(json, &offset, sizeof(uint16_t[VERTICES][4]), 5123, "VEC4", VERTICES);
    }
    qvJson_AddNumber(qvJson_AddObject(qvJson_AddArray(json, "buffers"), NULL), "byteLength", (double)offset);
    qvJson* mesh = qvJson_AddObject(qvJson_AddArray(json, "meshes"), NULL);
    qvJson* primitive = qvJson_AddObject(qvJson_AddArray(mesh, "primitives"), NULL);
    qvJson* attributes = qvJson_AddObject(primitive, "attributes");
    static const char* const names[] = { "POSITION", "NORMAL", "TEXCOORD_0", "WEIGHTS_0", "JOINTS_0" };
    for (int i = 0; i < (skinned ? 5 : 3); i++)
        qvJson_AddNumber(attributes, names[i], i < 3 ? i : i + 1);
    qvJson_AddNumber(primitive, "indices", 3);
    qvJson* nodes = qvJson_AddArray(json, "nodes");
    qvJson* node = qvJson_AddObject(nodes, NULL);
    qvJson_AddNumber(node, "mesh", 0);
    if (!skinned)
        return json;
    qvJson_AddNumber(node, "skin", 0);
    qvJson* joints = qvJson_AddArray(qvJson_AddObject(qvJson_AddArray(json, "skins"), NULL), "joints");
    for (int i = 0; i < JOINTS; i++)
    {
        const double place[3] = { 0.01 * i, 0.0, 0.0 };
        qvJson_AddNumbers(qvJson_AddObject(nodes, NULL), "translation", place, 3);
        qvJson_AddNumber(joints, NULL, i + 1);
    }
    return json;
}

static bool MakeFile(Input* input, bool skinned)
{
    qvJson* json = MakeJson(skinned);
    char* text = qvJson_Print(json, false);
    qvDestroyJson(json);
    if (text == NULL)
        return false;
    uint32_t length = (uint32_t)strlen(text), padded = (length + 3) / 4 * 4;
    const uint32_t binary = skinned ? sizeof(Torus) : offsetof(Torus, weights);
    free(input->file);
    input->fileSize = 28 + (size_t)padded + binary;
    input->file = malloc(input->fileSize);
    if (input->file != NULL)
    {
        const uint32_t header[5] = { 0x46546c67, 2, (uint32_t)input->fileSize, padded, 0x4e4f534a };
        const uint32_t chunk[2] = { binary, 0x004e4942 };
        memcpy(input->file, header, 20);
        memset(input->file + 20, ' ', padded);
        memcpy(input->file + 20, text, length);
        memcpy(input->file + 20 + padded, chunk, 8);
        memcpy(input->file + 28 + padded, &input->torus, binary);
    }
    qvFreeText(text);
    return input->file != NULL;
}

// --- What is measured

static void Import(void* context)
{
    Input* input = context;
    qvModel* model = NULL;
    input->result =
        qvLoadModelFromMemory("glb", input->file, input->fileSize, "torus", NULL, NULL, &model, &input->error);
    qvDestroyModel(model);
}

static void MakeMesh(void* context)
{
    Input* input = context;
    qvMeshDef def = qvDefaultMeshDef();
    def.vertexCount = VERTICES;
    def.positions = (const qvVec3f*)(const void*)input->torus.positions;
    def.faceCount = TRIANGLES;
    def.corners = (const int32_t*)(const void*)input->torus.indices;
    def.normals = (qvAttributeDef){ .values = input->torus.normals[0], .count = VERTICES };
    def.uvs = (qvAttributeDef){ .values = input->torus.uvs[0], .count = VERTICES };
    qvMesh* mesh = NULL;
    input->result = qvCreateMesh(&def, &mesh, NULL, &input->error);
    qvDestroyMesh(mesh);
}

static void Pose(void* context)
{
    Input* input = context;
    qvRig_Evaluate(input->model->rig, -1, 0.0, input->scratch, input->posed);
}

static void PoseSlowly(void* context)
{
    Input* input = context;
    const qvRig* rig = input->model->rig;
    qvRigState state = qvRig_ComputeState(rig, -1, 0.0, input->scratch);
    for (int i = 0; i < VERTICES; i++)
    {
        qvAffine map = qvRig_VertexMap(rig, &state, &rig->parts[0], i);
        input->posed[i] = qvVec3_ToFloat(qvAffine_Point(&map, qvVec3_FromFloat(rig->geometries[0].positions[i])));
    }
}

static qvResult Measure(Input* input, qvBenchSink* sink, qvError* error)
{
    MakeTorus(&input->torus);
    if (!MakeFile(input, false))
        return qvError_OutOfMemory(error, (double)input->fileSize);
    double import = qvBench_Time(Import, input, 5), mesh = qvBench_Time(MakeMesh, input, 5);
    if (input->result != qv_ok)
        return qvError_Set(error, input->result, "%s", input->error.message);
    qvBench_Add(sink, "import 100k triangles", 1e3 * import, "ms", 1e3 * mesh);
    if (!MakeFile(input, true))
        return qvError_OutOfMemory(error, (double)input->fileSize);
    qvResult result =
        qvLoadModelFromMemory("glb", input->file, input->fileSize, "torus", NULL, NULL, &input->model, error);
    if (result != qv_ok)
        return result;
    input->scratch = malloc(qvRig_ScratchSize(input->model->rig));
    input->posed = malloc(VERTICES * sizeof(qvVec3f));
    if (input->scratch == NULL || input->posed == NULL)
        return qvError_OutOfMemory(error, VERTICES * sizeof(qvVec3f));
    double pose = qvBench_Time(Pose, input, 5), slow = qvBench_Time(PoseSlowly, input, 5);
    qvBench_Add(sink, "pose 50k skinned vertices", 1e3 * pose, "ms", 1e3 * slow);
    return qv_ok;
}

static qvResult Run(qvBenchSink* sink, qvError* error)
{
    Input* input = calloc(1, sizeof(Input));
    if (input == NULL)
        return qvError_OutOfMemory(error, sizeof(Input));
    qvResult result = Measure(input, sink, error);
    qvDestroyModel(input->model);
    free(input->scratch);
    free(input->posed);
    free(input->file);
    free(input);
    return result;
}

const qvBench qvBenchGltf = {
    "gltf", "glTF import and skinning", Run,
    "for import making the mesh alone from arrays that are ready; for poses blending in doubles, vertex by "
    "vertex on a single thread",
    "with the bytes of the file, and with the vertices"
};
