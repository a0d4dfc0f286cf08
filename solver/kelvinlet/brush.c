// SPDX-License-Identifier: GPL-3.0-or-later
// The list of brushes, and strokes as plain values. stroke.c applies them.
#include "quaver/brush.h"

#include "base/assert.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#define ELASTIC_BRUSH(name, ...) extern const qvBrush qvBrush##name;
#define OTHER_BRUSH              ELASTIC_BRUSH
#include "quaver/brush_list.inl"

static const qvBrush* const brushes[] = {
#define ELASTIC_BRUSH(name, ...) &qvBrush##name,
#define OTHER_BRUSH              ELASTIC_BRUSH
#include "quaver/brush_list.inl"
};

int qvBrushCount(void)
{
    return (int)(sizeof(brushes) / sizeof(brushes[0]));
}

const qvBrush* qvGetBrush(int index)
{
    QV_ASSERT(index >= 0 && index < qvBrushCount());
    return brushes[index];
}

const qvBrush* qvFindBrush(const char* tag)
{
    for (int i = 0; i < qvBrushCount(); i++)
    {
        if (strcmp(brushes[i]->tag, tag) == 0)
            return brushes[i];
    }
    return NULL;
}

const qvParameter* qvBrush_FindParameter(const qvBrush* brush, size_t offset)
{
    for (int i = 0; i < brush->parameterCount; i++)
    {
        if (brush->parameters[i].offset == offset)
            return &brush->parameters[i];
    }
    return NULL;
}

double* qvStroke_Measure(qvStroke* stroke)
{
    const qvBrush* brush = stroke->brush;
    bool isNumber = qvBrush_FindParameter(brush, brush->measure)->type == qv_parameterNumber;
    return isNumber ? (double*)(void*)((char*)stroke + brush->measure) : NULL;
}

static void SetDefault(qvStroke* stroke, const qvParameter* parameter)
{
    void* field = (char*)stroke + parameter->offset;
    const double* value = parameter->standard;
    switch (parameter->type)
    {
    case qv_parameterNumber:
        *(double*)field = value[0];
        break;
    case qv_parameterInt:
        *(int*)field = (int)value[0];
        break;
    case qv_parameterBool:
        *(bool*)field = value[0] != 0.0;
        break;
    case qv_parameterAxes:
        *(unsigned*)field = (unsigned)value[0];
        break;
    case qv_parameterVector:
    case qv_parameterPoint:
        *(qvVec3*)field = qvMakeVec3(value[0], value[1], value[2]);
        break;
    }
}

qvStroke qvDefaultStroke(const qvBrush* brush, double diagonal)
{
    qvStroke stroke = {
        .brush = brush, .axis = { 0.0, 1.0, 0.0 }, .segments = 1, .scales = 1, .poisson = 0.45, .strength = 1.0
    };
    for (int i = 0; i < brush->parameterCount; i++)
        SetDefault(&stroke, &brush->parameters[i]);
    stroke.radius *= diagonal;
    return stroke;
}

static bool IsInRange(double value, const qvParameter* parameter)
{
    return value >= parameter->minimum && value <= parameter->maximum;
}

static qvResult ValidateNumber(const qvParameter* parameter, double value, qvError* error)
{
    if (IsInRange(value, parameter))
        return qv_ok;
    return qvError_Set(error, qv_badInput, "%s: %g must be in %g to %g", parameter->tag, value, parameter->minimum,
                       parameter->maximum);
}

static qvResult ValidateParameter(const qvStroke* stroke, const qvParameter* parameter, qvError* error)
{
    const void* field = (const char*)stroke + parameter->offset;
    switch (parameter->type)
    {
    case qv_parameterNumber:
        return ValidateNumber(parameter, *(const double*)field, error);
    case qv_parameterInt:
        return ValidateNumber(parameter, *(const int*)field, error);
    case qv_parameterAxes:
        return ValidateNumber(parameter, *(const unsigned*)field, error);
    case qv_parameterBool:
        return qv_ok;
    default:
        break;
    }
    const qvVec3* v = field;
    qvResult result = ValidateNumber(parameter, v->x, error);
    if (result == qv_ok)
        result = ValidateNumber(parameter, v->y, error);
    return result == qv_ok ? ValidateNumber(parameter, v->z, error) : result;
}

qvResult qvStroke_Validate(const qvStroke* stroke, qvError* error)
{
    for (int i = 0; i < stroke->brush->parameterCount; i++)
    {
        const qvParameter* parameter = &stroke->brush->parameters[i];
        qvResult result = ValidateParameter(stroke, parameter, error);
        if (result != qv_ok)
            return result;
        if (parameter->offset == offsetof(qvStroke, axis) && !(qvLength(stroke->axis) > 0.0))
            return qvError_Set(error, qv_badInput, "axis: must not be zero");
    }
    return qv_ok;
}

int qvStroke_Centers(const qvStroke* stroke, qvVec3 centers[qv_maxStrokeCopies])
{
    int count = 0;
    for (unsigned flips = 0; flips < qv_maxStrokeCopies; flips++)
    {
        if ((flips & ~stroke->mirror) != 0)
            continue;
        const double at[3] = { stroke->at.x, stroke->at.y, stroke->at.z };
        double image[3];
        bool onPlane = false;
        for (int axis = 0; axis < 3; axis++)
        {
            bool flipped = (flips >> axis & 1) != 0;
            image[axis] = flipped ? -at[axis] : at[axis];
            // A centre on the plane, up to the rounding of float coordinates, is its own image.
            onPlane = onPlane || (flipped && fabs(at[axis]) <= 1e-6 * stroke->radius);
        }
        if (!onPlane)
            centers[count++] = qvMakeVec3(image[0], image[1], image[2]);
    }
    return count;
}
