// SPDX-License-Identifier: GPL-3.0-or-later
// A file: a header, then each frame, or each state, with its checksum, as this machine has the numbers.
#include "layer/step_cache.h"

#include "base/assert.h"
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
    BEGIN_TRIES = 2000, // ms that another program may take to begin a file
    NOBODYS = -1,       // of a lock: it is not ours
    FREE = -2,          // there are no locks here
};

static const char MAGIC[8] = "QVSTEPS";

typedef struct Header
{
    char magic[8];
    uint64_t key, recordSize, checksum; // of the three before
} Header;

typedef struct Part
{
    int first; // frame
    uint64_t key;
    atomic_int file; // descriptor: of the path, or of memory
    int states;      // the same; -1: states are not kept
    char* path;      // NULL: in memory
    char* lockPath;  // whoever has it locked writes
    int lock;        // descriptor, NOBODYS or FREE
} Part;

struct qvStepCache
{
    Part parts[qv_maxStepParts];
    int partCount;
    int frameSize, frameLimit, stateEvery;
    mode_t fileMode;
    size_t stateSize;
    void* state;      // the newest, in memory
    int stateFrame;   // of that; -1: none
    atomic_int count; // frames
    void (*makeRoom)(void* context, size_t bytes);
    void* roomContext;
};

static size_t FrameBytes(const qvStepCache* cache)
{
    return (size_t)cache->frameSize * sizeof(float);
}

// The index-th record of a file of numbers of that size.
static off_t PlaceOf(size_t bytes, int index)
{
    return (off_t)(sizeof(Header) + (size_t)index * (bytes + sizeof(uint64_t)));
}

static uint64_t Checksum(uint64_t key, int frame, const void* bytes, size_t size)
{
    return qvHash(bytes, size, qvHash_Combine(key, (uint64_t)frame));
}

static int PartIndex(const qvStepCache* cache, int frame)
{
    int i = cache->partCount - 1;
    while (cache->parts[i].first > frame)
        i--;
    return i;
}

