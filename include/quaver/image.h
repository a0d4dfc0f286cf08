// SPDX-License-Identifier: GPL-3.0-or-later
/// Pictures in memory and as PNG files.
#pragma once

#include "quaver/job.h"
#include "quaver/result.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum
{
    qv_maxImageSize = 16384 ///< pixels along one side
};

/// RGBA, 8 bits each, sRGB, alpha not multiplied in, top row first, no padding between rows.
typedef struct qvImage
{
    int width, height;
    uint8_t* pixels; ///< 4 * width * height bytes
} qvImage;

/// A transparent black image. Sides in [1, qv_maxImageSize].
QV_CHECKED qvResult qvCreateImage(int width, int height, qvImage* image, qvError* error);

/// Frees the pixels and clears the struct; harmless when done twice.
void qvDestroyImage(qvImage* image);

/// Writes a PNG file (RGB when every pixel is opaque, else RGBA). A failure, and a stop by the job, leaves what was
/// there.
QV_CHECKED qvResult qvSaveImage(const qvImage* image, const char* path, const qvJob* job, qvError* error);

/// The same with a seal: a number for what the picture is of, by which it is known again.
QV_CHECKED qvResult qvSaveSealedImage(const qvImage* image, const char* path, uint64_t seal, const qvJob* job,
                                      qvError* error);

/// Whether a file is a picture that was saved with this seal and has not been changed since.
bool qvHasSeal(const char* path, uint64_t seal);

#ifdef __cplusplus
}
#endif
