// SPDX-License-Identifier: GPL-3.0-or-later
// Scenes from text and their takes, for the tests of the pipeline.
#pragma once

#include "testing.h"

#include "quaver/take.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// A small body with three distinct poses.
#define DANCE_KEYS                                                                                         \
    "{\"id\": \"a\", \"time\": 0},"                                                                        \
    "{\"id\": \"b\", \"time\": 0.5, \"strokes\": ["                                                        \
    "  {\"brush\": \"grab\", \"at\": [0, 1.9, 0], \"drag\": [0.4, 0, 0.1], \"radius\": 0.6},"              \
    "  {\"brush\": \"twist\", \"at\": [0, 1, 0], \"axis\": [0, 1, 0], \"angle\": 0.5, \"radius\": 0.8}]}," \
    "{\"id\": \"c\", \"time\": 1.2, \"base\": {\"key\": \"b\"}, \"strokes\": ["                            \
    "  {\"brush\": \"grab\", \"at\": [0, 1.9, 0], \"drag\": [-0.6, 0.1, 0], \"radius\": 0.6, \"scales\": 2}]}"

#define SMALL_BODY  "\"mesh\": {\"primitive\": \"block\", \"resolution\": 5}"
#define FEW_MODES   "\"material\": {\"modes\": 6}"
#define SCENE(more) "{\"quaver\": 1, " SMALL_BODY ", " more "}"
#define DANCE       SCENE(FEW_MODES ", \"keys\": [" DANCE_KEYS "]")

static inline const qvScene* MustParse(const char* text)
{
    qvError error;
    const qvScene* scene;
    ASSERT_OK(qvParseScene(text, strlen(text), "test", &scene, &error), error);
    return scene;
}

static inline qvPipeline* MustPipeline(void)
{
    qvError error;
    qvPipeline* pipeline;
    ASSERT_OK(qvCreatePipeline(NULL, &pipeline, &error), error);
    return pipeline;
}

/// The take of a scene's text; relative files are looked up in tests/data.
static inline qvTake* MustSolve(qvPipeline* pipeline, const char* text)
{
    qvError error;
    qvTake* take;
    const qvScene* scene = MustParse(text);
    ASSERT_OK(qvPipeline_Solve(pipeline, scene, QUAVER_TEST_DATA, NULL, &take, &error), error);
    qvReleaseScene(scene);
    return take;
}

/// The same with a pipeline of its own.
static inline qvTake* SolveAlone(const char* text)
{
    qvPipeline* pipeline = MustPipeline();
    qvTake* take = MustSolve(pipeline, text);
    qvDestroyPipeline(pipeline);
    return take;
}

/// The take that the first clip of a mesh file makes.
static inline qvTake* MustPlay(const char* path)
{
    qvError error;
    const qvSceneMesh mesh = { .file = path };
    const qvBody* body;
    const qvScene* scene;
    qvTake* take;
    qvPipeline* pipeline = MustPipeline();
    ASSERT_OK(qvLoadBody(&mesh, ".", NULL, &body, &error), error);
    qvReleaseBody(qvPipeline_ShareBody(pipeline, body));
    ASSERT_OK(qvCreateClipScene(&mesh, NULL, body->model->rig, &scene, &error), error);
    ASSERT_OK(qvPipeline_Solve(pipeline, scene, ".", NULL, &take, &error), error);
    assert_ptr_equal(qvTake_Body(take), body); // it was not read again
    qvReleaseScene(scene);
    qvReleaseBody(body);
    qvDestroyPipeline(pipeline);
    return take;
}

/// Points at a time, to be freed.
static inline qvVec3f* PointsOf(const qvTake* take, double time, qvTakeLayers layers, qvPool* pool)
{
    qvVec3f* points = calloc((size_t)qvTake_Body(take)->mesh->pointCount, sizeof(*points));
    void* scratch = malloc(qvTake_ScratchSize(take));
    qvTake_Evaluate(take, time, layers, scratch, pool, points);
    free(scratch);
    return points;
}

static inline double Farthest(const qvVec3f* a, const qvVec3f* b, int count)
{
    double largest = 0.0;
    for (int i = 0; i < count; i++)
    {
        double distance = qvDistance(qvVec3_FromFloat(a[i]), qvVec3_FromFloat(b[i]));
        if (!(distance <= largest)) // also when it is no number
            largest = distance;
    }
    return largest;
}

/// The point nearest to a place at rest.
static inline int PointNear(const qvBody* body, qvVec3 at)
{
    int best = 0;
    for (int i = 1; i < body->mesh->pointCount; i++)
    {
        if (qvDistance(qvVec3_FromFloat(body->rest[i]), at) < qvDistance(qvVec3_FromFloat(body->rest[best]), at))
            best = i;
    }
    return best;
}
