// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/parked.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum
{
    WORTH_PARKING = 2 << 20, // bytes
    // What is written at once the system may keep in one piece, and then bring back as a whole for whoever reads a page
    // of it.
    WRITTEN_AT_ONCE = 1 << 16
};

// A file that goes with its last user, or -1.
static int OpenNameless(const char* folder)
{
    int file = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (file >= 0)
        return file;
    char path[4096]; // not every file system can do that
    int length = snprintf(path, sizeof(path), "%s/parked-XXXXXX", folder);
    file = length > 0 && (size_t)length < sizeof(path) ? mkostemp(path, O_CLOEXEC) : -1;
    if (file >= 0)
        unlink(path);
    return file;
}

static bool WriteAll(int file, const char* bytes, size_t size)
{
    while (size > 0)
    {
        ssize_t written = write(file, bytes, size < WRITTEN_AT_ONCE ? size : WRITTEN_AT_ONCE);
        if (written <= 0)
            return false;
        bytes += written, size -= (size_t)written;
    }
    return true;
}

void* qvPark(const char* folder, const void* bytes, size_t size)
{
    int file = size >= WORTH_PARKING ? OpenNameless(folder) : -1;
    if (file < 0)
        return NULL;
    void* parked = MAP_FAILED;
    if (WriteAll(file, bytes, size))
        parked = mmap(NULL, size, PROT_READ, MAP_SHARED, file, 0);
    close(file);
    return parked != MAP_FAILED ? parked : NULL;
}

void qvRestParked(const void* parked, size_t size)
{
    size_t before = (uintptr_t)parked % (uintptr_t)sysconf(_SC_PAGESIZE); // a page is given back as a whole
    madvise((char*)parked - before, size + before, MADV_DONTNEED);
}

void qvUnpark(void* parked, size_t size)
{
    munmap(parked, size);
}
