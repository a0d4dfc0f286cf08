// SPDX-License-Identifier: GPL-3.0-or-later
#include "fuzzing.h"

#include "quaver/animation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

qvModel* FuzzLoad(const char* format, const uint8_t* data, size_t size)
{
    qvModel* model;
    qvError error = { 0 };
    qvLoadOptions options = qvDefaultLoadOptions();
    options.maxSceneBytes = 1 << 20; // large scenes find no more mistakes, and take seconds
    qvResult result = qvLoadModelFromMemory(format, data, size, "fuzz.in", NULL, &options, &model, &error);
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
    static const double times[] = { -1e6, 0.25, 1.5, 1e6 }; // the outer ones are the limits of quaver render
    for (size_t i = 0; scratch != NULL && positions != NULL && i < sizeof(times) / sizeof(times[0]); i++)
        qvRig_Evaluate(rig, clip, times[i], scratch, positions);
    free(scratch);
    free(positions);
}

void FuzzAnimate(const qvModel* model)
{
    enum
    {
        FRAMES = 3
    };
    size_t count = (size_t)model->mesh->vertexCount;
    const double times[FRAMES] = { 0.0, 0.5, 1.0 };
    qvAffine rigid[FRAMES] = { 0 };
    qvVec3f* frames = malloc(FRAMES * count * sizeof(qvVec3f));
    if (frames == NULL)
        return;
    for (size_t i = 0; i < FRAMES * count; i++)
    {
        frames[i] = model->mesh->positions[i % count];
        frames[i].y += (float)(i / count) * 0.25f * (float)(i % 5);
    }
    for (int k = 0; k < FRAMES; k++)
    {
        double c = k == 1 ? 0.6 : 1.0, s = k == 1 ? 0.8 : 0.0;
        rigid[k] = (qvAffine){ .linear = { { c, 0.0, s }, { 0.0, 1.0, 0.0 }, { -s, 0.0, c } } };
    }
    qvAnimation animation = qvDefaultAnimation();
    animation.model = model;
    animation.frameCount = FRAMES;
    animation.times = times;
    animation.frames = frames;
    for (int kind = 0; kind < 6; kind++)
    {
        qvExportOptions options = qvDefaultExportOptions();
        qvExportReport report;
        qvError error = { 0 };
        options.quantize = kind == 1;
        options.compress = kind == 3;
        options.bones = kind == 4 ? 3 : 0;
        animation.rigid = kind == 0 ? rigid : NULL;
        animation.space = kind == 2 ? qv_framesBind : qv_framesWorld;
        animation.clip = model->rig != NULL && qvRig_ClipCount(model->rig) > 0 ? 0 : -1;
        qvResult result = qvEstimateExport(&animation, kind == 5 ? "fuzz.vat" : "fuzz.glb", &options, &report, &error);
        if (result == qv_outOfMemory || (result != qv_ok && error.message[0] == 0))
            abort();
    }
    free(frames);
}
