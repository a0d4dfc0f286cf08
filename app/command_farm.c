// SPDX-License-Identifier: GPL-3.0-or-later
// quaver farm: prints a script that makes a bake, pictures or a film on many machines. Submits nothing.
#include "command.h"
#include "solve.h"

#include "quaver/numbered.h"
#include "quaver/path.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum
{
    MAX_TASKS = 1000, // Slurm's MaxArraySize is 1001 unless it is told
    GIF_RATE = 50,
};

typedef struct Arguments
{
    const char *input, *output, *engine, *cache;
    int chunk, size[2];
    Moments moments;
    bool turntable, ghosts, wavefronts, transparent, flat, wireframe;
} Arguments;

typedef struct Farm
{
    const Arguments* given;
    const char* extension; // of the parts
    bool isSequence, draws;
    char scene[PATH_MAX], output[PATH_MAX], program[PATH_MAX];
    char cache[2 * PATH_MAX]; // "" where none is given
    int total;
    uint64_t sceneHash;
} Farm;

// --- What is to be made --------------------------------------------------------------------------------------------

static int CheckFormat(const Arguments* given, Farm* farm)
{
    static const struct
    {
        const char *extensions, *part;
        bool isSequence, draws;
    } formats[] = { { "pc2", "pc2", false, false },
                    { "mdd", "mdd", false, false },
                    { "obj", "obj", true, false },
                    { "ply", "ply", true, false },
                    { "png gif mp4", "png", true, true } };
    for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
    {
        if (!qvPath_HasExtension(given->output, formats[i].extensions))
            continue;
        farm->extension = formats[i].part;
        farm->isSequence = formats[i].isSequence, farm->draws = formats[i].draws;
        return EXIT_DONE;
    }
    return FailUsage(&commandFarm,
                     "farm makes .pc2, .mdd, .obj, .ply, numbered .png pictures, .gif and .mp4: other formats hold the "
                     "whole motion, bake them on one machine");
}

static int CheckNumbers(const Arguments* given)
{
    qvError error;
    qvNumberField field;
    if (!qvPath_HasExtension(given->output, "png obj ply"))
        return EXIT_DONE;
    if (qvFindNumberField(given->output, &field, &error) != qv_ok)
        return FailCommand(&error);
    if (qvPath_HasExtension(given->output, "png") && field.digits == 0)
        return FailWith("%s: has no number field for the frames; name it like walk.####.png", given->output);
    return EXIT_DONE;
}

// What is left unheard is wrong usage.
static int CheckUse(const Arguments* given, const Farm* farm)
{
    const struct
    {
        bool isGiven;
        const char* option;
    } looks[] = { { given->size[0] > 0, "--size" },        { given->turntable, "--turntable" },
                  { given->ghosts, "--ghosts" },           { given->wavefronts, "--wavefronts" },
                  { given->transparent, "--transparent" }, { given->flat, "--flat" },
                  { given->wireframe, "--wireframe" } };
    for (size_t i = 0; i < sizeof(looks) / sizeof(looks[0]); i++)
    {
        if (looks[i].isGiven && !farm->draws)
            return FailUsage(&commandFarm, "%s is for pictures and films: name a .png, .gif or .mp4 file",
                             looks[i].option);
    }
    if (given->transparent && !qvPath_HasExtension(given->output, "png"))
        return FailUsage(&commandFarm, "--transparent is for pictures: name a .png file");
    if (given->moments.preview && !isnan(given->moments.range[0]))
        return FailUsage(&commandFarm, "--preview and --range exclude each other");
    return EXIT_DONE;
}

// Other machines begin in other folders.
static qvResult FindPaths(const Arguments* given, Farm* farm, qvError* error)
{
    if (realpath(given->input, farm->scene) == NULL)
        return qvError_Set(error, qv_notFound, "%s: cannot be found; check the path", given->input);
    char* folder = qvPath_Folder(given->output);
    char real[PATH_MAX];
    bool found = folder != NULL && realpath(folder, real) != NULL;
    char* whole = found ? qvPath_Join(real, qvPath_FileName(given->output)) : NULL;
    if (whole != NULL)
        snprintf(farm->output, sizeof(farm->output), "%s", whole);
    free(folder);
    free(whole);
    bool isWhole = given->cache == NULL || given->cache[0] == '/'; // the machines begin in other folders
    if (isWhole || getcwd(real, sizeof(real)) != NULL)
        snprintf(farm->cache, sizeof(farm->cache), "%s%s%s", isWhole ? "" : real, isWhole ? "" : "/",
                 given->cache != NULL ? given->cache : "");
    ssize_t length = readlink("/proc/self/exe", farm->program, sizeof(farm->program) - 1);
    snprintf(farm->program + (length > 0 ? length : 0), 8, "%s", length > 0 ? "" : "quaver");
    return farm->output[0] != 0 ? qv_ok : qvError_OutOfMemory(error, PATH_MAX);
}

