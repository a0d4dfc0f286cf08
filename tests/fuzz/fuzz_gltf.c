// SPDX-License-Identifier: GPL-3.0-or-later
// glTF as text with data URIs. What loads is also posed at two times.
#include "quaver/model.h"

#include <stdint.h>
#include <stdlib.h>

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

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    qvModel* model;
    qvError error;
    if (qvLoadModelFromMemory("gltf", data, size, "fuzz.gltf", NULL, NULL, &model, &error) != qv_ok)
        return 0;
    if (model->rig != NULL)
        Pose(model->rig);
    qvDestroyModel(model);
    return 0;
}
