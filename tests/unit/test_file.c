// SPDX-License-Identifier: GPL-3.0-or-later
// Reading with limits, and writing that never leaves half a file.
#include "testing.h"

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

static void TestLinkIsFollowed(void** state)
{
    (void)state;
    char folder[1000], path[1100], link[1100];
    qvError error;
    snprintf(path, sizeof(path), "%s/real.txt", Folder(folder, sizeof(folder)));
    snprintf(link, sizeof(link), "%s/link.txt", folder);
    ASSERT_OK(qvWriteFile(path, "one", 3, &error), error);
    assert_int_equal(symlink("real.txt", link), 0);
    ASSERT_OK(qvWriteFile(link, "two", 3, &error), error);
    AssertContent(path, "two");
    struct stat info;
    assert_int_equal(lstat(link, &info), 0);
    assert_true(S_ISLNK(info.st_mode));
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
        cmocka_unit_test(TestLinkIsFollowed),
        cmocka_unit_test(TestReadingWhatIsNoFile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
