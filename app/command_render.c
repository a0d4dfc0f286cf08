// SPDX-License-Identifier: GPL-3.0-or-later
// quaver render: a picture of a scene, a mesh file or a built-in shape, drawn without a window.
#include "command.h"

#include <stdio.h>

#ifdef QUAVER_UI

#include "quaver/image.h"
#include "quaver/model.h"
#include "quaver/primitive.h"
#include "solve.h"
#include "ui/render_entry.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Arguments
{
    const char* input;
    const char* primitive;
    int resolution;
    const char* output;
    const char* size;
    double time; // s, not a number: the scene's start
    bool transparent, flat, wireframe;
} Arguments;

static bool EndsInPng(const char* path)
{
    size_t length = strlen(path);
    return length > 4 && strcmp(path + length - 4, ".png") == 0;
}

static int Draw(const qvMesh* mesh, const qvuiPainterDef* def, const char* path)
{
    qvError error;
    qvImage image;
    qvResult result = qvuiRenderStill(mesh, def, &image, &error);
    if (result == qv_ok)
        result = qvSaveImage(&image, path, &error);
    qvDestroyImage(&image);
    return result == qv_ok ? EXIT_DONE : FailCommand(&error);
}

static int DrawShape(const Arguments* arguments, const qvuiPainterDef* def)
{
    qvError error;
    qvMesh* mesh = NULL;
    if (qvCreatePrimitive(arguments->primitive, arguments->resolution, &mesh, &error) != qv_ok)
        return FailCommand(&error);
    int status = Draw(mesh, def, arguments->output);
    qvDestroyMesh(mesh);
    return status;
}

// --- Scenes --------------------------------------------------------------------------------------------------------

static void Unite(qvBox* box, qvBox other)
{
    box->lower.x = fminf(box->lower.x, other.lower.x), box->upper.x = fmaxf(box->upper.x, other.upper.x);
    box->lower.y = fminf(box->lower.y, other.lower.y), box->upper.y = fmaxf(box->upper.y, other.upper.y);
    box->lower.z = fminf(box->lower.z, other.lower.z), box->upper.z = fmaxf(box->upper.z, other.upper.z);
}

// What a moment of a scene is drawn from.
typedef struct Moment
{
    void* scratch;
    qvVec3f *points, *vertices;
} Moment;

static void FreeMoment(Moment* moment)
{
    free(moment->scratch);
    free(moment->points);
    free(moment->vertices);
}

static qvResult MakeMoment(const SolvedScene* solved, Moment* moment, qvError* error)
{
    const qvMesh* mesh = qvTake_Body(solved->take)->mesh;
    moment->scratch = malloc(qvTake_ScratchSize(solved->take));
    moment->points = malloc((size_t)mesh->pointCount * sizeof(*moment->points));
    moment->vertices = malloc((size_t)mesh->vertexCount * sizeof(*moment->vertices));
    if (moment->scratch != NULL && moment->points != NULL && moment->vertices != NULL)
        return qv_ok;
    return qvError_OutOfMemory(error, (double)mesh->vertexCount * sizeof(*moment->vertices));
}

static void Evaluate(const SolvedScene* solved, double time, Moment* moment)
{
    qvTake_Evaluate(solved->take, time, qv_layersAll, moment->scratch, solved->pool, moment->points);
}

// The same camera for every moment of a scene: it holds the whole motion.
static qvBox FrameMotion(const SolvedScene* solved, const double range[2], Moment* moment)
{
    const int samples = 32;
    int count = qvTake_Body(solved->take)->mesh->pointCount;
    qvBox frame = { { INFINITY, INFINITY, INFINITY }, { -INFINITY, -INFINITY, -INFINITY } };
    for (int i = 0; i <= samples; i++)
    {
        Evaluate(solved, range[0] + (range[1] - range[0]) * i / samples, moment);
        Unite(&frame, qvComputeBounds(moment->points, count));
    }
    return frame;
}

static qvResult Paint(const Arguments* arguments, const qvMesh* mesh, const qvuiPainterDef* def, const Moment* moment,
                      qvError* error)
{
    qvuiPainter* painter = NULL;
    qvImage image = { 0 };
    qvResult result = qvuiCreatePainter(mesh, def, &painter, error);
    if (result == qv_ok)
        result = qvCreateImage(def->width, def->height, &image, error);
    if (result == qv_ok)
    {
        qvuiPainter_Draw(painter, moment->vertices, 0.0, &image);
        result = qvSaveImage(&image, arguments->output, error);
    }
    qvDestroyImage(&image);
    qvuiDestroyPainter(painter);
    return result;
}

