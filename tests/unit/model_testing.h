// SPDX-License-Identifier: GPL-3.0-or-later
// Loading models in tests: from text, from tests/data, and from the bad files beside them.
#pragma once

#include "testing.h"

#include "quaver/model.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>

/// Loads bytes that have to be good. Free with qvDestroyModel.
static inline qvModel* LoadBytes(const char* format, const void* bytes, size_t size)
{
    qvError error;
    qvModel* model;
    ASSERT_OK(qvLoadModelFromMemory(format, bytes, size, "memory", NULL, NULL, &model, &error), error);
    return model;
}

static inline qvModel* LoadText(const char* format, const char* text)
{
    return LoadBytes(format, text, strlen(text));
}

/// Loads a file of tests/data that has to be good.
static inline qvModel* LoadData(const char* name)
{
    char path[1024];
    qvError error;
    qvModel* model;
    ASSERT_OK(qvLoadModel(DataPath(path, sizeof(path), name), NULL, &model, &error), error);
    return model;
}

/// Fails unless one of the model's notes contains part.
static inline void AssertNote(const qvModel* model, const char* part)
{
    for (int i = 0; i < model->notes.count; i++)
    {
        if (strstr(model->notes.lines[i], part) != NULL)
            return;
    }
    fail_msg("no note contains \"%s\"; the first of %d is \"%s\"", part, model->notes.count,
             model->notes.count > 0 ? model->notes.lines[0] : "");
}

static inline void AssertPosition(const qvModel* model, int vertex, float x, float y, float z)
{
    assert_in_range(vertex, 0, model->mesh->vertexCount - 1);
    qvVec3f p = model->mesh->positions[vertex];
    if (p.x != x || p.y != y || p.z != z)
        fail_msg("vertex %d is (%.9g, %.9g, %.9g), not (%.9g, %.9g, %.9g)", vertex, p.x, p.y, p.z, x, y, z);
}

/// A file in the folder bad and what its message has to say after the file's name.
typedef struct BadFile
{
    const char *name, *message;
} BadFile;

static inline int CountFiles(const char* folder)
{
    DIR* stream = opendir(folder);
    assert_non_null(stream);
    int count = 0;
    for (const struct dirent* entry = readdir(stream); entry != NULL; entry = readdir(stream))
        count += entry->d_name[0] != '.';
    closedir(stream);
    return count;
}

/// Each file fails with qv_badInput and "path: " followed by its message. No file of the folder is left out.
static inline void CheckBadFiles(const char* folderName, const BadFile* files, int count)
{
    char folder[512];
    DataPath(folder, sizeof(folder), folderName);
    assert_int_equal(CountFiles(folder), count);
    for (int i = 0; i < count; i++)
    {
        char path[1024], expected[2048];
        snprintf(path, sizeof(path), "%s/%s", folder, files[i].name);
        snprintf(expected, sizeof(expected), "%s: %s", path, files[i].message);
        qvError error = { 0 };
        qvModel* model;
        qvResult result = qvLoadModel(path, NULL, &model, &error);
        if (result == qv_ok || model != NULL)
            fail_msg("%s loads", files[i].name);
        if (strncmp(error.message, expected, strlen(expected)) != 0)
            fail_msg("message is \"%s\", not \"%s…\"", error.message, expected);
        assert_int_equal(result, qv_badInput);
        assert_int_equal(error.result, qv_badInput);
        assert_null(strchr(error.message, '\n'));
    }
}

/// Every beginning of a good file either loads or fails in order.
static inline void CheckTruncations(const char* name, const char* format)
{
    char path[1024];
    FILE* file = fopen(DataPath(path, sizeof(path), name), "rb");
    assert_non_null(file);
    char bytes[4096];
    size_t size = fread(bytes, 1, sizeof(bytes), file);
    fclose(file);
    assert_in_range(size, 1, sizeof(bytes) - 1);
    int failures = 0;
    for (size_t length = 0; length < size; length++)
    {
        qvError error = { 0 };
        qvModel* model;
        if (qvLoadModelFromMemory(format, bytes, length, "cut", NULL, NULL, &model, &error) != qv_ok)
        {
            ASSERT_CONTAINS(error.message, "cut: ");
            failures++;
        }
        qvDestroyModel(model);
    }
    assert_true(failures > 0);
}
