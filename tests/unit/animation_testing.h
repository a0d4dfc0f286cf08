// SPDX-License-Identifier: GPL-3.0-or-later
// Exports of a motion in closed form, read back with our own reader and rig.
#pragma once

#include "testing.h"

#include "bending_motion.h"
#include "formats/gltf_fresh.h"
#include "mesh/rig.h"
#include "quaver/animation.h"
#include "quaver/primitive.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    TEST_FRAMES = 25
};

typedef struct Sample
{
    qvMesh* mesh;
    qvBendingMotion motion;
    qvAnimation animation;
} Sample;

static inline Sample MakeSample(qvBendingKind kind)
{
    Sample sample;
    qvError error;
    ASSERT_OK(qvCreatePrimitive("sack", 4, &sample.mesh, &error), error);
    assert_true(qvCreateBendingMotion(sample.mesh, kind, TEST_FRAMES, 2.0, &sample.motion));
    sample.animation = qvBendingMotion_Animation(&sample.motion);
    return sample;
}

static inline void FreeSample(Sample* sample)
{
    qvDestroyBendingMotion(&sample->motion);
    qvDestroyMesh(sample->mesh);
}

static inline qvModel* LoadFile(const char* path)
{
    qvError error;
    qvModel* model;
    ASSERT_OK(qvLoadModel(path, NULL, &model, &error), error);
    return model;
}

/// Exports below the output folder and reads back. path receives where.
static inline qvModel* ExportAndLoad(const qvAnimation* animation, const qvExportOptions* options, const char* name,
                                     char path[512], qvExportReport* report)
{
    qvError error;
    OutputPath(path, 512, name);
    ASSERT_OK(qvExportAnimation(animation, path, options, report, &error), error);
    return LoadFile(path);
}

/// The vertex of the mesh that each vertex of a new document stands for. free() it.
static inline int* FindSources(const qvMesh* mesh, int count)
{
    // The exporter gives normals to a mesh without; they split nothing.
    qvGltfFresh fresh;
    qvError error;
    ASSERT_OK(qvGltfFresh_Start(&fresh, mesh, mesh->positions, &error), error);
    assert_int_equal(fresh.split.count, count);
    int* sources = malloc((size_t)count * sizeof(int));
    assert_non_null(sources);
    memcpy(sources, fresh.split.source, (size_t)count * sizeof(int));
    qvGltfFresh_Free(&fresh);
    return sources;
}

/// The same for a document whose vertices may come in any order: those that are nearest at rest. free() it.
static inline int* FindNearest(const qvMesh* mesh, const qvModel* model)
{
    int* sources = malloc((size_t)model->mesh->vertexCount * sizeof(int));
    assert_non_null(sources);
    for (int i = 0; i < model->mesh->vertexCount; i++)
    {
        double least = INFINITY;
        for (int v = 0; v < mesh->vertexCount; v++)
        {
            double distance =
                qvDistance(qvVec3_FromFloat(model->mesh->positions[i]), qvVec3_FromFloat(mesh->positions[v]));
            sources[i] = distance < least ? v : sources[i];
            least = fmin(least, distance);
        }
    }
    return sources;
}

/// Largest distance of a clip's vertices at a time from positions of the mesh.
static inline double CompareAt(const qvModel* model, int clip, double time, const int* sources,
                               const qvVec3f* positions)
{
    const qvRig* rig = model->rig;
    void* scratch = malloc(qvRig_ScratchSize(rig));
    qvVec3f* shown = malloc((size_t)rig->vertexCount * sizeof(qvVec3f));
    assert_true(scratch != NULL && shown != NULL);
    qvRig_Evaluate(rig, clip, time, scratch, shown);
    double worst = 0.0;
    for (int i = 0; i < rig->vertexCount; i++)
    {
        qvVec3f p = positions[sources != NULL ? sources[i] : i];
        worst = fmax(worst, qvDistance(qvVec3_FromFloat(shown[i]), qvVec3_FromFloat(p)));
    }
    free(scratch);
    free(shown);
    return worst;
}

/// The largest error over all samples, which must be what the report says.
static inline double CheckSamples(const Sample* sample, const qvModel* model, const qvExportReport* report)
{
    assert_non_null(model->rig);
    assert_int_equal(qvRig_ClipCount(model->rig), 1);
    assert_string_equal(qvRig_ClipName(model->rig, 0), "bend");
    ASSERT_NEAR(qvRig_ClipDuration(model->rig, 0), 2.0, 1e-6);
    int* sources = FindNearest(sample->mesh, model);
    double worst = 0.0;
    for (int k = 0; k < TEST_FRAMES; k++)
    {
        const qvVec3f* frame = sample->animation.frames + (size_t)k * (size_t)sample->mesh->vertexCount;
        worst = fmax(worst, CompareAt(model, 0, sample->animation.times[k], sources, frame));
    }
    free(sources);
    double rounding = 2e-6 * report->diagonal;
    if (!(worst <= report->maxError + rounding && worst >= report->maxError - rounding))
        fail_msg("decoded error %g, reported %g", worst, report->maxError);
    return worst;
}

/// The weights channel of the first clip.
static inline const qvRigChannel* FindWeights(const qvModel* model)
{
    assert_non_null(model->rig);
    const qvRigClip* clip = &model->rig->clips[0];
    for (int i = 0; i < clip->channelCount; i++)
    {
        if (clip->channels[i].path == qv_rigWeights)
            return &clip->channels[i];
    }
    fail_msg("the clip has no weights");
    return NULL;
}
