// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of parameter tables that several brushes share.
#pragma once

#include "quaver/brush.h"

#define QV_STROKE_FIELD(field) offsetof(qvStroke, field)

#define QV_PARAMETER_AT                                                               \
    {                                                                                 \
        "at", "Centre", "m", qv_parameterPoint, -1e9, 1e9, { 0 }, QV_STROKE_FIELD(at) \
    }
#define QV_PARAMETER_AXIS                                                                           \
    {                                                                                               \
        "axis", "Axis", "", qv_parameterVector, -1e9, 1e9, { 0.0, 1.0, 0.0 }, QV_STROKE_FIELD(axis) \
    }
/// The default stands for 0.15 of the mesh's diagonal.
#define QV_PARAMETER_RADIUS                                                                       \
    {                                                                                             \
        "radius", "Radius", "m", qv_parameterNumber, 1e-9, 1e9, { 0.15 }, QV_STROKE_FIELD(radius) \
    }
#define QV_PARAMETER_STRENGTH                                                                        \
    {                                                                                                \
        "strength", "Strength", "", qv_parameterNumber, 0.0, 1.0, { 1.0 }, QV_STROKE_FIELD(strength) \
    }
#define QV_PARAMETER_MIRROR                                                                  \
    {                                                                                        \
        "mirror", "Symmetry", "", qv_parameterAxes, 0.0, 7.0, { 0 }, QV_STROKE_FIELD(mirror) \
    }
#define QV_PARAMETER_CONNECTED                                                                             \
    {                                                                                                      \
        "connected", "Connected only", "", qv_parameterBool, 0.0, 1.0, { 1.0 }, QV_STROKE_FIELD(connected) \
    }
#define QV_PARAMETER_PINS                                                                 \
    {                                                                                     \
        "pins", "Pins hold", "", qv_parameterBool, 0.0, 1.0, { 0 }, QV_STROKE_FIELD(pins) \
    }
#define QV_PARAMETER_GROUND                                                                      \
    {                                                                                            \
        "ground", "Ground holds", "", qv_parameterBool, 0.0, 1.0, { 0 }, QV_STROKE_FIELD(ground) \
    }
#define QV_PARAMETER_SCALES                                                                 \
    {                                                                                       \
        "scales", "Scales", "", qv_parameterInt, 1.0, 3.0, { 1.0 }, QV_STROKE_FIELD(scales) \
    }
#define QV_PARAMETER_POISSON                                                                      \
    {                                                                                             \
        "poisson", "Volume", "", qv_parameterNumber, 0.0, 0.5, { 0.45 }, QV_STROKE_FIELD(poisson) \
    }

/// What every elastic brush has.
#define QV_ELASTIC_PARAMETERS                                                                                   \
    QV_PARAMETER_RADIUS, QV_PARAMETER_SCALES, QV_PARAMETER_POISSON, QV_PARAMETER_STRENGTH, QV_PARAMETER_MIRROR, \
        QV_PARAMETER_CONNECTED, QV_PARAMETER_PINS, QV_PARAMETER_GROUND
