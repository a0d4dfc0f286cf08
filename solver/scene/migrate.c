// SPDX-License-Identifier: GPL-3.0-or-later
#include "scene/migrate.h"

#include <math.h>
#include <stddef.h>

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
