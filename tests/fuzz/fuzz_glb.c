// SPDX-License-Identifier: GPL-3.0-or-later
// Binary glTF. What loads is also posed at two times, and written back with a moved vertex.
#include "fuzzing.h"

#include "formats/gltf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Without a file system: the writer only needs a stream and a name.
static void Write(const qvModel* model)
{
    const qvMesh* mesh = model->mesh;
    qvVec3f* positions = malloc((size_t)mesh->vertexCount * sizeof(qvVec3f));
    char* text = NULL;
    size_t length = 0;
    char path[] = "fuzz.glb";
    qvFileWriter writer = { .stream = open_memstream(&text, &length), .path = path };
    qvFileSet files = { .count = 1, .capacity = 1, .writers = &writer };
    qvError error;
    if (positions != NULL && writer.stream != NULL)
    {
        memcpy(positions, mesh->positions, (size_t)mesh->vertexCount * sizeof(qvVec3f));
        positions[mesh->triangles[0].v[0]].x += 1.0f;
        if (qvWriteGltfBack(model, positions, true, &files, &error) != qv_ok)
            abort();
    }
    if (writer.stream != NULL)
        fclose(writer.stream);
    free(text);
    free(positions);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    qvModel* model = FuzzLoad("glb", data, size);
    if (model != NULL)
    {
        FuzzPose(model->rig);
        Write(model);
    }
    qvDestroyModel(model);
    return 0;
}