static qvResult DrawMoment(const Arguments* arguments, const SolvedScene* solved, qvuiPainterDef* def, qvError* error)
{
    const qvMesh* mesh = qvTake_Body(solved->take)->mesh;
    Moment moment = { 0 };
    qvResult result = MakeMoment(solved, &moment, error);
    if (result == qv_ok)
    {
        double range[2];
        qvScene_Range(solved->scene, range);
        def->frame = FrameMotion(solved, range, &moment);
        Evaluate(solved, isnan(arguments->time) ? range[0] : arguments->time, &moment);
        qvMesh_ScatterPoints(mesh, moment.points, moment.vertices);
        result = Paint(arguments, mesh, def, &moment, error);
    }
    FreeMoment(&moment);
    return result;
}

static int DrawScene(const Arguments* arguments, const qvuiPainterDef* def)
{
    qvError error;
    SolvedScene solved;
    if (SolveSceneFile(arguments->input, &solved, &error) != qv_ok)
        return FailCommand(&error);
    qvuiPainterDef own = *def;
    qvResult result = DrawMoment(arguments, &solved, &own, &error);
    FreeSolvedScene(&solved);
    return result == qv_ok ? EXIT_DONE : FailCommand(&error);
}

static int DrawFile(const Arguments* arguments, const qvuiPainterDef* def)
{
    if (qvIsSceneFile(arguments->input))
        return DrawScene(arguments, def);
    if (!isnan(arguments->time))
        return FailWith("%s: a mesh does not move; --time needs a scene", arguments->input);
    qvError error;
    qvModel* model = NULL;
    if (qvLoadModel(arguments->input, NULL, &model, &error) != qv_ok)
        return FailCommand(&error);
    int status = Draw(model->mesh, def, arguments->output);
    qvDestroyModel(model);
    return status;
}

static int Run(int argumentCount, char** arguments)
{
    Arguments given = { .time = NAN };
    const Option options[] = {
        { NULL, OPTION_TEXT, &given.input, "a scene or a mesh file", 0, 0 },
        { "--primitive", OPTION_TEXT, &given.primitive, "draw a built-in shape instead of a file", 0, 0 },
        { "--resolution", OPTION_INT, &given.resolution, "of the built-in shape", qv_minResolution, qv_maxResolution },
        { "-o", OPTION_TEXT, &given.output, "the picture to write (.png)", 0, 0 },
        { "--size", OPTION_TEXT, &given.size, "WIDTHxHEIGHT in pixels, 1600x900 unless told", 0, 0 },
        { "--time", OPTION_NUMBER, &given.time, "the moment of a scene in seconds, its start unless told", -1000000,
          1000000 },
        { "--transparent", OPTION_FLAG, &given.transparent, "no backdrop", 0, 0 },
        { "--flat", OPTION_FLAG, &given.flat, "one shade per triangle", 0, 0 },
        { "--wireframe", OPTION_FLAG, &given.wireframe, "draw the edges", 0, 0 },
    };
    int status;
    if (!ParseOptions(&commandRender, options, sizeof(options) / sizeof(options[0]), argumentCount, arguments, &status))
        return status;
    if ((given.input == NULL) == (given.primitive == NULL) || given.output == NULL)
    {
        fputs("quaver: render needs a FILE or --primitive NAME, and -o OUT.png; see 'quaver render --help'\n", stderr);
        return EXIT_USAGE;
    }
    qvuiPainterDef def = qvuiDefaultPainterDef();
    if (given.size != NULL && !ParseSize(given.size, &def.width, &def.height))
    {
        fprintf(stderr, "quaver: --size \"%s\" is not WIDTHxHEIGHT from 1x1 to %dx%d; see 'quaver render --help'\n",
                given.size, qv_maxImageSize, qv_maxImageSize);
        return EXIT_USAGE;
    }
    if (!EndsInPng(given.output))
        return FailWith("%s: only PNG pictures can be written; name a file that ends in .png", given.output);
    def.transparent = given.transparent;
    def.flat = given.flat;
    def.wireframe = given.wireframe;
    return given.primitive != NULL ? DrawShape(&given, &def) : DrawFile(&given, &def);
}

#else

static int Run(int argumentCount, char** arguments)
{
    (void)argumentCount;
    (void)arguments;
    return FailWith("this build cannot draw: it was made with QUAVER_UI off; build it with -DQUAVER_UI=ON");
}

#endif

const Command commandRender = { "render",
                                "(FILE | --primitive SHAPE [--resolution N]) -o OUT.png [--time T] [--size WxH] "
                                "[--transparent] [--flat] [--wireframe]",
                                "draws a picture without a window", Run };
