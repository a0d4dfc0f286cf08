// SPDX-License-Identifier: GPL-3.0-or-later
// quaver render: a picture or a film of a scene or of a mesh file with clips, a picture of a built-in shape, without a
// window.
#include "command.h"

#include <stdio.h>

#ifdef QUAVER_UI

#include "quaver/image.h"
#include "quaver/model.h"
#include "quaver/path.h"
#include "quaver/primitive.h"
#include "quaver/scene.h"
#include "solve.h"
#include "ui/film_entry.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>

typedef struct Arguments
{
    const char* input;
    const char* clip;
    const char* primitive;
    int resolution;
    const char* output;
    int size[2];
    double time; // s, not a number: the scene's start, or the mesh at rest
    Moments moments;
    double cacheBytes;
    bool transparent, flat, wireframe, turntable, ghosts, wavefronts;
} Arguments;

// Says what was written, as the other commands do.
static int Report(const char* path, const qvuiPainterDef* def)
{
    struct stat file;
    double bytes = stat(path, &file) == 0 ? (double)file.st_size : 0.0;
    int size[2] = { def->width, def->height };
    qvuiFilmSize(path, size);
    printf("%s: %d x %d pixels, %.0f bytes\n", path, size[0], size[1], bytes);
    return EXIT_DONE;
}

