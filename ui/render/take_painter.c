// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/film_entry.h"

#include "quaver/math.h"
#include "quaver/numbered.h"
#include "quaver/path.h"
#include "quaver/scenery.h"
#include "ui/render/blur.h"
#include "ui/render/film.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum
{
    FRAMING_RATE = 24,  // moments per second that the camera must hold,
    FRAMING_LEAST = 32, // at least so many
    FRAMING_MOST = 480, // and at most
    GIF_RATE = 50,      // frames per second that a GIF can hold
    TRIES = 3,          // of what is lost again and again
    BLUR_PICTURES = 12, // that a blurred one is the mean of
};

// What is needed to draw moments of a take.
typedef struct Stage
{
    const qvTake* take;
    const qvuiFilmDef* def;
    const qvJob* job;
    qvPool* pool; // asks the job
    const qvMesh* mesh;
    qvMoments moments; // of a film
    qvuiPainter* painter;
    qvScenery* scenery; // NULL: no obstacles
    qvTakeView view;
    qvVec3f* ghosts[2];
    float* heat;
    qvImage image;
    qvuiBlur blur;
} Stage;

static void FreeStage(Stage* stage)
{
    qvTakeView_Free(&stage->view);
    free(stage->ghosts[0]);
    free(stage->ghosts[1]);
    free(stage->heat);
    qvDestroyImage(&stage->image);
    qvuiBlur_Free(&stage->blur);
    qvuiDestroyPainter(stage->painter);
    qvDestroyScenery(stage->scenery);
    qvDestroyPool(stage->pool);
}

static qvResult Evaluate(Stage* stage, double time, qvError* error)
{
    qvResult result = qvTakeView_Show(&stage->view, time, qv_layersAll, stage->pool, error);
    return result == qv_ok ? qvPool_Verdict(stage->pool, error) : result;
}

// Makes room for all vertices that are drawn.
static void Unite(qvBox* box, const qvMesh* mesh, const qvVec3f* vertices)
{
    for (int i = 0; i < mesh->vertexCount; i++)
    {
        qvVec3f p = vertices[i];
        if (mesh->vertexPoint[i] < 0)
            continue;
        box->lower.x = fminf(box->lower.x, p.x), box->upper.x = fmaxf(box->upper.x, p.x);
        box->lower.y = fminf(box->lower.y, p.y), box->upper.y = fmaxf(box->upper.y, p.y);
        box->lower.z = fminf(box->lower.z, p.z), box->upper.z = fmaxf(box->upper.z, p.z);
    }
}

// A scene without a camera has the same one for every moment: it holds the whole motion.
static qvResult FrameMotion(Stage* stage, qvBox* frame, qvError* error)
{
    *frame = (qvBox){ { INFINITY, INFINITY, INFINITY }, { -INFINITY, -INFINITY, -INFINITY } };
    double range[2];
    qvScene_Range(qvTake_Scene(stage->take), range);
    if (stage->moments.count > 0)
    {
        range[0] = fmin(range[0], stage->moments.range[0]);
        range[1] = fmax(range[1], stage->moments.range[1]);
    }
    double length = range[1] - range[0];
    int samples = (int)fmin(fmax(ceil(length * FRAMING_RATE), FRAMING_LEAST), FRAMING_MOST);
    qvResult result = qv_ok;
    for (int i = 0; result == qv_ok && i <= samples; i++)
    {
        result = Evaluate(stage, range[0] + length * i / samples, error);
        if (result == qv_ok)
            Unite(frame, stage->view.mesh, stage->view.vertices);
    }
    return result;
}

