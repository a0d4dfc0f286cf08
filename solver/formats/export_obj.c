// SPDX-License-Identifier: GPL-3.0-or-later
// A sequence of OBJ files, one per frame, with one material library: walk.obj gives walk_0000.obj, walk_0001.obj, …
#include "formats/export.h"

#include "base/memory.h"
#include "formats/obj.h"
#include "quaver/path.h"

#include <stdlib.h>
#include <string.h>

enum
{
    MAX_FRAMES = 100000
};

static char* FramePath(const char* path, int frame)
{
    size_t length = (size_t)(qvPath_Extension(path) - path) - 1, size = length + 32;
    char* made = qvAllocate(size, 1);
    if (made != NULL)
        snprintf(made, size, "%.*s_%04d.obj", (int)length, path, frame);
    return made;
}

static qvResult WriteFrame(const qvExportTask* task, int frame, qvError* error)
{
    char* path = FramePath(task->path, frame);
    if (path == NULL)
        return qvError_OutOfMemory(error, (double)strlen(task->path));
    qvResult result = qvAddObj(task->model, qvExportTask_Frame(task, frame), path, task->path, task->files, error);
    free(path);
    if (result == qv_ok)
        result = qvJob_Progress(task->options.job, "writing", (frame + 1.0) / task->animation->frameCount, error);
    return result;
}

static qvResult Write(const qvExportTask* task, qvError* error)
{
    int frames = task->animation->frameCount;
    if (task->animation->space != qv_framesWorld)
        return qvError_Set(error, qv_unsupported, "OBJ files hold world space; write .glb or .gltf for a skin");
    if (frames > MAX_FRAMES)
        return qvError_Set(error, qv_unsupported, "%d frames are too many files; write .pc2 or .mdd", frames);
    if (task->files == NULL)
    {
        task->report->bytes = frames * qvEstimateObj(task->mesh);
        return qv_ok;
    }
    qvResult result = qv_ok;
    for (int k = 0; k < frames && result == qv_ok; k++)
        result = WriteFrame(task, k, error);
    return result;
}

const qvExporter qvExporterObj = {
    .info = { .tag = "obj", .label = "OBJ sequence", .extensions = "obj" },
    .write = Write,
};
