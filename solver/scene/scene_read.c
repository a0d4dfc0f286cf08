// SPDX-License-Identifier: GPL-3.0-or-later
// Scenes from JSON text: limits, version, fields, then what needs the whole.
#include "scene/migrate.h"
#include "scene/reader.h"

#include "quaver/animation.h"
#include "quaver/file.h"
#include "quaver/path.h"

#include <stdlib.h>
#include <string.h>

enum
{
    MAX_FILE = 1 << 30, // bytes
};

// --- Tags -----------------------------------------------------------------------------------------------------------

// Numbers of tags like "k12" that are in use, up to count.
static bool* UsedNumbers(const void* const* items, int count, size_t tagOffset, char letter)
{
    bool* used = qvAllocate((size_t)count + 1, sizeof(*used));
    for (int i = 0; used != NULL && i < count; i++)
    {
        const char* tag = (const char*)items[i] + tagOffset;
        char* end;
        long number = tag[0] == letter && tag[1] >= '1' && tag[1] <= '9' ? strtol(tag + 1, &end, 10) : 0;
        if (number >= 1 && number <= count && *end == 0)
            used[number] = true;
    }
    return used;
}

qvResult qvMakeTags(qvReader* reader, qvObjectKind kind, const void* const* items, int count)
{
    if (qvGetKind(kind)->tag == 0)
        return qv_ok;
    size_t tagOffset = qvGetKind(kind)->tag - 1;
    char letter = qvObjectKind_Word(kind)[0];
    bool* used = UsedNumbers(items, count, tagOffset, letter);
    if (used == NULL)
        return qvReader_OutOfMemory(reader);
    int number = 1;
    for (int i = 0; i < count; i++)
    {
        char* tag = (char*)(uintptr_t)items[i] + tagOffset;
        if (*tag != 0)
            continue;
        while (used[number])
            number++;
        snprintf(tag, qv_maxTag, "%c%d", letter, number++);
    }
    free(used);
    return qv_ok;
}

// --- Order ----------------------------------------------------------------------------------------------------------

static double TimeOf(const void* item, size_t offset)
{
    return *(const double*)((const char*)item + offset);
}

// Stable, and quick for lists that are nearly sorted.
static void SortByTime(const void** items, int count, size_t timeOffset)
{
    for (int i = 1; i < count; i++)
    {
        const void* item = items[i];
        int k = i;
        for (; k > 0 && TimeOf(items[k - 1], timeOffset) > TimeOf(item, timeOffset); k--)
            items[k] = items[k - 1];
        items[k] = item;
    }
}

// Gives objects without a tag one, and sorts lists by time. Lists are in the making.
static qvResult FinishScene(qvReader* reader, qvScene* scene)
{
    qvResult result = qv_ok;
    for (qvSceneList list = { 0 }; result == qv_ok && qvScene_NextList(scene, &list);)
    {
        const qvKindInfo* info = qvGetKind(list.kind);
        if (info->time != 0)
            SortByTime((const void**)(uintptr_t)list.items, list.count, info->time - 1);
        result = qvMakeTags(reader, list.kind, list.items, list.count);
    }
    return result == qv_ok ? qvReader_ResolveBases(reader, scene->keys, scene->keyCount) : result;
}

// --- Reading --------------------------------------------------------------------------------------------------------

static qvResult ReadTree(qvJson* root, qvScene* scene, qvError* error)
{
    qvReader reader = { .nextId = 1, .error = error };
    qvValue whole = qvJsonValue(root);
    qvResult result = qvJson_IsObject(root) ? qv_ok : qvReader_Fail(&reader, "must be an object {...}");
    if (result == qv_ok)
        result = qvMigrate(root, qvSceneMigrations, qvSceneMigrationCount, qv_sceneVersion, error);
    if (result == qv_ok)
        result = qvReadWhole(&reader, qv_objectScene, &whole, scene);
    if (result == qv_ok)
        result = FinishScene(&reader, scene);
    qvReader_Free(&reader);
    return result == qv_ok ? qvCheckScene(scene, error) : result;
}

qvResult qvReadSceneTree(qvJson* root, const qvScene** scene, qvError* error)
{
    *scene = NULL;
    qvScene* made = qvCreateShared(&qvSharedScene);
    qvResult result = made != NULL ? ReadTree(root, made, error) : qvError_OutOfMemory(error, sizeof(qvScene));
    if (result == qv_ok)
        *scene = made;
    else
        qvReleaseShared(made);
    return result;
}

qvResult qvParseScene(const char* text, size_t size, const char* name, const qvScene** scene, qvError* error)
{
    *scene = NULL;
    qvJson* root;
    qvResult result = qvParseJson(text, size, NULL, &root, error);
    if (result == qv_ok)
        result = qvReadSceneTree(root, scene, error);
    qvDestroyJson(root);
    if (result != qv_ok)
        qvError_Prefix(error, "%s", name);
    return result;
}

// The scene that an exported film carries.
static qvResult LoadEmbedded(const char* path, const qvScene** scene, qvError* error)
{
    char* text;
    qvResult result = qvReadEmbeddedScene(path, &text, error);
    if (result == qv_ok)
        result = qvParseScene(text, strlen(text), path, scene, error);
    qvFreeText(text);
    return result;
}

qvResult qvLoadScene(const char* path, const qvScene** scene, qvError* error)
{
    *scene = NULL;
    if (qvPath_HasExtension(path, "glb gltf"))
        return LoadEmbedded(path, scene, error);
    qvBytes bytes;
    qvResult result = qvReadFile(path, MAX_FILE, &bytes, error);
    if (result != qv_ok)
        return result;
    result = qvParseScene(bytes.data, bytes.size, path, scene, error);
    qvFreeBytes(&bytes);
    return result;
}

// By its first character, so that one with a mistake is told as such; glTF under another name is no scene.
static bool IsSceneText(const char* path, const qvBytes* bytes)
{
    const char* text = bytes->data;
    if (bytes->size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
        text += 3;
    text += strspn(text, " \t\r\n");
    if (*text != '{')
        return qvPath_HasExtension(path, "json");
    qvJson* root = NULL;
    bool isOther = qvParseJson(bytes->data, bytes->size, NULL, &root, NULL) == qv_ok &&
                   qvJson_Find(root, "quaver") == NULL && qvJson_Find(root, "asset") != NULL;
    qvDestroyJson(root);
    return !isOther;
}

bool qvIsSceneFile(const char* path)
{
    if (qvPath_HasExtension(path, "glb gltf"))
    {
        char* text;
        bool carries = qvReadEmbeddedScene(path, &text, NULL) == qv_ok;
        qvFreeText(text);
        return carries;
    }
    qvBytes bytes;
    if (qvReadFile(path, MAX_FILE, &bytes, NULL) != qv_ok)
        return qvPath_HasExtension(path, "json");
    bool isScene = IsSceneText(path, &bytes);
    qvFreeBytes(&bytes);
    return isScene;
}
