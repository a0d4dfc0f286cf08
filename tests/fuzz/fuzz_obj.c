// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as a OBJ file: a mesh that survives being written and read again, or one line that says why not.
#include "formats/format.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const qvFormat qvFormatObj;

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static void CheckRoundTrip(const qvModel* model)
{
    if (model->mesh->materialCount > 0)
        return; // a library would go to the disk
    char* text = NULL;
    size_t length = 0;
    qvFileWriter writer = { .stream = open_memstream(&text, &length), .path = (char[]){ "fuzz.obj" } };
    qvError error;
    qvResult result = qvFormatObj.write(model, model->mesh->positions, &writer, &error);
    fclose(writer.stream);
    qvModel* again = NULL;
    if (result != qv_ok || qvLoadModelFromMemory("obj", text, length, "again", NULL, NULL, &again, &error) != qv_ok)
        abort();
    if (again->mesh->vertexCount != model->mesh->vertexCount)
        abort();
    qvDestroyModel(again);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    qvModel* model;
    qvError error = { 0 };
    qvResult result = qvLoadModelFromMemory("obj", data, size, "fuzz.obj", NULL, NULL, &model, &error);
    if ((result == qv_ok) != (model != NULL) || result == qv_outOfMemory)
        abort();
    if (result != qv_ok && strncmp(error.message, "fuzz.obj: ", 10) != 0)
        abort();
    if (result == qv_ok)
        CheckRoundTrip(model);
    qvDestroyModel(model);
    return 0;
}
