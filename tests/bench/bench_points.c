// SPDX-License-Identifier: GPL-3.0-or-later
// Bodies of phyxels: a step of an elastic ball, against the plain code of cloud.h, which scatters the forces of each
// phyxel to its neighbours as the paper does; the passes of a step in float, against double; making lists and moments
// anew; clips of 4 s; carrying a surface; and the surface of a ball torn in two. All in time of the processor. Beside
// frames of the paper's sizes stands its own table 1, from a Pentium 4 of 2.8 GHz.
#include "bench.h"

#include "base/assert.h"
#include "base/memory.h"
#include "phyxel/calibrate.h"
#include "phyxel/cloud.h"
#include "phyxel/engine.h"
#include "phyxel/flow_surface.h"
#include "phyxel/sample.h"
#include "phyxel/surface.h"
#include "quaver/primitive.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const int sizes[] = { 200, 400, 1000, 5000, 20000 };

enum
{
    SIZES = sizeof(sizes) / sizeof(sizes[0])
};

static const double noMelt[1][2] = { { 0.0, 0.0 } };
static const double melt[1][2] = { { 0.0, 0.5 } };

typedef struct Ball
{
    qvMesh* mesh;
    qvVec3* vertices;
    qvPhyxelBody* body;
    qvPhyxelTerms terms;
    qvObstacles* obstacles;
    qvPhyxelScene scene;
    qvPhyxelState* state;
    double step;
    qvError* error;
    qvResult result;

    // The plain code's.
    qvCloud cloud;
    qvPhyxelMaterial material;
    double* radii;
    qvVec3 *u, *v, *forces;
    qvMat3* gradients;
    qvPhyxelReference reference;

    // The passes'.
    float (*field)[4], (*inverse)[8], (*pair)[4], (*metric)[8], (*share)[2], (*j)[3][4], (*h)[3][4], (*sums)[4], *c;
    double (*fieldD)[4], (*metricD)[8], (*shareD)[2], (*jD)[3][4], (*hD)[3][4], (*sumsD)[4], *cD;
} Ball;

static qvResult MakeBall(Ball* ball, int count, qvError* error)
{
    *ball = (Ball){ .error = error };
    qvResult result = qvCreatePrimitive("sphere", 48, &ball->mesh, error);
    if (result != qv_ok)
        return result;
    ball->vertices = qvAllocate((size_t)ball->mesh->pointCount, sizeof(qvVec3));
    QV_ASSERT(ball->vertices != NULL);
    for (int i = 0; i < ball->mesh->pointCount; i++)
        ball->vertices[i] = qvScale(0.5, qvVec3_FromFloat(ball->mesh->positions[ball->mesh->pointVertex[i]]));
    qvPhyxelSampling sampling = { .pointCount = ball->mesh->pointCount,
                                  .points = ball->vertices,
                                  .triangleCount = ball->mesh->triangleCount,
                                  .triangles = ball->mesh->pointTriangles,
                                  .count = count,
                                  .density = 1000.0 };
    result = qvSamplePhyxelBody(&sampling, NULL, &ball->body, error);
    ball->terms = qvDefaultPhyxelTerms();
    ball->terms.youngPerHz2 = 5e3; // about, of a ball of one metre
    ball->terms.melt = (qvCurve){ noMelt, 1 };
    qvObstacleDef ground = qvDefaultObstacleDef();
    ground.shape = qv_shapeGround;
    ground.at = qvMakeVec3(0.0, -0.3, 0.0);
    if (result == qv_ok)
        result = qvCreateObstacles(&ground, 1, NULL, NULL, &ball->obstacles, error);
    ball->scene = (qvPhyxelScene){ .terms = &ball->terms, .obstacles = ball->obstacles };
    return result;
}

static void FreeBall(Ball* ball)
{
    void* arrays[] = { ball->vertices, ball->radii,   ball->u,     ball->v,      ball->forces,  ball->gradients,
                       ball->field,    ball->inverse, ball->pair,  ball->metric, ball->share,   ball->j,
                       ball->h,        ball->sums,    ball->c,     ball->fieldD, ball->metricD, ball->shareD,
                       ball->jD,       ball->hD,      ball->sumsD, ball->cD };
    for (size_t k = 0; k < sizeof(arrays) / sizeof(arrays[0]); k++)
        free(arrays[k]);
    qvCloud_Free(&ball->cloud);
    qvPhyxelReference_Free(&ball->reference);
    qvDestroyPhyxelState(ball->state);
    qvDestroyPhyxelBody(ball->body);
    qvDestroyObstacles(ball->obstacles);
    qvDestroyMesh(ball->mesh);
}

