// SPDX-License-Identifier: GPL-3.0-or-later
// One file per hash: a header with a checksum, then the numbers as this machine has them. A file is written under
// another name first, so that another program never reads half of it.
#include "scene/disk_cache.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/own_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
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
    atomic_int owners;
    char* folder; // with the version
    size_t limit;
    mode_t mode;          // of the folder
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
    *cache = (qvDiskCache){ .owners = 1, .folder = path, .limit = limit, .mode = 0700 };
    pthread_mutex_init(&cache->lock, NULL);
    return cache;
}

qvDiskCache* qvRetainDiskCache(qvDiskCache* cache)
{
    if (cache != NULL)
        atomic_fetch_add(&cache->owners, 1);
    return cache;
}

void qvDestroyDiskCache(qvDiskCache* cache)
{
    if (cache == NULL || atomic_fetch_sub(&cache->owners, 1) > 1)
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
    struct stat about;
    if (numbers != NULL)
        futimens(fileno(file), NULL); // used now: it stays longer
    else if (fstat(fileno(file), &about) == 0 && about.st_uid == geteuid())
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
    bool isOwn; // this user's
} Entry;

static int ByAge(const void* a, const void* b)
{
    const struct timespec *x = &((const Entry*)a)->time, *y = &((const Entry*)b)->time;
    if (x->tv_sec != y->tv_sec)
        return x->tv_sec < y->tv_sec ? -1 : 1;
    return x->tv_nsec < y->tv_nsec ? -1 : x->tv_nsec > y->tv_nsec ? 1 : 0;
}

// Sixteen digits, as FilePath gives them, or a simulation's. The folder may be a link to one of others, who have names
// of digits as well.
static bool IsEntry(const char* name)
{
    static const char* const endings[] = { "", ".steps", ".steps.state", ".steps.lock" };
    bool isEntry = false;
    for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]) && !isEntry; i++)
        isEntry = strspn(name, "0123456789abcdef") == 16 && strcmp(name + 16, endings[i]) == 0;
    return isEntry;
}

// Begun by this program: what it writes there starts with QV, and locks are empty.
static bool IsOurs(int file)
{
    char start[2] = "QV";
    ssize_t length = pread(file, start, sizeof(start), 0);
    return length >= 0 && memcmp(start, "QV", sizeof(start)) == 0;
}

// Nobody has it open: what steps or reads a simulation has its file locked. Network folders lock what is open for
// writing.
static bool RemoveUnused(int folder, const char* name)
{
    int file = openat(folder, name, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    bool isRemoved = file >= 0 && IsOurs(file) && flock(file, LOCK_EX | LOCK_NB) == 0 && unlinkat(folder, name, 0) == 0;
    if (file >= 0)
        close(file);
    return isRemoved;
}

// Deletes the oldest files of this user until the rest fits with `more` bytes.
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
        size_t stored = 512 * (size_t)about.st_blocks; // what is left out of files of frames takes none
        entry.size = stored < (size_t)about.st_size ? stored : (size_t)about.st_size, entry.time = about.st_mtim;
        entry.isOwn = about.st_uid == geteuid();
        sum += entry.size;
        if (!QV_PUSH(entries, entry))
            break;
    }
    if (entries.count > 0)
        qsort(entries.items, (size_t)entries.count, sizeof(*entries.items), ByAge);
    for (int i = 0; sum > cache->limit && i < entries.count; i++)
    {
        if (entries.items[i].isOwn && RemoveUnused(dirfd(folder), entries.items[i].name))
            sum -= entries.items[i].size;
    }
    free(entries.items);
    closedir(folder);
}

// What is made in a folder that is there is as open as that folder; what is made for this cache alone is private.
static void MakeFolders(qvDiskCache* cache)
{
    char path[4096];
    struct stat about;
    snprintf(path, sizeof(path), "%s", cache->folder);
    for (char* slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/'))
    {
        *slash = 0;
        mkdir(path, 0700);
        bool isParent = strchr(slash + 1, '/') == NULL;
        if (isParent && stat(path, &about) == 0)
            cache->mode = about.st_mode & 07777;
        *slash = '/';
    }
    // The mask of new files is for what others are not meant to see; this folder says itself who is.
    if (mkdir(path, cache->mode) == 0 && (cache->mode & 0077) != 0)
        chmod(path, cache->mode);
}

const char* qvDiskCache_Folder(qvDiskCache* cache)
{
    pthread_mutex_lock(&cache->lock);
    MakeFolders(cache);
    pthread_mutex_unlock(&cache->lock);
    return cache->folder;
}

mode_t qvDiskCache_FileMode(const qvDiskCache* cache)
{
    return cache->mode & 0666;
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
    char path[4096], *temporary = qvTemporaryPath(cache->folder, NULL);
    FilePath(cache, hash, path, sizeof(path));
    pthread_mutex_lock(&cache->lock);
    if (temporary != NULL && bytes <= cache->limit)
    {
        MakeFolders(cache);
        MakeRoom(cache, bytes);
        qvSweepTemporaries(cache->folder, NULL);
        int file = qvCreateTemporary(temporary, O_WRONLY, 0600);
        if (file >= 0)
            (void)!fchmod(file, qvDiskCache_FileMode(cache));
        if (file >= 0 && (!WriteNumbers(file, &header, numbers) || rename(temporary, path) != 0))
            unlink(temporary);
    }
    pthread_mutex_unlock(&cache->lock);
    free(temporary);
}

// What is in use stays, so that a file which grows never loses what it has.
void qvDiskCache_MakeRoom(void* context, size_t bytes)
{
    qvDiskCache* cache = context;
    pthread_mutex_lock(&cache->lock);
    MakeRoom(cache, bytes);
    pthread_mutex_unlock(&cache->lock);
}

void qvDiskCache_SetLimit(qvDiskCache* cache, size_t limit)
{
    pthread_mutex_lock(&cache->lock);
    cache->limit = limit;
    MakeRoom(cache, 0);
    pthread_mutex_unlock(&cache->lock);
}

size_t qvDiskCache_Limit(qvDiskCache* cache)
{
    pthread_mutex_lock(&cache->lock);
    size_t limit = cache->limit;
    pthread_mutex_unlock(&cache->lock);
    return limit;
}

qvNumberStore qvDiskCache_Store(qvDiskCache* cache)
{
    return (qvNumberStore){ cache, Load, Save };
}
