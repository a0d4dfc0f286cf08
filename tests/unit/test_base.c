// SPDX-License-Identifier: GPL-3.0-or-later
// Errors, memory, paths and CPU levels.
#include "testing.h"

#include "base/cpu.h"
#include "base/memory.h"
#include "quaver/file.h"
#include "quaver/path.h"

#include <stdlib.h>
#include <string.h>

static void TestErrorIsOneLine(void** state)
{
    (void)state;
    qvError error;
    assert_int_equal(qvError_Set(&error, qv_badInput, "name %s", "two\nlines\tand\x7f"), qv_badInput);
    assert_string_equal(error.message, "name two lines and ");
    qvError_Prefix(&error, "file\r%d", 7);
    assert_string_equal(error.message, "file 7: name two lines and ");
    assert_int_equal(error.result, qv_badInput);
    assert_int_equal(qvError_Set(NULL, qv_cancelled, "nobody listens"), qv_cancelled);
}

static void TestLongErrorIsMarked(void** state)
{
    (void)state;
    char text[3000];
    memset(text, 'x', sizeof(text));
    text[sizeof(text) - 1] = 0;
    qvError error;
    qvError_Set(&error, qv_badInput, "%s", text);
    assert_int_equal(strlen(error.message), qv_maxErrorLength - 1);
    assert_string_equal(error.message + qv_maxErrorLength - 4, "...");
    qvError_Prefix(&error, "p");
    assert_memory_equal(error.message, "p: xxx", 6);
    assert_string_equal(error.message + qv_maxErrorLength - 4, "...");
}

// A path may be longer than a message; the reason must not get lost.
static void TestLongPathKeepsTheReason(void** state)
{
    (void)state;
    char path[4000];
    memset(path, 'x', sizeof(path));
    memcpy(path + sizeof(path) - 10, "/mesh.obj", 10);
    qvError error;
    qvError_Set(&error, qv_badInput, "line 7: the reason");
    qvError_Prefix(&error, "%s", path);
    assert_int_equal(strlen(error.message), qv_maxErrorLength - 1);
    assert_memory_equal(error.message, "...xxx", 6);
    ASSERT_CONTAINS(error.message, "x/mesh.obj: line 7: the reason");
    qvBytes bytes;
    assert_int_not_equal(qvReadFile(path, 1000, &bytes, &error), qv_ok);
    ASSERT_CONTAINS(error.message, "x/mesh.obj: cannot open: ");
}

static void TestArrayGrows(void** state)
{
    (void)state;
    QV_ARRAY(int) array = { 0 };
    for (int i = 0; i < 1000; i++)
        assert_true(QV_PUSH(array, i * i));
    assert_int_equal(array.count, 1000);
    for (int i = 0; i < 1000; i++)
        assert_int_equal(array.items[i], i * i);
    free(array.items);
}

static void TestFullArray(void** state)
{
    (void)state;
    char item = 0;
    QV_ARRAY(char) array = { &item, INT_MAX, INT_MAX };
    assert_false(QV_PUSH(array, 1));
    assert_int_equal(array.count, INT_MAX);
}

static void TestAllocationOverflow(void** state)
{
    (void)state;
    assert_null(qvAllocate(SIZE_MAX / 2, 4));
    assert_null(qvAllocateRaw(SIZE_MAX / 2, 4));
    assert_null(qvAllocateLarge(SIZE_MAX / 2, 4));
    assert_null(qvAllocateLarge(SIZE_MAX - 3, 1));
    for (size_t count = 1000; count < 10000000; count *= 9000)
    {
        char* large = qvAllocateLarge(count, 1);
        assert_non_null(large);
        memset(large, 7, count);
        assert_int_equal(large[count - 1], 7);
        assert_true(count < 9000 || (uintptr_t)large % (1 << 21) == 0);
        free(large);
    }
    void* empty = qvAllocate(0, 8);
    assert_non_null(empty);
    free(empty);
}

