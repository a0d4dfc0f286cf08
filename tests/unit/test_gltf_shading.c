// SPDX-License-Identifier: GPL-3.0-or-later
// Saving an edited glTF file: tangents and the normals of morph targets follow the shape.
#include "testing.h"

#include "formats/gltf_builder.h"
#include "quaver/file.h"
#include "quaver/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    SIDE = 4,
    COUNT = SIDE * SIDE
};

// A square in the xy plane with tangents along x, and a target that tilts it: z += x / 2.
static void WriteGrid(const char* path)
{
    float positions[COUNT][3], normals[COUNT][3], tangents[COUNT][4], uvs[COUNT][2], moves[COUNT][3], turns[COUNT][3];
    uint32_t indices[6 * (SIDE - 1) * (SIDE - 1)];
    int n = 0;
    float length = sqrtf(1.25f);
    for (int i = 0; i < COUNT; i++)
    {
        float x = (float)(i % SIDE), y = (float)(i / SIDE);
        memcpy(positions[i], (float[3]){ x, y, 0.0f }, sizeof(positions[i]));
        memcpy(normals[i], (float[3]){ 0.0f, 0.0f, 1.0f }, sizeof(normals[i]));
        memcpy(tangents[i], (float[4]){ 1.0f, 0.0f, 0.0f, -1.0f }, sizeof(tangents[i]));
        memcpy(uvs[i], (float[2]){ x, y }, sizeof(uvs[i]));
        memcpy(moves[i], (float[3]){ 0.0f, 0.0f, 0.5f * x }, sizeof(moves[i]));
        memcpy(turns[i], (float[3]){ -0.5f / length, 0.0f, 1.0f / length - 1.0f }, sizeof(turns[i]));
    }
    for (uint32_t i = 0; i < COUNT - SIDE; i++)
    {
        if (i % SIDE == SIDE - 1)
            continue;
        memcpy(indices + n, (uint32_t[6]){ i, i + 1, i + SIDE + 1, i, i + SIDE + 1, i + SIDE }, 6 * sizeof(uint32_t));
        n += 6;
    }
    qvGltfBuilder builder;
    qvGltfBuilder_Start(&builder, NULL);
    qvJson_AddString(qvJson_AddObject(builder.json, "asset"), "version", "2.0");
    qvJson* primitive = qvJson_AddObject(
        qvJson_AddArray(qvJson_AddObject(qvGltfBuilder_List(&builder, "meshes"), NULL), "primitives"), NULL);
    qvJson* attributes = qvJson_AddObject(primitive, "attributes");
    const int v = QV_GLTF_VERTICES;
    qvJson_AddNumber(attributes, "POSITION", qvGltfBuilder_AddFloats(&builder, positions[0], 3, COUNT, v, true));
    qvJson_AddNumber(attributes, "NORMAL", qvGltfBuilder_AddFloats(&builder, normals[0], 3, COUNT, v, false));
    qvJson_AddNumber(attributes, "TANGENT", qvGltfBuilder_AddFloats(&builder, tangents[0], 4, COUNT, v, false));
    qvJson_AddNumber(attributes, "TEXCOORD_0", qvGltfBuilder_AddFloats(&builder, uvs[0], 2, COUNT, v, false));
    qvJson_AddNumber(primitive, "indices", qvGltfBuilder_AddIndices(&builder, indices, n));
    qvJson* target = qvJson_AddObject(qvJson_AddArray(primitive, "targets"), NULL);
    qvJson_AddNumber(target, "POSITION", qvGltfBuilder_AddFloats(&builder, moves[0], 3, COUNT, v, true));
    qvJson_AddNumber(target, "NORMAL", qvGltfBuilder_AddFloats(&builder, turns[0], 3, COUNT, v, false));
    qvJson* node = qvJson_AddObject(qvGltfBuilder_List(&builder, "nodes"), NULL);
    qvJson_AddNumber(node, "mesh", 0);
    const double scale[3] = { 2.0, 2.0, 2.0 }, turn[4] = { 0.6, 0.0, 0.0, 0.8 };
    qvJson_AddNumbers(node, "scale", scale, 3);
    qvJson_AddNumbers(node, "rotation", turn, 4);
    qvFileSet files = { 0 };
    qvError error;
    ASSERT_OK(qvFileSet_Add(&files, path, NULL, &error), error);
    ASSERT_OK(qvGltfBuilder_Write(&builder, true, &files, &error), error);
    ASSERT_OK(qvFileSet_Commit(&files, &error), error);
    qvGltfBuilder_Finish(&builder);
}