static Header MakeHeader(uint64_t key, size_t recordSize)
{
    Header header = { .key = key, .recordSize = recordSize };
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
    const Part* part = &cache->parts[PartIndex(cache, frame)];
    size_t size = FrameBytes(cache);
    uint64_t checksum;
    off_t place = PlaceOf(size, frame);
    int file = atomic_load(&part->file);
    return ReadAt(file, numbers, size, place) && ReadAt(file, &checksum, sizeof(checksum), place + (off_t)size) &&
           checksum == Checksum(part->key, frame, numbers, size);
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

// The checksum comes last: without it the record does not count.
static bool WriteRecord(int file, const void* bytes, size_t size, int index, uint64_t checksum)
{
    off_t place = PlaceOf(size, index);
    return WriteAt(file, bytes, size, place) && WriteAt(file, &checksum, sizeof(checksum), place + (off_t)size);
}

static bool WriteFrame(const qvStepCache* cache, const Part* part, int file, int frame, const float* numbers)
{
    size_t size = FrameBytes(cache);
    return WriteRecord(file, numbers, size, frame, Checksum(part->key, frame, numbers, size));
}

static int OpenMemory(uint64_t key, size_t recordSize)
{
    Header header = MakeHeader(key, recordSize);
    int file = memfd_create("quaver-steps", MFD_CLOEXEC);
    if (file >= 0 && !WriteAt(file, &header, sizeof(header), 0))
    {
        close(file);
        return -1;
    }
    return file;
}

// The disk is full, or gone: what there is of a part goes to memory. Readers may be in the old file, which therefore
// stays open under the same number.
static bool MoveToMemory(qvStepCache* cache, Part* part, float* work)
{
    int memory = OpenMemory(part->key, FrameBytes(cache)), count = atomic_load(&cache->count);
    bool moved = memory >= 0;
    for (int i = part->first; moved && i < count; i++)
        moved = qvStepCache_Read(cache, i, work) && WriteFrame(cache, part, memory, i, work);
    moved = moved && dup3(memory, atomic_load(&part->file), O_CLOEXEC) >= 0;
    if (memory >= 0)
        close(memory);
    return moved;
}

// For all until the next state.
static void MakeRoom(const qvStepCache* cache, int frame)
{
    size_t record = FrameBytes(cache) + sizeof(uint64_t), state = cache->stateSize + sizeof(uint64_t);
    if (cache->makeRoom != NULL && frame % cache->stateEvery == 0)
        cache->makeRoom(cache->roomContext, (size_t)cache->stateEvery * record + state);
}

qvResult qvStepCache_Append(qvStepCache* cache, const float* numbers, qvError* error)
{
    int frame = atomic_load(&cache->count);
    Part* part = &cache->parts[PartIndex(cache, frame)];
    MakeRoom(cache, frame);
    bool written = WriteFrame(cache, part, atomic_load(&part->file), frame, numbers);
    if (!written)
    {
        float* work = qvAllocateRaw((size_t)cache->frameSize, sizeof(*work));
        written = work != NULL && MoveToMemory(cache, part, work) &&
                  WriteFrame(cache, part, atomic_load(&part->file), frame, numbers);
        free(work);
    }
    if (!written)
        return qvError_OutOfMemory(error, (double)FrameBytes(cache));
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

// From those on that are known.
static bool CountFrames(qvStepCache* cache, int known)
{
    float* work = qvAllocateRaw((size_t)cache->frameSize, sizeof(*work));
    int count = known;
    while (work != NULL && count < cache->frameLimit && qvStepCache_Read(cache, count, work))
        count++;
    atomic_store(&cache->count, count);
    free(work);
    return work != NULL;
}

// The system lets go of the locks of whoever dies.
static int Lock(const char* path, mode_t mode)
{
    int file = OpenShared(path, O_RDONLY | O_CLOEXEC, mode);
    if (file < 0)
        return FREE;
    if (flock(file, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
        return file;
    close(file);
    return NOBODYS;
}

static void Unlock(int* lock)
{
    if (*lock >= 0)
        close(*lock);
    *lock = NOBODYS;
}

bool qvStepCache_Claim(qvStepCache* cache)
{
    for (int i = 0; i < cache->partCount; i++)
    {
        Part* part = &cache->parts[i];
        if (part->path != NULL && part->lock == NOBODYS)
            part->lock = Lock(part->lockPath, cache->fileMode);
        if (part->path != NULL && part->lock == NOBODYS)
        {
            qvStepCache_Release(cache); // all or none: nobody waits for another who waits
            return false;
        }
    }
    return true;
}

void qvStepCache_Release(qvStepCache* cache)
{
    for (int i = 0; i < cache->partCount; i++)
        Unlock(&cache->parts[i].lock);
}

void qvStepCache_Recount(qvStepCache* cache)
{
    cache->stateFrame = -1; // it may be ahead of what is left
    if (!CountFrames(cache, 0))
        atomic_store(&cache->count, 0);
}

void qvStepCache_Refresh(qvStepCache* cache)
{
    // To open a file is what makes a network folder look at it anew.
    for (int i = 0; i < cache->partCount; i++)
    {
        const char* path = cache->parts[i].path;
        int file = path != NULL ? qvOpenOwn(path, O_RDONLY | O_CLOEXEC, 0) : -1;
        if (file >= 0)
            close(file);
    }
    int before = atomic_load(&cache->count);
    if (CountFrames(cache, before) && atomic_load(&cache->count) > before)
        cache->stateFrame = -1; // there may be a newer one
}

// --- States --------------------------------------------------------------------------------------------------------

void qvStepCache_SaveState(qvStepCache* cache, int frame, const void* state)
{
    QV_ASSERT(frame % cache->stateEvery == 0);
    const Part* part = &cache->parts[PartIndex(cache, frame)];
    memcpy(cache->state, state, cache->stateSize);
    cache->stateFrame = frame;
    uint64_t checksum = Checksum(part->key, frame, state, cache->stateSize);
    if (part->states >= 0 && !WriteRecord(part->states, state, cache->stateSize, frame / cache->stateEvery, checksum))
        return; // it is made again from an older one
}

static bool ReadState(const qvStepCache* cache, int frame, void* state)
{
    const Part* part = &cache->parts[PartIndex(cache, frame)];
    off_t place = PlaceOf(cache->stateSize, frame / cache->stateEvery);
    uint64_t checksum;
    return part->states >= 0 && ReadAt(part->states, state, cache->stateSize, place) &&
           ReadAt(part->states, &checksum, sizeof(checksum), place + (off_t)cache->stateSize) &&
           checksum == Checksum(part->key, frame, state, cache->stateSize);
}

// A state that is ahead of the frames would leave a gap.
int qvStepCache_LoadState(qvStepCache* cache, void* state)
{
    int last = qvStepCache_Count(cache) - 1;
    if (cache->stateFrame < 0 || cache->stateFrame > last)
    {
        int frame = last >= 0 ? last / cache->stateEvery * cache->stateEvery : -1;
        while (frame > 0 && !ReadState(cache, frame, cache->state))
            frame -= cache->stateEvery;
        cache->stateFrame = frame > 0 ? frame : -1;
    }
    if (cache->stateFrame >= 0)
        memcpy(state, cache->state, cache->stateSize);
    return cache->stateFrame;
}

// --- Making --------------------------------------------------------------------------------------------------------

static bool IsBegun(int file, const Header* header)
{
    Header found;
    return ReadAt(file, &found, sizeof(found), 0) && memcmp(&found, header, sizeof(found)) == 0;
}

// What is there of another kind is no cache of ours any more, nor is what has a second name somewhere.
static bool Start(int file, const Header* header)
{
    struct stat about;
    char magic[sizeof(MAGIC)] = "";
    if (fstat(file, &about) != 0 || about.st_nlink > 1 ||
        (about.st_size > 0 && (!ReadAt(file, magic, sizeof(magic), 0) || memcmp(magic, MAGIC, sizeof(MAGIC)) != 0)))
        return false;
    if (about.st_size > 0 && (flock(file, LOCK_EX | LOCK_NB) != 0 || ftruncate(file, 0) != 0))
        return false; // another one has it open
    return WriteAt(file, header, sizeof(*header), 0);
}

// Opens a file of the same key, or begins it, which only one program does. It is locked for all who have it open, so
// that nobody removes it meanwhile.
static int OpenFile(const qvStepCache* cache, const Part* part, const char* path, size_t recordSize)
{
    Header header = MakeHeader(part->key, recordSize);
    int file = path != NULL ? OpenShared(path, O_RDONLY | O_CLOEXEC, cache->fileMode) : -1;
    bool begun = file >= 0 && IsBegun(file, &header);
    for (int i = 0; file >= 0 && !begun && i < BEGIN_TRIES; i++)
    {
        int lock = Lock(part->lockPath, cache->fileMode);
        bool claimed = lock != NOBODYS;
        begun = IsBegun(file, &header) || (claimed && Start(file, &header));
        Unlock(&lock);
        if (!begun && claimed)
            break;
        if (!begun)
            nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
    }
    if (begun)
    {
        (void)!flock(file, LOCK_SH | LOCK_NB);
        futimens(file, NULL); // used now: it stays longer
    }
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

static bool OpenPart(const qvStepCache* cache, const qvStepPart* def, Part* part)
{
    part->first = def->first, part->key = def->key, part->lock = NOBODYS;
    part->path = PathWith(def->path, ""), part->lockPath = PathWith(def->path, ".lock");
    char* statePath = PathWith(def->path, ".state");
    bool hasPaths = part->path != NULL && part->lockPath != NULL && statePath != NULL;
    int file = hasPaths ? OpenFile(cache, part, part->path, FrameBytes(cache)) : -1;
    if (file < 0)
    {
        free(part->path);
        part->path = NULL;
    }
    part->states = part->path != NULL ? OpenFile(cache, part, statePath, cache->stateSize)
                                      : OpenMemory(def->key, cache->stateSize);
    free(statePath);
    atomic_init(&part->file, file >= 0 ? file : OpenMemory(def->key, FrameBytes(cache)));
    return atomic_load(&part->file) >= 0;
}

qvResult qvCreateStepCache(const qvStepCacheDef* def, qvStepCache** out, qvError* error)
{
    QV_ASSERT(def->partCount >= 1 && def->partCount <= qv_maxStepParts && def->parts[0].first == 0);
    *out = NULL;
    qvStepCache* cache = qvAllocate(1, sizeof(*cache));
    if (cache == NULL)
        return qvError_OutOfMemory(error, sizeof(*cache));
    cache->frameSize = def->frameSize, cache->frameLimit = def->frameLimit;
    cache->stateSize = def->stateSize, cache->stateEvery = def->stateEvery, cache->stateFrame = -1;
    cache->makeRoom = def->makeRoom, cache->roomContext = def->roomContext;
    cache->fileMode = def->fileMode != 0 ? def->fileMode : 0600;
    cache->state = qvAllocateRaw(1, def->stateSize);
    bool made = cache->state != NULL;
    for (; made && cache->partCount < def->partCount; cache->partCount++)
        made = OpenPart(cache, &def->parts[cache->partCount], &cache->parts[cache->partCount]);
    if (!made || !CountFrames(cache, 0))
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
    for (int i = 0; i < cache->partCount; i++)
    {
        if (atomic_load(&cache->parts[i].file) >= 0)
            close(atomic_load(&cache->parts[i].file));
        if (cache->parts[i].states >= 0)
            close(cache->parts[i].states);
        Unlock(&cache->parts[i].lock);
        free(cache->parts[i].path);
        free(cache->parts[i].lockPath);
    }
    free(cache->state);
    free(cache);
}

double qvStepCache_Bytes(const qvStepCache* cache)
{
    return (double)PlaceOf(FrameBytes(cache), qvStepCache_Count(cache));
}