// --- Steps -----------------------------------------------------------------------------------------------------------

static void StepOnce(void* context)
{
    Ball* ball = context;
    qvResult result = qvPhyxelState_Advance(ball->state, &ball->scene, ball->step, NULL, ball->error);
    if (result != qv_ok)
        ball->result = result;
}

static void StepPlainly(void* context)
{
    Ball* ball = context;
    qvCloud_Deformation(&ball->cloud, ball->u, ball->gradients);
    qvCloud_Forces(&ball->cloud, &ball->material, NULL, ball->u, ball->gradients, ball->forces);
    for (int i = 0; i < ball->body->count; i++)
    {
        ball->v[i] = qvMulAdd(ball->v[i], ball->step / ball->body->masses[i], ball->forces[i]);
        ball->v[i] = qvMulAdd(ball->v[i], ball->step, ball->terms.gravity);
        ball->u[i] = qvMulAdd(ball->u[i], ball->step, ball->v[i]);
    }
}

static void Rebuild(void* context)
{
    Ball* ball = context;
    qvResult result = qvPhyxelReference_Build(&ball->reference, ball->body->count, ball->body->points, NULL,
                                              ball->body->radius, ball->body->volumes, ball->error);
    if (result != qv_ok)
        ball->result = result;
}

static qvResult MakePlain(Ball* ball, qvError* error)
{
    size_t n = (size_t)ball->body->count;
    qvPhyxelMatter matter = qvPhyxelTerms_At(&ball->terms, 0.0);
    ball->material = qvMakePhyxelMaterial(qv_phyxelSnh, matter.young, ball->terms.poisson, 0.0, 0.3);
    ball->step = qvPhyxelBody_StableStep(ball->body, &matter);
    ball->radii = qvAllocate(n, sizeof(double));
    ball->u = qvAllocate(n, sizeof(qvVec3));
    ball->v = qvAllocate(n, sizeof(qvVec3));
    ball->forces = qvAllocate(n, sizeof(qvVec3));
    ball->gradients = qvAllocate(n, sizeof(qvMat3));
    QV_ASSERT(ball->radii != NULL && ball->u != NULL && ball->v != NULL && ball->forces != NULL &&
              ball->gradients != NULL);
    for (size_t i = 0; i < n; i++)
        ball->radii[i] = ball->body->radius;
    qvResult result = qvCloud_Init(&ball->cloud, ball->body->count, ball->body->points, ball->radii, ball->body->masses,
                                   ball->body->volumes, error);
    return result == qv_ok ? qvCreatePhyxelState(ball->body, NULL, NULL, &ball->state, error) : result;
}

// --- The passes in float ---------------------------------------------------------------------------------------------

static void MakePasses(Ball* ball)
{
    const qvPhyxelReference* r = &ball->body->reference;
    size_t n = (size_t)ball->body->count, pairs = (size_t)r->near.start[n];
    struct
    {
        void** array;
        size_t size;
    } arrays[] = { { (void**)&ball->field, 16 },   { (void**)&ball->inverse, 32 }, { (void**)&ball->metric, 32 },
                   { (void**)&ball->share, 8 },    { (void**)&ball->j, 48 },       { (void**)&ball->h, 48 },
                   { (void**)&ball->sums, 16 },    { (void**)&ball->c, 4 },        { (void**)&ball->fieldD, 32 },
                   { (void**)&ball->metricD, 64 }, { (void**)&ball->shareD, 16 },  { (void**)&ball->jD, 96 },
                   { (void**)&ball->hD, 96 },      { (void**)&ball->sumsD, 32 },   { (void**)&ball->cD, 8 } };
    for (size_t k = 0; k < sizeof(arrays) / sizeof(arrays[0]); k++)
    {
        *arrays[k].array = qvAllocate(n, arrays[k].size);
        QV_ASSERT(*arrays[k].array != NULL);
    }
    ball->pair = qvAllocate(pairs, sizeof(*ball->pair));
    QV_ASSERT(ball->pair != NULL);
    for (size_t k = 0; k < 4 * pairs; k++)
        ball->pair[k / 4][k % 4] = (float)r->pair[k / 4][k % 4];
    for (size_t i = 0; i < n; i++)
    {
        qvVec3 x = ball->body->points[i];
        memcpy(ball->fieldD[i], (double[4]){ 1.1 * x.x, x.y, x.z }, sizeof(*ball->fieldD));
        memcpy(ball->metricD[i], (double[8]){ 1.0, 0.0, 0.0, 1.0, 0.0, 1.0, 1.0 }, sizeof(*ball->metricD));
        memcpy(ball->shareD[i], (double[2]){ ball->body->volumes[i], r->fitShare[i] }, sizeof(*ball->shareD));
        for (int k = 0; k < 8; k++)
        {
            ball->field[i][k % 4] = (float)ball->fieldD[i][k % 4];
            ball->metric[i][k] = (float)ball->metricD[i][k];
            ball->inverse[i][k] = (float)r->inverse[i][k];
            ball->share[i][k % 2] = (float)ball->shareD[i][k % 2];
        }
    }
}

