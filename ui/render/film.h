// SPDX-License-Identifier: GPL-3.0-or-later
/// Films as files: GIF by our own writer, MP4 through ffmpeg.
#pragma once

#include "quaver/file.h"
#include "quaver/gif.h"
#include "quaver/image.h"
#include "quaver/job.h"

#include <sys/types.h>

typedef struct qvuiFilm
{
    int width, height;
    qvGif* gif; ///< or ffmpeg:
    pid_t encoder;
    int pixels, remarks; ///< what it reads and what it says
    qvFileWriter file;   ///< that it writes
} qvuiFilm;

/// Opens by the ending of path, .gif or .mp4. samples are typical frames, for the colours of a GIF;
/// an MP4 needs none. Without ffmpeg an
/// MP4 fails with a line that says what to install.
QV_CHECKED qvResult qvuiOpenFilm(qvuiFilm* film, const char* path, int width, int height, double fps,
                                 const qvImage* samples, int sampleCount, qvError* error);
/// Fails with qv_cancelled when the job says so before the encoder has taken the frame.
QV_CHECKED qvResult qvuiFilm_Add(qvuiFilm* film, const qvImage* image, const qvJob* job, qvError* error);
/// Gives the file its name, unless the job is cancelled until all is written.
QV_CHECKED qvResult qvuiFilm_Finish(qvuiFilm* film, const qvJob* job, qvError* error);
/// Leaves nothing behind; harmless after qvuiFilm_Finish.
void qvuiFilm_Discard(qvuiFilm* film);

/// The frames of a film, in the order of their numbers.
typedef struct qvuiFrames
{
    qvResult (*draw)(void* context, int frame, qvImage* image, qvError* error); ///< fills the image
    void* context;
    qvImage* image; ///< to work with, of the film's size
    int count;
    double fps;
} qvuiFrames;

/// All of it, from the first frame to the file's name.
QV_CHECKED qvResult qvuiWriteFilm(const qvuiFrames* frames, const char* path, const qvJob* job, qvError* error);
