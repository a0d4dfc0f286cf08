// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "quaver/image.h"

#include <stdio.h>

/// Writes a PNG file's bytes to a stream.
QV_CHECKED qvResult qvWritePng(const qvImage* image, FILE* stream, const qvJob* job, qvError* error);

/// The same for numbers that are no colours, three of 16 bits for each pixel: [3 width height].
QV_CHECKED qvResult qvWritePngValues(int width, int height, const uint16_t* values, FILE* stream, const qvJob* job,
                                     qvError* error);
