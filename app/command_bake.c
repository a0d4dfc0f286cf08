// SPDX-License-Identifier: GPL-3.0-or-later
// quaver bake: writes the motion of a scene as glTF, USD, a vertex cache or a sequence of meshes.
#include "command.h"
#include "solve.h"

#include "quaver/animation.h"
#include "quaver/numbered.h"
#include "quaver/part.h"
#include "quaver/path.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

typedef struct Arguments
{
    const char *input, *output, *preset;
    Clip clip;
    Moments moments;
    Cache cache;
    double error; // not a number: as much as unless told
    qvTakeExport def;
    bool noNormals, json, skipExisting;
} Arguments;

static double Milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

// --- Before the work -----------------------------------------------------------------------------------------------

// Says which options do nothing here. The same ones may be given for all formats, as scripts do.
static void WarnOfUnheard(const Arguments* given)
{
    const qvExportOptions* out = &given->def.options;
    qvExporterInfo info;
    bool other = !qvFindExporter(given->output, &info) || !info.usesOptions;
    static const char *const glTF = "is for glTF", *const all = "does nothing with --per-frame",
                             *const bones = "does nothing with --bones";
    const struct
    {
        bool unheard;
        const char *option, *why;
    } uses[] = {
        { !isnan(given->error) && other, "--error", glTF },
        { out->maxTargets > 0 && other, "--max-targets", glTF },
        { out->perFrame && other, "--per-frame", glTF },
        { given->noNormals && other, "--no-normals", glTF },
        { out->quantize && other, "--quantize", glTF },
        { out->compress && other, "--compress", glTF },
        { out->cubic && other, "--cubic", glTF },
        { given->def.embedScene && other, "--embed-scene", glTF },
        { given->preset != NULL && other, "--for", glTF },
        { out->maxTargets > 0 && out->perFrame && !other, "--max-targets", all },
        { out->cubic && out->perFrame && !other, "--cubic", all },
        { out->bones > 0 && other, "--bones", glTF },
        { out->maxTargets > 0 && out->bones > 0 && !other, "--max-targets", bones },
        { out->perFrame && out->bones > 0 && !other, "--per-frame", bones },
        { out->cubic && out->bones > 0 && !other, "--cubic", bones },
    };
    for (size_t i = 0; i < sizeof(uses) / sizeof(uses[0]); i++)
    {
        if (uses[i].unheard)
            fprintf(stderr, "quaver: warning: %s: %s %s\n", given->output, uses[i].option, uses[i].why);
    }
}

// What can be told before the scene is solved.
static int CheckFiles(const Arguments* arguments, const qvExportPreset** preset)
{
    if (qvPath_HasExtension(arguments->input, "obj ply stl"))
        return FailWith("%s: a mesh does not move; open it in the window, pose it, save the scene and name that",
                        arguments->input);
    qvExporterInfo info;
    qvNumberField field;
    qvError error;
    if (!qvFindExporter(arguments->output, &info))
        return FailWith("%s: not a format that can be written; name a .glb, .gltf, .html, .pc2, .mdd, .usda, .vat, "
                        ".obj or .ply file",
                        arguments->output);
    if (HasFrames(&arguments->moments) && !info.parts)
        return FailUsage(&commandBake, "--frames is for .pc2, .mdd, .obj and .ply: %s holds the whole motion",
                         info.label);
    if (info.sequence && qvFindNumberField(arguments->output, &field, &error) != qv_ok)
        return FailCommand(&error);
    if (arguments->moments.preview && !isnan(arguments->moments.range[0]))
        return FailUsage(&commandBake, "--preview and --range exclude each other");
    if (CheckIsOther(arguments->input, arguments->output) != EXIT_DONE ||
        (info.folder ? CheckTargetFolder(arguments->output) : CheckTarget(arguments->output)) != EXIT_DONE)
        return EXIT_FAILED;
    *preset = arguments->preset != NULL ? qvFindExportPreset(arguments->preset) : NULL;
    if (arguments->preset == NULL || *preset != NULL)
        return EXIT_DONE;
    char tags[256] = "";
    for (int i = 0, length = 0; i < qvExportPresetCount() && length < (int)sizeof(tags); i++)
        length += snprintf(tags + length, sizeof(tags) - (size_t)length, "%s %s", i > 0 ? "," : "",
                           qvGetExportPreset(i)->tag);
    return FailUsage(&commandBake, "--for \"%s\" is not one of%s", arguments->preset, tags);
}

static qvResult CheckScene(const qvScene* scene, const void* context, qvError* error)
{
    const Arguments* arguments = context;
    qvBakeDef def = BakeMoments(&arguments->moments);
    qvMoments moments;
    return qvBakeDef_Moments(&def, scene, &moments, error);
}

// --- The work ------------------------------------------------------------------------------------------------------

