// SPDX-License-Identifier: GPL-3.0-or-later
// A brush for test_places: moves the centre up by the amount.
#include "kelvinlet/brush_parameters.h"

static void Handle(const qvStroke* stroke, qvHandle* handle)
{
    handle->moves = true;
    handle->displacement = qvMakeVec3(0.0, stroke->strength * stroke->amount, 0.0);
}

static const qvParameter parameters[] = {
    QV_PARAMETER_AT,
    { "amount", "Amount", "m", qv_parameterNumber, 0.0, 10.0, { 0 }, QV_STROKE_FIELD(amount) },
    QV_ELASTIC_PARAMETERS,
};

extern const qvBrush qvBrushLift;
const qvBrush qvBrushLift = {
    .tag = "lift",
    .label = "Lift",
    .description = "Moves the surface up",
    .parameters = parameters,
    .parameterCount = sizeof(parameters) / sizeof(parameters[0]),
    .measure = QV_STROKE_FIELD(amount),
    .handle = Handle,
};