static qvResult CountFrames(const Arguments* given, Farm* farm, qvError* error)
{
    const qvScene* scene = NULL;
    qvMoments moments = { 0 };
    qvBakeDef def = BakeMoments(&given->moments);
    qvResult result = qvLoadScene(given->input, &scene, error);
    if (result == qv_ok)
        result = qvBakeDef_Moments(&def, scene, &moments, error);
    if (result == qv_ok && qvPath_HasExtension(given->output, "gif") && moments.fps > GIF_RATE)
        result =
            qvError_Set(error, qv_badInput, "%s: GIF shows at most 50 frames per second and these are %g; add --fps 50",
                        given->output, moments.fps);
    farm->total = moments.total;
    farm->sceneHash = scene != NULL ? qvScene_Hash(scene) : 0;
    qvReleaseScene(scene);
    int least = (farm->total + MAX_TASKS - 1) / MAX_TASKS;
    if (result == qv_ok && given->chunk < least)
        result = qvError_Set(error, qv_badInput, "%d frames in tasks of %d are more than %d tasks; use --chunk %d",
                             farm->total, given->chunk, MAX_TASKS, least);
    return result;
}

// --- The script ----------------------------------------------------------------------------------------------------

// One word of a shell, whatever is in it.
static void PrintQuoted(const char* text)
{
    putchar('\'');
    for (; *text != 0; text++)
    {
        if (*text == '\'')
            fputs("'\\''", stdout);
        else
            putchar(*text);
    }
    putchar('\'');
}

static void PrintVariable(const char* name, const char* value)
{
    printf("%s=", name);
    PrintQuoted(value);
    putchar('\n');
}

// What every task is told; the same text goes into the name of the folder of the parts.
static void DescribeOptions(const Arguments* given, char* text, size_t size)
{
    int length = 0;
    text[0] = 0;
    if (given->moments.fps > 0.0)
        length += snprintf(text + length, size - (size_t)length, " --fps %.17g", given->moments.fps);
    if (!isnan(given->moments.range[0]))
        length += snprintf(text + length, size - (size_t)length, " --range %.17g:%.17g", given->moments.range[0],
                           given->moments.range[1]);
    if (given->size[0] > 0)
        length += snprintf(text + length, size - (size_t)length, " --size %dx%d", given->size[0], given->size[1]);
    snprintf(text + length, size - (size_t)length, "%s%s%s%s%s%s%s", given->moments.preview ? " --preview" : "",
             given->turntable ? " --turntable" : "", given->ghosts ? " --ghosts" : "",
             given->wavefronts ? " --wavefronts" : "", given->transparent ? " --transparent" : "",
             given->flat ? " --flat" : "", given->wireframe ? " --wireframe" : "");
}

// FNV-1a: parts of another scene, of other options or of another length never lie in the same folder.
static uint32_t Mark(const Farm* farm, const char* options)
{
    uint32_t mark = (uint32_t)(farm->sceneHash ^ farm->sceneHash >> 32) ^ (uint32_t)farm->given->chunk;
    for (; *options != 0; options++)
        mark = (mark ^ (unsigned char)*options) * 16777619u;
    return mark;
}

