// SPDX-License-Identifier: GPL-3.0-or-later
// Reading with limits, and writing that never leaves half a file.
#include "testing.h"

#include "base/own_file.h"
#include "quaver/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// A folder of this test's own, emptied first.
static const char* Folder(char* buffer, size_t capacity)
{
    OutputPath(buffer, capacity, "file");
    char command[1200];
    snprintf(command, sizeof(command), "rm -rf '%s' && mkdir -p '%s'", buffer, buffer);
    assert_int_equal(system(command), 0);
    return buffer;
}

static int EntryCount(const char* folder)
{
    int count = 0;
    DIR* dir = opendir(folder);
    assert_non_null(dir);
    while (readdir(dir) != NULL)
        count++;
    closedir(dir);
    return count - 2;
}

static void AssertContent(const char* path, const char* expected)
{
    qvError error;
    qvBytes bytes;
    ASSERT_OK(qvReadFile(path, 1000, &bytes, &error), error);
    assert_string_equal(bytes.data, expected);
    assert_int_equal(bytes.size, strlen(expected));
    qvFreeBytes(&bytes);
}

static void TestWriteAndRead(void** state)
{
    (void)state;
    char folder[1000], path[1100];
    qvError error;
    snprintf(path, sizeof(path), "%s/a.txt", Folder(folder, sizeof(folder)));
    ASSERT_OK(qvWriteFile(path, "first", 5, &error), error);
    AssertContent(path, "first");
    assert_int_equal(chmod(path, 0640), 0);
    ASSERT_OK(qvWriteFile(path, "second", 6, &error), error);
    AssertContent(path, "second");
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0640);
    assert_int_equal(EntryCount(folder), 1);
}

// Stands in for the system's, to see who calls it.
static int maskCalls;
mode_t umask(mode_t mask)
{
    maskCalls++;
    return (mode_t)syscall(SYS_umask, mask);
}

// A new file gets the permissions that the mask leaves. To ask for the mask is to change it, for all threads.
static void TestPermissionsOfNewFiles(void** state)
{
    (void)state;
    char folder[1000], path[1100];
    qvError error;
    struct stat info;
    snprintf(path, sizeof(path), "%s/new.txt", Folder(folder, sizeof(folder)));
    mode_t before = umask(027);
    maskCalls = 0;
    ASSERT_OK(qvWriteFile(path, "new", 3, &error), error);
    assert_int_equal(maskCalls, 0);
    assert_int_equal(umask(before), 027);
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0640);
    assert_int_equal(EntryCount(folder), 1);
}

static void TestDiscardLeavesTheOldFile(void** state)
{
    (void)state;
    char folder[1000], path[1100];
    qvError error;
    snprintf(path, sizeof(path), "%s/a.txt", Folder(folder, sizeof(folder)));
    ASSERT_OK(qvWriteFile(path, "old", 3, &error), error);
    qvFileWriter writer;
    ASSERT_OK(qvFileWriter_Open(&writer, path, &error), error);
    fputs("half", writer.stream);
    qvFileWriter_Discard(&writer);
    AssertContent(path, "old");
    assert_int_equal(EntryCount(folder), 1);
}

// A limit on the file size stands in for a full disk.
static void TestFullDiskLeavesTheOldFile(void** state)
{
    (void)state;
    char folder[1000], path[1100];
    qvError error;
    snprintf(path, sizeof(path), "%s/a.txt", Folder(folder, sizeof(folder)));
    ASSERT_OK(qvWriteFile(path, "old", 3, &error), error);
    char* large = calloc(1, 1 << 20);
    signal(SIGXFSZ, SIG_IGN);
    struct rlimit before, limit;
    getrlimit(RLIMIT_FSIZE, &before);
    limit = before;
    limit.rlim_cur = 10000;
    setrlimit(RLIMIT_FSIZE, &limit);
    qvResult result = qvWriteFile(path, large, 1 << 20, &error);
    setrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, SIG_DFL);
    free(large);
    assert_int_equal(result, qv_ioFailed);
    ASSERT_CONTAINS(error.message, "a.txt: cannot write");
    AssertContent(path, "old");
    ASSERT_CONTAINS(error.message, strerror(EFBIG)); // the cause, though the stream had failed long before
    assert_int_equal(EntryCount(folder), 1);
}

