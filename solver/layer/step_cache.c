// SPDX-License-Identifier: GPL-3.0-or-later
// The file: a header, then each frame with its checksum, as this machine has the numbers. The state: a header and
// bytes, replaced as a whole.
#include "layer/step_cache.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/own_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum
{
    BEGIN_TRIES = 2000 // ms that another program may take to begin a file
};

static const char MAGIC[8] = "QVSTEPS";

typedef struct Header
{
    char magic[8];
    uint64_t key, frameSize, checksum; // of the three before
} Header;

typedef struct StateHeader
{
    char magic[8];
    uint64_t key, frame, checksum; // of the frame's number and the bytes
} StateHeader;

struct qvStepCache
{
    uint64_t key;
    int frameSize, frameLimit;
    size_t stateSize;
    atomic_int file; // descriptor: of the path, or of memory
    char* path;      // of the file; NULL: in memory
    char* lockPath;  // whoever has it locked writes
    int lockFile;    // -1: not open
    mode_t fileMode;
    char* statePath;  // NULL: the state stays in memory
    void* state;      // in memory
    int stateFrame;   // of that; -1: none
    atomic_int count; // frames
};

static size_t RecordSize(const qvStepCache* cache)
{
    return (size_t)cache->frameSize * sizeof(float) + sizeof(uint64_t);
}

static off_t PlaceOf(const qvStepCache* cache, int frame)
{
    return (off_t)(sizeof(Header) + (size_t)frame * RecordSize(cache));
}

static uint64_t Checksum(const qvStepCache* cache, int frame, const float* numbers)
{
    return qvHash(numbers, (size_t)cache->frameSize * sizeof(*numbers), qvHash_Combine(cache->key, (uint64_t)frame));
}

static Header MakeHeader(const qvStepCache* cache)
{
    Header header = { .key = cache->key, .frameSize = (uint64_t)cache->frameSize };
    memcpy(header.magic, MAGIC, sizeof(MAGIC));
    header.checksum = qvHash(&header, offsetof(Header, checksum), 0);
    return header;
}

// --- Reading -------------------------------------------------------------------------------------------------------

static bool ReadAt(int file, void* bytes, size_t size, off_t place)
{
    for (size_t done = 0; done < size;)
    {
        ssize_t some = pread(file, (char*)bytes + done, size - done, place + (off_t)done);
        if (some <= 0)
            return false;
        done += (size_t)some;
    }
    return true;
}

bool qvStepCache_Read(const qvStepCache* cache, int frame, float* numbers)
{
    uint64_t checksum;
    size_t size = (size_t)cache->frameSize * sizeof(*numbers);
    off_t place = PlaceOf(cache, frame);
    int file = atomic_load(&cache->file);
    return ReadAt(file, numbers, size, place) && ReadAt(file, &checksum, sizeof(checksum), place + (off_t)size) &&
           checksum == Checksum(cache, frame, numbers);
}

int qvStepCache_Count(const qvStepCache* cache)
{
    return atomic_load(&cache->count);
}

// --- Writing -------------------------------------------------------------------------------------------------------

static bool WriteAt(int file, const void* bytes, size_t size, off_t place)
{
    for (size_t done = 0; done < size;)
    {
        ssize_t some = pwrite(file, (const char*)bytes + done, size - done, place + (off_t)done);
        if (some <= 0)
            return false;
        done += (size_t)some;
    }
    return true;
}

static bool WriteFrame(const qvStepCache* cache, int file, int frame, const float* numbers)
{
    uint64_t checksum = Checksum(cache, frame, numbers);
    size_t size = (size_t)cache->frameSize * sizeof(*numbers);
    off_t place = PlaceOf(cache, frame);
    // The checksum comes last: without it the frame does not count.
    return WriteAt(file, numbers, size, place) && WriteAt(file, &checksum, sizeof(checksum), place + (off_t)size);
}

static int OpenMemory(const qvStepCache* cache)
{
    Header header = MakeHeader(cache);
    int file = memfd_create("quaver-steps", MFD_CLOEXEC);
    if (file >= 0 && !WriteAt(file, &header, sizeof(header), 0))
    {
        close(file);
        return -1;
    }
    return file;
}

// The disk is full, or gone: what there is goes to memory. Readers may be in the old file, which therefore stays open
// under the same number.
static bool MoveToMemory(qvStepCache* cache, float* work)
{
    int memory = OpenMemory(cache), count = atomic_load(&cache->count);
    bool moved = memory >= 0;
    for (int i = 0; moved && i < count; i++)
        moved = qvStepCache_Read(cache, i, work) && WriteFrame(cache, memory, i, work);
    moved = moved && dup3(memory, atomic_load(&cache->file), O_CLOEXEC) >= 0;
    if (memory >= 0)
        close(memory);
    return moved;
}

