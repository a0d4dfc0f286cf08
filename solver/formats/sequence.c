// SPDX-License-Identifier: GPL-3.0-or-later
// A file per frame: walk.obj and walk_####.obj give walk_0000.obj, walk_0001.obj, …
#include "formats/export.h"

#include "quaver/numbered.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum
{
    MAX_FRAMES = 100000
};

// Adds the file of a frame, unless it is there and may stay.
static qvResult AddFrame(const qvExportTask* task, int frame, const char* name, qvAddFrameFcn* add, qvError* error)
{
    qvExportFrame any = qvExportTask_Any(task, frame);
    char* path = qvNumberedPath(task->path, task->animation->firstFrame + frame);
    if (path == NULL)
        return qvError_OutOfMemory(error, (double)strlen(task->path));
    struct stat about;
    bool stays = task->options.skipExisting && stat(path, &about) == 0 && S_ISREG(about.st_mode);
    qvResult result = stays ? qv_ok : add(&any.model, any.positions, path, name, task->files, error);
    free(path);
    return result;
}

static qvResult WriteFrames(const qvExportTask* task, qvAddFrameFcn* add, qvError* error)
{
    int frames = task->animation->frameCount;
    char* name = qvUnnumberedPath(task->path);
    qvResult result = name != NULL ? qv_ok : qvError_OutOfMemory(error, (double)strlen(task->path));
    for (int i = 0; i < frames && result == qv_ok; i++)
    {
        result = AddFrame(task, i, name, add, error);
        if (result == qv_ok)
            result = qvJob_Progress(task->options.job, "writing", (i + 1.0) / frames, error);
    }
    free(name);
    return result;
}

qvResult qvWriteSequence(const qvExportTask* task, qvAddFrameFcn* add, double (*estimate)(const qvMesh* mesh),
                         qvError* error)
{
    int frames = task->animation->frameCount;
    qvNumberField field;
    qvResult result = qvFindNumberField(task->path, &field, error);
    if (result != qv_ok)
        return result;
    if (task->animation->space != qv_framesWorld)
        return qvError_Set(error, qv_unsupported,
                           "files of a sequence hold world space; write .glb or .gltf for a skin");
    if (frames > MAX_FRAMES)
        return qvError_Set(error, qv_unsupported, "%d frames are too many files; choose a shorter range", frames);
    if (task->files != NULL)
        return WriteFrames(task, add, error);
    for (int i = 0; i < frames; i++)
        task->report->bytes += estimate(qvExportTask_Any(task, i).model.mesh);
    return qv_ok;
}
