// SPDX-License-Identifier: GPL-3.0-or-later
// Turns the centre by the angle about the axis.
#include "kelvinlet/brush_parameters.h"
#include "math/mat3.h"

// Carried through the field for a unit of time, the centre turns by exp([angle axis]x), a rotation by the angle.
static void Handle(const qvStroke* stroke, qvHandle* handle)
{
    handle->turns = true;
    handle->gradient = qvMat3_Skew(qvScale(stroke->strength * stroke->angle, qvNormalize(stroke->axis)));
}

static const qvParameter parameters[] = {
    QV_PARAMETER_AT,
    QV_PARAMETER_AXIS,
    { "angle",
      "Angle",
      "rad",
      qv_parameterNumber,
      -12.566370614359172,
      12.566370614359172,
      { 0 },
      QV_STROKE_FIELD(angle) },
    QV_ELASTIC_PARAMETERS,
};

extern const qvBrush qvBrushTwist;
const qvBrush qvBrushTwist = {
    .tag = "twist",
    .label = "Twist",
    .description = "Turns the surface about an axis",
    .parameters = parameters,
    .parameterCount = sizeof(parameters) / sizeof(parameters[0]),
    .measure = QV_STROKE_FIELD(angle),
    .handle = Handle,
};