static void TestArena(void** state)
{
    (void)state;
    qvArena* arena = qvCreateArena();
    assert_non_null(arena);
    char* texts[200];
    for (int i = 0; i < 200; i++)
    {
        char text[1200];
        memset(text, 'a' + i % 26, sizeof(text));
        text[i * 6] = 0;
        texts[i] = qvArena_CopyText(arena, text);
        assert_int_equal((uintptr_t)texts[i] % _Alignof(max_align_t), 0);
    }
    for (int i = 0; i < 200; i++)
    {
        assert_int_equal(strlen(texts[i]), i * 6);
        assert_true(i == 0 || texts[i][0] == 'a' + i % 26);
    }
    assert_non_null(qvArena_Allocate(arena, 1 << 20));
    assert_null(qvArena_Allocate(arena, SIZE_MAX));
    assert_string_equal(qvArena_CopyText(arena, NULL), "");
    qvDestroyArena(arena);
}

static void CheckFolder(const char* path, const char* expected)
{
    char* folder = qvPath_Folder(path);
    assert_string_equal(folder, expected);
    free(folder);
}

static void TestPaths(void** state)
{
    (void)state;
    CheckFolder("a/b.obj", "a");
    CheckFolder("b.obj", ".");
    CheckFolder("/b.obj", "/");
    CheckFolder("a//b", "a");
    assert_string_equal(qvPath_Extension("x/y.tar.GZ"), "GZ");
    assert_string_equal(qvPath_Extension("x.d/y"), "");
    assert_string_equal(qvPath_Extension(".hidden"), "");
    assert_true(qvPath_HasExtension("A.GLB", "gltf glb"));
    assert_false(qvPath_HasExtension("A.gl", "gltf glb"));
    assert_false(qvPath_HasExtension("A", "gltf glb"));
    char* joined = qvPath_Join("a/", "b");
    assert_string_equal(joined, "a/b");
    free(joined);
}

static void TestPathStaysInside(void** state)
{
    (void)state;
    static const char* const good[] = { "a.bin", "textures/skin.png", "a..b", "..a/b", "x/..." };
    static const char* const bad[] = { "",         "/etc/passwd", "../a",     "a/../../b",      "a/..",
                                       "C:\\a",    "\\\\host\\x", "a\\..\\b", "http://x/y.bin", "file:///etc/passwd",
                                       "data:,abc" };
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
    {
        if (qvPath_IsInside(bad[i]))
            fail_msg("%s is not inside", bad[i]);
    }
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
    {
        if (!qvPath_IsInside(good[i]))
            fail_msg("%s is inside", good[i]);
    }
}

static void TestCpuLevelCanBeLowered(void** state)
{
    (void)state;
    qvCpuLevel best = qvGetCpuLevel();
    setenv("QUAVER_CPU", "portable", 1);
    assert_int_equal(qvGetCpuLevel(), qv_cpuPortable);
    setenv("QUAVER_CPU", "nonsense", 1);
    assert_int_equal(qvGetCpuLevel(), best);
    unsetenv("QUAVER_CPU");
    assert_string_equal(qvCpuLevel_Name(qv_cpuAvx2), "avx2");
}

static void TestSimplePaths(void** state)
{
    (void)state;
    static const char* const paths[][2] = {
        { "a.bin", "a.bin" },   { "./a.bin", "a.bin" }, { "././/a//b/./c", "a/b/c" },
        { ".a/..b", ".a/..b" }, { "./", "" },           { "/./a", "/a" },
        { "//a", "/a" },
    };
    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
    {
        char path[32];
        strcpy(path, paths[i][0]);
        qvPath_Simplify(path);
        assert_string_equal(path, paths[i][1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestErrorIsOneLine),
        cmocka_unit_test(TestLongErrorIsMarked),
        cmocka_unit_test(TestLongPathKeepsTheReason),
        cmocka_unit_test(TestSimplePaths),
        cmocka_unit_test(TestFullArray),
        cmocka_unit_test(TestArrayGrows),
        cmocka_unit_test(TestAllocationOverflow),
        cmocka_unit_test(TestArena),
        cmocka_unit_test(TestPaths),
        cmocka_unit_test(TestPathStaysInside),
        cmocka_unit_test(TestCpuLevelCanBeLowered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
