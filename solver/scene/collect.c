// SPDX-License-Identifier: GPL-3.0-or-later
// A scene with everything that it needs in one folder.
#include "formats/file_set.h"
#include "formats/side_files.h"
#include "quaver/path.h"
#include "scene/folders.h"
#include "scene/journal.h"
#include "scene/references.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

// Adds a copy of a file to the set. One that is there already with the same bytes stays; with others it is in the way.
static qvResult AddCopy(const char* from, const char* to, qvFileSet* files, qvError* error)
{
    if (qvIsSameFile(from, to))
        return qv_ok;
    qvBytes bytes, old = { 0 };
    qvResult result = qvReadFile(from, INT_MAX, &bytes, error);
    if (result != qv_ok)
        return result;
    bool exists = qvReadFile(to, INT_MAX, &old, NULL) == qv_ok;
    bool isSame = exists && old.size == bytes.size && memcmp(old.data, bytes.data, old.size) == 0;
    if (exists && !isSame)
        result = qvError_Set(error, qv_ioFailed, "%s: another file has this name already; choose another folder", to);
    else if (!exists)
        result = qvFileSet_AddBytes(files, to, bytes.data, bytes.size, error);
    qvFreeBytes(&old);
    qvFreeBytes(&bytes);
    return result;
}

static qvResult CopyInto(const char* fromFolder, const char* toFolder, const char* name, qvFileSet* files,
                         qvError* error)
{
    char *from = qvPath_Join(fromFolder, name), *to = qvPath_Join(toFolder, name);
    char* folder = to != NULL ? qvPath_Folder(to) : NULL;
    qvResult result = from != NULL && folder != NULL ? qvMakeFolder(folder, error) : qvError_OutOfMemory(error, 0.0);
    if (result == qv_ok)
        result = AddCopy(from, to, files, error);
    free(from);
    free(to);
    free(folder);
    return result;
}

// Copies a mesh file and what it refers to; all of it or nothing.
static qvResult CopyMesh(const char* mesh, const char* toFolder, qvError* error)
{
    qvSideFiles sides;
    qvFileSet files = { 0 };
    char* fromFolder = qvPath_Folder(mesh);
    if (fromFolder == NULL)
        return qvError_OutOfMemory(error, (double)strlen(mesh));
    qvResult result = qvListSideFiles(mesh, &sides, error);
    if (result == qv_ok)
    {
        result = CopyInto(fromFolder, toFolder, qvPath_FileName(mesh), &files, error);
        for (int i = 0; i < sides.count && result == qv_ok; i++)
            result = CopyInto(fromFolder, toFolder, sides.paths[i], &files, error);
        qvSideFiles_Free(&sides);
    }
    if (result == qv_ok && files.count > 0)
        result = qvFileSet_Commit(&files, error);
    else
        qvFileSet_Discard(&files);
    free(fromFolder);
    return result;
}

static qvResult CollectFile(const qvDocument* document, const char* file, const char* folder, qvError* error)
{
    char* mesh = qvResolvePath(document->folder, file);
    qvResult result = mesh != NULL ? CopyMesh(mesh, folder, error) : qvError_OutOfMemory(error, (double)strlen(file));
    free(mesh);
    return result;
}

qvResult qvDocument_Collect(qvDocument* document, const char* path, qvError* error)
{
    const qvScene* scene = document->scene;
    char* folder = qvPath_Folder(path);
    qvResult result = folder != NULL ? qv_ok : qvError_OutOfMemory(error, (double)strlen(path));
    if (result == qv_ok && scene->mesh.file != NULL)
        result = CollectFile(document, scene->mesh.file, folder, error);
    for (int i = 0; result == qv_ok && i < scene->obstacleCount; i++)
    {
        if (scene->obstacles[i]->file != NULL)
            result = CollectFile(document, scene->obstacles[i]->file, folder, error);
    }
    if (result == qv_ok)
        result = qvDocument_SaveWith(document, path, true, error);
    free(folder);
    return result;
}