static void PassesInDouble(void* context)
{
    Ball* ball = context;
    int n = ball->body->count;
    const qvPhyxelKernelD* kernel = qvGetPhyxelKernelD();
    qvPhyxelListsD lists = qvPhyxelReference_Lists(&ball->body->reference);
    qvPhyxelStressD stress = {
        1e4, 3e4, 1.3, 3e3, (const double(*)[8])ball->metricD, (const double(*)[2])ball->shareD
    };
    kernel->gradients(&lists, 0, n, (const double(*)[4])ball->fieldD, ball->jD);
    kernel->stresses(&lists, &stress, 0, n, (const double(*)[3][4])ball->jD, ball->cD, ball->hD);
    kernel->gather(&lists, 0, n, ball->cD, (const double(*)[4])ball->fieldD, (const double(*)[3][4])ball->hD,
                   ball->sumsD);
}

static void PassesInFloat(void* context)
{
    Ball* ball = context;
    int n = ball->body->count;
    const qvPhyxelKernelF* kernel = qvGetPhyxelKernelF();
    const qvNearLists* near = &ball->body->reference.near;
    qvPhyxelListsF lists = { near->start, near->index, (const float(*)[4])ball->pair,
                             (const float(*)[8])ball->inverse };
    qvPhyxelStressF stress = {
        1e4f, 3e4f, 1.3f, 3e3f, (const float(*)[8])ball->metric, (const float(*)[2])ball->share
    };
    kernel->gradients(&lists, 0, n, (const float(*)[4])ball->field, ball->j);
    kernel->stresses(&lists, &stress, 0, n, (const float(*)[3][4])ball->j, ball->c, ball->h);
    kernel->gather(&lists, 0, n, ball->c, (const float(*)[4])ball->field, (const float(*)[3][4])ball->h, ball->sums);
}

// --- Clips -----------------------------------------------------------------------------------------------------------

typedef struct Clip
{
    Ball* ball;
    int frames;
    int steps;
} Clip;

static void PlayClip(void* context)
{
    Clip* clip = context;
    Ball* ball = clip->ball;
    qvDestroyPhyxelState(ball->state);
    ball->state = NULL;
    qvResult result = qvCreatePhyxelState(ball->body, NULL, NULL, &ball->state, ball->error);
    for (int k = 0; k < clip->frames && result == qv_ok; k++)
        result = qvPhyxelState_Advance(ball->state, &ball->scene, 1.0 / 120.0, NULL, ball->error);
    if (result != qv_ok)
        ball->result = result;
    else
        clip->steps = qvPhyxelState_Counts(ball->state).steps;
}

// --- What is measured ------------------------------------------------------------------------------------------------

