// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as the description of a part: one whose files lie beside it, or one line that says why not.
#include "fuzzing.h"

#include "quaver/part.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void CheckPart(const qvPartFile* file)
{
    const qvMoments* moments = &file->part.moments;
    if (moments->first < 0 || moments->count < 1 || moments->first + moments->count > moments->total ||
        file->frameFileCount != (file->part.isSequence ? moments->count : 1) || file->fileCount < file->frameFileCount)
        abort();
    for (int i = 0; i < file->fileCount; i++)
    {
        static const char folder[] = "/proc/self/fd/";
        const char* path = file->entries[i].path;
        if (strncmp(path, folder, sizeof(folder) - 1) != 0 || strchr(path + sizeof(folder) - 1, '/') != NULL)
            abort();
    }
    char* path = qvPart_Path(&file->part);
    if (path == NULL)
        abort();
    free(path);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    char path[64];
    int file = memfd_create("part", MFD_CLOEXEC);
    if (file < 0 || write(file, data, size) != (ssize_t)size)
        abort();
    snprintf(path, sizeof(path), "/proc/self/fd/%d", file);
    qvError error;
    qvPartFile part;
    qvResult result = qvReadPart(path, &part, &error);
    close(file);
    if (result == qv_ok)
        CheckPart(&part);
    else if (strncmp(error.message, path, strlen(path)) != 0 || strchr(error.message, '\n') != NULL)
        abort();
    qvFreePart(&part);
    return 0;
}
