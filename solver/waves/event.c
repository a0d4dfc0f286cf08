// SPDX-License-Identifier: GPL-3.0-or-later
// Wave events as plain values: defaults, the table of parameters, checks.
#include "quaver/waves.h"

#include "base/assert.h"

#include <math.h>
#include <string.h>

#define FIELD(field) offsetof(qvWaveEvent, field)

// The radius stands for a fraction of the mesh's diagonal.
static const qvParameter parameters[] = {
    { "time", "Start", "s", qv_parameterNumber, -1e6, 1e6, { 0.0 }, FIELD(time) },
    { "until", "End", "s", qv_parameterNumber, -1e6, INFINITY, { INFINITY }, FIELD(until) },
    { "push", "Stays", "", qv_parameterBool, 0.0, 1.0, { 0.0 }, FIELD(push) },
    { "at", "Centre", "m", qv_parameterPoint, -1e9, 1e9, { 0.0 }, FIELD(at) },
    { "drag", "Drag", "m", qv_parameterVector, -1e9, 1e9, { 0.0 }, FIELD(drag) },
    { "axis", "Axis", "", qv_parameterVector, -1e9, 1e9, { 0.0, 1.0, 0.0 }, FIELD(axis) },
    { "angle", "Angle", "rad", qv_parameterNumber, -12.566370614359172, 12.566370614359172, { 0.0 }, FIELD(angle) },
    { "amount", "Amount", "", qv_parameterNumber, -0.95, 10.0, { 0.0 }, FIELD(amount) },
    { "radius", "Radius", "m", qv_parameterNumber, 1e-9, 1e9, { 0.15 }, FIELD(radius) },
    { "speed", "Speed", "m/s", qv_parameterNumber, 1e-6, 1e6, { 3.0 }, FIELD(speed) },
    { "poisson", "Volume", "", qv_parameterNumber, 0.0, 0.5, { 0.45 }, FIELD(poisson) },
    { "scales", "Scales", "", qv_parameterInt, 1.0, 3.0, { 1.0 }, FIELD(scales) },
    { "fade", "Fade", "1/s", qv_parameterNumber, 0.0, 1e3, { 0.0 }, FIELD(fade) },
    { "connected", "Connected only", "", qv_parameterBool, 0.0, 1.0, { 1.0 }, FIELD(connected) },
    { "mute", "Mute", "", qv_parameterBool, 0.0, 1.0, { 0.0 }, FIELD(mute) },
};

enum
{
    PARAMETERS = sizeof(parameters) / sizeof(parameters[0])
};

const qvParameter* qvWaveEventParameters(int* count)
{
    *count = PARAMETERS;
    return parameters;
}

static void SetDefault(qvWaveEvent* event, const qvParameter* parameter)
{
    void* field = (char*)event + parameter->offset;
    const double* value = parameter->standard;
    if (parameter->type == qv_parameterNumber)
        *(double*)field = value[0];
    else if (parameter->type == qv_parameterInt)
        *(int*)field = (int)value[0];
    else if (parameter->type == qv_parameterBool)
        *(bool*)field = value[0] != 0.0;
    else
        *(qvVec3*)field = qvMakeVec3(value[0], value[1], value[2]);
}

qvWaveEvent qvDefaultWaveEvent(double diagonal)
{
    qvWaveEvent event = { .shape = qvFindBrush("grab"), .vertex = -1 };
    for (int i = 0; i < PARAMETERS; i++)
        SetDefault(&event, &parameters[i]);
    event.radius *= diagonal;
    return event;
}

static const qvParameter* FindOfShape(const qvBrush* shape, const char* tag)
{
    for (int i = 0; i < shape->parameterCount; i++)
    {
        if (strcmp(shape->parameters[i].tag, tag) == 0)
            return &shape->parameters[i];
    }
    return NULL;
}

bool qvWaveEvent_Uses(const qvWaveEvent* event, const qvParameter* parameter)
{
    static const size_t ofShape[] = { FIELD(drag), FIELD(axis), FIELD(angle), FIELD(amount) };
    for (size_t i = 0; i < sizeof(ofShape) / sizeof(ofShape[0]); i++)
    {
        if (parameter->offset == ofShape[i])
            return FindOfShape(event->shape, parameter->tag) != NULL;
    }
    return true;
}

static qvResult ValidateNumber(const qvParameter* parameter, double value, qvError* error)
{
    if (value >= parameter->minimum && value <= parameter->maximum)
        return qv_ok;
    return qvError_Set(error, qv_badInput, "%s: %g must be in %g to %g", parameter->tag, value, parameter->minimum,
                       parameter->maximum);
}

static qvResult ValidateParameter(const qvWaveEvent* event, const qvParameter* parameter, qvError* error)
{
    const void* field = (const char*)event + parameter->offset;
    if (parameter->type == qv_parameterNumber)
        return ValidateNumber(parameter, *(const double*)field, error);
    if (parameter->type == qv_parameterInt)
        return ValidateNumber(parameter, *(const int*)field, error);
    if (parameter->type == qv_parameterBool)
        return qv_ok;
    const qvVec3* v = field;
    qvResult result = ValidateNumber(parameter, v->x, error);
    if (result == qv_ok)
        result = ValidateNumber(parameter, v->y, error);
    return result == qv_ok ? ValidateNumber(parameter, v->z, error) : result;
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
    for (int i = 0; i < PARAMETERS; i++)
    {
        qvResult result = ValidateParameter(event, &parameters[i], error);
        if (result != qv_ok)
            return result;
    }
    if (!(event->until > event->time))
        return qvError_Set(error, qv_badInput, "until: %g must be after the start at %g s", event->until, event->time);
    if (FindOfShape(event->shape, "axis") != NULL && !(qvLength(event->axis) > 0.0))
        return qvError_Set(error, qv_badInput, "axis: must not be zero");
    return ValidatePath(event, error);
}
