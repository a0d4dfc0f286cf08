// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a document's file is still what was opened or saved. What counts is the scene in it: a file that was written
// anew with the same scene, touched or laid out differently has not changed. It is read only where the file system says
// that it is another one than at the last look.
#include "base/hash.h"
#include "scene/document.h"

#include <errno.h>
#include <sys/stat.h>

// A larger file that has another size is not read for the difference.
static const int64_t MAX_COMPARED = (int64_t)64 << 20; // bytes

static qvFileStamp MakeStamp(const struct stat* info)
{
    const int64_t parts[] = { (int64_t)info->st_dev,          (int64_t)info->st_ino,
                              (int64_t)info->st_size,         (int64_t)info->st_mtim.tv_sec,
                              (int64_t)info->st_mtim.tv_nsec, (int64_t)info->st_ctim.tv_sec,
                              (int64_t)info->st_ctim.tv_nsec };
    uint64_t hash = qvHash(parts, sizeof(parts), 0);
    return (qvFileStamp){ hash + (hash == 0), (int64_t)info->st_size };
}

qvFileStamp qvStampFile(const char* path)
{
    struct stat info;
    return stat(path, &info) == 0 ? MakeStamp(&info) : (qvFileStamp){ 0 };
}

static bool HoldsSaved(const qvDocument* document, const struct stat* info)
{
    const qvScene* scene;
    bool known = document->stamp.id != 0, large = info->st_size > MAX_COMPARED;
    if (!S_ISREG(info->st_mode) || (large && known && info->st_size != document->stamp.size))
        return false;
    if (qvLoadScene(document->path, &scene, NULL) != qv_ok)
        return false;
    bool same = qvScene_Hash(scene) == document->savedHash;
    qvReleaseScene(scene);
    return same;
}

qvFileNews qvDocument_LookAtFile(qvDocument* document, uint64_t* version)
{
    struct stat info;
    *version = 0;
    if (*document->path == 0)
        return qv_fileSame;
    if (stat(document->path, &info) != 0)
    {
        document->isGone = errno == ENOENT || errno == ENOTDIR;
        return document->isGone ? qv_fileGone : qv_fileSame;
    }
    document->isGone = false;
    qvFileStamp stamp = MakeStamp(&info); // from before it is read: a later change is seen at the next look
    *version = stamp.id;
    if (stamp.id == document->stamp.id)
        return qv_fileSame;
    if (!HoldsSaved(document, &info))
        return qv_fileChanged;
    document->stamp = stamp;
    return qv_fileSame;
}