static void ReadFloats(const qvModel* model, const qvJson* object, const char* name, int components, float* out)
{
    qvError error;
    qvGltf unlimited = *model->source;
    unlimited.budget = SIZE_MAX;
    qvGltfAccessor accessor;
    qvArena* arena = qvCreateArena();
    float* values;
    ASSERT_OK(qvGltf_GetAccessor(&unlimited, object, "", name, &accessor, &error), error);
    ASSERT_OK(qvGltf_ReadFloats(&unlimited, arena, &accessor, components, &values, &error), error);
    assert_int_equal(accessor.count, COUNT);
    memcpy(out, values, (size_t)components * COUNT * sizeof(float));
    qvDestroyArena(arena);
}

// The node of the grid: turned about x by the angle with cosine 0.28, sine 0.96, and doubled.
static qvVec3f ToWorld(qvVec3 p)
{
    return (qvVec3f){ (float)(2.0 * p.x), (float)(2.0 * (0.28 * p.y - 0.96 * p.z)),
                      (float)(2.0 * (0.96 * p.y + 0.28 * p.z)) };
}

// Moves the grid by a linear map, given by where x and y go, and compares what is written with the plane's own
// directions.
static void CheckMap(qvVec3 x, qvVec3 y, const char* name)
{
    char path[512], out[512];
    WriteGrid(OutputPath(path, sizeof(path), "shading.glb"));
    qvError error;
    qvModel* model;
    ASSERT_OK(qvLoadModel(path, NULL, &model, &error), error);
    qvVec3f positions[COUNT];
    for (int i = 0; i < COUNT; i++)
        positions[i] = ToWorld(qvAdd(qvScale(i % SIDE, x), qvScale(i / SIDE, y)));
    ASSERT_OK(qvSaveModel(model, positions, OutputPath(out, sizeof(out), name), &error), error);
    qvDestroyModel(model);
    ASSERT_OK(qvLoadModel(out, NULL, &model, &error), error);
    const qvJson* primitive = qvJson_First(qvJson_Find(model->source->meshes.items[0], "primitives"));
    float normals[COUNT][3], tangents[COUNT][4], turns[COUNT][3];
    ReadFloats(model, qvJson_Find(primitive, "attributes"), "NORMAL", 3, normals[0]);
    ReadFloats(model, qvJson_Find(primitive, "attributes"), "TANGENT", 4, tangents[0]);
    ReadFloats(model, qvJson_First(qvJson_Find(primitive, "targets")), "NORMAL", 3, turns[0]);
    qvVec3 normal = qvNormalize(qvCross(x, y)), tangent = qvNormalize(x);
    qvVec3 tilted = qvNormalize(qvCross(qvAdd(x, qvMakeVec3(0.0, 0.0, 0.5)), y));
    for (int i = 0; i < COUNT; i++)
    {
        const double exact[10] = { normal.x,
                                   normal.y,
                                   normal.z,
                                   tangent.x,
                                   tangent.y,
                                   tangent.z,
                                   -1.0,
                                   tilted.x - normal.x,
                                   tilted.y - normal.y,
                                   tilted.z - normal.z };
        const float written[10] = { normals[i][0],  normals[i][1],  normals[i][2], tangents[i][0], tangents[i][1],
                                    tangents[i][2], tangents[i][3], turns[i][0],   turns[i][1],    turns[i][2] };
        for (int k = 0; k < 10; k++)
            ASSERT_NEAR(written[k], exact[k], 2e-6);
    }
    qvDestroyModel(model);
}

static void TestTurned(void** state)
{
    (void)state;
    CheckMap(qvMakeVec3(0.0, 1.0, 0.0), qvMakeVec3(-1.0, 0.0, 0.0), "shading_turned.glb"); // in its own plane
    CheckMap(qvMakeVec3(0.6, 0.0, 0.8), qvMakeVec3(0.0, 1.0, 0.0), "shading_lifted.glb");
}

static void TestSheared(void** state)
{
    (void)state;
    CheckMap(qvMakeVec3(1.5, 0.2, 0.1), qvMakeVec3(0.4, 1.0, -0.3), "shading_sheared.glb");
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(TestTurned), cmocka_unit_test(TestSheared) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