// A link in a folder from elsewhere may lead to anything.
static void TestLinksAreRefused(void** state)
{
    (void)state;
    char folder[1000], path[1100], link[1100];
    qvError error;
    snprintf(path, sizeof(path), "%s/real.txt", Folder(folder, sizeof(folder)));
    snprintf(link, sizeof(link), "%s/link.txt", folder);
    assert_int_equal(symlink("real.txt", link), 0);
    assert_int_equal(qvWriteFile(link, "two", 3, &error), qv_badInput);
    assert_int_equal(EntryCount(folder), 1); // a link to nothing makes nothing
    ASSERT_OK(qvWriteFile(path, "one", 3, &error), error);
    assert_int_equal(qvWriteFile(link, "two", 3, &error), qv_badInput);
    ASSERT_CONTAINS(error.message, "link.txt: is a symbolic link");
    AssertContent(path, "one");
    char* real = qvLinkTarget(link);
    ASSERT_OK(qvWriteFile(real, "two", 3, &error), error);
    AssertContent(path, "two");
    assert_null(qvLinkTarget(path));
    free(real);
}

static void TestProtectedFilesStay(void** state)
{
    (void)state;
    char folder[1000], path[1100];
    qvError error;
    snprintf(path, sizeof(path), "%s/kept.txt", Folder(folder, sizeof(folder)));
    ASSERT_OK(qvWriteFile(path, "one", 3, &error), error);
    assert_int_equal(chmod(path, 0444), 0);
    assert_int_equal(qvCheckTarget(path, &error), qv_ioFailed);
    assert_int_equal(qvWriteFile(path, "two", 3, &error), qv_ioFailed);
    ASSERT_CONTAINS(error.message, "kept.txt: is write-protected");
    AssertContent(path, "one");
    assert_int_equal(EntryCount(folder), 1);
}

static void MakeOld(const char* path)
{
    struct timespec times[2];
    clock_gettime(CLOCK_REALTIME, &times[0]);
    times[0].tv_sec -= 2 * 24 * 3600;
    times[1] = times[0];
    assert_int_equal(utimensat(AT_FDCWD, path, times, AT_SYMLINK_NOFOLLOW), 0);
}

// What a killed program left goes with the next file of its folder; nothing else does.
static void TestLeftoversGo(void** state)
{
    (void)state;
    char names[8][300], host[256] = "";
    static const char* const forms[] = { ".quaver-%s-abc234",  ".quaver-%s-young2",     ".quaver-%s-ABC234",
                                         ".quaver-%s-abc2345", "quaver-%s-abc234",      ".quaver-%s-linked",
                                         ".quaver-%s-folder",  ".quaver-other%s-abc234" };
    char folder[1000], path[1400];
    qvError error;
    assert_int_equal(gethostname(host, sizeof(host) - 1), 0);
    for (int i = 0; i < 8; i++)
        snprintf(names[i], sizeof(names[i]), forms[i], host);
    Folder(folder, sizeof(folder));
    qvFileWriter living, ended;
    snprintf(path, sizeof(path), "%s/living", folder);
    ASSERT_OK(qvFileWriter_Open(&living, path, &error), error);
    ASSERT_OK(qvFileWriter_Open(&ended, path, &error), error);
    ASSERT_OK(qvFileWriter_Close(&ended, &error), error);
    MakeOld(living.temporaryPath);
    MakeOld(ended.temporaryPath);
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
    {
        snprintf(path, sizeof(path), "%s/%s", folder, names[i]);
        if (i < 5 || i == 7)
            assert_int_equal(close(open(path, O_CREAT | O_WRONLY, 0600)), 0);
        else
            assert_int_equal(i == 5 ? symlink("quaver-abc234", path) : mkdir(path, 0700), 0);
        if (i != 1)
            MakeOld(path);
    }
    snprintf(path, sizeof(path), "%s/next", folder);
    ASSERT_OK(qvWriteFile(path, "next", 4, &error), error);
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
    {
        struct stat info;
        snprintf(path, sizeof(path), "%s/%s", folder, names[i]);
        assert_int_equal(lstat(path, &info) == 0, i != 0);
    }
    assert_int_equal(access(living.temporaryPath, F_OK), 0);
    assert_int_equal(access(ended.temporaryPath, F_OK), -1);
    qvFileWriter_Discard(&living);
    qvFileWriter_Discard(&ended);
}

