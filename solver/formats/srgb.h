// SPDX-License-Identifier: GPL-3.0-or-later
// Vertex colours of PLY and OBJ files are sRGB by custom; a mesh holds linear ones (IEC 61966-2-1).
#pragma once

#include <math.h>

/// From sRGB to linear; both in [0, 1], what lies outside or is no number is clamped.
static inline float qvSrgb_ToLinear(float value)
{
    value = value > 0.0f ? fminf(value, 1.0f) : 0.0f;
    return value <= 0.04045f ? value / 12.92f : powf((value + 0.055f) / 1.055f, 2.4f);
}

/// From linear to sRGB.
static inline float qvSrgb_FromLinear(float value)
{
    value = value > 0.0f ? fminf(value, 1.0f) : 0.0f;
    return value <= 0.0031308f ? value * 12.92f : 1.055f * powf(value, 1.0f / 2.4f) - 0.055f;
}
