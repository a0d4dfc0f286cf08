// SPDX-License-Identifier: GPL-3.0-or-later
// quaver render: a picture or a film of a scene or of a mesh file with clips, a picture of a built-in shape, without a
// window.
#include "clip.h"
#include "command.h"
#include "interrupt.h"

#include <stdio.h>

#ifdef QUAVER_UI

#include "quaver/image.h"
#include "quaver/model.h"
#include "quaver/numbered.h"
#include "quaver/part.h"
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
    Clip clip;
    const char* primitive;
    int resolution;
    const char* output;
    int size[2];
    double time; // s, not a number: the scene's start, or the mesh at rest
    Moments moments;
    Cache cache;
    double blur;         // of a frame's time
    const char* channel; // whose values colour the points of simulations
    bool transparent, flat, wireframe, splats, turntable, ghosts, wavefronts, skipExisting;
    bool isNumbered; // a picture per frame
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

static int ReportPictures(const Arguments* arguments, const qvMoments* moments)
{
    printf("%s: %d picture%s of %d x %d pixels\n", arguments->output, moments->count, moments->count == 1 ? "" : "s",
           arguments->size[0], arguments->size[1]);
    return EXIT_DONE;
}

static int Draw(const qvMesh* mesh, const char* folder, const qvuiPainterDef* look, const char* path)
{
    qvError error;
    qvImage image;
    ProgressLine line;
    BeginProgress(&line);
    CatchInterrupts();
    const qvJob job = { .progress = ShowProgress, .log = PrintWarning, .context = &line };
    qvuiPainterDef def = *look;
    def.folder = folder;
    def.job = &job;
    qvResult result = qvuiRenderStill(mesh, &def, &image, &error);
    if (result == qv_ok)
        result = qvSaveImage(&image, path, &job, &error);
    EndProgress(&line);
    qvDestroyImage(&image);
    return result == qv_ok ? Report(path, look) : FailCommand(&error);
}