// The part that is asked for, or all of it, as far as the scene alone can tell.
static qvResult DescribeScene(const Arguments* arguments, const qvScene* scene, qvPart* part, qvError* error)
{
    qvExporterInfo info;
    qvBakeDef def = BakeMoments(&arguments->moments);
    *part = (qvPart){ .output = arguments->output, .scene = qvScene_Hash(scene) };
    part->isSequence = qvFindExporter(arguments->output, &info) && info.sequence;
    return qvBakeDef_Moments(&def, scene, &part->moments, error);
}

// A glTF file with a scene in it is that scene, unless one of its clips is asked for; another is a mesh that its clip
// moves.
static bool IsScene(const Arguments* arguments)
{
    bool isMesh = qvPath_HasExtension(arguments->input, "glb gltf");
    return !isMesh || (!HasClip(&arguments->clip) && qvIsSceneFile(arguments->input));
}

// What a part is made from, and what need not be baked again. Of the clip of a mesh file this is known only later.
static qvResult LookForExisting(const Arguments* arguments, qvPart* part, qvExisting* existing, qvError* error)
{
    *existing = qv_existsNot;
    if (!(arguments->skipExisting || HasFrames(&arguments->moments)) || !IsScene(arguments))
        return qv_ok;
    const qvScene* scene = NULL;
    qvResult result = LoadSceneFile(arguments->input, &arguments->clip, &scene, error);
    if (result == qv_ok)
        result = DescribeScene(arguments, scene, part, error);
    if (result == qv_ok)
        result = DescribeSources(arguments->input, scene, part, error);
    if (result == qv_ok && arguments->skipExisting)
        *existing = qvPart_FindExisting(part, HasFrames(&arguments->moments));
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

static qvResult Export(const Arguments* arguments, SolvedScene* solved, const qvExportPreset* preset,
                       const qvPart* before, qvExisting existing, qvExportReport* report, qvError* error)
{
    bool isPart = HasFrames(&arguments->moments);
    qvPart part;
    qvResult result = isPart ? DescribePart(arguments, solved, before, &part, error) : qv_ok;
    if (result != qv_ok)
        return result;
    qvJob job = SceneJob(solved);
    qvTakeExport def = arguments->def;
    def.bake = BakeMoments(&arguments->moments);
    def.options.normals = !arguments->noNormals;
    def.options.preset = preset, def.options.job = &job;
    def.options.skipExisting = existing == qv_existsSome;
    result = qvExportTake(solved->take, &def, arguments->output, report, error);
    return result == qv_ok && isPart ? qvWritePart(&part, &job, error) : result;
}

static int ReportExisting(const Arguments* arguments, const qvPart* part)
{
    if (!arguments->json)
    {
        printf("%s: %d frame%s exist already and stay\n", arguments->output, part->moments.count,
               part->moments.count == 1 ? "" : "s");
        return EXIT_DONE;
    }
    qvJson* root = qvCreateJsonObject();
    qvJson_AddString(root, "file", arguments->output);
    qvJson_AddNumber(root, "frames", part->moments.count);
    qvJson_AddBool(root, "skipped", true);
    return PrintJson(root);
}

static int Report(const Arguments* arguments, const qvExportReport* report, double milliseconds)
{
    double unit = report->diagonal > 0.0 ? 1.0 / report->diagonal : 0.0;
    qvExporterInfo info;
    if (!arguments->json && qvFindExporter(arguments->output, &info))
    {
        printf("%s: %d frame%s, ", arguments->output, report->frames, report->frames == 1 ? "" : "s");
        int count = arguments->def.options.bones > 0 ? report->bones : report->targets;
        if (info.usesOptions)
            printf("%d %s%s, ", count, arguments->def.options.bones > 0 ? "bone" : "shape", count == 1 ? "" : "s");
        if (info.usesOptions || info.rounds) // the others hold every vertex exactly
            printf("error at most %.2g and rms %.2g of the diagonal, ", unit * report->maxError,
                   unit * report->rmsError);
        printf("%.0f bytes, %.0f ms\n", report->bytes, milliseconds);
        if (report->warning[0] != 0)
            fprintf(stderr, "quaver: warning: %s\n", report->warning);
        return EXIT_DONE;
    }
    qvJson* root = qvCreateJsonObject();
    qvJson_AddString(root, "file", arguments->output);
    qvJson_AddNumber(root, "frames", report->frames);
    qvJson_AddNumber(root, "targets", report->targets);
    if (arguments->def.options.bones > 0)
    {
        qvJson_AddNumber(root, "bones", report->bones);
        qvJson_AddNumber(root, "normals_rms", report->normalsRms * 180.0 / 3.14159265358979323846); // degrees
    }
    qvJson_AddNumber(root, "keys", report->keys);
    qvJson_AddNumber(root, "max_error", unit * report->maxError);
    qvJson_AddNumber(root, "rms_error", unit * report->rmsError);
    qvJson_AddNumber(root, "bytes", report->bytes);
    qvJson_AddNumber(root, "ms", milliseconds);
    if (report->warning[0] != 0)
        qvJson_AddString(root, "warning", report->warning);
    return PrintJson(root);
}

static int Bake(const Arguments* arguments)
{
    const qvExportPreset* preset = NULL;
    int status = CheckFiles(arguments, &preset);
    if (status != EXIT_DONE)
        return status;
    WarnOfUnheard(arguments);
    double start = Milliseconds();
    qvError error;
    SolvedScene solved;
    SolveDef how = { CheckScene, arguments, arguments->cache, &arguments->clip };
    qvPart part;
    qvExisting existing;
    if (LookForExisting(arguments, &part, &existing, &error) != qv_ok)
        return FailCommand(&error);
    if (existing == qv_existsAll)
        return ReportExisting(arguments, &part);
    qvResult result = IsScene(arguments) ? SolveSceneFile(arguments->input, &how, &solved, &error)
                                         : SolveClip(arguments->input, &how, &solved, &error);
    if (result != qv_ok)
        return FailCommand(&error);
    WarnOfSimulations(&solved);
    qvExportReport report;
    result = Export(arguments, &solved, preset, &part, existing, &report, &error);
    FreeSolvedScene(&solved);
    return result == qv_ok ? Report(arguments, &report, Milliseconds() - start) : FailCommand(&error);
}

static int Run(int argumentCount, char** arguments)
{
    Arguments given = {
        .clip = noClip, .moments = noMoments, .cache = defaultCache, .error = NAN, .def = qvDefaultTakeExport()
    };
    qvExportOptions* out = &given.def.options;
    const Option options[] = {
        { NULL, OPTION_TEXT, &given.input, "a scene, or a .glb or .gltf file with clips", 0, 0 },
        { "-o", OPTION_TEXT, &given.output,
          "what to write: .glb, .gltf, .html (a page that plays), .pc2, .mdd, .usda, .vat (a folder), or .obj or .ply "
          "for a sequence "
          "(walk.####.obj)",
          0, 0 },
        { "--fps", OPTION_NUMBER, &given.moments.fps, "frames per second, the scene's unless told", 1, 240 },
        { "--range", OPTION_RANGE, given.moments.range, "from a:b seconds, the scene's range unless told", 0, 0 },
        { "--preview", OPTION_FLAG, &given.moments.preview, "only the scene's preview range, if it has one", 0, 0 },
        { "--error", OPTION_NUMBER, &given.error, "how far a vertex may be off, of the diagonal; 0.001", 0, 1 },
        { "--max-targets", OPTION_INT, &out->maxTargets, "at most so many morph targets", 1, 10000 },
        { "--per-frame", OPTION_FLAG, &out->perFrame, "one morph target per frame", 0, 0 },
        { "--no-normals", OPTION_FLAG, &given.noNormals, "leave out the normals of morph targets", 0, 0 },
        { "--quantize", OPTION_FLAG, &out->quantize, "KHR_mesh_quantization: half the size", 0, 0 },
        { "--compress", OPTION_FLAG, &out->compress, "EXT_meshopt_compression: a third of the size, or less", 0, 0 },
        { "--cubic", OPTION_FLAG, &out->cubic, "CUBICSPLINE: fewer samples, more targets", 0, 0 },
        { "--bones", OPTION_MOST, &out->bones,
          "a skin of at most so many bones instead of shapes, as few as hold --error (0.005 then)", 1, qv_maxBones },
        { "--embed-scene", OPTION_FLAG, &given.def.embedScene, "store the scene in the file, to open it again", 0, 0 },
        { "--for", OPTION_TEXT, &given.preset, "fit it to three, babylon, blender, godot, unity or any8", 0, 0 },
        { "--json", OPTION_FLAG, &given.json, "print one JSON object", 0, 0 },
        CLIP_OPTIONS(given.clip),
        FRAMES_OPTION(given.moments),
        { "--skip-existing", OPTION_FLAG, &given.skipExisting, "what is there already is not made again", 0, 0 },
        CACHE_OPTIONS(given.cache),
    };
    int status;
    if (!ParseOptions(&commandBake, options, sizeof(options) / sizeof(options[0]), argumentCount, arguments, &status))
        return status;
    if (given.input == NULL || given.output == NULL)
        return FailUsage(&commandBake, "bake needs a SCENE and -o OUT");
    if (CheckClip(&commandBake, &given.clip, given.input) != EXIT_DONE)
        return EXIT_USAGE;
    if (given.error <= 0.0)
        return FailUsage(&commandBake, "--error must be a number above 0, up to 1");
    if (!isnan(given.error))
        out->error = given.error;
    else if (out->bones > 0)
        out->error = QV_BONES_ERROR;
    return Bake(&given);
}

const Command commandBake = {
    "bake",
    "SCENE -o OUT [--fps N] [--range A:B] [--preview] [--frames A:B] [--skip-existing] [--error E] [--max-targets N] "
    "[--per-frame] "
    "[--no-normals] [--quantize] [--compress] [--cubic] [--bones [N]] [--embed-scene] [--for TARGET] "
    "[--json] " CLIP_ARGUMENTS " [--cache DIR] [--cache-size SIZE]",
    "writes the motion of a scene as glTF, USD, a vertex cache, a vertex animation texture or a sequence of meshes", Run
};