// milliseconds: of an elastic step, and of a melting one as the mean of a quarter of a second.
static qvResult MeasureSteps(qvBenchSink* sink, int count, double milliseconds[2], int* found, qvError* error)
{
    Ball ball;
    Clip clip = { &ball, 30, 0 };
    char name[64];
    qvResult result = MakeBall(&ball, count, error);
    if (result == qv_ok)
        result = MakePlain(&ball, error);
    if (result == qv_ok)
    {
        MakePasses(&ball);
        *found = ball.body->count;
        milliseconds[0] = 1e3 * qvBench_CpuTime(StepOnce, &ball, 5);
        snprintf(name, sizeof(name), "step/elastic/%d-phyxels", count);
        qvBench_Add(sink, name, milliseconds[0], "ms", 1e3 * qvBench_CpuTime(StepPlainly, &ball, 5));
        snprintf(name, sizeof(name), "passes/float/%d-phyxels", count);
        qvBench_Add(sink, name, 1e3 * qvBench_CpuTime(PassesInFloat, &ball, 5), "ms",
                    1e3 * qvBench_CpuTime(PassesInDouble, &ball, 5));
        snprintf(name, sizeof(name), "rebuild/%d-phyxels", count);
        qvBench_Add(sink, name, 1e3 * qvBench_CpuTime(Rebuild, &ball, 5), "ms", 0.0);
        ball.terms.melt = (qvCurve){ melt, 1 };
        snprintf(name, sizeof(name), "step/melting/%d-phyxels", count);
        milliseconds[1] = 1e3 * qvBench_CpuTime(PlayClip, &clip, 1) / clip.steps;
        qvBench_Add(sink, name, milliseconds[1], "ms", 0.0);
        result = ball.result;
    }
    FreeBall(&ball);
    return result;
}

typedef struct Skin
{
    qvPhyxelSurface* surface;
    Ball* ball;
    qvMat3* gradients;
    qvVec3* carried;
} Skin;

static void CarrySkin(void* context)
{
    Skin* skin = context;
    qvPhyxelSurface_Carry(skin->surface, skin->ball->body->points, skin->gradients, NULL, skin->carried);
}

static qvResult MeasureSkin(qvBenchSink* sink, Ball* ball, qvError* error)
{
    int vertices = ball->mesh->pointCount;
    Skin skin = { .ball = ball };
    char name[64];
    skin.gradients = qvAllocate((size_t)ball->body->count, sizeof(qvMat3));
    skin.carried = qvAllocate((size_t)vertices, sizeof(qvVec3));
    QV_ASSERT(skin.gradients != NULL && skin.carried != NULL);
    qvPhyxelState_Deformation(ball->state, skin.gradients);
    qvPhyxelCarriers carriers = { ball->body->count, ball->body->points, ball->body->reference.part,
                                  ball->body->spacing };
    qvResult result = qvCreatePhyxelSurface(&carriers, vertices, ball->vertices, &skin.surface, error);
    if (result == qv_ok)
    {
        snprintf(name, sizeof(name), "carry/%d-vertices", vertices);
        qvBench_Add(sink, name, 1e3 * qvBench_CpuTime(CarrySkin, &skin, 5), "ms", 0.0);
    }
    qvDestroyPhyxelSurface(skin.surface);
    free(skin.gradients);
    free(skin.carried);
    return result;
}

typedef struct Tear
{
    qvFlowSurface* surface;
    qvVec3* phyxels;
    double* tears;
    qvVec3f* points;
    Ball* ball;
    int triangles;
} Tear;

static void ExtractTorn(void* context)
{
    Tear* tear = context;
    qvMesh* mesh = NULL;
    qvResult result = qvFlowSurface_Extract(tear->surface, tear->phyxels, tear->tears, tear->points, NULL, NULL, &mesh,
                                            tear->ball->error);
    if (result != qv_ok || mesh == NULL)
        tear->ball->result = result;
    else
        tear->triangles = mesh->triangleCount;
    qvDestroyMesh(mesh);
}

// The ball's halves half a radius apart. Of 1,000 phyxels on a grid of about 78 x 54 x 54 cells, of 2,500 on one of
// 105 x 71 x 71.
static qvResult MeasureTear(qvBenchSink* sink, Ball* ball, qvError* error)
{
    int count = ball->body->count, points = ball->mesh->pointCount;
    Tear tear = { .ball = ball };
    char name[64];
    tear.phyxels = qvAllocate((size_t)count, sizeof(qvVec3));
    tear.tears = qvAllocate((size_t)count, sizeof(double));
    tear.points = qvAllocate((size_t)points, sizeof(qvVec3f));
    qvResult result = qvCreateFlowSurface(ball->body, ball->mesh, ball->vertices, &tear.surface, error);
    if (result == qv_ok && (tear.phyxels == NULL || tear.tears == NULL || tear.points == NULL))
        result = qvError_OutOfMemory(error, 24.0 * count + 12.0 * points);
    if (result == qv_ok)
    {
        for (int i = 0; i < count; i++)
            tear.phyxels[i] = qvAdd(ball->body->points[i], qvMakeVec3(ball->body->points[i].x > 0.0 ? 0.5 : 0.0, 0, 0));
        for (int i = 0; i < points; i++)
            tear.points[i] =
                qvVec3_ToFloat(qvAdd(ball->vertices[i], qvMakeVec3(ball->vertices[i].x > 0.0 ? 0.5 : 0.0, 0, 0)));
        result = qvFlowSurface_Tear(tear.surface, tear.phyxels, tear.tears, error);
    }
    if (result == qv_ok)
    {
        snprintf(name, sizeof(name), "surface/torn/%d-phyxels", count);
        qvBench_Add(sink, name, 1e3 * qvBench_CpuTime(ExtractTorn, &tear, 5), "ms", 0.0);
        snprintf(name, sizeof(name), "surface/torn/%d-phyxels/triangles", count);
        qvBench_Add(sink, name, tear.triangles, "triangles", 0.0);
        result = ball->result;
    }
    qvDestroyFlowSurface(tear.surface);
    free(tear.phyxels);
    free(tear.tears);
    free(tear.points);
    return result;
}

