// SPDX-License-Identifier: GPL-3.0-or-later
/// Animated GIF files, written frame by frame. 255 colours for the whole film, chosen from frames that are shown to it
/// first; pixels that stay as they were cost almost nothing.
///
///     qvGifPalette palette;
///     qvGifPalette_Build(&palette, samples, sampleCount);   // a few typical frames
///     result = qvCreateGif("lean.gif", width, height, 24.0, &palette, &gif, &error);
///     result = qvGif_AddFrame(gif, &image, &error);
///     result = qvGif_Close(gif, &error);
#pragma once

#include "quaver/image.h"
#include "quaver/result.h"

#ifdef __cplusplus
extern "C" {
#endif

enum
{
    qv_gifColors = 255 ///< the last of 256 means "as before"
};

typedef struct qvGifPalette
{
    uint8_t colors[qv_gifColors][3];
    uint8_t nearest[32 * 32 * 32]; ///< for 5 bits of red, green and blue
} qvGifPalette;

/// Chooses colours by median cut over the pixels of the images.
void qvGifPalette_Build(qvGifPalette* palette, const qvImage* images, int count);

typedef struct qvGif qvGif;

/// fps up to 50 is kept on the average (GIF counts hundredths of a second, at least two a frame). The palette is
/// copied.
QV_CHECKED qvResult qvCreateGif(const char* path, int width, int height, double fps, const qvGifPalette* palette,
                                qvGif** gif, qvError* error);

/// image has the film's size; its alpha is ignored.
QV_CHECKED qvResult qvGif_AddFrame(qvGif* gif, const qvImage* image, qvError* error);

/// Completes the file under its name. Frees gif, also on failure.
QV_CHECKED qvResult qvGif_Close(qvGif* gif, qvError* error);

/// Gives up and leaves nothing behind. NULL is allowed.
void qvGif_Discard(qvGif* gif);

#ifdef __cplusplus
}
#endif