qvResult qvStepCache_Append(qvStepCache* cache, const float* numbers, qvError* error)
{
    int frame = atomic_load(&cache->count);
    bool written = WriteFrame(cache, atomic_load(&cache->file), frame, numbers);
    if (!written)
    {
        float* work = qvAllocateRaw((size_t)cache->frameSize, sizeof(*work));
        written =
            work != NULL && MoveToMemory(cache, work) && WriteFrame(cache, atomic_load(&cache->file), frame, numbers);
        free(work);
    }
    if (!written)
        return qvError_OutOfMemory(error, (double)RecordSize(cache));
    atomic_store(&cache->count, frame + 1);
    return qv_ok;
}

// --- Who writes ----------------------------------------------------------------------------------------------------

static int OpenShared(const char* path, int flags, mode_t mode)
{
    int file = qvOpenOwn(path, O_RDWR | O_CLOEXEC, 0);
    if (file < 0 && errno == ENOENT && (file = qvOpenOwn(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600)) >= 0)
        (void)!fchmod(file, mode);
    else if (file < 0 && errno == EEXIST)
        file = qvOpenOwn(path, O_RDWR | O_CLOEXEC, 0);
    return file >= 0 ? file : qvOpenOwn(path, flags, 0); // another user's, to be read at least
}

// From those that are known on.
static bool CountFrames(qvStepCache* cache)
{
    float* work = qvAllocateRaw((size_t)cache->frameSize, sizeof(*work));
    int count = atomic_load(&cache->count);
    while (work != NULL && count < cache->frameLimit && qvStepCache_Read(cache, count, work))
        count++;
    atomic_store(&cache->count, count);
    free(work);
    return work != NULL;
}

