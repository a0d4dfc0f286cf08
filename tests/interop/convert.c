// SPDX-License-Identifier: GPL-3.0-or-later
// Drives the library for checks against other programs:
//   quaver_convert save IN OUT          reads a model and writes it
//   quaver_convert bend IN OUT          the same with every vertex moved, so that positions and normals are replaced
//   quaver_convert mesh IN              prints vertices and triangles as JSON
//   quaver_convert pose IN CLIP TIME…   prints the vertices at these times as JSON, a list per time
// IN is a file, or shape:TAG for a built-in shape.
#include "quaver/json.h"
#include "quaver/model.h"
#include "quaver/primitive.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int Fail(const char* message)
{
    fprintf(stderr, "%s\n", message);
    return EXIT_FAILURE;
}

static int Print(qvJson* json)
{
    char* text = qvJson_Print(json, false);
    puts(text != NULL ? text : "null");
    qvFreeText(text);
    qvDestroyJson(json);
    return EXIT_SUCCESS;
}

static void AddPositions(qvJson* parent, const char* name, const qvVec3f* positions, int count)
{
    qvJson* list = qvJson_AddArray(parent, name);
    for (int i = 0; i < count; i++)
    {
        const double p[3] = { positions[i].x, positions[i].y, positions[i].z };
        qvJson_AddNumbers(list, NULL, p, 3);
    }
}

// Moves vertices by a smooth field, so that those at one place stay together.
static qvVec3f* Bend(const qvMesh* mesh)
{
    qvVec3f* positions = malloc((size_t)mesh->vertexCount * sizeof(qvVec3f));
    for (int i = 0; positions != NULL && i < mesh->vertexCount; i++)
    {
        qvVec3f p = mesh->positions[i];
        positions[i] = (qvVec3f){ p.x + 0.1f * sinf(p.y), p.y + 0.05f * p.x, p.z - 0.1f * cosf(2.0f * p.x) };
    }
    return positions;
}

static int Save(const qvModel* model, const char* path, bool bend)
{
    qvError error;
    qvVec3f* positions = bend ? Bend(model->mesh) : NULL;
    qvResult result = qvSaveModel(model, positions, path, &error);
    free(positions);
    return result == qv_ok ? EXIT_SUCCESS : Fail(error.message);
}

static int PrintMesh(const qvModel* model)
{
    const qvMesh* mesh = model->mesh;
    qvJson* json = qvCreateJsonObject();
    AddPositions(json, "positions", mesh->positions, mesh->vertexCount);
    qvJson* triangles = qvJson_AddArray(json, "triangles");
    for (int i = 0; i < mesh->triangleCount; i++)
    {
        const double t[3] = { mesh->triangles[i].v[0], mesh->triangles[i].v[1], mesh->triangles[i].v[2] };
        qvJson_AddNumbers(triangles, NULL, t, 3);
    }
    return Print(json);
}

static int PrintPoses(const qvModel* model, int clip, char** times, int timeCount)
{
    if (model->rig == NULL || clip < -1 || clip >= qvRig_ClipCount(model->rig))
        return Fail("no such clip");
    int count = model->mesh->vertexCount;
    void* scratch = malloc(qvRig_ScratchSize(model->rig));
    qvVec3f* positions = malloc((size_t)count * sizeof(qvVec3f));
    qvJson* json = qvCreateJsonArray();
    for (int i = 0; scratch != NULL && positions != NULL && i < timeCount; i++)
    {
        qvRig_Evaluate(model->rig, clip, strtod(times[i], NULL), scratch, positions);
        AddPositions(json, NULL, positions, count);
    }
    free(scratch);
    free(positions);
    return Print(json);
}

static int Run(int argc, char** argv, const qvModel* model)
{
    if (strcmp(argv[1], "mesh") == 0)
        return PrintMesh(model);
    if (strcmp(argv[1], "pose") == 0 && argc > 4)
        return PrintPoses(model, atoi(argv[3]), argv + 4, argc - 4);
    if ((strcmp(argv[1], "save") == 0 || strcmp(argv[1], "bend") == 0) && argc == 4)
        return Save(model, argv[3], strcmp(argv[1], "bend") == 0);
    return Fail("usage: quaver_convert save|bend IN OUT | mesh IN | pose IN CLIP TIME...");
}

static qvResult Load(const char* name, qvModel** model, qvError* error)
{
    if (strncmp(name, "shape:", 6) != 0)
        return qvLoadModel(name, NULL, model, error);
    *model = calloc(1, sizeof(qvModel));
    if (*model == NULL)
        return qvError_OutOfMemory(error, sizeof(qvModel));
    return qvCreatePrimitive(name + 6, 0, &(*model)->mesh, error);
}

int main(int argc, char** argv)
{
    if (argc < 3)
        return Fail("usage: quaver_convert save|bend|mesh|pose IN ...");
    qvError error;
    qvModel* model = NULL;
    if (Load(argv[2], &model, &error) != qv_ok)
        return Fail(error.message);
    int status = Run(argc, argv, model);
    qvDestroyModel(model);
    return status;
}
