// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers that outlive the program.
#include "scene_testing.h"

#include "base/hash.h"
#include "scene/disk_cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char folder[512], files[600];

// An empty folder for every test.
static int SetUp(void** state)
{
    (void)state;
    char name[64];
    snprintf(name, sizeof(name), "disk_cache_%ld", (long)getpid());
    OutputPath(folder, sizeof(folder), name);
    snprintf(files, sizeof(files), "%s/modes-1", folder);
    return 0;
}

static int CountFiles(void)
{
    DIR* list = opendir(files);
    int count = 0;
    for (const struct dirent* item; list != NULL && (item = readdir(list)) != NULL;)
        count += item->d_name[0] != '.';
    if (list != NULL)
        closedir(list);
    return count;
}

static int TearDown(void** state)
{
    (void)state;
    DIR* list = opendir(files);
    for (const struct dirent* item; list != NULL && (item = readdir(list)) != NULL;)
        unlinkat(dirfd(list), item->d_name, 0);
    if (list != NULL)
        closedir(list);
    rmdir(files);
    rmdir(folder);
    return 0;
}

static void Fill(double* numbers, size_t count, double first)
{
    for (size_t i = 0; i < count; i++)
        numbers[i] = first + (double)i;
}

static void NumbersComeBack(void** state)
{
    (void)state;
    double numbers[1000];
    Fill(numbers, 1000, 0.5);
    qvDiskCache* cache = qvCreateDiskCache(folder, 1 << 20);
    qvNumberStore store = qvDiskCache_Store(cache);
    size_t count;
    assert_null(store.load(store.context, 7, &count));
    store.save(store.context, 7, numbers, 1000);
    qvDestroyDiskCache(cache);

    cache = qvCreateDiskCache(folder, 1 << 20);
    store = qvDiskCache_Store(cache);
    double* read = store.load(store.context, 7, &count);
    assert_non_null(read);
    assert_int_equal(count, 1000);
    assert_memory_equal(read, numbers, sizeof(numbers));
    free(read);
    assert_null(store.load(store.context, 8, &count));
    qvDestroyDiskCache(cache);
}

static void BrokenFilesAreForgotten(void** state)
{
    (void)state;
    double numbers[100];
    Fill(numbers, 100, 1.0);
    qvDiskCache* cache = qvCreateDiskCache(folder, 1 << 20);
    qvNumberStore store = qvDiskCache_Store(cache);
    char path[700];
    snprintf(path, sizeof(path), "%s/%016x", files, 9);
    for (int kind = 0; kind < 4; kind++)
    {
        size_t count;
        store.save(store.context, 9, numbers, 100);
        FILE* file = fopen(path, kind == 3 ? "ab" : "rb+");
        assert_non_null(file);
        if (kind == 0)
            assert_int_equal(ftruncate(fileno(file), 500), 0);
        else if (kind < 3)
            fseek(file, kind == 1 ? 300 : 3, SEEK_SET);
        if (kind > 0)
            fputc('?', file);
        fclose(file);
        assert_null(store.load(store.context, 9, &count));
        assert_int_equal(access(path, F_OK), -1);
    }
    qvDestroyDiskCache(cache);
}

// At the name of a file: a pipe that nobody writes to, a link to somebody's file, a folder.
static void OtherThingsAtItsNames(void** state)
{
    (void)state;
    double numbers[100];
    Fill(numbers, 100, 1.0);
    qvDiskCache* cache = qvCreateDiskCache(folder, 1 << 20);
    qvNumberStore store = qvDiskCache_Store(cache);
    char path[700], other[700];
    size_t count;
    store.save(store.context, 9, numbers, 100);
    snprintf(path, sizeof(path), "%s/%016x", files, 9);
    snprintf(other, sizeof(other), "%s/other", files);
    assert_int_equal(rename(path, other), 0);
    for (int kind = 0; kind < 3; kind++)
    {
        if (kind == 0)
            assert_int_equal(mkfifo(path, 0600), 0);
        else
            assert_int_equal(kind == 1 ? symlink("other", path) : mkdir(path, 0700), 0);
        assert_null(store.load(store.context, 9, &count));
        store.save(store.context, 9, numbers, 100);
        double* read = store.load(store.context, 9, &count);
        assert_int_equal(read != NULL, kind < 2);
        free(read);
        struct stat about;
        assert_int_equal(lstat(path, &about), 0);
        assert_int_equal(S_ISREG(about.st_mode), kind < 2);
        assert_int_equal(kind < 2 ? unlink(path) : rmdir(path), 0);
    }
    assert_int_equal(CountFiles(), 1); // the other one
    qvDestroyDiskCache(cache);
}

