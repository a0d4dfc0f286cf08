// SPDX-License-Identifier: GPL-3.0-or-later
// A film of pictures on the disk.
#include "quaver/path.h"
#include "ui/film_entry.h"
#include "ui/render/film.h"
#include "ui/render/texture.h"

#include <string.h>

static const double GIF_RATE = 50.0; // frames per second that a GIF can hold

static qvResult LoadFrame(void* context, int frame, qvImage* image, qvError* error)
{
    const qvParts* parts = context;
    const char* path = qvParts_FramePath(parts, frame);
    qvuiPicture picture;
    qvResult result = qvuiDecodePicture(path, &picture, error);
    if (result != qv_ok)
        return result;
    if (picture.width == image->width && picture.height == image->height)
        memcpy(image->pixels, picture.pixels, 4 * (size_t)image->width * (size_t)image->height);
    else
        result = qvError_Set(error, qv_badInput, "%s: has %d x %d pixels, the first picture %d x %d; draw it again",
                             path, picture.width, picture.height, image->width, image->height);
    qvuiFreePicture(&picture);
    return result;
}

static qvResult CheckParts(const qvParts* parts, const char* path, qvError* error)
{
    const qvPart* first = &parts->items[0].part;
    if (!first->isSequence || !qvPath_HasExtension(first->output, "png"))
        return qvError_Set(error, qv_badInput, "%s: a film is joined of pictures, not of .%s files", path,
                           qvPath_Extension(first->output));
    if (strstr(first->look, " transparent") != NULL)
        return qvError_Set(error, qv_badInput,
                           "%s: a film has a backdrop and these pictures have none; draw them without --transparent",
                           path);
    if (qvPath_HasExtension(path, "gif") && first->moments.fps > GIF_RATE)
        return qvError_Set(error, qv_badInput,
                           "%s: GIF shows at most 50 frames per second and these are %g; draw them with --fps 50 or "
                           "write an .mp4",
                           path, first->moments.fps);
    return qv_ok;
}

qvResult qvuiJoinPictures(const qvParts* parts, const char* path, int size[2], const qvJob* job, qvError* error)
{
    qvImage image = { 0 };
    qvuiPicture first = { 0 };
    qvMoments whole = parts->items[0].part.moments;
    whole.first = 0, whole.count = whole.total;
    qvResult result = CheckParts(parts, path, error);
    if (result == qv_ok)
        result = qvuiDecodePicture(qvParts_FramePath(parts, 0), &first, error);
    size[0] = first.width, size[1] = first.height;
    qvuiFreePicture(&first);
    if (result == qv_ok)
        result = qvuiCheckFilm(path, size[0], size[1], error);
    if (result == qv_ok)
        result = qvCreateImage(size[0], size[1], &image, error);
    const qvuiFrames frames = { LoadFrame, (void*)parts, &image, qvuiFilmFrames(&whole), whole.fps };
    if (result == qv_ok)
        result = qvuiWriteFilm(&frames, path, job, error);
    qvDestroyImage(&image);
    return result;
}
