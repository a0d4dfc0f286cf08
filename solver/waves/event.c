// SPDX-License-Identifier: GPL-3.0-or-later
// Wave events as plain values: defaults and checks.
#include "quaver/waves.h"

#include "base/assert.h"

#include <math.h>
#include <string.h>

#define FIELD(field) offsetof(qvWaveEvent, field)

typedef struct Range
{
    const char* tag;
    int count; // of doubles
    double minimum, maximum;
    size_t offset;
} Range;

static const Range ranges[] = {
    { "time", 1, -1e6, 1e6, FIELD(time) },       { "until", 1, -1e6, INFINITY, FIELD(until) },
    { "at", 3, -1e9, 1e9, FIELD(at) },           { "drag", 3, -1e9, 1e9, FIELD(drag) },
    { "axis", 3, -1e9, 1e9, FIELD(axis) },       { "angle", 1, -12.566370614359172, 12.566370614359172, FIELD(angle) },
    { "amount", 1, -0.95, 10.0, FIELD(amount) }, { "radius", 1, 1e-9, 1e9, FIELD(radius) },
    { "speed", 1, 1e-6, 1e6, FIELD(speed) },     { "poisson", 1, 0.0, 0.5, FIELD(poisson) },
    { "fade", 1, 0.0, 1e3, FIELD(fade) },
};

qvWaveEvent qvDefaultWaveEvent(double diagonal)
{
    return (qvWaveEvent){ .shape = qvFindBrush("grab"),
                          .vertex = -1,
                          .until = INFINITY,
                          .axis = { 0.0, 1.0, 0.0 },
                          .radius = 0.15 * diagonal,
                          .speed = 3.0,
                          .poisson = 0.45,
                          .scales = 1,
                          .connected = true };
}

static bool HasAxis(const qvBrush* shape)
{
    for (int i = 0; i < shape->parameterCount; i++)
    {
        if (strcmp(shape->parameters[i].tag, "axis") == 0)
            return true;
    }
    return false;
}

static qvResult ValidateRange(const qvWaveEvent* event, const Range* range, qvError* error)
{
    const double* values = (const double*)(const void*)((const char*)event + range->offset);
    for (int i = 0; i < range->count; i++)
    {
        if (!(values[i] >= range->minimum && values[i] <= range->maximum))
            return qvError_Set(error, qv_badInput, "%s: %g must be in %g to %g", range->tag, values[i], range->minimum,
                               range->maximum);
    }
    return qv_ok;
}

static qvResult ValidatePath(const qvWaveEvent* event, qvError* error)
{
    if (event->path == NULL)
        return qv_ok;
    if (event->pathCount < 2)
        return qvError_Set(error, qv_badInput, "path: %d points make no curve; give at least 2", event->pathCount);
    qvHandle handle = { .radius = event->radius };
    qvStroke stroke = qvDefaultStroke(event->shape, 1.0);
    event->shape->handle(&stroke, &handle);
    if (!handle.moves)
        return qvError_Set(error, qv_badInput, "path: a %s has no curve of loads; use a grab", event->shape->tag);
    for (int i = 0; i < event->pathCount; i++)
    {
        qvVec3 p = event->path[i];
        if (!(fabs(p.x) <= 1e9 && fabs(p.y) <= 1e9 && fabs(p.z) <= 1e9))
            return qvError_Set(error, qv_badInput, "path: point %d is not a place within 1e9", i);
    }
    return qv_ok;
}

qvResult qvWaveEvent_Validate(const qvWaveEvent* event, qvError* error)
{
    QV_ASSERT(event->shape != NULL);
    if (event->shape->handle == NULL)
        return qvError_Set(error, qv_badInput, "shape: a %s makes no waves; use grab, twist, scale or pinch",
                           event->shape->tag);
    for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++)
    {
        qvResult result = ValidateRange(event, &ranges[i], error);
        if (result != qv_ok)
            return result;
    }
    if (event->scales < 1 || event->scales > 3)
        return qvError_Set(error, qv_badInput, "scales: %d must be in 1 to 3", event->scales);
    if (!(event->until > event->time))
        return qvError_Set(error, qv_badInput, "until: %g must be after the start at %g s", event->until, event->time);
    if (HasAxis(event->shape) && !(qvLength(event->axis) > 0.0))
        return qvError_Set(error, qv_badInput, "axis: must not be zero");
    return ValidatePath(event, error);
}
