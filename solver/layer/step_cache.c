// SPDX-License-Identifier: GPL-3.0-or-later
// The file: a header, then each frame with its checksum, as this machine has the numbers. The state: a header and
// bytes, replaced as a whole.
#include "layer/step_cache.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/own_file.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

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
    atomic_int file;  // descriptor: of the path, or of memory
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

// Opens a file of the same key, or begins it; what is there of another kind is no cache of ours any more.
static int OpenFile(const qvStepCache* cache, const char* path)
{
    int file = qvOpenOwn(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    Header header = MakeHeader(cache), found;
    if (file < 0 || (ReadAt(file, &found, sizeof(found), 0) && memcmp(&found, &header, sizeof(header)) == 0))
        return file;
    struct stat about;
    bool begun = fstat(file, &about) == 0 && (about.st_size == 0 || memcmp(found.magic, MAGIC, sizeof(MAGIC)) == 0) &&
                 ftruncate(file, 0) == 0 && WriteAt(file, &header, sizeof(header), 0);
    if (begun)
        return file;
    close(file);
    return -1;
}

static bool CountFrames(qvStepCache* cache)
{
    float* work = qvAllocateRaw((size_t)cache->frameSize, sizeof(*work));
    int count = 0;
    while (work != NULL && count < cache->frameLimit && qvStepCache_Read(cache, count, work))
        count++;
    atomic_store(&cache->count, count);
    free(work);
    return work != NULL;
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
    int file = -1;
    if (def->path != NULL && (file = OpenFile(cache, def->path)) >= 0)
    {
        size_t length = strlen(def->path) + sizeof(".state");
        cache->statePath = qvAllocate(length, 1);
        if (cache->statePath != NULL)
            snprintf(cache->statePath, length, "%s.state", def->path);
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
    free(cache->statePath);
    free(cache->state);
    free(cache);
}

double qvStepCache_Bytes(const qvStepCache* cache)
{
    return (double)PlaceOf(cache, qvStepCache_Count(cache));
}
