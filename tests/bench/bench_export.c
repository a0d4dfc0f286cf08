// SPDX-License-Identifier: GPL-3.0-or-later
// Exports of ten seconds at 24 frames a second, on all cores, with normals. The baseline is what most exporters write:
// one morph target per frame.
#include "bench.h"

#include "bending_motion.h"
#include "quaver/primitive.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum
{
    FRAMES = 240
};

typedef struct Input
{
    qvAnimation animation;
    qvExportOptions options;
    char path[256];
    qvExportReport report;
    qvResult result;
    qvError error;
} Input;

static void Export(void* context)
{
    Input* input = context;
    if (input->result == qv_ok)
        input->result =
            qvExportAnimation(&input->animation, input->path, &input->options, &input->report, &input->error);
}

static qvResult Time(Input* input, const char* extension, int repeats, double* milliseconds, qvError* error)
{
    input->result = qv_ok;
    const char* folder = getenv("TMPDIR") != NULL ? getenv("TMPDIR") : "/tmp";
    snprintf(input->path, sizeof(input->path), "%s/quaver-bench-%d.%s", folder, (int)getpid(), extension);
    *milliseconds = 1e3 * qvBench_Time(Export, input, repeats);
    unlink(input->path);
    snprintf(input->path, sizeof(input->path), "%s/quaver-bench-%d.obj", folder, (int)getpid());
    unlink(input->path);
    return input->result == qv_ok ? qv_ok : qvError_Set(error, input->result, "%s", input->error.message);
}

// An option against one shape per frame: time and size.
static qvResult MeasureOption(Input* input, bool* option, const char* name, double frames, double frameBytes,
                              qvBenchSink* sink, qvError* error)
{
    double milliseconds;
    char line[80];
    *option = true;
    qvResult result = Time(input, "glb", 3, &milliseconds, error);
    *option = false;
    if (result != qv_ok)
        return result;
    qvBench_Add(sink, name, milliseconds, "ms", frames);
    snprintf(line, sizeof(line), "%s/size", name);
    qvBench_Add(sink, line, input->report.bytes / 1e6, "MB", frameBytes / 1e6);
    return qv_ok;
}

static qvResult MeasureMesh(Input* input, const char* size, qvBenchSink* sink, qvError* error)
{
    double basis, frames, cache;
    char name[64];
    input->options.perFrame = true;
    qvResult result = Time(input, "glb", 1, &frames, error);
    double frameBytes = input->report.bytes;
    input->options.perFrame = false;
    if (result == qv_ok)
        result = Time(input, "glb", 3, &basis, error);
    if (result != qv_ok)
        return result;
    snprintf(name, sizeof(name), "glb/%s", size);
    qvBench_Add(sink, name, basis, "ms", frames);
    snprintf(name, sizeof(name), "glb/%s/size", size);
    qvBench_Add(sink, name, input->report.bytes / 1e6, "MB", frameBytes / 1e6);
    snprintf(name, sizeof(name), "glb/%s/quantized", size);
    result = MeasureOption(input, &input->options.quantize, name, frames, frameBytes, sink, error);
    snprintf(name, sizeof(name), "glb/%s/compressed", size);
    if (result == qv_ok)
        result = MeasureOption(input, &input->options.compress, name, frames, frameBytes, sink, error);
    if (result != qv_ok)
        return result;
    result = Time(input, "pc2", 3, &cache, error);
    snprintf(name, sizeof(name), "pc2/%s", size);
    if (result == qv_ok)
        qvBench_Add(sink, name, cache, "ms", frames);
    return result;
}

static qvResult RunMesh(int resolution, const char* size, const qvJob* job, qvBenchSink* sink, qvError* error)
{
    qvMesh* mesh = NULL;
    qvBendingMotion motion = { 0 };
    qvResult result = qvCreatePrimitive("sack", resolution, &mesh, error);
    if (result == qv_ok && !qvCreateBendingMotion(mesh, qv_bendingWhole, FRAMES, 10.0, &motion))
        result = qvError_OutOfMemory(error, 12.0 * FRAMES * mesh->vertexCount);
    if (result == qv_ok)
    {
        Input input = { .animation = qvBendingMotion_Animation(&motion), .options = qvDefaultExportOptions() };
        input.options.job = job;
        result = MeasureMesh(&input, size, sink, error);
    }
    qvDestroyBendingMotion(&motion);
    qvDestroyMesh(mesh);
    return result;
}

static qvResult Run(qvBenchSink* sink, qvError* error)
{
    qvPool* pool;
    qvResult result = qvCreatePool(0, &pool, error);
    if (result != qv_ok)
        return result;
    const qvJob job = { .pool = pool };
    result = RunMesh(60, "5k", &job, sink, error);
    if (result == qv_ok)
        result = RunMesh(190, "28k", &job, sink, error);
    qvDestroyPool(pool);
    return result;
}

const qvBench qvBenchExport = { "export", "glTF and vertex caches of baked motion", Run,
                                "per-frame morphs: one morph target for every frame, as most exporters write",
                                "with the vertices times the shapes; the file has shapes where the baseline has "
                                "frames, so it hardly grows with the length" };