static qvResult Allocate(Stage* stage, qvError* error)
{
    size_t points = (size_t)stage->mesh->pointCount, vertices = (size_t)stage->mesh->vertexCount;
    stage->ghosts[0] = malloc(vertices * sizeof(qvVec3f));
    stage->ghosts[1] = malloc(vertices * sizeof(qvVec3f));
    stage->heat = malloc(points * sizeof(float));
    if (stage->ghosts[0] == NULL || stage->ghosts[1] == NULL || stage->heat == NULL)
        return qvError_OutOfMemory(error, 3.0 * (double)vertices * sizeof(qvVec3f));
    qvResult result = qvTakeView_SetTake(&stage->view, stage->take, error);
    if (result == qv_ok)
        result = qvCreateWatchedPool(stage->job, &stage->pool, error);
    if (result == qv_ok)
        result = qvTake_Advance(stage->take, INFINITY, stage->job, error);
    if (result == qv_ok && stage->def->blur > 0.0)
        result = qvuiBlur_Init(&stage->blur, stage->def->look.width, stage->def->look.height, error);
    return result == qv_ok ? qvCreateImage(stage->def->look.width, stage->def->look.height, &stage->image, error)
                           : result;
}

static qvResult MakePainter(Stage* stage, qvError* error)
{
    const qvScene* scene = qvTake_Scene(stage->take);
    const qvModel* model = qvTake_Body(stage->take)->model;
    qvuiPainterDef look = stage->def->look;
    look.hasGround = scene->ground.on && !isnan(scene->ground.height);
    look.ground = look.hasGround ? scene->ground.height : 0.0;
    qvResult result = qv_ok;
    if (look.camera == NULL && scene->hasCamera)
        look.camera = &scene->camera;
    else if (look.camera == NULL)
    {
        result = FrameMotion(stage, &look.frame, error);
        look.turns = stage->def->turntable;
    }
    look.folder = model != NULL ? model->folder : NULL;
    look.job = stage->job;
    if (result == qv_ok)
        result = qvuiCreatePainter(stage->mesh, &look, &stage->painter, error);
    if (result == qv_ok)
        result = qvCreateScenery(scene, qvTake_Folder(stage->take), stage->job, &stage->scenery, error);
    return result == qv_ok && stage->scenery != NULL
               ? qvuiPainter_SetScenery(stage->painter, stage->scenery->mesh, error)
               : result;
}

// --- A moment ------------------------------------------------------------------------------------------------------

// The poses of the keys before and after a time. Waves are left out: where a key arrives as one, they hold its pose
// back.
static qvResult SetGhosts(Stage* stage, double time, qvError* error)
{
    const qvScene* scene = qvTake_Scene(stage->take);
    int after = 0;
    while (after < scene->keyCount && scene->keys[after]->time <= time)
        after++;
    const qvVec3f* ghost[2] = { NULL, NULL };
    for (int side = 0; side < 2; side++)
    {
        int key = side == 0 ? after - 1 : after;
        if (key < 0 || key >= scene->keyCount || scene->keys[key]->time >= qvTake_ChangesFrom(stage->take))
            continue;
        qvTakeView_Evaluate(&stage->view, scene->keys[key]->time, qv_layersMotion, stage->pool);
        qvMesh_ScatterPoints(stage->mesh, stage->view.points, stage->ghosts[side]);
        ghost[side] = stage->ghosts[side];
    }
    return qvuiPainter_SetGhosts(stage->painter, ghost[0], ghost[1], error);
}

static qvResult MoveScenery(Stage* stage, double time, qvError* error)
{
    qvResult result = qvScenery_Place(stage->scenery, time, error);
    if (result == qv_ok)
        qvuiPainter_MoveScenery(stage->painter, stage->scenery->vertices);
    return result;
}

static void SetBalls(Stage* stage, double time)
{
    qvShownPoints shown;
    if (!qvTakeView_ShowChannel(&stage->view, stage->def->channel, time, &shown))
        shown = (qvShownPoints){ 0 };
    qvShownPoints_Scale(&shown);
    qvuiPainter_SetBalls(stage->painter, &shown);
}