static qvResult MeasureClips(qvBenchSink* sink, qvError* error)
{
    Ball ball;
    Clip clip = { &ball, 480, 0 };
    double frequency;
    qvResult result = MakeBall(&ball, 1000, error);
    if (result == qv_ok)
        result = qvPhyxelBody_Frequencies(ball.body, ball.terms.poisson, 1, NULL, &frequency, error);
    if (result == qv_ok)
    {
        ball.terms.youngPerHz2 = 1.0 / (frequency * frequency);
        qvBench_Add(sink, "clip/elastic/1000-phyxels/4-s", 1e3 * qvBench_CpuTime(PlayClip, &clip, 1), "ms", 0.0);
        qvBench_Add(sink, "clip/elastic/1000-phyxels/steps", clip.steps, "steps", 0.0);
        ball.terms.melt = (qvCurve){ melt, 1 };
        qvBench_Add(sink, "clip/melting/1000-phyxels/4-s", 1e3 * qvBench_CpuTime(PlayClip, &clip, 1), "ms", 0.0);
        qvBench_Add(sink, "clip/melting/1000-phyxels/steps", clip.steps, "steps", 0.0);
        result = ball.result;
    }
    if (result == qv_ok)
        result = MeasureSkin(sink, &ball, error);
    if (result == qv_ok)
        result = MeasureTear(sink, &ball, error);
    FreeBall(&ball);
    return result;
}

static qvResult MeasureFineTear(qvBenchSink* sink, qvError* error)
{
    Ball ball;
    qvResult result = MakeBall(&ball, 2500, error);
    if (result == qv_ok)
        result = MeasureTear(sink, &ball, error);
    FreeBall(&ball);
    return result;
}

// The clip of 4 s that 5,000 phyxels must melt in 12 s; once, as it is long.
static qvResult MeasureFineClip(qvBenchSink* sink, qvError* error)
{
    Ball ball;
    Clip clip = { &ball, 480, 0 };
    double frequency;
    qvResult result = MakeBall(&ball, 5000, error);
    if (result == qv_ok)
        result = qvPhyxelBody_Frequencies(ball.body, ball.terms.poisson, 1, NULL, &frequency, error);
    if (result == qv_ok)
    {
        ball.terms.youngPerHz2 = 1.0 / (frequency * frequency);
        ball.terms.melt = (qvCurve){ melt, 1 };
        qvBench_Add(sink, "clip/melting/5000-phyxels/4-s", 1e3 * qvBench_CpuTime(PlayClip, &clip, 1), "ms", 0.0);
        qvBench_Add(sink, "clip/melting/5000-phyxels/steps", clip.steps, "steps", 0.0);
        result = ball.result;
    }
    FreeBall(&ball);
    return result;
}

// --- The paper's table -----------------------------------------------------------------------------------------------

static const double paperYoung[2] = { 1e6, 1e8 };    // Pa that it gives for explicit and for implicit steps
static const double paperFrames[2] = { 2e-3, 0.01 }; // s: 20 explicit steps, and one implicit step of its length

typedef struct PaperFrame
{
    Ball* ball;
    double seconds;
} PaperFrame;

static void AdvanceFrame(void* context)
{
    PaperFrame* frame = context;
    Ball* ball = frame->ball;
    qvResult result = qvPhyxelState_Advance(ball->state, &ball->scene, frame->seconds, NULL, ball->error);
    if (result != qv_ok)
        ball->result = result;
}

