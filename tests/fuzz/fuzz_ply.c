// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as a PLY file: a mesh that survives being written and read again, or one line that says why not.
#include "fuzzing.h"

extern const qvFormat qvFormatPly;

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    qvModel* model = FuzzLoad("ply", data, size);
    if (model != NULL)
        FuzzRoundTrip(&qvFormatPly, model, model->mesh->vertexCount);
    qvDestroyModel(model);
    return 0;
}
