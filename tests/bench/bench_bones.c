// SPDX-License-Identifier: GPL-3.0-or-later
// Demos as a skin of 64 bones and as quantized morph targets at the error that these reach, and both at half a percent:
// bytes and errors side by side.
#include "bench.h"

#include "quaver/path.h"
#include "quaver/take.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum
{
    BONES = 64,
};

// Where demos are from the program: installed, or in the tree that it was built from.
static qvResult FindDemo(const char* name, char* path, size_t capacity, qvError* error)
{
    static const char* const folders[] = { "../scenes", "../../scenes", "../share/quaver/scenes" };
    char program[2048];
    ssize_t length = readlink("/proc/self/exe", program, sizeof(program) - 1);
    program[length > 0 ? length : 0] = 0;
    char* folder = qvPath_Folder(program);
    bool found = false;
    for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]) && folder != NULL && !found; i++)
    {
        snprintf(path, capacity, "%s/%s/%s.json", folder, folders[i], name);
        found = access(path, R_OK) == 0;
    }
    free(folder);
    return found ? qv_ok : qvError_Set(error, qv_notFound, "%s.json: the demos are not beside the program", name);
}

static void Add(qvBenchSink* sink, const char* name, const char* what, double value, const char* unit, double baseline)
{
    char figure[128];
    snprintf(figure, sizeof(figure), "%s/%s", name, what);
    qvBench_Add(sink, figure, value, unit, baseline);
}

// Of at most so many bones, of which as few are taken as hold an error.
static qvResult Compare(const qvTake* take, const char* name, int most, double limit, const qvJob* job,
                        qvBenchSink* sink, qvError* error)
{
    qvTakeExport def = qvDefaultTakeExport();
    qvExportReport bones, shapes;
    def.options.job = job;
    def.options.bones = most, def.options.error = limit;
    clock_t start = clock();
    qvResult result = qvEstimateTake(take, &def, "demo.glb", &bones, error);
    clock_t middle = clock();
    def.options.bones = 0, def.options.quantize = true,
    def.options.error = fmax(bones.maxError / bones.diagonal, limit);
    if (result == qv_ok)
        result = qvEstimateTake(take, &def, "demo.glb", &shapes, error);
    if (result != qv_ok)
        return result;
    const double cpu = 1e3 / CLOCKS_PER_SEC;
    Add(sink, name, "size", bones.bytes / 1e6, "MB", shapes.bytes / 1e6);
    Add(sink, name, "error", 100.0 * bones.maxError / bones.diagonal, "% of size",
        100.0 * shapes.maxError / shapes.diagonal);
    Add(sink, name, "rms", 100.0 * bones.rmsError / bones.diagonal, "% of size",
        100.0 * shapes.rmsError / shapes.diagonal);
    Add(sink, name, "cpu", cpu * (double)(middle - start), "ms", cpu * (double)(clock() - middle));
    return qv_ok;
}

static qvResult RunDemo(qvPipeline* pipeline, const char* name, const qvJob* job, qvBenchSink* sink, qvError* error)
{
    char path[4096];
    const qvScene* scene = NULL;
    qvTake* take = NULL;
    qvResult result = FindDemo(name, path, sizeof(path), error);
    if (result == qv_ok)
        result = qvLoadScene(path, &scene, error);
    char* folder = result == qv_ok ? qvPath_Folder(path) : NULL;
    if (result == qv_ok && folder == NULL)
        result = qvError_OutOfMemory(error, sizeof(path));
    if (result == qv_ok)
        result = qvPipeline_Solve(pipeline, scene, folder, job, &take, error);
    if (result == qv_ok)
        result = Compare(take, name, BONES, 1e-6, job, sink, error); // as many as are allowed
    char half[96];
    snprintf(half, sizeof(half), "%s/half-percent", name);
    if (result == qv_ok)
        result = Compare(take, half, qv_maxBones, QV_BONES_ERROR, job, sink, error);
    qvReleaseTake(take);
    qvReleaseScene(scene);
    free(folder);
    return result;
}

static qvResult Run(qvBenchSink* sink, qvError* error)
{
    static const char* const demos[] = { "dancing_sack", "jumping_block", "sheet_in_the_wind",
                                         "somersault",   "waving_hand",   "running_imp",
                                         "hopper" };
    const int count = (int)(sizeof(demos) / sizeof(demos[0]));
    qvPool* pool = NULL;
    qvPipeline* pipeline = NULL;
    qvResult result = qvCreatePool(0, &pool, error);
    const qvJob job = { .pool = pool };
    if (result == qv_ok)
        result = qvCreatePipeline(NULL, &pipeline, error);
    for (int i = 0; i < count && result == qv_ok; i++)
    {
        qvBench_Tell(sink, demos[i], i, count);
        result = RunDemo(pipeline, demos[i], &job, sink, error);
    }
    qvDestroyPipeline(pipeline);
    qvDestroyPool(pool);
    return result;
}

const qvBench qvBenchBones = { "bones", "demos as bones and as shapes", Run,
                               "quantized morph targets of the same motion at the error that the bones reach",
                               "with the points times the frames, and slowly with the bones" };
