// SPDX-License-Identifier: GPL-3.0-or-later
// Films as files: GIF by our own writer, MP4 through ffmpeg.
#pragma once

#include "quaver/gif.h"
#include "quaver/image.h"

#include <stdio.h>
#include <sys/types.h>

typedef struct Film
{
    int width, height;
    qvGif* gif; // or
    pid_t encoder;
    FILE* pipe;
    char *path, *temporary;
} Film;

/// Opens by the ending of path, .gif or .mp4. samples are typical frames, for the colours of a GIF. Without ffmpeg an
/// MP4 fails with a line that says what to install.
QV_CHECKED qvResult OpenFilm(Film* film, const char* path, int width, int height, double fps, const qvImage* samples,
                             int sampleCount, qvError* error);
QV_CHECKED qvResult AddToFilm(Film* film, const qvImage* image, qvError* error);
/// Gives the file its name.
QV_CHECKED qvResult FinishFilm(Film* film, qvError* error);
/// Leaves nothing behind; harmless after FinishFilm.
void DiscardFilm(Film* film);