// The physics of a frame: of its explicit and of its implicit steps, with the milliseconds that the paper says.
static qvResult MeasurePaper(qvBenchSink* sink, int count, const double paper[2], qvError* error)
{
    Ball ball;
    qvResult result = MakeBall(&ball, count, error);
    for (int k = 0; k < 2 && result == qv_ok; k++)
    {
        PaperFrame frame = { &ball, paperFrames[k] };
        char name[64];
        double wobble = qvPhyxelCurve_At(&ball.terms.wobble, 0.0);
        ball.terms.youngPerHz2 = paperYoung[k] / (wobble * wobble);
        ball.scene.isImplicit = k == 1;
        ball.scene.largestStep = k == 1 ? 0.0 : 1e-4;
        qvDestroyPhyxelState(ball.state);
        ball.state = NULL;
        result = qvCreatePhyxelState(ball.body, NULL, NULL, &ball.state, error);
        if (result != qv_ok)
            break;
        snprintf(name, sizeof(name), "paper/%d-phyxels/%s", count, k == 1 ? "implicit" : "explicit");
        qvBench_Add(sink, name, 1e3 * qvBench_CpuTime(AdvanceFrame, &frame, 5), "ms", paper[k]);
        result = ball.result;
    }
    FreeBall(&ball);
    return result;
}

// --- The fit ---------------------------------------------------------------------------------------------------------

// The slope of times over numbers of phyxels, both in logarithms; *worst: the largest factor between a time and the
// line.
static double Growth(const int counts[SIZES], double (*milliseconds)[2], int which, double* worst)
{
    double x = 0.0, y = 0.0, xx = 0.0, xy = 0.0;
    for (int k = 0; k < SIZES; k++)
    {
        double a = log(counts[k]), b = log(milliseconds[k][which]);
        x += a / SIZES;
        y += b / SIZES;
        xx += a * a / SIZES;
        xy += a * b / SIZES;
    }
    double slope = (xy - x * y) / (xx - x * x);
    *worst = 1.0;
    for (int k = 0; k < SIZES; k++)
        *worst = fmax(*worst, exp(fabs(log(milliseconds[k][which]) - y - slope * (log(counts[k]) - x))));
    return slope;
}

static void AddGrowth(qvBenchSink* sink, const char* step, const int counts[SIZES], double (*milliseconds)[2],
                      int which)
{
    double worst, slope = Growth(counts, milliseconds, which, &worst);
    char name[64];
    snprintf(name, sizeof(name), "step/%s/growth", step);
    qvBench_Add(sink, name, slope, "power of phyxels", 0.0);
    snprintf(name, sizeof(name), "step/%s/growth/worst-off", step);
    qvBench_Add(sink, name, worst, "of the fit", 0.0);
}

static qvResult Run(qvBenchSink* sink, qvError* error)
{
    double milliseconds[SIZES][2];
    int counts[SIZES];
    for (int k = 0; k < SIZES; k++)
    {
        qvBench_Tell(sink, "steps", k, SIZES + 2);
        qvResult result = MeasureSteps(sink, sizes[k], milliseconds[k], &counts[k], error);
        if (result != qv_ok)
            return result;
    }
    AddGrowth(sink, "elastic", counts, milliseconds, 0);
    AddGrowth(sink, "melting", counts, milliseconds, 1);
    qvResult result = MeasurePaper(sink, 200, (const double[2]){ 15.0, 22.0 }, error);
    if (result == qv_ok)
        result = MeasurePaper(sink, 400, (const double[2]){ 35.0, 60.0 }, error);
    qvBench_Tell(sink, "clips", SIZES, SIZES + 2);
    if (result == qv_ok)
        result = MeasureClips(sink, error);
    qvBench_Tell(sink, "fine bodies", SIZES + 1, SIZES + 2);
    if (result == qv_ok)
        result = MeasureFineTear(sink, error);
    return result == qv_ok ? MeasureFineClip(sink, error) : result;
}

const qvBench qvBenchPoints = {
    "points", "bodies of phyxels, elastic and melting", Run,
    "of steps plain code that scatters forces, of the passes in float those in double, of the "
    "paper's frames its table 1, from a Pentium 4 of 2.8 GHz",
    "with phyxels; stiffer and smaller ones need more steps"
};
