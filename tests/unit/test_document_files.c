// SPDX-License-Identifier: GPL-3.0-or-later
// Documents and their files: saving, references, locks, collecting, scenes inside films.
#include "testing.h"

#include "quaver/document.h"
#include "quaver/file.h"
#include "quaver/model.h"
#include "scene/references.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const qvRef theScene = { qv_objectScene, 0 }, theMesh = { qv_objectMesh, 0 };

// A path below the folder of this test.
static const char* At(char* buffer, const char* name)
{
    char below[400];
    snprintf(below, sizeof(below), "document/%s", name);
    return OutputPath(buffer, 512, below);
}

static void Write(const char* name, const char* text)
{
    char path[512];
    qvError error;
    ASSERT_OK(qvWriteFile(At(path, name), text, strlen(text), &error), error);
}

static int MakeFolders(void** state)
{
    (void)state;
    static const char* const folders[] = { "", "a", "a/meshes", "b", "b/deep", "c" };
    char path[512];
    for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
        mkdir(At(path, folders[i]), 0777);
    static const char* const files[] = { "c/box.obj", "c/box.mtl", "c/skin.png", "c/scene.json" };
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
        unlink(At(path, files[i]));
    Write("a/meshes/box.obj", "mtllib box.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    Write("a/meshes/box.mtl", "newmtl m\nmap_Kd -s 1 1 1 skin.png\nbump missing.png\n");
    Write("a/meshes/skin.png", "not really");
    Write("a/scene.json", "{\"quaver\":1,\"mesh\":{\"file\":\"meshes/box.obj\"},\"keys\":[{\"time\":0}],\"own\":[1]}");
    return 0;
}

static qvDocument* Open(const char* name)
{
    char path[512];
    qvError error;
    qvDocument* document;
    ASSERT_OK(qvOpenDocument(At(path, name), &document, &error), error);
    return document;
}

static void CheckMeshLoads(const qvDocument* document)
{
    char path[1200];
    qvError error;
    qvModel* model;
    snprintf(path, sizeof(path), "%s/%s", qvDocument_Folder(document), qvDocument_Scene(document)->mesh.file);
    ASSERT_OK(qvLoadModel(path, NULL, &model, &error), error);
    qvDestroyModel(model);
}

static void TestSave(void** state)
{
    (void)state;
    char path[512];
    qvError error;
    qvDocument* document = Open("a/scene.json");
    assert_string_equal(qvDocument_Remark(document), "");
    assert_false(qvDocument_IsDirty(document));
    ASSERT_OK(qvDocument_SetNumber(document, theScene, "fps", 30.0, &error), error);
    assert_true(qvDocument_IsDirty(document));
    ASSERT_OK(qvDocument_Save(document, At(path, "a/saved.json"), &error), error);
    assert_false(qvDocument_IsDirty(document));
    assert_string_equal(qvDocument_Path(document), path);
    assert_string_equal(qvDocument_Scene(document)->mesh.file, "meshes/box.obj");
    qvDocument_Undo(document);
    assert_true(qvDocument_IsDirty(document));
    qvDocument_Redo(document);
    assert_false(qvDocument_IsDirty(document));
    qvCloseDocument(document);

    document = Open("a/saved.json");
    assert_true(qvDocument_Scene(document)->fps == 30.0);
    qvBytes bytes;
    ASSERT_OK(qvReadFile(path, 1 << 20, &bytes, &error), error);
    ASSERT_CONTAINS(bytes.data, "\"own\"");
    qvFreeBytes(&bytes);
    qvCloseDocument(document);
}

static void TestSaveElsewhere(void** state)
{
    (void)state;
    char path[512];
    qvError error;
    qvDocument* document = Open("a/scene.json");
    ASSERT_OK(qvDocument_SetNumber(document, theScene, "fps", 30.0, &error), error);
    uint64_t revision = qvDocument_Revision(document);
    ASSERT_OK(qvDocument_Save(document, At(path, "b/deep/moved.json"), &error), error);
    assert_string_equal(qvDocument_Scene(document)->mesh.file, "../../a/meshes/box.obj");
    assert_true(qvDocument_Revision(document) > revision);
    assert_false(qvDocument_IsDirty(document));
    CheckMeshLoads(document);
    qvDocument_Undo(document);
    assert_string_equal(qvDocument_Scene(document)->mesh.file, "../../a/meshes/box.obj");
    CheckMeshLoads(document);
    qvDocument_Redo(document);
    assert_false(qvDocument_IsDirty(document));
    qvCloseDocument(document);
}

// A mesh given from the root, as a file dialog does, becomes a relative one.
static void TestAbsoluteMesh(void** state)
{
    (void)state;
    char mesh[512], path[512];
    qvError error;
    const qvScene* scene;
    qvDocument* document;
    char* real = realpath(At(mesh, "a/meshes/box.obj"), NULL);
    ASSERT_OK(qvCreateScene(&(qvSceneMesh){ .file = real }, &scene, &error), error);
    ASSERT_OK(qvCreateDocument(scene, &document, &error), error);
    assert_false(qvDocument_IsDirty(document)); // nothing that would be missed
    assert_int_equal(qvDocument_Save(document, NULL, &error), qv_badInput);
    ASSERT_CONTAINS(error.message, "no file yet");
    ASSERT_OK(qvDocument_Save(document, At(path, "b/new.json"), &error), error);
    assert_string_equal(qvDocument_Scene(document)->mesh.file, "../a/meshes/box.obj");
    CheckMeshLoads(document);
    qvCloseDocument(document);
    qvReleaseScene(scene);
    free(real);
}

static void TestRebase(void** state)
{
    (void)state;
    char from[512], to[512];
    static const char* const cases[][2] = { { "b/deep", "../../a/meshes/box.obj" }, { "a/meshes", "box.obj" } };
    At(from, "a");
    for (int i = 0; i < 2; i++)
    {
        char* moved = qvRebasePath("meshes/box.obj", from, At(to, cases[i][0]));
        assert_string_equal(moved, cases[i][1]);
        free(moved);
    }
    char* moved = qvRebasePath("meshes/box.obj", from, "/");
    assert_true(moved[0] != '/' && strstr(moved, "..") == NULL);
    free(moved);
}

static void TestMissingMesh(void** state)
{
    (void)state;
    char path[512];
    qvError error;
    Write("a/lost.json", "{\"quaver\":1,\"mesh\":{\"file\":\"gone/lost.obj\",\"x\":1},\"keys\":[{\"time\":0}]}");
    qvDocument* document = Open("a/lost.json");
    ASSERT_CONTAINS(qvDocument_Remark(document), "a/gone/lost.obj cannot be read");
    ASSERT_OK(qvDocument_SetNumber(document, theScene, "fps", 30.0, &error), error);
    ASSERT_OK(qvDocument_Save(document, At(path, "b/lost.json"), &error), error);
    assert_string_equal(qvDocument_Scene(document)->mesh.file, "../a/gone/lost.obj");
    assert_int_equal(qvDocument_Collect(document, At(path, "c/lost.json"), &error), qv_notFound);
    assert_true(access(path, F_OK) != 0);
    qvCloseDocument(document);
}

static void TestCannotSave(void** state)
{
    (void)state;
    char path[512];
    qvError error;
    qvDocument* document = Open("a/scene.json");
    ASSERT_OK(qvDocument_SetNumber(document, theScene, "fps", 30.0, &error), error);
    assert_int_not_equal(qvDocument_Save(document, At(path, "nowhere/scene.json"), &error), qv_ok);
    ASSERT_CONTAINS(error.message, "nowhere");
    assert_true(qvDocument_IsDirty(document));
    assert_string_equal(qvDocument_Path(document), At(path, "a/scene.json"));
    assert_string_equal(qvDocument_Scene(document)->mesh.file, "meshes/box.obj");
    qvCloseDocument(document);
}

// --- Locks ----------------------------------------------------------------------------------------------------------

static void TestTwoPrograms(void** state)
{
    (void)state;
    qvDocument* first = Open("a/scene.json");
    assert_string_equal(qvDocument_Remark(first), "");
    pid_t child = fork();
    if (child == 0)
    {
        qvDocument* second = Open("a/scene.json");
        bool isTold = strstr(qvDocument_Remark(second), "scene.json is also open in program") != NULL;
        qvCloseDocument(second);
        _exit(isTold ? 0 : 1);
    }
    int status;
    waitpid(child, &status, 0);
    assert_int_equal(status, 0);
    qvDocument* third = Open("a/scene.json"); // the second has not taken the lock along
    ASSERT_CONTAINS(qvDocument_Remark(third), "also open");
    qvCloseDocument(first);
    qvCloseDocument(third);
    third = Open("a/scene.json");
    assert_string_equal(qvDocument_Remark(third), "");
    qvCloseDocument(third);
}

static void TestDeadProgramHoldsNothing(void** state)
{
    (void)state;
    char path[512];
    pid_t child = fork();
    if (child == 0)
    {
        Open("a/scene.json");
        _exit(0); // without closing
    }
    waitpid(child, NULL, 0);
    assert_int_equal(access(At(path, "a/.scene.json.lock"), F_OK), 0);
    qvDocument* document = Open("a/scene.json");
    assert_string_equal(qvDocument_Remark(document), "");
    qvCloseDocument(document);
    assert_true(access(path, F_OK) != 0);
}

static void CheckText(const char* name, const char* expected)
{
    char path[512];
    qvError error;
    qvBytes bytes;
    ASSERT_OK(qvReadFile(At(path, name), 10000, &bytes, &error), error);
    assert_string_equal(bytes.data, expected);
    qvFreeBytes(&bytes);
}

// What a folder from elsewhere may have at the lock's name: links, other names of a file, other texts, pipes, folders.
static void TestForeignLocksStay(void** state)
{
    (void)state;
    char path[512], lock[512];
    At(lock, "a/.scene.json.lock");
    for (int kind = 0; kind < 7; kind++)
    {
        Write("a/profile", kind == 2 ? "" : "export A=1");
        unlink(At(path, "a/none"));
        if (kind == 0)
            assert_int_equal(symlink("profile", lock), 0);
        else if (kind == 1 || kind == 2)
            assert_int_equal(link(At(path, "a/profile"), lock), 0);
        else if (kind == 3)
            Write("a/.scene.json.lock", "export A=1");
        else if (kind == 4)
            assert_int_equal(mkfifo(lock, 0600), 0);
        else if (kind == 5)
            assert_int_equal(mkdir(lock, 0700), 0);
        else
            assert_int_equal(symlink("none", lock), 0);
        qvDocument* document = Open("a/scene.json");
        ASSERT_CONTAINS(qvDocument_Remark(document), ".scene.json.lock is no lock of Quaver's and stays as it is");
        qvCloseDocument(document);
        CheckText("a/profile", kind == 2 ? "" : "export A=1");
        if (kind == 3)
            CheckText("a/.scene.json.lock", "export A=1");
        assert_true(access(At(path, "a/none"), F_OK) != 0);
        assert_int_equal(remove(lock), 0); // is there
    }
}

// A link to a scene is that scene; a link to anything else is not followed.
static void TestSaveThroughLinks(void** state)
{
    (void)state;
    char path[512], to[512];
    qvError error;
    unlink(At(path, "b/link.json"));
    assert_int_equal(symlink("../a/scene.json", path), 0);
    qvDocument* document = Open("b/link.json");
    ASSERT_OK(qvDocument_SetNumber(document, theScene, "fps", 12.0, &error), error);
    ASSERT_OK(qvDocument_Save(document, NULL, &error), error);
    struct stat info;
    assert_int_equal(lstat(path, &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    qvDocument* real = Open("a/scene.json");
    assert_float_equal(qvDocument_Scene(real)->fps, 12.0, 0.0);
    qvCloseDocument(real);

    Write("a/profile", "export A=1");
    unlink(At(to, "b/other.json"));
    assert_int_equal(symlink("../a/profile", to), 0);
    assert_int_equal(qvDocument_Save(document, to, &error), qv_badInput);
    ASSERT_CONTAINS(error.message, "other.json: is a symbolic link");
    CheckText("a/profile", "export A=1");
    qvCloseDocument(document);
}

// --- Collect --------------------------------------------------------------------------------------------------------

static void TestCollect(void** state)
{
    (void)state;
    char path[512];
    qvError error;
    qvDocument* document = Open("a/scene.json");
    ASSERT_OK(qvDocument_SetNumber(document, theScene, "fps", 12.0, &error), error);
    ASSERT_OK(qvDocument_Collect(document, At(path, "c/scene.json"), &error), error);
    assert_string_equal(qvDocument_Scene(document)->mesh.file, "box.obj");
    assert_string_equal(qvDocument_Path(document), path);
    assert_false(qvDocument_IsDirty(document));
    CheckMeshLoads(document);
    assert_int_equal(access(At(path, "c/box.mtl"), F_OK), 0);
    assert_int_equal(access(At(path, "c/skin.png"), F_OK), 0);
    qvDocument_Undo(document);
    assert_string_equal(qvDocument_Scene(document)->mesh.file, "box.obj");
    // Again at the same place: what is there already is fine.
    ASSERT_OK(qvDocument_Collect(document, At(path, "c/scene.json"), &error), error);
    qvCloseDocument(document);

    // Something else in the way: nothing changes.
    Write("c/skin.png", "of another scene");
    unlink(At(path, "c/box.obj"));
    document = Open("a/scene.json");
    assert_int_equal(qvDocument_Collect(document, At(path, "c/other.json"), &error), qv_ioFailed);
    ASSERT_CONTAINS(error.message, "skin.png");
    assert_true(access(At(path, "c/other.json"), F_OK) != 0);
    assert_true(access(At(path, "c/box.obj"), F_OK) != 0);
    assert_string_equal(qvDocument_Scene(document)->mesh.file, "meshes/box.obj");
    qvCloseDocument(document);
}

// The mesh of an obstacle goes along as the body's does.
static void TestObstacleFiles(void** state)
{
    (void)state;
    char path[512];
    qvError error;
    qvDocument* document = Open("a/scene.json");
    static const char line[] =
        "{\"do\":\"add\",\"kind\":\"obstacle\",\"value\":{\"shape\":\"mesh\",\"file\":\"meshes/cup.obj\"}}";
    Write("a/meshes/cup.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    ASSERT_OK(qvDocument_ApplyText(document, line, strlen(line), NULL, &error), error);
    ASSERT_OK(qvDocument_Save(document, At(path, "moved.json"), &error), error);
    assert_string_equal(qvDocument_Scene(document)->obstacles[0]->file, "a/meshes/cup.obj");
    assert_string_equal(qvDocument_Scene(document)->mesh.file, "a/meshes/box.obj");
    ASSERT_OK(qvDocument_Collect(document, At(path, "d/scene.json"), &error), error);
    assert_string_equal(qvDocument_Scene(document)->obstacles[0]->file, "cup.obj");
    assert_int_equal(access(At(path, "d/cup.obj"), F_OK), 0);
    assert_int_equal(access(At(path, "d/box.obj"), F_OK), 0);
    assert_false(qvDocument_IsDirty(document));
    unlink(At(path, "moved.json"));
    qvCloseDocument(document);
}

static void TestCollectGltf(void** state)
{
    (void)state;
    char path[512], source[512];
    qvError error;
    const qvScene* scene;
    qvDocument* document;
    mkdir(At(path, "c/film"), 0777);
    DataPath(source, sizeof(source), "gltf/external.gltf");
    char* real = realpath(source, NULL);
    ASSERT_OK(qvCreateScene(&(qvSceneMesh){ .file = real }, &scene, &error), error);
    ASSERT_OK(qvCreateDocument(scene, &document, &error), error);
    ASSERT_OK(qvDocument_Collect(document, At(path, "c/film/scene.json"), &error), error);
    CheckMeshLoads(document);
    assert_int_equal(access(At(path, "c/film/external data.bin"), F_OK), 0);
    qvCloseDocument(document);
    qvReleaseScene(scene);
    free(real);
}

// --- A scene inside a film ------------------------------------------------------------------------------------------

static void TestEmbedded(void** state)
{
    (void)state;
    char path[512];
    qvError error;
    Write("b/film.gltf",
          "{\"asset\":{\"version\":\"2.0\"},\"extras\":{\"quaver\":"
          "\"{\\\"quaver\\\":1,\\\"name\\\":\\\"Inside\\\",\\\"mesh\\\":{\\\"primitive\\\":\\\"imp\\\"}}\"}}");
    Write("b/plain.gltf", "{\"asset\":{\"version\":\"2.0\"}}");
    assert_true(qvIsSceneFile(At(path, "b/film.gltf")));
    assert_false(qvIsSceneFile(At(path, "b/plain.gltf")));
    assert_false(qvIsSceneFile(At(path, "a/meshes/box.obj")));
    assert_false(qvIsSceneFile(At(path, "nowhere")));
    assert_true(qvIsSceneFile(At(path, "a/scene.json")));
    // Mistakes in it are told as those of a scene.
    Write("b/typo.json", "\xef\xbb\xbf {\"quaver\": 1,, }");
    Write("b/typo", "\n{\"quaver\": 1,, }");
    Write("b/list.json", "[]");
    Write("b/gltf", "{\"asset\":{\"version\":\"2.0\"}}");
    assert_true(qvIsSceneFile(At(path, "b/typo.json")));
    assert_true(qvIsSceneFile(At(path, "b/typo")));
    assert_true(qvIsSceneFile(At(path, "b/list.json")));
    assert_false(qvIsSceneFile(At(path, "b/gltf")));
    const qvScene* scene;
    assert_int_equal(qvLoadScene(At(path, "b/plain.gltf"), &scene, &error), qv_notFound);

    qvDocument* document = Open("b/film.gltf");
    assert_string_equal(qvDocument_Scene(document)->name, "Inside");
    assert_string_equal(qvDocument_Path(document), ""); // the film is not overwritten
    assert_false(qvDocument_IsDirty(document));
    ASSERT_OK(qvDocument_SetText(document, theMesh, "primitive", "sack", &error), error);
    assert_int_equal(qvDocument_Save(document, NULL, &error), qv_badInput);
    qvCloseDocument(document);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestSave),
        cmocka_unit_test(TestSaveElsewhere),
        cmocka_unit_test(TestAbsoluteMesh),
        cmocka_unit_test(TestMissingMesh),
        cmocka_unit_test(TestRebase),
        cmocka_unit_test(TestCannotSave),
        cmocka_unit_test(TestTwoPrograms),
        cmocka_unit_test(TestDeadProgramHoldsNothing),
        cmocka_unit_test(TestForeignLocksStay),
        cmocka_unit_test(TestSaveThroughLinks),
        cmocka_unit_test(TestCollect),
        cmocka_unit_test(TestObstacleFiles),
        cmocka_unit_test(TestCollectGltf),
        cmocka_unit_test(TestEmbedded),
    };
    return cmocka_run_group_tests(tests, MakeFolders, NULL);
}