static void TheOldestGo(void** state)
{
    (void)state;
    double numbers[100];
    qvDiskCache* cache = qvCreateDiskCache(folder, 2600); // three files of 832 bytes
    qvNumberStore store = qvDiskCache_Store(cache);
    size_t count;
    for (uint64_t hash = 1; hash <= 5; hash++)
    {
        Fill(numbers, 100, (double)hash);
        store.save(store.context, hash, numbers, 100);
        usleep(15000); // clocks of file systems are coarse
        if (hash == 4)
            free(store.load(store.context, 2, &count)); // used: younger than 3 now
        usleep(15000);
    }
    assert_int_equal(CountFiles(), 3);
    const bool stays[] = { false, true, false, true, true };
    for (uint64_t hash = 1; hash <= 5; hash++)
    {
        double* read = store.load(store.context, hash, &count);
        assert_int_equal(read != NULL, stays[hash - 1]);
        free(read);
    }
    // What is larger than all of it is not kept.
    double* many = calloc(1000, sizeof(*many));
    store.save(store.context, 99, many, 1000);
    assert_null(store.load(store.context, 99, &count));
    assert_int_equal(CountFiles(), 3);
    free(many);
    qvDestroyDiskCache(cache);
}

// The folder may lead to one of others, whose names are digits as well, or even these: they stay, however little room
// there is.
static void FilesOfOthersStay(void** state)
{
    (void)state;
    double numbers[100];
    Fill(numbers, 100, 0.0);
    qvDiskCache* cache = qvCreateDiskCache(folder, 1000);
    qvNumberStore store = qvDiskCache_Store(cache);
    static const char* const names[] = { "00112233445566778899aabbccddeeff00112233", "0011223344556677.o",
                                         "0011223344556677" };
    char path[700];
    qvDiskCache_Folder(cache);
    for (int i = 0; i < 3; i++)
    {
        snprintf(path, sizeof(path), "%s/%s", files, names[i]);
        FILE* file = fopen(path, "wb");
        assert_non_null(file);
        assert_int_equal(fwrite(numbers, sizeof(numbers), 1, file), 1);
        fclose(file);
    }
    usleep(30000); // clocks of file systems are coarse
    store.save(store.context, 1, numbers, 100);
    store.save(store.context, 2, numbers, 100);
    for (int i = 0; i < 3; i++)
    {
        snprintf(path, sizeof(path), "%s/%s", files, names[i]);
        assert_int_equal(access(path, F_OK), 0);
    }
    size_t count;
    assert_null(store.load(store.context, 1, &count));
    assert_int_equal(CountFiles(), 4);
    qvDestroyDiskCache(cache);
}

