// SPDX-License-Identifier: GPL-3.0-or-later
// Stretches the centre by 1 + amount along the axis and by (1 + amount)^-1/2 across, which keeps its volume.
#include "kelvinlet/brush_parameters.h"
#include "math/mat3.h"

#include <math.h>

static void Handle(const qvStroke* stroke, qvHandle* handle)
{
    double stretch = log1p(stroke->strength * stroke->amount);
    qvVec3 axis = qvNormalize(stroke->axis);
    qvMat3 across = qvMat3_Diagonal(-0.5 * stretch, -0.5 * stretch, -0.5 * stretch), along = qvMat3_Outer(axis, axis);
    handle->turns = true;
    handle->gradient = qvMat3_MulAdd(&across, 1.5 * stretch, &along);
}

static const qvParameter parameters[] = {
    QV_PARAMETER_AT,
    QV_PARAMETER_AXIS,
    { "amount", "Amount", "", qv_parameterNumber, -0.95, 10.0, { 0 }, QV_STROKE_FIELD(amount) },
    QV_ELASTIC_PARAMETERS,
};

extern const qvBrush qvBrushPinch;
const qvBrush qvBrushPinch = {
    .tag = "pinch",
    .label = "Pinch",
    .description = "Stretches along an axis and narrows across it",
    .parameters = parameters,
    .parameterCount = sizeof(parameters) / sizeof(parameters[0]),
    .measure = QV_STROKE_FIELD(amount),
    .handle = Handle,
};