// The part of the script that is the same for all.
static const char slurm[] =
    "\n"
    "# NAME of task N's part.\n"
    "part() {\n"
    "    local first=$(($1 * chunk)) last=$(($1 * chunk + chunk - 1))\n"
    "    [ \"$last\" -lt \"$total\" ] || last=$((total - 1))\n"
    "    if [ -n \"$numbered\" ]; then\n"
    "        printf 'part_%06d-%06d' \"$first\" \"$last\"\n"
    "    else\n"
    "        printf 'part_%06d' \"$first\"\n"
    "    fi\n"
    "}\n"
    "\n"
    "# What is printed from here on goes into a log; not through a link, which may lead anywhere.\n"
    "log() {\n"
    "    if [ -L \"$parts/$1\" ] || { [ -e \"$parts/$1\" ] && [ ! -f \"$parts/$1\" ]; }; then\n"
    "        echo \"$parts/$1: is a link or no file; remove it\" >&2\n"
    "        exit 1\n"
    "    fi\n"
    "    exec >>\"$parts/$1\" 2>&1\n"
    "}\n"
    "\n"
    "# Runs the program, hands signals on to it and waits for its end. A task that a signal ended goes back to the "
    "queue.\n"
    "run() {\n"
    "    local child status\n"
    "    \"$quaver\" \"$@\" &\n"
    "    child=$!\n"
    "    trap 'kill -TERM \"$child\" 2>/dev/null' TERM INT HUP\n"
    "    wait \"$child\"\n"
    "    status=$?\n"
    "    while kill -0 \"$child\" 2>/dev/null; do\n"
    "        wait \"$child\"\n"
    "        status=$?\n"
    "    done\n"
    "    if [ \"$status\" -gt 128 ] && [ \"${SLURM_RESTART_COUNT:-0}\" -lt \"$tries\" ]; then\n"
    "        scontrol requeue \"${SLURM_ARRAY_JOB_ID:-$SLURM_JOB_ID}${SLURM_ARRAY_TASK_ID:+_$SLURM_ARRAY_TASK_ID}\"\n"
    "    fi\n"
    "    exit \"$status\"\n"
    "}\n"
    "\n"
    "# Task N: its frames, as far as they are not there yet.\n"
    "frames() {\n"
    "    local first=$(($1 * chunk)) name=part_$(printf %06d $(($1 * chunk)))\n"
    "    [ -z \"$numbered\" ] || name=part_######\n"
    "    log \"log_$1.txt\"\n"
    "    run \"$command\" \"${options[@]}\" --frames \"$first:$((first + chunk - 1))\" --skip-existing --cache "
    "\"$cache\" \\\n"
    "        -o \"$parts/$name.$extension\" -- \"$scene\"\n"
    "}\n"
    "\n"
    "join() {\n"
    "    local list=() i\n"
    "    for ((i = 0; i < tasks; i++)); do list+=(\"$parts/$(part $i).part.json\"); done\n"
    "    log log_join.txt\n"
    "    run join -o \"$output\" -- \"${list[@]}\"\n"
    "}\n"
    "\n"
    "# submit PHASE OPTIONS: prints the number of the job.\n"
    "submit() {\n"
    "    sbatch --parsable --requeue --job-name=\"quaver-$1\" --output=/dev/null --kill-on-invalid-dep=yes \"${@:2}\" "
    "\\\n"
    "        \"$(realpath -- \"$0\")\" \"$1\" || exit 1\n"
    "}\n"
    "\n"
    "case ${1:-} in\n"
    "solve) frames 0 ;; # alone: it solves and simulates, and the others find that in the cache\n"
    "frames) frames \"$SLURM_ARRAY_TASK_ID\" ;;\n"
    "join) join ;;\n"
    "'')\n"
    "    mkdir -p -- \"$parts\" || exit 1\n"
    "    for ((i = 0; i < tasks; i++)); do (log \"log_$i.txt\") || exit 1; done\n"
    "    (log log_join.txt) || exit 1\n"
    "    solve=$(submit solve) || exit 1\n"
    "    last=$solve\n"
    "    if [ \"$tasks\" -gt 1 ]; then\n"
    "        last=$(submit frames --array=\"1-$((tasks - 1))\" --dependency=afterok:\"${solve%%;*}\") || exit 1\n"
    "    fi\n"
    "    join=$(submit join --dependency=afterok:\"${last%%;*}\") || exit 1\n"
    "    echo \"submitted: solve ${solve%%;*}, frames ${last%%;*}, join ${join%%;*}\"\n"
    "    ;;\n"
    "*)\n"
    "    echo 'usage: bash SCRIPT, without arguments' >&2\n"
    "    exit 2\n"
    "    ;;\n"
    "esac\n";

