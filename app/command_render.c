// SPDX-License-Identifier: GPL-3.0-or-later
// quaver render: a picture of a mesh file or a built-in shape, drawn without a window.
#include "command.h"

#include <stdio.h>

#ifdef QUAVER_UI

#include "quaver/image.h"
#include "quaver/model.h"
#include "quaver/primitive.h"
#include "ui/render_entry.h"

#include <string.h>

typedef struct Arguments
{
    const char* input;
    const char* primitive;
    int resolution;
    const char* output;
    const char* size;
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

static int DrawFile(const Arguments* arguments, const qvuiPainterDef* def)
{
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
    Arguments given = { 0 };
    const Option options[] = {
        { NULL, OPTION_TEXT, &given.input, "a mesh file", 0, 0 },
        { "--primitive", OPTION_TEXT, &given.primitive, "draw a built-in shape instead of a file", 0, 0 },
        { "--resolution", OPTION_INT, &given.resolution, "of the built-in shape", qv_minResolution, qv_maxResolution },
        { "-o", OPTION_TEXT, &given.output, "the picture to write (.png)", 0, 0 },
        { "--size", OPTION_TEXT, &given.size, "WIDTHxHEIGHT in pixels, 1600x900 unless told", 0, 0 },
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

const Command commandRender = {
    "render",
    "(FILE | --primitive SHAPE [--resolution N]) -o OUT.png [--size WxH] [--transparent] [--flat] [--wireframe]",
    "draws a picture without a window", Run
};