static qvResult DrawKnown(Stage* stage, double time, double yaw, qvImage* image, qvError* error)
{
    qvResult result = stage->def->ghosts ? SetGhosts(stage, time, error) : qv_ok;
    if (result != qv_ok)
        return result;
    if (stage->def->wavefronts)
    {
        qvTakeView_Wavefronts(&stage->view, time, stage->pool, stage->heat);
        qvuiPainter_SetHeat(stage->painter, stage->heat, true);
    }
    if (stage->def->channel != NULL)
        SetBalls(stage, time);
    result = Evaluate(stage, time, error);
    if (result == qv_ok)
        result = qvuiPainter_SetMesh(stage->painter, stage->view.changed, error);
    if (result == qv_ok && stage->scenery != NULL)
        result = MoveScenery(stage, time, error);
    if (result == qv_ok)
        result = qvuiPainter_Draw(stage->painter, stage->view.vertices, yaw, image, error);
    return result;
}

// A frame of a simulation may get lost between its making and its use: then once more.
static qvResult DrawMoment(Stage* stage, double time, double yaw, qvImage* image, qvError* error)
{
    for (int i = 0; i < TRIES; i++)
    {
        qvResult result = qvTake_Advance(stage->take, INFINITY, stage->job, error);
        double known = qvTake_ValidUntil(stage->take);
        if (result == qv_ok)
            result = DrawKnown(stage, time, yaw, image, error);
        if (result != qv_ok || qvTake_ValidUntil(stage->take) >= known)
            return result;
    }
    return qvTake_FailLost(error);
}

// How far the turntable has come at a frame of the film, which need not be a whole number.
static double Yaw(const Stage* stage, double frame)
{
    qvMoments whole = stage->moments;
    whole.first = 0, whole.count = whole.total;
    return stage->def->turntable ? QV_TWO_PI * frame / qvuiFilmFrames(&whole) : 0.0;
}

// What the film shows at that time.
static qvResult DrawPicture(Stage* stage, const char* path, qvError* error)
{
    double range[2], time = stage->def->time;
    qvScene_Range(qvTake_Scene(stage->take), range);
    time = isnan(time) ? range[0] : time;
    double yaw = Yaw(stage, (time - range[0]) * stage->moments.fps);
    qvResult result = DrawMoment(stage, time, yaw, &stage->image, error);
    return result == qv_ok ? qvSaveImage(&stage->image, path, stage->job, error) : result;
}

// --- A film --------------------------------------------------------------------------------------------------------

// What moves while the shutter is open, about the frame's time; at the ends of a film that is no loop, as much of it as
// there is.
static qvResult DrawBlurred(Stage* stage, int number, double time, qvImage* image, qvError* error)
{
    const double* range = stage->moments.range;
    qvResult result = qv_ok;
    qvuiBlur_Begin(&stage->blur);
    for (int i = 0; result == qv_ok && i < BLUR_PICTURES; i++)
    {
        double part = stage->def->blur * ((i + 0.5) / BLUR_PICTURES - 0.5);
        double at = time + part / stage->moments.fps, length = range[1] - range[0];
        if (stage->moments.loop && length > 0.0)
            at -= length * floor((at - range[0]) / length);
        else
            at = fmin(fmax(at, range[0]), range[1]);
        result = DrawMoment(stage, at, Yaw(stage, number + part), image, error);
        if (result == qv_ok)
            qvuiBlur_Add(&stage->blur, image);
    }
    if (result == qv_ok)
        qvuiBlur_End(&stage->blur, image);
    return result;
}

// frame: among those that are meant.
static qvResult DrawFrame(Stage* stage, int frame, qvImage* image, qvError* error)
{
    int number = stage->moments.first + frame;
    double time = qvScene_SampleTime(stage->moments.fps, stage->moments.range, number);
    if (stage->def->blur > 0.0)
        return DrawBlurred(stage, number, time, image, error);
    return DrawMoment(stage, time, Yaw(stage, number), image, error);
}

static qvResult DrawFilmFrame(void* context, int frame, qvImage* image, qvError* error)
{
    return DrawFrame(context, frame, image, error);
}

