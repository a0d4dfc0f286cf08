// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/settings.h"

#include "quaver/file.h"
#include "quaver/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool ConfigPath(const char* name, char* path, size_t capacity)
{
    const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    int length = 0;
    if (config != NULL && config[0] == '/')
        length = snprintf(path, capacity, "%s/quaver/%s", config, name);
    else if (home != NULL && home[0] == '/')
        length = snprintf(path, capacity, "%s/.config/quaver/%s", home, name);
    return length > 0 && (size_t)length < capacity;
}

bool qvuiSettingsPath(char* path, size_t capacity)
{
    return ConfigPath("settings.json", path, capacity);
}

bool qvuiKeymapPath(char* path, size_t capacity)
{
    return ConfigPath("keymap.json", path, capacity);
}

// Values that are missing or of another type stay as they are.
static void ReadBool(const qvJson* object, const char* name, bool* value)
{
    const qvJson* node = qvJson_Find(object, name);
    if (qvJson_IsBool(node))
        *value = qvJson_Bool(node);
}

static double ReadNumber(const qvJson* object, const char* name, double minimum, double maximum, double standard)
{
    const qvJson* node = qvJson_Find(object, name);
    return qvJson_IsNumber(node) ? fmin(fmax(qvJson_Number(node), minimum), maximum) : standard;
}

static void ReadFolder(const qvJson* object, const char* name, char folder[qvui_maxPath])
{
    const qvJson* node = qvJson_Find(object, name);
    if (qvJson_IsString(node))
        snprintf(folder, qvui_maxPath, "%s", qvJson_Text(node));
}

static void Apply(qvuiEditor* editor, const qvJson* root)
{
    qvuiViewport* viewport = &editor->viewport;
    ReadBool(root, "inspector", &editor->showInspector);
    ReadBool(root, "timeline", &editor->showBottom);
    ReadBool(root, "frames", &editor->timeline.showFrames);
    editor->bottomHeight = (float)ReadNumber(root, "timeline_height", 0.0, 4000.0, 0.0);
    ReadBool(root, "flat", &viewport->look.flat);
    ReadBool(root, "wireframe", &viewport->look.wireframe);
    ReadBool(root, "splats", &viewport->look.splats);
    ReadBool(root, "grid", &viewport->look.grid);
    ReadBool(root, "shadow", &viewport->look.shadow);
    ReadBool(root, "badges", &viewport->showBadges);
    ReadBool(root, "title_safe", &viewport->showSafe);
    editor->wantedScale = editor->typedScale = ReadNumber(root, "scale", 0.75, 3.0, editor->wantedScale);
    editor->inspectorWidth = (float)ReadNumber(root, "inspector_width", 0.0, 4000.0, 0.0);
    viewport->smoothEdges =
        (qvuiSmoothEdges)ReadNumber(root, "soft_edges", qvui_smoothNever, qvui_smoothAlways, qvui_smoothAtRest);
    ReadBool(root, "left_orbits", &viewport->leftOrbits);
    ReadBool(root, "auto_key", &editor->session.autoKey);
    qvuiSession_SetDiskCache(&editor->session, ReadNumber(root, "disk_cache", 0.0, qvui_maxDiskCache, qvui_diskCache));
    ReadFolder(root, "export_folder", editor->exportFolder);
    ReadFolder(root, "save_folder", editor->saveFolder);
    int place = 0;
    for (const qvJson* file = qvJson_First(qvJson_Find(root, "recent")); file != NULL && place < qvui_maxRecent;
         file = qvJson_Next(file))
        snprintf(editor->recent[place++], sizeof(editor->recent[0]), "%s", qvJson_Text(file));
    const qvJson* panels = qvJson_Find(root, "panels");
    for (int i = 0; i < qvui_panelCount && qvJson_IsObject(panels); i++)
        ReadBool(panels, qvuiGetPanel(i)->id, &editor->panelOpen[i]);
}

qvResult qvuiLoadSettings(qvuiEditor* editor, const char* path, qvError* error)
{
    qvBytes bytes;
    qvResult result = qvReadFile(path, (size_t)1 << 20, &bytes, error);
    if (result == qv_notFound)
        return qv_ok;
    if (result != qv_ok)
        return result;
    qvJson* root = NULL;
    result = qvParseJson(bytes.data, bytes.size, NULL, &root, error);
    qvFreeBytes(&bytes);
    if (result == qv_ok && !qvJson_IsObject(root))
        result = qvError_Set(error, qv_badInput, "must be an object; delete the file to start afresh");
    if (result == qv_ok)
        Apply(editor, root);
    else
        qvError_Prefix(error, "%s", path);
    qvDestroyJson(root);
    return result;
}