static int Draw(const qvMesh* mesh, const qvuiPainterDef* def, const char* path)
{
    qvError error;
    qvImage image;
    qvResult result = qvuiRenderStill(mesh, def, &image, &error);
    if (result == qv_ok)
        result = qvSaveImage(&image, path, NULL, &error);
    qvDestroyImage(&image);
    return result == qv_ok ? Report(path, def) : FailCommand(&error);
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

// What was asked for and will not be seen in any moment.
static void WarnOfNothing(const Arguments* arguments, const qvTake* take)
{
    if (arguments->ghosts && qvTake_Scene(take)->keyCount == 0)
        fprintf(stderr, "quaver: warning: %s has no keys, so there are no ghosts\n", arguments->input);
    if (arguments->wavefronts && !qvTake_HasWaves(take))
        fprintf(stderr, "quaver: warning: %s has no waves to colour; add an event or a key with a wave\n",
                arguments->input);
}

static int DrawTake(const Arguments* arguments, const qvuiPainterDef* look, SolvedScene* solved)
{
    qvError error;
    qvuiFilmDef def = { .look = *look,
                        .moments = BakeMoments(&arguments->moments),
                        .time = arguments->time,
                        .turntable = arguments->turntable,
                        .ghosts = arguments->ghosts,
                        .wavefronts = arguments->wavefronts };
    qvJob job = SceneJob(solved);
    WarnOfNothing(arguments, solved->take);
    const char* remark =
        qvuiFilmRemark(&def.moments, qvTake_Scene(solved->take), qvPath_HasExtension(arguments->output, "gif"));
    if (remark != NULL)
        fprintf(stderr, "quaver: warning: %s: %s\n", arguments->output, remark);
    qvResult result = qvuiDrawTake(solved->take, &def, arguments->output, &job, &error);
    FreeSolvedScene(solved);
    return result == qv_ok ? Report(arguments->output, look) : FailCommand(&error);
}

static int DrawRest(const Arguments* arguments, const qvuiPainterDef* def)
{
    qvError error;
    qvModel* model = NULL;
    if (qvLoadModel(arguments->input, NULL, &model, &error) != qv_ok)
        return FailCommand(&error);
    ProgressLine line;
    BeginProgress(&line);
    const qvJob job = { .log = PrintWarning, .context = &line };
    qvuiPainterDef own = *def;
    own.folder = model->folder;
    own.job = &job;
    int status = Draw(model->mesh, &own, arguments->output);
    qvDestroyModel(model);
    return status;
}

// A file with a scene in it is that scene, unless one of its clips is asked for.
static bool IsScene(const Arguments* arguments)
{
    return arguments->input != NULL && arguments->clip == NULL && qvIsSceneFile(arguments->input);
}

static qvResult CheckScene(const qvScene* scene, const void* context, qvError* error)
{
    const Arguments* arguments = context;
    qvBakeDef def = BakeMoments(&arguments->moments);
    qvMoments moments;
    if (qvPath_HasExtension(arguments->output, "png"))
        return qv_ok;
    return qvuiFilmMoments(&def, scene, qvPath_HasExtension(arguments->output, "gif"), &moments, error);
}

static int DrawFile(const Arguments* arguments, const qvuiPainterDef* def)
{
    bool isScene = IsScene(arguments), still = qvPath_HasExtension(arguments->output, "png");
    bool moves = !still || !isnan(arguments->time) || arguments->turntable || arguments->clip != NULL;
    if (!isScene && !moves)
        return DrawRest(arguments, def);
    qvError error;
    SolvedScene solved;
    SolveDef how = { CheckScene, arguments, arguments->cacheBytes };
    qvResult result = isScene ? SolveSceneFile(arguments->input, &how, &solved, &error)
                              : SolveClip(arguments->input, arguments->clip, &how, &solved, &error);
    return result == qv_ok ? DrawTake(arguments, def, &solved) : FailCommand(&error);
}

// What would be left unheard is wrong usage. Returns EXIT_DONE when there is nothing of that kind.
static int CheckUse(const Arguments* given)
{
    bool still = qvPath_HasExtension(given->output, "png"), isScene = IsScene(given);
    bool mayHaveClips = given->input != NULL && qvPath_HasExtension(given->input, "glb gltf");
    const struct
    {
        bool wrong;
        const char *option, *why;
    } uses[] = {
        { given->clip != NULL && !mayHaveClips, "--clip", "needs a .glb or .gltf file" },
        { given->turntable && !isScene && !mayHaveClips, "--turntable", "needs a scene or a file with clips" },
        { given->moments.fps > 0.0 && still, "--fps", "is for films: name a .gif or .mp4 file" },
        { !isnan(given->moments.range[0]) && still, "--range", "is for films: name a .gif or .mp4 file" },
        { given->moments.preview && !isScene, "--preview", "needs a scene with a preview range" },
        { given->moments.preview && !isnan(given->moments.range[0]), "--preview", "and --range exclude each other" },
        { given->moments.preview && still, "--preview", "is for films: name a .gif or .mp4 file" },
        { given->resolution > 0 && given->primitive == NULL, "--resolution", "needs --primitive" },
        { !isnan(given->time) && given->primitive != NULL, "--time", "needs a scene or a file with clips" },
        { !isnan(given->time) && !still, "--time", "is for pictures: name a .png file" },
        { given->transparent && !still, "--transparent", "is for pictures: name a .png file" },
        { given->ghosts && !isScene, "--ghosts", "needs a scene with keys" },
        { given->wavefronts && !isScene, "--wavefronts", "needs a scene with waves" },
    };
    for (size_t i = 0; i < sizeof(uses) / sizeof(uses[0]); i++)
    {
        if (uses[i].wrong)
            return FailUsage(&commandRender, "%s %s", uses[i].option, uses[i].why);
    }
    return EXIT_DONE;
}

static int Run(int argumentCount, char** arguments)
{
    Arguments given = { .size = { 1600, 900 }, .time = NAN, .moments = noMoments, .cacheBytes = NAN };
    Moments* moments = &given.moments;
    const Option options[] = {
        { NULL, OPTION_TEXT, &given.input, "a scene or a mesh file", 0, 0 },
        { "--clip", OPTION_TEXT, &given.clip, "of a mesh file, by name or number from 1, the first unless told", 0, 0 },
        { "--primitive", OPTION_TEXT, &given.primitive, "draw a built-in shape instead of a file", 0, 0 },
        { "--resolution", OPTION_INT, &given.resolution, "of the built-in shape", qv_minResolution, qv_maxResolution },
        { "-o", OPTION_TEXT, &given.output, "the picture (.png) or film (.gif, .mp4) to write", 0, 0 },
        { "--size", OPTION_SIZE, given.size, "WIDTHxHEIGHT in pixels, 1600x900 unless told", 1, qv_maxImageSize },
        { "--time", OPTION_NUMBER, &given.time,
          "the moment of a picture in seconds, the scene's start or the mesh at rest unless told", -1000000, 1000000 },
        { "--fps", OPTION_NUMBER, &moments->fps,
          "frames per second of a film, the scene's, the clip's or 24 unless told", 1, 240 },
        { "--range", OPTION_RANGE, moments->range, "from a:b seconds of a film, the whole scene or clip unless told", 0,
          0 },
        { "--preview", OPTION_FLAG, &moments->preview, "only the scene's preview range, if it has one", 0, 0 },
        { "--turntable", OPTION_FLAG, &given.turntable, "the camera goes round once in the course of the film", 0, 0 },
        { "--ghosts", OPTION_FLAG, &given.ghosts, "the keys before and after as silhouettes, of a scene", 0, 0 },
        { "--wavefronts", OPTION_FLAG, &given.wavefronts, "colour the body by the waves in it, of a scene", 0, 0 },
        { "--transparent", OPTION_FLAG, &given.transparent, "a picture without backdrop", 0, 0 },
        { "--flat", OPTION_FLAG, &given.flat, "one shade per triangle", 0, 0 },
        { "--wireframe", OPTION_FLAG, &given.wireframe, "draw the edges", 0, 0 },
        CACHE_OPTION(&given.cacheBytes),
    };
    int status;
    if (!ParseOptions(&commandRender, options, sizeof(options) / sizeof(options[0]), argumentCount, arguments, &status))
        return status;
    if ((given.input == NULL) == (given.primitive == NULL) || given.output == NULL)
        return FailUsage(&commandRender, "render needs a FILE or --primitive NAME, and -o OUT.png, .gif or .mp4");
    if (!qvPath_HasExtension(given.output, "png gif mp4"))
        return FailWith("%s: pictures are .png, films .gif or .mp4; name such a file", given.output);
    if (CheckUse(&given) != EXIT_DONE)
        return EXIT_USAGE;
    if (given.primitive != NULL && !qvPath_HasExtension(given.output, "png"))
        return FailWith("%s: a shape does not move; name a file that ends in .png", given.output);
    if (CheckTarget(given.output) != EXIT_DONE ||
        (given.input != NULL && CheckIsOther(given.input, given.output) != EXIT_DONE))
        return EXIT_FAILED;
    qvError error;
    if (qvuiCheckFilm(given.output, given.size[0], given.size[1], &error) != qv_ok)
        return FailCommand(&error);
    qvuiPainterDef def = qvuiDefaultPainterDef();
    def.width = given.size[0];
    def.height = given.size[1];
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
    "(FILE [--clip NAME|N] | --primitive SHAPE [--resolution N]) -o OUT.png|.gif|.mp4 [--time T] [--fps N] [--range "
    "A:B] "
    "[--preview] [--size WxH] [--turntable] [--ghosts] [--wavefronts] [--transparent] [--flat] [--wireframe] "
    "[--cache-size SIZE]",
    "draws a picture or a film without a window", Run
};
