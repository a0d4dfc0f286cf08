// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as a PLY file: a mesh that survives being written and read again, or one line that says why not.
#include "formats/format.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const qvFormat qvFormatPly;

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static void CheckRoundTrip(const qvModel* model)
{
    char* text = NULL;
    size_t length = 0;
    qvFileWriter writer = { .stream = open_memstream(&text, &length), .path = (char[]){ "fuzz.ply" } };
    qvError error;
    qvResult result = qvFormatPly.write(model, model->mesh->positions, &writer, &error);
    fclose(writer.stream);
    qvModel* again = NULL;
    if (result != qv_ok || qvLoadModelFromMemory("ply", text, length, "again", NULL, NULL, &again, &error) != qv_ok)
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
    qvResult result = qvLoadModelFromMemory("ply", data, size, "fuzz.ply", NULL, NULL, &model, &error);
    if ((result == qv_ok) != (model != NULL) || result == qv_outOfMemory)
        abort();
    if (result != qv_ok && strncmp(error.message, "fuzz.ply: ", 10) != 0)
        abort();
    if (result == qv_ok)
        CheckRoundTrip(model);
    qvDestroyModel(model);
    return 0;
}
