// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as an OBJ file: a mesh that survives being written and read again, or one line that says why not.
#include "fuzzing.h"

extern const qvFormat qvFormatObj;

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    qvModel* model = FuzzLoad("obj", data, size);
    if (model != NULL && model->mesh->materialCount == 0) // with materials, a library would go to the disk
        FuzzRoundTrip(&qvFormatObj, model, model->mesh->vertexCount);
    qvDestroyModel(model);
    return 0;
}
