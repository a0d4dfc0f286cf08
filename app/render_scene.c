// SPDX-License-Identifier: GPL-3.0-or-later
#include "render_scene.h"

#include "film.h"
#include "quaver/path.h"
#include "solve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    FRAMING_SAMPLES = 32, // moments that the camera must hold
    PALETTE_SAMPLES = 5,  // pictures that a GIF's colours come from
};

// What is needed to draw moments of a scene.
typedef struct Stage
{
    const SceneRender* render;
    SolvedScene solved;
    const qvMesh* mesh;
    double range[2];
    qvuiPainter* painter;
    void* scratch;
    qvVec3f *points, *vertices, *ghosts[2];
    float* heat;
    qvImage image;
} Stage;

static void FreeStage(Stage* stage)
{
    free(stage->scratch);
    free(stage->points);
    free(stage->vertices);
    free(stage->ghosts[0]);
    free(stage->ghosts[1]);
    free(stage->heat);
    qvDestroyImage(&stage->image);
    qvuiDestroyPainter(stage->painter);
    FreeSolvedScene(&stage->solved);
}

static void Evaluate(Stage* stage, double time, qvVec3f* vertices)
{
    qvTake_Evaluate(stage->solved.take, time, qv_layersAll, stage->scratch, stage->solved.pool, stage->points);
    qvMesh_ScatterPoints(stage->mesh, stage->points, vertices);
}

static void Unite(qvBox* box, qvBox other)
{
    box->lower.x = fminf(box->lower.x, other.lower.x), box->upper.x = fmaxf(box->upper.x, other.upper.x);
    box->lower.y = fminf(box->lower.y, other.lower.y), box->upper.y = fmaxf(box->upper.y, other.upper.y);
    box->lower.z = fminf(box->lower.z, other.lower.z), box->upper.z = fmaxf(box->upper.z, other.upper.z);
}

// A scene without a camera has the same one for every moment: it holds the whole motion.
static qvBox FrameMotion(Stage* stage)
{
    qvBox frame = { { INFINITY, INFINITY, INFINITY }, { -INFINITY, -INFINITY, -INFINITY } };
    for (int i = 0; i <= FRAMING_SAMPLES; i++)
    {
        double time = stage->range[0] + (stage->range[1] - stage->range[0]) * i / FRAMING_SAMPLES;
        qvTake_Evaluate(stage->solved.take, time, qv_layersAll, stage->scratch, stage->solved.pool, stage->points);
        Unite(&frame, qvComputeBounds(stage->points, stage->mesh->pointCount));
    }
    return frame;
}

static qvResult MakeStage(Stage* stage, const SceneRender* render, const qvuiPainterDef* def, qvError* error)
{
    *stage = (Stage){ .render = render };
    qvResult result = SolveSceneFile(render->input, &stage->solved, error);
    if (result != qv_ok)
        return result;
    stage->mesh = qvTake_Body(stage->solved.take)->mesh;
    size_t points = (size_t)stage->mesh->pointCount, vertices = (size_t)stage->mesh->vertexCount;
    stage->scratch = malloc(qvTake_ScratchSize(stage->solved.take));
    stage->points = malloc(points * sizeof(qvVec3f));
    stage->vertices = malloc(vertices * sizeof(qvVec3f));
    stage->ghosts[0] = malloc(vertices * sizeof(qvVec3f));
    stage->ghosts[1] = malloc(vertices * sizeof(qvVec3f));
    stage->heat = malloc(points * sizeof(float));
    if (stage->scratch == NULL || stage->points == NULL || stage->vertices == NULL || stage->ghosts[0] == NULL ||
        stage->ghosts[1] == NULL || stage->heat == NULL)
        return qvError_OutOfMemory(error, 5.0 * (double)vertices * sizeof(qvVec3f));
    qvScene_Range(stage->solved.scene, stage->range);
    qvuiPainterDef own = *def;
    if (stage->solved.scene->hasCamera)
        own.camera = &stage->solved.scene->camera;
    else
        own.frame = FrameMotion(stage), own.turns = render->turntable;
    const qvModel* model = qvTake_Body(stage->solved.take)->model;
    own.folder = model != NULL ? model->folder : NULL;
    result = qvuiCreatePainter(stage->mesh, &own, &stage->painter, error);
    if (result == qv_ok)
        result = qvCreateImage(def->width, def->height, &stage->image, error);
    return result;
}

// --- A moment ------------------------------------------------------------------------------------------------------

