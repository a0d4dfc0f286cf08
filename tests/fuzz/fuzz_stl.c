// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as an STL file: a mesh that survives being written and read again, or one line that says why not.
#include "fuzzing.h"

extern const qvFormat qvFormatStl;

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    qvModel* model = FuzzLoad("stl", data, size);
    if (model != NULL)
        FuzzRoundTrip(&qvFormatStl, model, 3 * model->mesh->triangleCount);
    qvDestroyModel(model);
    return 0;
}
