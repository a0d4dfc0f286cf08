// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/demos.h"

#include "quaver/file.h"
#include "quaver/json.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum
{
    MAX_SCENE = 1 << 20 // bytes; demos are small
};

// Where data lies as seen from the program's folder: in the source tree, or installed.
static const char* const places[] = {
    "..", "../app/data", "../..", "../../app/data", "../share/quaver", "../../share/quaver",
};

static bool ProgramFolder(char* folder, size_t capacity)
{
    ssize_t length = readlink("/proc/self/exe", folder, capacity - 1);
    if (length <= 0)
        return false;
    folder[length] = 0;
    char* slash = strrchr(folder, '/');
    if (slash == NULL)
        return false;
    *slash = 0;
    return true;
}

bool qvuiDataPath(const char* name, char* path, size_t capacity)
{
    char folder[qvui_maxPath - 64];
    if (!ProgramFolder(folder, sizeof(folder)))
        return false;
    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
    {
        int length = snprintf(path, capacity, "%s/%s/%s", folder, places[i], name);
        if (length > 0 && (size_t)length < capacity && access(path, R_OK) == 0)
            return true;
    }
    return false;
}

static int IsScene(const struct dirent* entry)
{
    size_t length = strlen(entry->d_name);
    return length > 5 && strcmp(entry->d_name + length - 5, ".json") == 0;
}

// The scene's name and what it is about; false for a file that is no scene.
static bool ReadTexts(qvuiDemo* demo)
{
    qvError error;
    qvBytes bytes;
    qvJson* root;
    if (qvReadFile(demo->path, MAX_SCENE, &bytes, &error) != qv_ok)
        return false;
    bool read = qvParseJson(bytes.data, bytes.size, NULL, &root, &error) == qv_ok;
    qvFreeBytes(&bytes);
    if (!read)
        return false;
    snprintf(demo->name, sizeof(demo->name), "%s", qvJson_Text(qvJson_Find(root, "name")));
    snprintf(demo->about, sizeof(demo->about), "%s", qvJson_Text(qvJson_Find(root, "about")));
    qvDestroyJson(root);
    return demo->name[0] != 0;
}

static bool LoadDemo(qvuiDemo* demo, const char* folder, const char* file)
{
    char picture[qvui_maxPath];
    int stem = (int)strlen(file) - (int)strlen(".json");
    int length = snprintf(demo->path, sizeof(demo->path), "%s/%s", folder, file);
    int pictureLength = snprintf(picture, sizeof(picture), "%s/%.*s.png", folder, stem, file);
    if (length >= (int)sizeof(demo->path) || pictureLength >= (int)sizeof(picture) || !ReadTexts(demo))
        return false;
    qvError error;
    if (qvuiDecodePicture(picture, &demo->decoded, &error) != qv_ok)
        demo->decoded = (qvuiPicture){ 0 }; // a card without a picture still opens its scene
    return true;
}

static qvResult Look(void* context, qvJob* job, qvError* error)
{
    (void)job, (void)error;
    qvuiDemos* demos = context;
    char folder[qvui_maxPath];
    struct dirent** entries;
    if (!qvuiDataPath("scenes", folder, sizeof(folder)))
        return qv_ok;
    int found = scandir(folder, &entries, IsScene, alphasort);
    demos->items = calloc(qvui_maxDemos, sizeof(*demos->items));
    for (int i = 0; i < found; i++)
    {
        bool wanted = demos->items != NULL && demos->foundCount < qvui_maxDemos;
        if (wanted && LoadDemo(&demos->items[demos->foundCount], folder, entries[i]->d_name))
            demos->foundCount++;
        free(entries[i]);
    }
    if (found >= 0)
        free(entries);
    return qv_ok;
}

void qvuiDemos_Start(qvuiDemos* demos)
{
    qvError ignored; // the welcome screen has no cards then
    if (demos->started)
        return;
    demos->started = true;
    const qvuiErrand errand = { .work = Look, .order = demos, .stage = "demos" };
    if (qvuiTask_Start(&demos->task, &errand, &ignored) != qv_ok)
        demos->task.running = false;
}

void qvuiDemos_Update(qvuiDemos* demos)
{
    if (demos->task.running && qvuiTask_Collect(&demos->task) == NULL)
        return;
    demos->count = demos->foundCount;
    if (demos->uploaded == demos->count)
        return;
    qvuiDemo* demo = &demos->items[demos->uploaded++];
    if (demo->decoded.pixels != NULL)
        demo->picture = qvuiUploadPicture(&demo->decoded);
    qvuiFreePicture(&demo->decoded);
}

bool qvuiDemos_IsBusy(const qvuiDemos* demos)
{
    return demos->task.running || demos->uploaded < demos->foundCount;
}

void qvuiDemos_Finish(qvuiDemos* demos)
{
    if (!demos->started)
        return;
    qvuiTask_End(&demos->task); // it does not ask whether to stop, so it runs to its end
    do
        qvuiDemos_Update(demos);
    while (qvuiDemos_IsBusy(demos));
}

void qvuiDemos_Free(qvuiDemos* demos)
{
    qvuiTask_End(&demos->task);
    for (int i = 0; i < demos->foundCount; i++)
    {
        qvuiDestroyPicture(demos->items[i].picture);
        qvuiFreePicture(&demos->items[i].decoded);
    }
    free(demos->items);
    *demos = (qvuiDemos){ 0 };
}