// The poses of the keys before and after a time.
static qvResult SetGhosts(Stage* stage, double time, qvError* error)
{
    const qvScene* scene = stage->solved.scene;
    int after = 0;
    while (after < scene->keyCount && scene->keys[after]->time <= time)
        after++;
    const qvVec3f* ghost[2] = { NULL, NULL };
    for (int side = 0; side < 2; side++)
    {
        int key = side == 0 ? after - 1 : after;
        if (key < 0 || key >= scene->keyCount)
            continue;
        Evaluate(stage, scene->keys[key]->time, stage->ghosts[side]);
        ghost[side] = stage->ghosts[side];
    }
    return qvuiPainter_SetGhosts(stage->painter, ghost[0], ghost[1], error);
}

static qvResult DrawMoment(Stage* stage, double time, double yaw, qvImage* image, qvError* error)
{
    qvResult result = stage->render->ghosts ? SetGhosts(stage, time, error) : qv_ok;
    if (result != qv_ok)
        return result;
    if (stage->render->wavefronts)
    {
        qvTake_Wavefronts(stage->solved.take, time, stage->scratch, stage->solved.pool, stage->heat);
        qvuiPainter_SetHeat(stage->painter, stage->heat, true);
    }
    Evaluate(stage, time, stage->vertices);
    qvuiPainter_Draw(stage->painter, stage->vertices, yaw, image);
    return qv_ok;
}

static qvResult DrawStill(Stage* stage, qvError* error)
{
    double time = isnan(stage->render->time) ? stage->range[0] : stage->render->time;
    qvResult result = DrawMoment(stage, time, 0.0, &stage->image, error);
    return result == qv_ok ? qvSaveImage(&stage->image, stage->render->output, error) : result;
}

// --- A film --------------------------------------------------------------------------------------------------------

static double Yaw(const Stage* stage, int frame, int count)
{
    return stage->render->turntable ? 6.283185307179586 * frame / count : 0.0;
}

// A loop's last sample is its first, and is not shown twice.
static int FrameCount(const Stage* stage, double fps)
{
    int samples = qvScene_SampleCount(fps, stage->range);
    return stage->solved.scene->loop && samples > 1 ? samples - 1 : samples;
}

static qvResult DrawSamples(Stage* stage, double fps, int frames, qvImage samples[PALETTE_SAMPLES], qvError* error)
{
    qvResult result = qv_ok;
    for (int i = 0; result == qv_ok && i < PALETTE_SAMPLES; i++)
    {
        int frame = (frames - 1) * i / (PALETTE_SAMPLES - 1);
        result = qvCreateImage(stage->image.width, stage->image.height, &samples[i], error);
        if (result == qv_ok)
            result = DrawMoment(stage, qvScene_SampleTime(fps, stage->range, frame), Yaw(stage, frame, frames),
                                &samples[i], error);
    }
    return result;
}

static qvResult DrawFilm(Stage* stage, qvError* error)
{
    double fps = stage->render->fps > 0.0 ? stage->render->fps : stage->solved.scene->fps;
    int frames = FrameCount(stage, fps);
    qvImage samples[PALETTE_SAMPLES] = { { 0 } };
    Film film = { 0 };
    qvResult result = DrawSamples(stage, fps, frames, samples, error);
    if (result == qv_ok)
        result = OpenFilm(&film, stage->render->output, stage->image.width, stage->image.height, fps, samples,
                          PALETTE_SAMPLES, error);
    for (int i = 0; i < PALETTE_SAMPLES; i++)
        qvDestroyImage(&samples[i]);
    qvJob job = SceneJob(&stage->solved);
    for (int frame = 0; result == qv_ok && frame < frames; frame++)
    {
        result = qvJob_Progress(&job, "film", (double)frame / frames, error);
        if (result == qv_ok)
            result = DrawMoment(stage, qvScene_SampleTime(fps, stage->range, frame), Yaw(stage, frame, frames),
                                &stage->image, error);
        if (result == qv_ok)
            result = AddToFilm(&film, &stage->image, error);
    }
    if (result == qv_ok)
        result = FinishFilm(&film, error);
    DiscardFilm(&film);
    return result;
}

qvResult RenderScene(const SceneRender* render, const qvuiPainterDef* def, qvError* error)
{
    Stage stage;
    qvResult result = MakeStage(&stage, render, def, error);
    if (result == qv_ok)
        result = qvPath_HasExtension(render->output, "png") ? DrawStill(&stage, error) : DrawFilm(&stage, error);
    FreeStage(&stage);
    return result;
}
