// SPDX-License-Identifier: GPL-3.0-or-later
// Changes the size at the centre by the amount.
#include "kelvinlet/brush_parameters.h"
#include "math/mat3.h"

#include <math.h>

static void Handle(const qvStroke* stroke, qvHandle* handle)
{
    double gradient = log1p(stroke->strength * stroke->amount);
    handle->turns = true;
    handle->gradient = qvMat3_Diagonal(gradient, gradient, gradient);
}

static const qvParameter parameters[] = {
    QV_PARAMETER_AT,
    { "amount", "Amount", "", qv_parameterNumber, -0.95, 10.0, { 0 }, QV_STROKE_FIELD(amount) },
    QV_ELASTIC_PARAMETERS,
};

extern const qvBrush qvBrushScale;
const qvBrush qvBrushScale = {
    .tag = "scale",
    .label = "Scale",
    .description = "Swells or shrinks",
    .parameters = parameters,
    .parameterCount = sizeof(parameters) / sizeof(parameters[0]),
    .measure = QV_STROKE_FIELD(amount),
    .handle = Handle,
};
