// SPDX-License-Identifier: GPL-3.0-or-later
/// Motion blur: the mean of several pictures, in linear light.
#pragma once

#include "quaver/image.h"

typedef struct qvuiBlur
{
    float* sums; ///< per pixel: red, green and blue times alpha, and alpha
    size_t pixelCount;
    int count;
} qvuiBlur;

QV_CHECKED qvResult qvuiBlur_Init(qvuiBlur* blur, int width, int height, qvError* error);
void qvuiBlur_Free(qvuiBlur* blur);

/// Forgets what has been added.
void qvuiBlur_Begin(qvuiBlur* blur);
/// A picture of the blur's size.
void qvuiBlur_Add(qvuiBlur* blur, const qvImage* image);
/// The mean of what has been added, at least one.
void qvuiBlur_End(const qvuiBlur* blur, qvImage* image);
