// SPDX-License-Identifier: GPL-3.0-or-later
// Moves the centre by the drag.
#include "kelvinlet/brush_parameters.h"

static void Handle(const qvStroke* stroke, qvHandle* handle)
{
    handle->moves = true;
    handle->displacement = qvScale(stroke->strength, stroke->drag);
}

static const qvParameter parameters[] = {
    QV_PARAMETER_AT,
    { "drag", "Drag", "m", qv_parameterVector, -1e9, 1e9, { 0 }, QV_STROKE_FIELD(drag) },
    QV_ELASTIC_PARAMETERS,
};

extern const qvBrush qvBrushGrab;
const qvBrush qvBrushGrab = {
    .tag = "grab",
    .label = "Grab",
    .description = "Pulls the surface along",
    .parameters = parameters,
    .parameterCount = sizeof(parameters) / sizeof(parameters[0]),
    .measure = QV_STROKE_FIELD(drag),
    .handle = Handle,
};
