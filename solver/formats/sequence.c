// SPDX-License-Identifier: GPL-3.0-or-later
// Names of the files of a sequence: walk.obj and walk_####.obj give walk_0000.obj, walk_0001.obj, …
#include "formats/export.h"

#include "base/memory.h"
#include "quaver/path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    MAX_FRAMES = 100000
};

// Length of the path before the number, and how many digits the number has.
static size_t FindStem(const char* path, int* digits)
{
    size_t end = (size_t)(qvPath_Extension(path) - path) - 1, length = end;
    while (length > 0 && path[length - 1] == '#')
        length--;
    *digits = (int)(end - length);
    bool separated = length > 0 && (path[length - 1] == '_' || path[length - 1] == '.');
    return *digits > 0 && separated ? length - 1 : length;
}

// What the names have in common.
static char* CommonName(const char* path, const char* extension)
{
    int digits;
    size_t length = FindStem(path, &digits), size = strlen(path) + 1;
    char* made = qvAllocate(size, 1);
    if (made != NULL)
        snprintf(made, size, "%.*s.%s", (int)length, path, extension);
    return made;
}

static char* FramePath(const char* path, const char* extension, int frame)
{
    int digits;
    size_t length = FindStem(path, &digits), size = strlen(path) + 32;
    char separator = digits > 0 && path[length] == '.' ? '.' : '_', *made = qvAllocate(size, 1);
    if (made != NULL)
        snprintf(made, size, "%.*s%c%0*d.%s", (int)length, path, separator, digits > 0 ? digits : 4, frame, extension);
    return made;
}

static qvResult WriteFrames(const qvExportTask* task, const char* extension, qvAddFrameFcn* add, qvError* error)
{
    int frames = task->animation->frameCount;
    char* name = CommonName(task->path, extension);
    qvResult result = name != NULL ? qv_ok : qvError_OutOfMemory(error, (double)strlen(task->path));
    for (int i = 0; i < frames && result == qv_ok; i++)
    {
        qvExportFrame any = qvExportTask_Any(task, i);
        char* path = FramePath(task->path, extension, i);
        result = path != NULL ? add(&any.model, any.positions, path, name, task->files, error)
                              : qvError_OutOfMemory(error, (double)strlen(task->path));
        free(path);
        if (result == qv_ok)
            result = qvJob_Progress(task->options.job, "writing", (i + 1.0) / frames, error);
    }
    free(name);
    return result;
}

qvResult qvWriteSequence(const qvExportTask* task, const char* extension, qvAddFrameFcn* add,
                         double (*estimate)(const qvMesh* mesh), qvError* error)
{
    int frames = task->animation->frameCount;
    if (task->animation->space != qv_framesWorld)
        return qvError_Set(error, qv_unsupported,
                           "files of a sequence hold world space; write .glb or .gltf for a skin");
    if (frames > MAX_FRAMES)
        return qvError_Set(error, qv_unsupported, "%d frames are too many files; choose a shorter range", frames);
    if (task->files != NULL)
        return WriteFrames(task, extension, add, error);
    for (int i = 0; i < frames; i++)
        task->report->bytes += estimate(qvExportTask_Any(task, i).model.mesh);
    return qv_ok;
}