static int DrawShape(const Arguments* arguments, const qvuiPainterDef* def)
{
    qvError error;
    qvMesh* mesh = NULL;
    if (qvCreatePrimitive(arguments->primitive, arguments->resolution, &mesh, &error) != qv_ok)
        return FailCommand(&error);
    int status = Draw(mesh, NULL, def, arguments->output);
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

// --- Parts ---------------------------------------------------------------------------------------------------------

static bool IsGif(const Arguments* arguments)
{
    return qvPath_HasExtension(arguments->output, "gif");
}

// All that makes one picture of a moment differ from another.
static void DescribeLook(const Arguments* given, char* text, size_t size)
{
    char blur[32] = "";
    if (given->blur > 0.0)
        snprintf(blur, sizeof(blur), " blur %.4g", given->blur);
    snprintf(text, size, "%dx%d%s%s%s%s%s%s%s%s%s%s", given->size[0], given->size[1],
             given->turntable ? " turntable" : "", given->ghosts ? " ghosts" : "",
             given->wavefronts ? " wavefronts" : "", given->transparent ? " transparent" : "",
             given->flat ? " flat" : "", given->wireframe ? " wireframe" : "", given->splats ? " splats" : "",
             given->channel != NULL ? " points " : "", given->channel != NULL ? given->channel : "", blur);
}

// The pictures that are asked for, as far as the scene alone can tell.
static qvResult DescribeScene(const Arguments* arguments, const qvScene* scene, qvPart* part, qvError* error)
{
    qvBakeDef def = BakeMoments(&arguments->moments);
    *part = (qvPart){ .output = arguments->output, .isSequence = arguments->isNumbered, .scene = qvScene_Hash(scene) };
    DescribeLook(arguments, part->look, sizeof(part->look));
    return qvuiFilmMoments(&def, scene, IsGif(arguments), &part->moments, error);
}

// A glTF file with a scene in it is that scene, unless one of its clips is asked for.
static bool IsScene(const Arguments* arguments)
{
    const char* input = arguments->input;
    bool asksMesh = HasClip(&arguments->clip) && input != NULL && qvPath_HasExtension(input, "glb gltf");
    return input != NULL && !asksMesh && qvIsSceneFile(input);
}

// What pictures are made from, and what need not be drawn again. Of the clip of a mesh file this is known only later.
static qvResult LookForExisting(const Arguments* arguments, qvPart* part, qvExisting* existing, qvError* error)
{
    *existing = qv_existsNot;
    bool films = arguments->isNumbered || !qvPath_HasExtension(arguments->output, "png");
    if (!(arguments->skipExisting || arguments->isNumbered) || !IsScene(arguments))
        return qv_ok;
    const qvScene* scene = NULL;
    qvResult result = LoadSceneFile(arguments->input, &arguments->clip, &scene, error);
    if (result == qv_ok && films)
        result = DescribeScene(arguments, scene, part, error);
    else
        *part = (qvPart){ .output = arguments->output, .moments = { .count = 1 } };
    if (result == qv_ok && arguments->isNumbered)
        result = DescribeSources(arguments->input, scene, part, error);
    if (result == qv_ok && arguments->skipExisting)
        *existing = qvPart_FindExisting(part, arguments->isNumbered && HasFrames(&arguments->moments));
    qvReleaseScene(scene);
    return result;
}

// before: what was to be solved.
static qvResult DescribePart(const Arguments* arguments, SolvedScene* solved, const qvPart* before, qvPart* part,
                             qvError* error)
{
    qvResult result = DescribeScene(arguments, solved->scene, part, error);
    return result == qv_ok ? DescribeSolved(solved, IsScene(arguments) ? before : NULL, part, error) : result;
}

// --- Drawing -------------------------------------------------------------------------------------------------------

static int DrawTake(const Arguments* arguments, const qvuiPainterDef* look, SolvedScene* solved, const qvPart* before,
                    qvExisting existing)
{
    qvError error;
    qvPart part = { .moments = { .count = 1 } };
    qvuiFilmDef def = { .look = *look,
                        .isNumbered = arguments->isNumbered,
                        .part = arguments->isNumbered ? &part : NULL,
                        .skipExisting = existing == qv_existsSome,
                        .moments = BakeMoments(&arguments->moments),
                        .time = arguments->time,
                        .blur = arguments->blur,
                        .turntable = arguments->turntable,
                        .ghosts = arguments->ghosts,
                        .wavefronts = arguments->wavefronts,
                        .channel = arguments->channel };
    qvJob job = SceneJob(solved);
    WarnOfNothing(arguments, solved->take);
    const char* remark = qvuiFilmRemark(&def.moments, qvTake_Scene(solved->take), IsGif(arguments));
    if (remark != NULL)
        fprintf(stderr, "quaver: warning: %s: %s\n", arguments->output, remark);
    qvResult result = def.isNumbered ? DescribePart(arguments, solved, before, &part, &error) : qv_ok;
    if (result == qv_ok)
        result = qvuiDrawTake(solved->take, &def, arguments->output, &job, &error);
    if (result == qv_ok && def.isNumbered && HasFrames(&arguments->moments))
        result = qvWritePart(&part, &job, &error);
    FreeSolvedScene(solved);
    if (result != qv_ok)
        return FailCommand(&error);
    return def.isNumbered ? ReportPictures(arguments, &part.moments) : Report(arguments->output, look);
}

static int DrawRest(const Arguments* arguments, const qvuiPainterDef* def)
{
    qvError error;
    qvModel* model = NULL;
    if (qvLoadModel(arguments->input, NULL, &model, &error) != qv_ok)
        return FailCommand(&error);
    int status = Draw(model->mesh, model->folder, def, arguments->output);
    qvDestroyModel(model);
    return status;
}

// One picture of one moment.
static bool IsStill(const Arguments* arguments)
{
    return qvPath_HasExtension(arguments->output, "png") && !arguments->isNumbered;
}

static qvResult CheckScene(const qvScene* scene, const void* context, qvError* error)
{
    const Arguments* arguments = context;
    qvBakeDef def = BakeMoments(&arguments->moments);
    qvMoments moments;
    if (qvPath_HasExtension(arguments->output, "png") && !arguments->isNumbered)
        return qv_ok;
    return qvuiFilmMoments(&def, scene, IsGif(arguments), &moments, error);
}

static int DrawFile(const Arguments* arguments, const qvuiPainterDef* def)
{
    bool isScene = IsScene(arguments), still = IsStill(arguments);
    bool moves = !still || !isnan(arguments->time) || arguments->turntable || HasClip(&arguments->clip);
    if (!isScene && !moves)
        return DrawRest(arguments, def);
    qvError error;
    SolvedScene solved;
    qvPart part;
    qvExisting existing;
    SolveDef how = { CheckScene, arguments, arguments->cache, &arguments->clip };
    if (LookForExisting(arguments, &part, &existing, &error) != qv_ok)
        return FailCommand(&error);
    if (existing == qv_existsAll)
    {
        printf("%s: exists already and stays\n", arguments->output);
        return EXIT_DONE;
    }
    if (arguments->skipExisting && arguments->isNumbered && !isScene)
        existing = qv_existsSome;
    qvResult result = isScene ? SolveSceneFile(arguments->input, &how, &solved, &error)
                              : SolveClip(arguments->input, &how, &solved, &error);
    return result == qv_ok ? DrawTake(arguments, def, &solved, &part, existing) : FailCommand(&error);
}

// What would be left unheard is wrong usage. Returns EXIT_DONE when there is nothing of that kind.
static int CheckUse(const Arguments* given)
{
    bool still = IsStill(given), isScene = IsScene(given), isPng = qvPath_HasExtension(given->output, "png");
    bool mayHaveClips = given->input != NULL && qvPath_HasExtension(given->input, "glb gltf");
    const struct
    {
        bool wrong;
        const char *option, *why;
    } uses[] = {
        { given->turntable && !isScene && !mayHaveClips, "--turntable", "needs a scene or a file with clips" },
        { given->moments.fps > 0.0 && still, "--fps", "is for films: name a .gif or .mp4 file" },
        { !isnan(given->moments.range[0]) && still, "--range", "is for films: name a .gif or .mp4 file" },
        { given->moments.preview && !isScene, "--preview", "needs a scene with a preview range" },
        { given->moments.preview && !isnan(given->moments.range[0]), "--preview", "and --range exclude each other" },
        { given->moments.preview && still, "--preview", "is for films: name a .gif or .mp4 file" },
        { given->blur > 0.0 && still, "--blur", "is for films: name a .gif or .mp4 file, or numbered pictures" },
        { given->resolution > 0 && given->primitive == NULL, "--resolution", "needs --primitive" },
        { !isnan(given->time) && given->primitive != NULL, "--time", "needs a scene or a file with clips" },
        { !isnan(given->time) && given->isNumbered, "--time", "is for one picture: leave out the number field" },
        { !isnan(given->time) && !still, "--time", "is for pictures: name a .png file" },
        { given->transparent && !isPng, "--transparent", "is for pictures: name a .png file" },
        { given->ghosts && !isScene, "--ghosts", "needs a scene with keys" },
        { given->wavefronts && !isScene, "--wavefronts", "needs a scene with waves" },
        { given->channel != NULL && !isScene, "--points", "needs a scene with a simulation" },
    };
    for (size_t i = 0; i < sizeof(uses) / sizeof(uses[0]); i++)
    {
        if (uses[i].wrong)
            return FailUsage(&commandRender, "%s %s", uses[i].option, uses[i].why);
    }
    return EXIT_DONE;
}

static bool IsChannel(const char* tag)
{
    const qvChannel* channels[16];
    int count = qvFindChannels(channels, 16);
    for (int i = 0; i < count && i < 16; i++)
    {
        if (strcmp(channels[i]->tag, tag) == 0)
            return true;
    }
    return false;
}

// Whether a picture per frame is asked for.
static qvResult FindNumbers(Arguments* given, qvError* error)
{
    qvNumberField field;
    if (!qvPath_HasExtension(given->output, "png") || given->primitive != NULL)
        return qv_ok;
    qvResult result = qvFindNumberField(given->output, &field, error);
    given->isNumbered = result == qv_ok && field.digits > 0;
    if (result == qv_ok && HasFrames(&given->moments) && !given->isNumbered)
        return qvError_Set(error, qv_badInput, "%s: has no number field for the frames; name it like walk.####.png",
                           given->output);
    return result;
}

static int Run(int argumentCount, char** arguments)
{
    Arguments given = {
        .size = { 1600, 900 }, .time = NAN, .clip = noClip, .moments = noMoments, .cache = defaultCache
    };
    Moments* moments = &given.moments;
    const Option options[] = {
        { NULL, OPTION_TEXT, &given.input, "a scene or a mesh file", 0, 0 },
        CLIP_OPTIONS(given.clip),
        { "--primitive", OPTION_TEXT, &given.primitive, "draw a built-in shape instead of a file", 0, 0 },
        { "--resolution", OPTION_INT, &given.resolution, "of the built-in shape", qv_minResolution, qv_maxResolution },
        { "-o", OPTION_TEXT, &given.output,
          "the picture (.png), pictures (walk.####.png) or film (.gif, .mp4) to write", 0, 0 },
        { "--size", OPTION_SIZE, given.size, "WIDTHxHEIGHT in pixels, 1600x900 unless told", 1, qv_maxImageSize },
        { "--time", OPTION_NUMBER, &given.time,
          "the moment of a picture in seconds, the scene's start or the mesh at rest unless told", -1000000, 1000000 },
        { "--fps", OPTION_NUMBER, &moments->fps,
          "frames per second of a film, the scene's, the clip's or 24 unless told", 1, 240 },
        { "--range", OPTION_RANGE, moments->range, "from a:b seconds of a film, the whole scene or clip unless told", 0,
          0 },
        { "--preview", OPTION_FLAG, &moments->preview, "only the scene's preview range, if it has one", 0, 0 },
        { "--blur", OPTION_NUMBER, &given.blur,
          "motion blur: how much of a frame's time a film's pictures show at once, 0 unless told", 0, 1 },
        { "--turntable", OPTION_FLAG, &given.turntable, "the camera goes round once in the course of the film", 0, 0 },
        { "--ghosts", OPTION_FLAG, &given.ghosts, "the keys before and after as silhouettes, of a scene", 0, 0 },
        { "--wavefronts", OPTION_FLAG, &given.wavefronts, "colour the body by the waves in it, of a scene", 0, 0 },
        { "--points", OPTION_TEXT, &given.channel,
          "the points of simulations, coloured by stretch, plastic or melt (surfaces: pressure or force), instead of "
          "the body",
          0, 0 },
        { "--transparent", OPTION_FLAG, &given.transparent, "a picture without backdrop", 0, 0 },
        { "--flat", OPTION_FLAG, &given.flat, "one shade per triangle", 0, 0 },
        { "--wireframe", OPTION_FLAG, &given.wireframe, "draw the edges", 0, 0 },
        { "--splats", OPTION_FLAG, &given.splats, "draw the surface as round discs at its vertices", 0, 0 },
        FRAMES_OPTION(given.moments),
        { "--skip-existing", OPTION_FLAG, &given.skipExisting, "what is there already is not drawn again", 0, 0 },
        CACHE_OPTIONS(given.cache),
    };
    int status;
    if (!ParseOptions(&commandRender, options, sizeof(options) / sizeof(options[0]), argumentCount, arguments, &status))
        return status;
    if ((given.input == NULL) == (given.primitive == NULL) || given.output == NULL)
        return FailUsage(&commandRender, "render needs a FILE or --primitive NAME, and -o OUT.png, .gif or .mp4");
    if (!qvPath_HasExtension(given.output, "png gif mp4"))
        return FailWith("%s: pictures are .png, films .gif or .mp4; name such a file", given.output);
    qvError error;
    if (FindNumbers(&given, &error) != qv_ok)
        return FailCommand(&error);
    if (CheckClip(&commandRender, &given.clip, given.input) != EXIT_DONE || CheckUse(&given) != EXIT_DONE)
        return EXIT_USAGE;
    if (given.channel != NULL && !IsChannel(given.channel))
        return FailUsage(&commandRender,
                         "--points %s: choose stretch, plastic or melt, or of surfaces pressure or force",
                         given.channel);
    if (given.primitive != NULL && !qvPath_HasExtension(given.output, "png"))
        return FailWith("%s: a shape does not move; name a file that ends in .png", given.output);
    if (CheckTarget(given.output) != EXIT_DONE ||
        (given.input != NULL && CheckIsOther(given.input, given.output) != EXIT_DONE))
        return EXIT_FAILED;
    if (qvuiCheckFilm(given.output, given.size[0], given.size[1], &error) != qv_ok)
        return FailCommand(&error);
    qvuiPainterDef def = qvuiDefaultPainterDef();
    def.width = given.size[0];
    def.height = given.size[1];
    def.transparent = given.transparent;
    def.flat = given.flat;
    def.wireframe = given.wireframe;
    def.splats = given.splats;
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
    "(FILE | --primitive SHAPE [--resolution N]) -o OUT.png|.gif|.mp4 [--time T] [--fps N] [--range "
    "A:B] "
    "[--preview] [--size WxH] [--blur PART] [--turntable] [--ghosts] [--wavefronts] [--points CHANNEL] [--transparent] "
    "[--flat] "
    "[--wireframe] [--splats] " CLIP_ARGUMENTS " [--frames A:B] [--skip-existing] [--cache DIR] [--cache-size SIZE]",
    "draws a picture or a film without a window", Run
};
