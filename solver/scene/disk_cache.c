// SPDX-License-Identifier: GPL-3.0-or-later
// One file per hash: a header with a checksum, then the numbers as this machine has them. A file is written under
// another name first, so that another program never reads half of it.
#include "scene/disk_cache.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/own_file.h"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// To be raised when modes come out differently for the same hash.
#define VERSION "1"

static const char MAGIC[8] = "QVMODES";

typedef struct Header
{
    char magic[8];
    uint64_t hash, checksum, count;
} Header;

struct qvDiskCache
{
    char* folder; // with the version
    size_t limit;
    pthread_mutex_t lock; // of one program's writing
};

qvDiskCache* qvCreateDiskCache(const char* folder, size_t limit)
{
    qvDiskCache* cache = qvAllocate(1, sizeof(*cache));
    size_t length = strlen(folder) + sizeof("/modes-" VERSION);
    char* path = qvAllocate(length, 1);
    if (cache == NULL || path == NULL)
    {
        free(cache);
        free(path);
        return NULL;
    }
    snprintf(path, length, "%s/modes-%s", folder, VERSION);
    *cache = (qvDiskCache){ .folder = path, .limit = limit };
    pthread_mutex_init(&cache->lock, NULL);
    return cache;
}

void qvDestroyDiskCache(qvDiskCache* cache)
{
    if (cache == NULL)
        return;
    pthread_mutex_destroy(&cache->lock);
    free(cache->folder);
    free(cache);
}

static void FilePath(const qvDiskCache* cache, uint64_t hash, char* path, size_t capacity)
{
    snprintf(path, capacity, "%s/%016llx", cache->folder, (unsigned long long)hash);
}

static uint64_t Checksum(const double* numbers, size_t count, uint64_t hash)
{
    return qvHash(numbers, count * sizeof(*numbers), hash);
}

// --- Reading -------------------------------------------------------------------------------------------------------

static double* ReadNumbers(FILE* file, uint64_t hash, size_t* count)
{
    Header header;
    struct stat about;
    if (fread(&header, sizeof(header), 1, file) != 1 || memcmp(header.magic, MAGIC, sizeof(MAGIC)) != 0 ||
        header.hash != hash || fstat(fileno(file), &about) != 0 ||
        header.count != ((size_t)about.st_size - sizeof(header)) / sizeof(double))
        return NULL;
    double* numbers = qvAllocateRaw((size_t)header.count, sizeof(*numbers));
    if (numbers == NULL || fread(numbers, sizeof(*numbers), (size_t)header.count, file) != header.count ||
        fgetc(file) != EOF || Checksum(numbers, (size_t)header.count, hash) != header.checksum)
    {
        free(numbers);
        return NULL;
    }
    *count = (size_t)header.count;
    return numbers;
}

static double* Load(void* context, uint64_t hash, size_t* count)
{
    qvDiskCache* cache = context;
    char path[4096];
    FilePath(cache, hash, path, sizeof(path));
    int opened = qvOpenOwn(path, O_RDONLY, 0);
    FILE* file = opened >= 0 ? fdopen(opened, "rb") : NULL;
    if (file == NULL)
        return NULL;
    double* numbers = ReadNumbers(file, hash, count);
    if (numbers != NULL)
        futimens(fileno(file), NULL); // used now: it stays longer
    else
        unlink(path); // broken
    fclose(file);
    return numbers;
}

// --- Writing -------------------------------------------------------------------------------------------------------

typedef struct Entry
{
    char name[64];
    size_t size;
    struct timespec time;
} Entry;

static int ByAge(const void* a, const void* b)
{
    const struct timespec *x = &((const Entry*)a)->time, *y = &((const Entry*)b)->time;
    if (x->tv_sec != y->tv_sec)
        return x->tv_sec < y->tv_sec ? -1 : 1;
    return x->tv_nsec < y->tv_nsec ? -1 : x->tv_nsec > y->tv_nsec ? 1 : 0;
}

// Sixteen digits, as FilePath gives them.
static bool IsEntry(const char* name)
{
    return strspn(name, "0123456789abcdef") >= 16;
}

// Deletes the oldest files until the rest fits with `more` bytes.
static void MakeRoom(const qvDiskCache* cache, size_t more)
{
    DIR* folder = opendir(cache->folder);
    if (folder == NULL)
        return;
    QV_ARRAY(Entry) entries = { 0 };
    size_t sum = more;
    for (const struct dirent* item; (item = readdir(folder)) != NULL;)
    {
        Entry entry;
        struct stat about;
        if (strlen(item->d_name) >= sizeof(entry.name) || !IsEntry(item->d_name) ||
            fstatat(dirfd(folder), item->d_name, &about, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(about.st_mode))
            continue;
        strcpy(entry.name, item->d_name);
        entry.size = (size_t)about.st_size, entry.time = about.st_mtim;
        sum += entry.size;
        if (!QV_PUSH(entries, entry))
            break;
    }
    if (entries.count > 0)
        qsort(entries.items, (size_t)entries.count, sizeof(*entries.items), ByAge);
    for (int i = 0; sum > cache->limit && i < entries.count; i++)
    {
        if (unlinkat(dirfd(folder), entries.items[i].name, 0) == 0)
            sum -= entries.items[i].size;
    }
    free(entries.items);
    closedir(folder);
}

static void MakeFolders(const qvDiskCache* cache)
{
    char path[4096];
    snprintf(path, sizeof(path), "%s", cache->folder);
    for (char* slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/'))
    {
        *slash = 0;
        mkdir(path, 0700);
        *slash = '/';
    }
    mkdir(path, 0700);
}

const char* qvDiskCache_Folder(qvDiskCache* cache)
{
    MakeFolders(cache);
    return cache->folder;
}

static bool WriteNumbers(int file, const Header* header, const double* numbers)
{
    FILE* stream = fdopen(file, "wb");
    if (stream == NULL)
    {
        close(file);
        return false;
    }
    bool written = fwrite(header, sizeof(*header), 1, stream) == 1 &&
                   fwrite(numbers, sizeof(*numbers), (size_t)header->count, stream) == header->count;
    return fclose(stream) == 0 && written;
}

static void Save(void* context, uint64_t hash, const double* numbers, size_t count)
{
    qvDiskCache* cache = context;
    size_t bytes = sizeof(Header) + count * sizeof(*numbers);
    Header header = { .hash = hash, .count = count, .checksum = Checksum(numbers, count, hash) };
    memcpy(header.magic, MAGIC, sizeof(MAGIC));
    char path[4096], temporary[4096 + 32];
    FilePath(cache, hash, path, sizeof(path));
    snprintf(temporary, sizeof(temporary), "%s/" QV_TEMPORARY_NAME, cache->folder);
    pthread_mutex_lock(&cache->lock);
    if (bytes <= cache->limit)
    {
        MakeFolders(cache);
        MakeRoom(cache, bytes);
        qvSweepTemporaries(cache->folder);
        int file = qvCreateTemporary(temporary, O_WRONLY, 0600);
        if (file >= 0 && (!WriteNumbers(file, &header, numbers) || rename(temporary, path) != 0))
            unlink(temporary);
    }
    pthread_mutex_unlock(&cache->lock);
}

void qvDiskCache_SetLimit(qvDiskCache* cache, size_t limit)
{
    pthread_mutex_lock(&cache->lock);
    cache->limit = limit;
    MakeRoom(cache, 0);
    pthread_mutex_unlock(&cache->lock);
}

qvNumberStore qvDiskCache_Store(qvDiskCache* cache)
{
    return (qvNumberStore){ cache, Load, Save };
}
