// SPDX-License-Identifier: GPL-3.0-or-later
// Binary glTF. What loads is also posed at two times, and written back with a moved vertex.
#include "formats/gltf.h"
#include "quaver/model.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static void Pose(const qvRig* rig)
{
    void* scratch = malloc(qvRig_ScratchSize(rig));
    qvVec3f* positions = malloc(((size_t)qvRig_VertexCount(rig) + 1) * sizeof(qvVec3f));
    int clip = qvRig_ClipCount(rig) - 1;
    if (scratch != NULL && positions != NULL)
    {
        qvRig_Evaluate(rig, clip, 0.25, scratch, positions);
        qvRig_Evaluate(rig, clip, 1.5, scratch, positions);
    }
    free(scratch);
    free(positions);
}

// Without a file system: the writer only needs a stream and a name.
static void Write(const qvModel* model)
{
    const qvMesh* mesh = model->mesh;
    qvVec3f* positions = malloc((size_t)mesh->vertexCount * sizeof(qvVec3f));
    char* text = NULL;
    size_t length = 0;
    char path[] = "fuzz.glb";
    qvFileWriter writer = { .stream = open_memstream(&text, &length), .path = path };
    qvError error;
    if (positions != NULL && writer.stream != NULL)
    {
        memcpy(positions, mesh->positions, (size_t)mesh->vertexCount * sizeof(qvVec3f));
        positions[mesh->triangles[0].v[0]].x += 1.0f;
        if (qvWriteGltfBack(model, positions, true, &writer, &error) != qv_ok)
            abort();
    }
    if (writer.stream != NULL)
        fclose(writer.stream);
    free(text);
    free(positions);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    qvModel* model;
    qvError error;
    if (qvLoadModelFromMemory("glb", data, size, "fuzz.glb", NULL, NULL, &model, &error) != qv_ok)
        return 0;
    if (model->rig != NULL)
        Pose(model->rig);
    Write(model);
    qvDestroyModel(model);
    return 0;
}