static void MakeOldFile(uint64_t hash, char* path, size_t size)
{
    struct timespec times[2] = { { 1000000000 + (time_t)hash, 0 }, { 1000000000 + (time_t)hash, 0 } };
    snprintf(path, size, "%s/%016x", files, (unsigned)hash);
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

// A folder that is open to others makes files that are; what another program uses, or another user made, stays however
// old it is.
static void ASharedFolderIsForAll(void** state)
{
    (void)state;
    double numbers[100];
    Fill(numbers, 100, 0.0);
    assert_int_equal(mkdir(folder, 0770), 0);
    assert_int_equal(chmod(folder, 0770), 0);
    qvDiskCache* cache = qvCreateDiskCache(folder, 2600); // three files
    qvNumberStore store = qvDiskCache_Store(cache);
    char paths[4][700];
    struct stat about;
    for (uint64_t hash = 1; hash <= 3; hash++)
    {
        store.save(store.context, hash, numbers, 100);
        MakeOldFile(hash, paths[hash], sizeof(paths[hash]));
    }
    assert_int_equal(stat(files, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0770);
    assert_int_equal(stat(paths[1], &about), 0);
    assert_int_equal(about.st_mode & 0777, 0660);
    int ready[2];
    assert_int_equal(pipe(ready), 0);
    pid_t other = fork();
    if (other == 0) // another program reads the oldest
    {
        int file = open(paths[1], O_RDONLY);
        bool locked = file >= 0 && flock(file, LOCK_SH) == 0;
        (void)!write(ready[1], locked ? "y" : "n", 1);
        pause();
        _exit(0);
    }
    char answer;
    assert_int_equal(read(ready[0], &answer, 1), 1);
    assert_int_equal(answer, 'y');
    bool isRoot = geteuid() == 0 && chown(paths[2], 12345, 12345) == 0; // another user's
    store.save(store.context, 4, numbers, 100);
    assert_int_equal(access(paths[1], F_OK), 0);
    assert_int_equal(access(paths[2], F_OK), isRoot ? 0 : -1);
    assert_int_equal(access(paths[3], F_OK), isRoot ? -1 : 0);
    kill(other, SIGKILL);
    waitpid(other, NULL, 0);
    store.save(store.context, 5, numbers, 100); // it is dead: its lock is gone
    assert_int_equal(access(paths[1], F_OK), -1);
    close(ready[0]);
    close(ready[1]);
    qvDestroyDiskCache(cache);
}

static void NoFolderDoesNoHarm(void** state)
{
    (void)state;
    double numbers[10] = { 0.0 };
    qvDiskCache* cache = qvCreateDiskCache("/dev/null/nowhere", 1 << 20);
    qvNumberStore store = qvDiskCache_Store(cache);
    size_t count;
    store.save(store.context, 1, numbers, 10);
    assert_null(store.load(store.context, 1, &count));
    qvDestroyDiskCache(cache);
}

// Names and inodes: a file that is written again is another one.
static uint64_t ListFiles(void)
{
    DIR* list = opendir(files);
    uint64_t sum = 0;
    for (const struct dirent* item; list != NULL && (item = readdir(list)) != NULL;)
        sum += item->d_name[0] != '.' ? qvHash(item->d_name, strlen(item->d_name), item->d_ino) : 0;
    closedir(list);
    return sum;
}

// Less room takes effect at once, and forgets nothing else.
static void LimitsChange(void** state)
{
    (void)state;
    double numbers[100];
    Fill(numbers, 100, 0.0);
    qvDiskCache* cache = qvCreateDiskCache(folder, 1 << 20);
    qvNumberStore store = qvDiskCache_Store(cache);
    size_t count;
    for (uint64_t hash = 1; hash <= 4; hash++)
    {
        store.save(store.context, hash, numbers, 100);
        usleep(15000);
    }
    qvDiskCache_SetLimit(cache, 1700); // two files of 832 bytes
    assert_int_equal(CountFiles(), 2);
    qvDestroyDiskCache(cache);
    cache = qvCreateDiskCache(folder, 0); // keeps nothing, but reads
    store = qvDiskCache_Store(cache);
    store.save(store.context, 5, numbers, 100);
    double* read = store.load(store.context, 4, &count);
    assert_non_null(read);
    free(read);
    assert_int_equal(CountFiles(), 2);
    qvDestroyDiskCache(cache);
}

// A second run finds what the first has computed, to the same bits: modes of two shapes, nodes of the body, and the
// forces in the reduced space.
static void PipelinesRememberModes(void** state)
{
    (void)state;
    const char* text =
        "{\"quaver\": 1, \"mesh\": {\"primitive\": \"sack\", \"resolution\": 24}, \"keys\": [{\"time\": 0}, "
        "{\"time\": 1, \"strokes\": [{\"brush\": \"grab\", \"at\": [0, 1.9, 0], \"drag\": [0.3, 0, 0]}]}]}";
    qvPipelineDef def = qvDefaultPipelineDef();
    def.cacheFolder = folder;
    qvVec3f* points[2];
    uint64_t kept[2];
    int count = 0;
    for (int run = 0; run < 2; run++)
    {
        qvError error;
        qvPipeline* pipeline;
        ASSERT_OK(qvCreatePipeline(&def, &pipeline, &error), error);
        qvTake* take = MustSolve(pipeline, text);
        assert_int_equal(CountFiles(), 4);
        kept[run] = ListFiles();
        points[run] = PointsOf(take, 0.4, qv_layersAll, NULL);
        count = qvTake_Body(take)->mesh->pointCount;
        qvReleaseTake(take);
        qvDestroyPipeline(pipeline);
    }
    assert_true(kept[0] == kept[1]); // and finds nothing anew
    assert_memory_equal(points[0], points[1], (size_t)count * sizeof(qvVec3f));
    free(points[0]);
    free(points[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(NumbersComeBack, SetUp, TearDown),
        cmocka_unit_test_setup_teardown(BrokenFilesAreForgotten, SetUp, TearDown),
        cmocka_unit_test_setup_teardown(OtherThingsAtItsNames, SetUp, TearDown),
        cmocka_unit_test_setup_teardown(TheOldestGo, SetUp, TearDown),
        cmocka_unit_test_setup_teardown(FilesOfOthersStay, SetUp, TearDown),
        cmocka_unit_test_setup_teardown(ASharedFolderIsForAll, SetUp, TearDown),
        cmocka_unit_test_setup_teardown(LimitsChange, SetUp, TearDown),
        cmocka_unit_test_setup_teardown(NoFolderDoesNoHarm, SetUp, TearDown),
        cmocka_unit_test_setup_teardown(PipelinesRememberModes, SetUp, TearDown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