bool qvStepCache_Claim(qvStepCache* cache)
{
    if (cache->path == NULL || cache->lockFile >= 0)
        return true;
    int file = OpenShared(cache->lockPath, O_RDONLY | O_CLOEXEC, cache->fileMode);
    if (file < 0)
        return true;
    // The system lets go of the locks of whoever dies.
    if (flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    {
        close(file);
        return false;
    }
    cache->lockFile = file;
    return true;
}

void qvStepCache_Release(qvStepCache* cache)
{
    if (cache->lockFile >= 0)
        close(cache->lockFile);
    cache->lockFile = -1;
}

void qvStepCache_Refresh(qvStepCache* cache)
{
    if (cache->path == NULL)
        return;
    // To open a file is what makes a network folder look at it anew.
    int file = qvOpenOwn(cache->path, O_RDONLY | O_CLOEXEC, 0);
    if (file >= 0)
        close(file);
    int before = atomic_load(&cache->count);
    if (CountFrames(cache) && atomic_load(&cache->count) > before)
        cache->stateFrame = -1; // there may be a newer one
}

// --- The state -----------------------------------------------------------------------------------------------------

static uint64_t StateChecksum(const qvStepCache* cache, int frame, const void* state)
{
    return qvHash(state, cache->stateSize, qvHash_Combine(cache->key, (uint64_t)frame));
}

static void WriteState(qvStepCache* cache, int frame, const void* state)
{
    StateHeader header = { .key = cache->key, .frame = (uint64_t)frame };
    memcpy(header.magic, MAGIC, sizeof(MAGIC));
    header.checksum = StateChecksum(cache, frame, state);
    qvFileWriter writer;
    qvError ignored;
    if (qvFileWriter_OpenAmong(&writer, cache->statePath, &ignored) != qv_ok)
        return;
    (void)!fchmod(fileno(writer.stream), cache->fileMode);
    fwrite(&header, sizeof(header), 1, writer.stream);
    fwrite(state, 1, cache->stateSize, writer.stream);
    if (qvFileWriter_Commit(&writer, &ignored) != qv_ok)
        qvFileWriter_Discard(&writer);
}

void qvStepCache_SaveState(qvStepCache* cache, int frame, const void* state)
{
    memcpy(cache->state, state, cache->stateSize);
    cache->stateFrame = frame;
    if (cache->statePath != NULL)
        WriteState(cache, frame, state);
}

static int ReadState(const qvStepCache* cache, void* state)
{
    int file = qvOpenOwn(cache->statePath, O_RDONLY | O_CLOEXEC, 0);
    if (file < 0)
        return -1;
    StateHeader header;
    int frame = -1;
    if (ReadAt(file, &header, sizeof(header), 0) && memcmp(header.magic, MAGIC, sizeof(MAGIC)) == 0 &&
        header.key == cache->key && header.frame < (uint64_t)cache->frameLimit &&
        ReadAt(file, state, cache->stateSize, sizeof(header)) &&
        StateChecksum(cache, (int)header.frame, state) == header.checksum)
        frame = (int)header.frame;
    close(file);
    return frame;
}

int qvStepCache_LoadState(qvStepCache* cache, void* state)
{
    if (cache->stateFrame < 0 && cache->statePath != NULL)
        cache->stateFrame = ReadState(cache, cache->state);
    // A state that is ahead of the frames would leave a gap.
    if (cache->stateFrame < 0 || cache->stateFrame >= qvStepCache_Count(cache))
        return -1;
    memcpy(state, cache->state, cache->stateSize);
    return cache->stateFrame;
}

// --- Making --------------------------------------------------------------------------------------------------------

static bool IsBegun(const qvStepCache* cache, int file)
{
    Header header = MakeHeader(cache), found;
    return ReadAt(file, &found, sizeof(found), 0) && memcmp(&found, &header, sizeof(header)) == 0;
}

// What is there of another kind is no cache of ours any more.
static bool Start(const qvStepCache* cache, int file)
{
    struct stat about;
    char magic[sizeof(MAGIC)] = "";
    Header header = MakeHeader(cache);
    if (fstat(file, &about) != 0 ||
        (about.st_size > 0 && (!ReadAt(file, magic, sizeof(magic), 0) || memcmp(magic, MAGIC, sizeof(MAGIC)) != 0)))
        return false;
    return (about.st_size == 0 || ftruncate(file, 0) == 0) && WriteAt(file, &header, sizeof(header), 0);
}

// Opens a file of the same key, or begins it, which only one program does. It is locked for all who have it open, so
// that nobody removes it meanwhile.
static int OpenFile(qvStepCache* cache)
{
    int file = OpenShared(cache->path, O_RDONLY | O_CLOEXEC, cache->fileMode);
    bool begun = file >= 0 && IsBegun(cache, file);
    for (int i = 0; file >= 0 && !begun && i < BEGIN_TRIES; i++)
    {
        bool claimed = qvStepCache_Claim(cache);
        begun = IsBegun(cache, file) || (claimed && Start(cache, file));
        if (claimed)
            qvStepCache_Release(cache);
        if (!begun && claimed)
            break;
        if (!begun)
            nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
    }
    if (begun)
        (void)!flock(file, LOCK_SH | LOCK_NB);
    else if (file >= 0)
        close(file);
    return begun ? file : -1;
}

static char* PathWith(const char* path, const char* ending)
{
    size_t size = path != NULL ? strlen(path) + strlen(ending) + 1 : 0;
    char* made = size > 0 ? malloc(size) : NULL;
    if (made != NULL)
        snprintf(made, size, "%s%s", path, ending);
    return made;
}

qvResult qvCreateStepCache(const qvStepCacheDef* def, qvStepCache** out, qvError* error)
{
    *out = NULL;
    qvStepCache* cache = qvAllocate(1, sizeof(*cache));
    if (cache == NULL)
        return qvError_OutOfMemory(error, sizeof(*cache));
    cache->key = def->key, cache->frameSize = def->frameSize, cache->frameLimit = def->frameLimit;
    cache->stateSize = def->stateSize, cache->stateFrame = -1;
    cache->state = qvAllocateRaw(1, def->stateSize);
    cache->lockFile = -1, cache->fileMode = def->fileMode != 0 ? def->fileMode : 0600;
    cache->path = def->path != NULL ? strdup(def->path) : NULL;
    cache->lockPath = PathWith(def->path, ".lock");
    int file = cache->path != NULL && cache->lockPath != NULL ? OpenFile(cache) : -1;
    if (file >= 0)
        cache->statePath = PathWith(def->path, ".state");
    else
    {
        free(cache->path);
        cache->path = NULL;
    }
    atomic_init(&cache->file, file >= 0 ? file : OpenMemory(cache));
    if (cache->state == NULL || atomic_load(&cache->file) < 0 || !CountFrames(cache))
    {
        qvDestroyStepCache(cache);
        return qvError_OutOfMemory(error, (double)def->stateSize);
    }
    *out = cache;
    return qv_ok;
}

void qvDestroyStepCache(qvStepCache* cache)
{
    if (cache == NULL)
        return;
    if (atomic_load(&cache->file) >= 0)
        close(atomic_load(&cache->file));
    qvStepCache_Release(cache);
    free(cache->path);
    free(cache->lockPath);
    free(cache->statePath);
    free(cache->state);
    free(cache);
}

double qvStepCache_Bytes(const qvStepCache* cache)
{
    return (double)PlaceOf(cache, qvStepCache_Count(cache));
}
