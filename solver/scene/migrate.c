// SPDX-License-Identifier: GPL-3.0-or-later
#include "scene/migrate.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

// --- From version 1 -------------------------------------------------------------------------------------------------

// Keys replaced the clip, which played once from 0 s on. Which one it would be without the keys is kept.
static qvResult MoveClip(qvJson* root, qvError* error)
{
    qvJson *mesh = qvJson_Find(root, "mesh"), *name = qvJson_Find(mesh, "clip"), *other = qvJson_Find(root, "clip");
    bool hasKeys = qvJson_Count(qvJson_Find(root, "keys")) > 0, hasFile = qvJson_Find(mesh, "file") != NULL;
    if (other != NULL) // it had no meaning
        qvJson_Remove(root, other);
    qvJson* made = NULL;
    if (name != NULL || (hasFile && !hasKeys))
    {
        made = qvJson_AddObject(root, "clip");
        if (hasKeys)
            qvJson_AddBool(made, "on", false);
        if (name != NULL)
            qvJson_AddNode(made, "name", qvJson_Copy(name));
        qvJson_AddBool(made, "repeat", false);
        if (name != NULL)
            qvJson_Remove(mesh, name);
    }
    else if (hasKeys)
        made = qvJson_AddNull(root, "clip");
    bool isComplete = made != NULL || (!hasKeys && !hasFile);
    return isComplete ? qv_ok : qvError_OutOfMemory(error, 0.0);
}

const qvMigration qvSceneMigrations[] = { { .from = 1, .apply = MoveClip } };
const int qvSceneMigrationCount = sizeof(qvSceneMigrations) / sizeof(qvSceneMigrations[0]);

static bool IsText(const qvJson* object, const char* name, const char* text)
{
    return strcmp(qvJson_Text(qvJson_Find(object, name)), text) == 0;
}

static void Rename(qvJson* object, const char* name, const char* text)
{
    qvJson_Remove(object, qvJson_Find(object, name));
    qvJson_AddString(object, name, text);
}

void qvMigrateEdit(qvJson* edit)
{
    if (!IsText(edit, "do", "set") || !IsText(edit, "kind", "mesh") || !IsText(edit, "field", "clip"))
        return;
    Rename(edit, "kind", "clip");
    Rename(edit, "field", "name");
}

// --- All of them ----------------------------------------------------------------------------------------------------

static const qvMigration* Find(const qvMigration* migrations, int count, int from)
{
    for (int i = 0; i < count; i++)
    {
        if (migrations[i].from == from)
            return &migrations[i];
    }
    return NULL;
}

qvResult qvMigrate(qvJson* root, const qvMigration* migrations, int count, int target, qvError* error)
{
    const qvJson* node = qvJson_Find(root, "quaver");
    double version = qvJson_Number(node);
    if (node == NULL)
        return qvError_Set(error, qv_badInput, "quaver: is missing; this is no scene file");
    if (!qvJson_IsNumber(node) || version != floor(version) || version < 0.0)
        return qvError_Set(error, qv_badInput, "quaver: must be the version of the file, a whole number");
    if (version > target)
        return qvError_Set(error, qv_unsupported, "quaver: is version %g, this program reads up to %d; update it",
                           version, target);
    for (int at = (int)version; at < target; at++)
    {
        const qvMigration* migration = Find(migrations, count, at);
        if (migration == NULL)
            return qvError_Set(error, qv_unsupported, "quaver: version %d is too old for this program", at);
        qvResult result = migration->apply(root, error);
        if (result != qv_ok)
            return result;
    }
    return qv_ok;
}
