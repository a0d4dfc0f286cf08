// SPDX-License-Identifier: GPL-3.0-or-later
#include "fuzzing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

qvModel* FuzzLoad(const char* format, const uint8_t* data, size_t size)
{
    qvModel* model;
    qvError error = { 0 };
    qvResult result = qvLoadModelFromMemory(format, data, size, "fuzz.in", NULL, NULL, &model, &error);
    if ((result == qv_ok) != (model != NULL) || result == qv_outOfMemory)
        abort();
    if (result != qv_ok && (strncmp(error.message, "fuzz.in: ", 9) != 0 || strchr(error.message, '\n') != NULL))
        abort();
    return model;
}

void FuzzRoundTrip(const qvFormat* format, const qvModel* model, int vertexCount)
{
    char* text = NULL;
    size_t length = 0;
    qvFileWriter writer = { .stream = open_memstream(&text, &length), .path = (char[]){ "fuzz.out" } };
    qvFileSet files = { .count = 1, .capacity = 1, .writers = &writer };
    qvError error;
    qvResult result = format->write(model, model->mesh->positions, &files, &error);
    fclose(writer.stream);
    qvModel* again = NULL;
    if (result != qv_ok ||
        qvLoadModelFromMemory(format->info.tag, text, length, "again", NULL, NULL, &again, &error) != qv_ok)
        abort();
    if (again->mesh->vertexCount != vertexCount)
        abort();
    qvDestroyModel(again);
    free(text);
}

void FuzzPose(const qvRig* rig)
{
    if (rig == NULL)
        return;
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