// Computers that share a folder have names of their own for what they write, and sweep only those.
static void TestHostsSweepTheirOwn(void** state)
{
    (void)state;
    char folder[1000];
    Folder(folder, sizeof(folder));
    static const char* const hosts[] = { "north", "south", "a/b c", NULL };
    char* paths[4];
    for (int i = 0; i < 4; i++)
    {
        paths[i] = qvTemporaryPath(folder, hosts[i]);
        int file = qvCreateTemporary(paths[i], O_WRONLY, 0600);
        assert_true(file >= 0);
        close(file);
        MakeOld(paths[i]);
    }
    ASSERT_CONTAINS(paths[0], "/.quaver-north-");
    ASSERT_CONTAINS(paths[2], "/.quaver-a_b_c-");
    qvSweepTemporaries(folder, "south");
    qvSweepTemporaries(folder, "nor");
    for (int i = 0; i < 4; i++)
        assert_int_equal(access(paths[i], F_OK), i == 1 ? -1 : 0);
    for (int i = 0; i < 4; i++)
    {
        qvSweepTemporaries(folder, hosts[i]);
        assert_int_equal(access(paths[i], F_OK), -1);
        free(paths[i]);
    }
}

static void CheckReadFails(const char* path, size_t maxSize, const char* part)
{
    qvError error;
    qvBytes bytes;
    assert_true(qvReadFile(path, maxSize, &bytes, &error) != qv_ok);
    ASSERT_CONTAINS(error.message, part);
    ASSERT_CONTAINS(error.message, path);
    assert_null(bytes.data);
}

static void TestReadingWhatIsNoFile(void** state)
{
    (void)state;
    char folder[1000], path[1100];
    qvError error;
    Folder(folder, sizeof(folder));
    CheckReadFails(folder, 1000, "is a folder");
    CheckReadFails("/dev/zero", 1000, "not a regular file");
    snprintf(path, sizeof(path), "%s/none", folder);
    CheckReadFails(path, 1000, "No such file");
    assert_int_equal(mkfifo(path, 0600), 0);
    CheckReadFails(path, 1000, "not a regular file"); // and does not wait for a writer
    snprintf(path, sizeof(path), "%s/large", folder);
    ASSERT_OK(qvWriteFile(path, "0123456789", 10, &error), error);
    CheckReadFails(path, 9, "more than");
    qvFileWriter writer;
    assert_int_equal(qvFileWriter_Open(&writer, folder, &error), qv_badInput);
    assert_int_equal(qvFileWriter_Open(&writer, "/nowhere/at/all.txt", &error), qv_notFound);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestWriteAndRead),
        cmocka_unit_test(TestPermissionsOfNewFiles),
        cmocka_unit_test(TestDiscardLeavesTheOldFile),
        cmocka_unit_test(TestFullDiskLeavesTheOldFile),
        cmocka_unit_test(TestLinksAreRefused),
        cmocka_unit_test(TestProtectedFilesStay),
        cmocka_unit_test(TestLeftoversGo),
        cmocka_unit_test(TestHostsSweepTheirOwn),
        cmocka_unit_test(TestReadingWhatIsNoFile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
