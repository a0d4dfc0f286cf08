// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as a STL file: a mesh or one line that says why not.
#include "quaver/model.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    qvModel* model;
    qvError error = { 0 };
    qvResult result = qvLoadModelFromMemory("stl", data, size, "fuzz.stl", NULL, NULL, &model, &error);
    if ((result == qv_ok) != (model != NULL) || result == qv_outOfMemory)
        abort();
    if (result != qv_ok && strncmp(error.message, "fuzz.stl: ", 10) != 0)
        abort();
    qvDestroyModel(model);
    return 0;
}