static int PrintScript(const Farm* farm)
{
    const Arguments* given = farm->given;
    char options[512], parts[PATH_MAX + 32], cache[PATH_MAX + 64];
    DescribeOptions(given, options, sizeof(options));
    snprintf(parts, sizeof(parts), "%s.parts-%08" PRIx32, farm->output, Mark(farm, options));
    snprintf(cache, sizeof(cache), "%s/cache", parts);
    puts("#!/bin/bash\n"
         "# Made by quaver farm. Run it where sbatch is, on folders that all machines share: bash SCRIPT\n"
         "# It submits three jobs: the first task alone, an array of the others, and what joins their parts.\n"
         "# Run it again to make only what is missing. Partition, time and memory: SBATCH_PARTITION and the like.\n"
         "# Machines of different kinds agree to the last bit with QUAVER_CPU=avx2 and OPENBLAS_CORETYPE=HASWELL.\n"
         "# What is in the folder of the parts may be deleted once the whole is there.");
    PrintVariable("program", farm->program);
    puts("quaver=${QUAVER:-$program}");
    PrintVariable("scene", farm->scene);
    PrintVariable("output", farm->output);
    PrintVariable("parts", parts);
    PrintVariable("cache", farm->cache[0] != 0 ? farm->cache : cache);
    printf("command=%s extension=%s numbered=%s\n", farm->draws ? "render" : "bake", farm->extension,
           farm->isSequence ? "yes" : "");
    printf("options=(%s)\n", options[0] != 0 ? options + 1 : options);
    printf("total=%d chunk=%d tasks=%d tries=5\n", farm->total, given->chunk,
           (farm->total + given->chunk - 1) / given->chunk);
    fputs(slurm, stdout);
    return EXIT_DONE;
}

static int Print(const Arguments* given)
{
    Farm farm = { .given = given };
    int status = CheckFormat(given, &farm);
    if (status == EXIT_DONE)
        status = CheckUse(given, &farm);
    if (status == EXIT_DONE)
        status = CheckNumbers(given);
    if (status == EXIT_DONE)
        status = CheckTarget(given->output);
    qvError error;
    if (status != EXIT_DONE)
        return status;
    if (FindPaths(given, &farm, &error) != qv_ok || CountFrames(given, &farm, &error) != qv_ok)
        return FailCommand(&error);
    return PrintScript(&farm);
}

static int Run(int argumentCount, char** arguments)
{
    Arguments given = { .moments = noMoments };
    const Option options[] = {
        { NULL, OPTION_TEXT, &given.input, "a scene file", 0, 0 },
        { "-o", OPTION_TEXT, &given.output,
          "the whole: .pc2, .mdd, .obj, .ply, pictures (walk.####.png) or a film (.gif, .mp4)", 0, 0 },
        { "--engine", OPTION_TEXT, &given.engine, "what runs the farm: slurm", 0, 0 },
        { "--chunk", OPTION_INT, &given.chunk, "frames of a task", 1, 100000 },
        { "--cache", OPTION_TEXT, &given.cache, "a folder that all machines share, beside the parts unless told", 0,
          0 },
        { "--fps", OPTION_NUMBER, &given.moments.fps, "frames per second, the scene's unless told", 1, 240 },
        { "--range", OPTION_RANGE, given.moments.range, "from a:b seconds, the scene's range unless told", 0, 0 },
        { "--preview", OPTION_FLAG, &given.moments.preview, "only the scene's preview range, if it has one", 0, 0 },
        { "--size", OPTION_SIZE, given.size, "of pictures and films, WIDTHxHEIGHT in pixels", 1, 16384 },
        { "--turntable", OPTION_FLAG, &given.turntable, "as render has it; so are the following", 0, 0 },
        { "--ghosts", OPTION_FLAG, &given.ghosts, "", 0, 0 },
        { "--wavefronts", OPTION_FLAG, &given.wavefronts, "", 0, 0 },
        { "--transparent", OPTION_FLAG, &given.transparent, "", 0, 0 },
        { "--flat", OPTION_FLAG, &given.flat, "", 0, 0 },
        { "--wireframe", OPTION_FLAG, &given.wireframe, "", 0, 0 },
    };
    int status;
    if (!ParseOptions(&commandFarm, options, sizeof(options) / sizeof(options[0]), argumentCount, arguments, &status))
        return status;
    if (given.input == NULL || given.output == NULL || given.engine == NULL || given.chunk == 0)
        return FailUsage(&commandFarm, "farm needs a SCENE, -o OUT, --engine slurm and --chunk N");
    if (strcmp(given.engine, "slurm") != 0)
        return FailUsage(
            &commandFarm,
            "--engine \"%s\" is not slurm; templates for others are in the folder farm of the documentation",
            given.engine);
    return Print(&given);
}

const Command commandFarm = {
    "farm",
    "SCENE -o OUT --engine slurm --chunk N [--cache DIR] [--fps N] [--range A:B] [--preview] "
    "[--size WxH] [--turntable] [--ghosts] [--wavefronts] [--transparent] [--flat] "
    "[--wireframe]",
    "prints a script that makes it on a farm: a first task, an array of tasks, and their join", Run
};
