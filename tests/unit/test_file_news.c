// SPDX-License-Identifier: GPL-3.0-or-later
// Whether the file of a document is still what was opened or saved.
#include "testing.h"

#include "quaver/document.h"
#include "quaver/file.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TEXT(name) \
    "{\"quaver\": 1, \"name\": \"" name "\", \"mesh\": {\"primitive\": \"sphere\"}, \"keys\": [{\"time\": 0}]}"

static char path[512];

static void Write(const char* text)
{
    qvError error;
    ASSERT_OK(qvWriteFile(path, text, strlen(text), &error), error);
}

static qvDocument* OpenOne(void)
{
    qvDocument* document;
    qvError error;
    OutputPath(path, sizeof(path), "file-news.json");
    Write(TEXT("one"));
    ASSERT_OK(qvOpenDocument(path, &document, &error), error);
    return document;
}

static qvFileNews Look(qvDocument* document)
{
    uint64_t version;
    return qvDocument_LookAtFile(document, &version);
}

static void TestSame(void** state)
{
    (void)state;
    qvError error;
    qvDocument* document = OpenOne();
    assert_int_equal(Look(document), qv_fileSame);
    // Touched, written anew, laid out differently.
    const struct timespec times[2] = { { 1000, 0 }, { 1000, 0 } };
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
    assert_int_equal(Look(document), qv_fileSame);
    Write(TEXT("one"));
    assert_int_equal(Look(document), qv_fileSame);
    Write("\n " TEXT("one") " \n");
    assert_int_equal(Look(document), qv_fileSame);
    // Our own saves, also of what was changed here and under another name.
    qvRef scene = { qv_objectScene, 0 };
    ASSERT_OK(qvDocument_SetText(document, scene, "name", "mine", &error), error);
    assert_int_equal(Look(document), qv_fileSame);
    ASSERT_OK(qvDocument_Save(document, NULL, &error), error);
    assert_int_equal(Look(document), qv_fileSame);
    ASSERT_OK(qvDocument_Save(document, OutputPath(path, sizeof(path), "file-news-2.json"), &error), error);
    assert_int_equal(Look(document), qv_fileSame);
    qvCloseDocument(document);
}

static void TestChanged(void** state)
{
    (void)state;
    qvError error;
    qvDocument* document = OpenOne();
    uint64_t first, second;
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    // The same size in the same file, with the old time put back.
    FILE* stream = fopen(path, "r+");
    assert_non_null(stream);
    assert_true(fputs(TEXT("two"), stream) >= 0);
    fclose(stream);
    const struct timespec times[2] = { info.st_atim, info.st_mtim };
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
    assert_int_equal(qvDocument_LookAtFile(document, &first), qv_fileChanged);
    assert_int_equal(qvDocument_LookAtFile(document, &second), qv_fileChanged);
    assert_true(first == second);
    // The next change is another one; what is no scene is a change as well.
    Write("{}");
    assert_int_equal(qvDocument_LookAtFile(document, &second), qv_fileChanged);
    assert_true(first != second);
    assert_false(qvDocument_IsDirty(document));
    // Back to what was opened.
    Write(TEXT("one"));
    assert_int_equal(Look(document), qv_fileSame);
    Write(TEXT("two"));
    ASSERT_OK(qvDocument_Save(document, NULL, &error), error);
    assert_int_equal(Look(document), qv_fileSame);
    qvCloseDocument(document);
}

static void TestGone(void** state)
{
    (void)state;
    qvError error;
    qvDocument* document = OpenOne();
    assert_int_equal(unlink(path), 0);
    assert_int_equal(Look(document), qv_fileGone);
    assert_true(qvDocument_IsDirty(document));
    assert_int_equal(mkdir(path, 0777), 0);
    assert_int_equal(Look(document), qv_fileChanged);
    assert_int_equal(rmdir(path), 0);
    Write(TEXT("one"));
    assert_int_equal(Look(document), qv_fileSame);
    assert_false(qvDocument_IsDirty(document));
    assert_int_equal(unlink(path), 0);
    assert_int_equal(Look(document), qv_fileGone);
    ASSERT_OK(qvDocument_Save(document, NULL, &error), error);
    assert_false(qvDocument_IsDirty(document));
    assert_int_equal(Look(document), qv_fileSame);
    qvCloseDocument(document);
}

// A document that takes the place of another one of the same file gets its lock.
static void TestRelock(void** state)
{
    (void)state;
    qvError error;
    qvDocument *document = OpenOne(), *again;
    ASSERT_OK(qvOpenDocument(path, &again, &error), error);
    assert_non_null(strstr(qvDocument_Remark(again), "also open"));
    qvCloseDocument(document);
    qvDocument_Relock(again);
    assert_string_equal(qvDocument_Remark(again), "");
    ASSERT_OK(qvOpenDocument(path, &document, &error), error);
    assert_non_null(strstr(qvDocument_Remark(document), "also open"));
    qvCloseDocument(document);
    qvCloseDocument(again);
}

static void TestWithoutFile(void** state)
{
    (void)state;
    qvError error;
    qvDocument* document;
    const qvScene* scene;
    qvSceneMesh mesh = { .primitive = "sphere" };
    ASSERT_OK(qvCreateScene(&mesh, &scene, &error), error);
    ASSERT_OK(qvCreateDocument(scene, &document, &error), error);
    assert_int_equal(Look(document), qv_fileSame);
    qvDocument_Relock(document);
    assert_string_equal(qvDocument_Remark(document), "");
    qvCloseDocument(document);
    qvReleaseScene(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(TestSame), cmocka_unit_test(TestChanged),
                                        cmocka_unit_test(TestGone), cmocka_unit_test(TestRelock),
                                        cmocka_unit_test(TestWithoutFile) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
