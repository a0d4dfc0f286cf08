// SPDX-License-Identifier: GPL-3.0-or-later
// Wave events as plain values: defaults and checks.
#include "quaver/waves.h"

#include "base/assert.h"

#include <math.h>

#define FIELD(field) offsetof(qvWaveDef, field)

typedef struct Range
{
    const char* tag;
    double minimum, maximum;
    size_t offset;
} Range;

static const Range ranges[] = {
    { "time", -1e6, 1e6, FIELD(time) },
    { "until", -1e6, INFINITY, FIELD(until) },
    { "speed", 1e-6, 1e6, FIELD(speed) },
    { "fade", 0.0, 1e3, FIELD(fade) },
};

qvWaveEvent qvDefaultWaveEvent(double diagonal)
{
    qvStroke stroke = qvDefaultStroke(qvFindBrush("grab"), diagonal);
    return (qvWaveEvent){ .def = { .stroke = stroke, .vertex = -1, .until = INFINITY, .speed = 3.0 } };
}

static qvResult ValidateRange(const qvWaveDef* def, const Range* range, qvError* error)
{
    double value = *(const double*)(const void*)((const char*)def + range->offset);
    if (value >= range->minimum && value <= range->maximum)
        return qv_ok;
    return qvError_Set(error, qv_badInput, "%s: %g must be in %g to %g", range->tag, value, range->minimum,
                       range->maximum);
}

static qvResult ValidatePath(const qvWaveEvent* event, qvError* error)
{
    if (event->path == NULL)
        return qv_ok;
    if (event->pathCount < 2)
        return qvError_Set(error, qv_badInput, "path: %d points make no curve; give at least 2", event->pathCount);
    const qvBrush* shape = event->def.stroke.brush;
    if (shape->measure != offsetof(qvStroke, drag))
        return qvError_Set(error, qv_badInput, "path: a %s has no curve of loads; use a grab", shape->tag);
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
    const qvWaveDef* def = &event->def;
    QV_ASSERT(def->stroke.brush != NULL);
    if (def->stroke.brush->handle == NULL)
        return qvError_Set(error, qv_badInput, "shape: a %s makes no waves; use grab, twist, scale or pinch",
                           def->stroke.brush->tag);
    for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++)
    {
        qvResult result = ValidateRange(def, &ranges[i], error);
        if (result != qv_ok)
            return result;
    }
    qvResult result = qvStroke_Validate(&def->stroke, error);
    if (result != qv_ok)
        return result;
    if (!(def->until > def->time))
        return qvError_Set(error, qv_badInput, "until: %g must be after the start at %g s", def->until, def->time);
    return ValidatePath(event, error);
}