static qvResult DrawFilm(Stage* stage, const char* path, qvError* error)
{
    const qvuiFrames frames = { DrawFilmFrame, stage, &stage->image, qvuiFilmFrames(&stage->moments),
                                stage->moments.fps };
    return qvuiWriteFilm(&frames, path, stage->job, error);
}

// One of several pictures.
static qvResult DrawNumbered(Stage* stage, int frame, const char* path, qvError* error)
{
    struct stat about;
    bool exists = stat(path, &about) == 0;
    const qvPart* part = stage->def->part;
    uint64_t seal = part != NULL ? qvPart_Seal(part, stage->moments.first + frame) : 0;
    if (exists && part != NULL && stage->def->skipExisting && qvHasSeal(path, seal))
        return qv_ok;
    qvResult result = exists ? qvTake_CheckTarget(stage->take, path, error) : qv_ok;
    if (result == qv_ok)
        result = DrawFrame(stage, frame, &stage->image, error);
    if (result != qv_ok)
        return result;
    return part != NULL ? qvSaveSealedImage(&stage->image, path, seal, stage->job, error)
                        : qvSaveImage(&stage->image, path, stage->job, error);
}

static qvResult DrawPictures(Stage* stage, const char* pattern, qvError* error)
{
    qvResult result = qv_ok;
    for (int frame = 0; result == qv_ok && frame < stage->moments.count; frame++)
    {
        char* path = qvNumberedPath(pattern, stage->moments.first + frame);
        if (path == NULL)
            return qvError_OutOfMemory(error, (double)strlen(pattern));
        result = qvJob_Progress(stage->job, "pictures", (double)frame / stage->moments.count, error);
        if (result == qv_ok)
            result = DrawNumbered(stage, frame, path, error);
        free(path);
    }
    return result;
}

qvuiFilmDef qvuiDefaultFilmDef(void)
{
    return (qvuiFilmDef){ .look = qvuiDefaultPainterDef(), .moments = qvDefaultBakeDef(), .time = NAN };
}

static bool IsTooFast(const qvBakeDef* def, const qvScene* scene, bool isGif)
{
    return isGif && (def->fps > 0.0 ? def->fps : scene->fps) > GIF_RATE;
}

qvResult qvuiFilmMoments(const qvBakeDef* def, const qvScene* scene, bool isGif, qvMoments* moments, qvError* error)
{
    qvBakeDef own = *def;
    if (IsTooFast(def, scene, isGif))
        own.fps = GIF_RATE;
    return qvBakeDef_Moments(&own, scene, moments, error);
}

const char* qvuiFilmRemark(const qvBakeDef* def, const qvScene* scene, bool isGif)
{
    return IsTooFast(def, scene, isGif) ? "GIF shows at most 50 frames per second; drawn at 50" : NULL;
}

int qvuiFilmFrames(const qvMoments* moments)
{
    bool closes = moments->loop && moments->first + moments->count == moments->total;
    return moments->count - (closes && moments->count > 1);
}

qvResult qvuiDrawTake(const qvTake* take, const qvuiFilmDef* def, const char* path, const qvJob* job, qvError* error)
{
    Stage stage = { .take = take, .def = def, .job = job, .mesh = qvTake_Body(take)->mesh };
    bool still = qvPath_HasExtension(path, "png") && !def->isNumbered;
    qvResult result = qvTake_CheckTarget(take, path, error);
    if (result == qv_ok && (!still || def->turntable))
        result =
            qvuiFilmMoments(&def->moments, qvTake_Scene(take), qvPath_HasExtension(path, "gif"), &stage.moments, error);
    if (result == qv_ok)
        result = Allocate(&stage, error);
    if (result == qv_ok)
        result = MakePainter(&stage, error);
    if (result == qv_ok)
        result = still             ? DrawPicture(&stage, path, error)
                 : def->isNumbered ? DrawPictures(&stage, path, error)
                                   : DrawFilm(&stage, path, error);
    FreeStage(&stage);
    return result;
}
