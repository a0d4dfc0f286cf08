// SPDX-License-Identifier: GPL-3.0-or-later
#include "quaver/primitive.h"

#include "base/assert.h"

#include <stdio.h>
#include <string.h>

#define PRIMITIVE(descriptor, tag, label) extern const qvPrimitive descriptor;
#include "mesh/primitive_list.inl"
#undef PRIMITIVE

static const qvPrimitive* const primitives[] = {
#define PRIMITIVE(descriptor, tag, label) &descriptor,
#include "mesh/primitive_list.inl"
#undef PRIMITIVE
};

int qvPrimitiveCount(void)
{
    return (int)(sizeof(primitives) / sizeof(primitives[0]));
}

const qvPrimitive* qvGetPrimitive(int index)
{
    QV_ASSERT(index >= 0 && index < qvPrimitiveCount());
    return primitives[index];
}

const qvPrimitive* qvFindPrimitive(const char* tag)
{
    QV_ASSERT(tag != NULL);
    for (int i = 0; i < qvPrimitiveCount(); i++)
    {
        if (strcmp(primitives[i]->tag, tag) == 0)
            return primitives[i];
    }
    return NULL;
}

static qvResult UnknownTag(const char* tag, qvError* error)
{
    char known[256];
    int length = 0;
    for (int i = 0; i < qvPrimitiveCount() && length < (int)sizeof(known); i++)
        length +=
            snprintf(known + length, sizeof(known) - (size_t)length, "%s%s", i > 0 ? ", " : "", primitives[i]->tag);
    return qvError_Set(error, qv_notFound, "there is no primitive \"%.64s\"; use one of %s", tag, known);
}

qvResult qvCreatePrimitive(const char* tag, int resolution, qvMesh** mesh, qvError* error)
{
    QV_ASSERT(mesh != NULL);
    *mesh = NULL;
    const qvPrimitive* primitive = qvFindPrimitive(tag);
    if (primitive == NULL)
        return UnknownTag(tag, error);
    if (resolution == 0)
        resolution = primitive->defaultResolution;
    if (resolution < qv_minResolution || resolution > qv_maxResolution)
        return qvError_Set(error, qv_badInput, "resolution %d of the %s is out of range; use %d to %d", resolution, tag,
                           qv_minResolution, qv_maxResolution);
    return primitive->create(resolution, mesh, error);
}
