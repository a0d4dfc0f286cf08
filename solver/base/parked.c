// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/parked.h"

#include <errno.h>
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
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        bytes += written, size -= (size_t)written;
    }
    return true;
}

// The bytes in a file, mapped at a place or, should that be NULL, anywhere. NULL when that fails.
static void* Park(const char* folder, const void* bytes, size_t size, void* place)
{
    int file = size >= WORTH_PARKING ? OpenNameless(folder) : -1;
    if (file < 0)
        return NULL;
    void* parked = MAP_FAILED;
    if (WriteAll(file, bytes, size))
        parked = mmap(place, size, PROT_READ, MAP_SHARED | (place != NULL ? MAP_FIXED : 0), file, 0);
    close(file);
    return parked != MAP_FAILED ? parked : NULL;
}

void* qvPark(const char* folder, const void* bytes, size_t size)
{
    return Park(folder, bytes, size, NULL);
}

// The system changes the pages under its lock: whoever reads gets the old ones or the new ones, which say the same.
bool qvParkInPlace(const char* folder, void* memory, size_t size)
{
    return Park(folder, memory, size, memory) != NULL;
}

void* qvMapLarge(size_t size)
{
    const size_t page = (size_t)1 << 21;
    if (size > SIZE_MAX - 2 * page)
        return NULL;
    size_t room = size + page; // of which what is before and after large pages goes back
    char* memory = mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return NULL;
    size_t small = (size_t)sysconf(_SC_PAGESIZE), before = (page - (uintptr_t)memory % page) % page;
    size_t end = before + (size + small - 1) / small * small;
    if (before > 0)
        munmap(memory, before);
    if (end < room)
        munmap(memory + end, room - end);
#ifdef MADV_HUGEPAGE
    (void)madvise(memory + before, size, MADV_HUGEPAGE);
#endif
    return memory + before;
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