static qvJson* Describe(const qvuiEditor* editor)
{
    const qvuiViewport* viewport = &editor->viewport;
    qvJson* root = qvCreateJsonObject();
    qvJson_AddNumber(root, "scale", editor->wantedScale);
    qvJson_AddBool(root, "inspector", editor->showInspector);
    qvJson_AddNumber(root, "inspector_width", editor->inspectorWidth);
    qvJson_AddBool(root, "timeline", editor->showBottom);
    qvJson_AddBool(root, "frames", editor->timeline.showFrames);
    qvJson_AddNumber(root, "timeline_height", editor->bottomHeight);
    qvJson_AddBool(root, "flat", viewport->look.flat);
    qvJson_AddBool(root, "wireframe", viewport->look.wireframe);
    qvJson_AddBool(root, "splats", viewport->look.splats);
    qvJson_AddBool(root, "grid", viewport->look.grid);
    qvJson_AddBool(root, "shadow", viewport->look.shadow);
    qvJson_AddBool(root, "badges", viewport->showBadges);
    qvJson_AddBool(root, "title_safe", viewport->showSafe);
    qvJson_AddNumber(root, "soft_edges", viewport->smoothEdges);
    qvJson_AddBool(root, "left_orbits", viewport->leftOrbits);
    qvJson_AddBool(root, "auto_key", editor->session.autoKey);
    qvJson_AddNumber(root, "disk_cache", editor->session.diskCache);
    if (editor->exportFolder[0] != 0)
        qvJson_AddString(root, "export_folder", editor->exportFolder);
    if (editor->saveFolder[0] != 0)
        qvJson_AddString(root, "save_folder", editor->saveFolder);
    qvJson* recent = qvJson_AddArray(root, "recent");
    for (int i = 0; i < qvui_maxRecent && editor->recent[i][0] != 0; i++)
        qvJson_AddString(recent, NULL, editor->recent[i]);
    qvJson* panels = qvJson_AddObject(root, "panels");
    for (int i = 0; i < qvui_panelCount; i++)
        qvJson_AddBool(panels, qvuiGetPanel(i)->id, editor->panelOpen[i]);
    return root;
}

void qvuiMakeFolders(const char* path)
{
    char folder[qvui_maxPath];
    snprintf(folder, sizeof(folder), "%s", path);
    for (char* slash = strchr(folder + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/'))
    {
        *slash = 0;
        mkdir(folder, 0777);
        *slash = '/';
    }
}

// Whether a file holds settings or shortcuts, or may do so.
static bool IsConfig(const char* path)
{
    qvBytes bytes;
    qvJson* root = NULL;
    bool isObject = qvReadFile(path, (size_t)1 << 20, &bytes, NULL) == qv_ok &&
                    qvParseJson(bytes.data, bytes.size, NULL, &root, NULL) == qv_ok && qvJson_IsObject(root);
    qvDestroyJson(root);
    qvFreeBytes(&bytes);
    return isObject;
}

qvResult qvuiWriteConfig(const char* path, const char* text, qvError* error)
{
    char* real = qvLinkTarget(path);
    qvResult result = qvWriteFile(real != NULL && IsConfig(real) ? real : path, text, strlen(text), error);
    free(real);
    return result;
}

static qvResult Print(const qvuiEditor* editor, char** text, qvError* error)
{
    qvJson* root = Describe(editor);
    *text = qvJson_Print(root, true);
    qvDestroyJson(root);
    return *text != NULL ? qv_ok : qvError_OutOfMemory(error, 1024.0);
}

// Often enough that nobody notices a loss, and not with every step of a dragged edge.
static const double KEEP_PAUSE = 1.0;

void qvuiKeptSettings_Start(qvuiKeptSettings* kept, const qvuiEditor* editor)
{
    qvError ignored;
    qvuiKeptSettings_Free(kept);
    if (Print(editor, &kept->text, &ignored) != qv_ok)
        kept->text = NULL;
}

void qvuiKeptSettings_Free(qvuiKeptSettings* kept)
{
    qvFreeText(kept->text);
    *kept = (qvuiKeptSettings){ 0 };
}

double qvuiKeptSettings_Wait(const qvuiKeptSettings* kept, double now)
{
    return kept->pending ? fmax(0.0, kept->time + KEEP_PAUSE - now) : -1.0;
}

qvResult qvuiKeptSettings_Write(qvuiKeptSettings* kept, const qvuiEditor* editor, const char* path, double now,
                                qvError* error)
{
    char* text;
    kept->pending = false;
    kept->time = now;
    qvResult result = Print(editor, &text, error);
    if (result != qv_ok)
        return result;
    if (kept->text != NULL && strcmp(kept->text, text) == 0)
    {
        qvFreeText(text);
        return qv_ok;
    }
    qvFreeText(kept->text);
    kept->text = text;
    qvuiMakeFolders(path);
    return qvuiWriteConfig(path, text, error);
}
