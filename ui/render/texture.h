// SPDX-License-Identifier: GPL-3.0-or-later
/// Pictures of materials on the graphics card.
#pragma once

#include "quaver/job.h"
#include "quaver/mesh.h"

/// A decoded picture: 4 bytes per pixel; NULL: none. With levels above 1 it is followed by copies of half the size
/// each.
typedef struct qvuiPicture
{
    uint8_t* pixels;
    int width, height, levels;
    int fullWidth, fullHeight; ///< what the file has, where that is too much to be shown
} qvuiPicture;

/// Width and height of a PNG or JPEG, embedded or a file in folder (NULL: none is looked up). On any thread, as the
/// next.
QV_CHECKED qvResult qvuiMeasureTexture(const qvTexture* texture, const char* folder, int size[2], qvError* error);

/// Decodes it; bottom row first, with all smaller copies. A picture with a side above largest is halved until it has
/// none. The job is asked all the while; after a refusal what is left to do ends by itself, on a thread of its own.
QV_CHECKED qvResult qvuiDecodeTexture(const qvTexture* texture, const char* folder, int largest, const qvJob* job,
                                      qvuiPicture* picture, qvError* error);
void qvuiFreePicture(qvuiPicture* picture);

/// A texture with smaller copies of itself for the distance. Needs a current OpenGL context, as all below.
unsigned int qvuiUploadTexture(const qvuiPicture* picture);

/// A picture on its way to a texture, a slice at a time, so that no frame waits for a large one. The smallest copies
/// come first and can be seen at once.
typedef struct qvuiUpload
{
    unsigned int name;
    int level; ///< that comes next, down to 0; below: all are there
    int row;   ///< of it that comes next
} qvuiUpload;

qvuiUpload qvuiBeginUpload(const qvuiPicture* picture);

/// Brings about that many bytes. True when another copy of the picture is complete.
bool qvuiUpload_Continue(qvuiUpload* upload, const qvuiPicture* picture, size_t bytes);
bool qvuiUpload_IsDone(const qvuiUpload* upload);

/// A picture for the interface from a PNG or JPEG file: top row first, colours multiplied by alpha. On any thread.
QV_CHECKED qvResult qvuiDecodePicture(const char* path, qvuiPicture* picture, qvError* error);
unsigned int qvuiUploadPicture(const qvuiPicture* picture);
void qvuiDestroyPicture(unsigned int name); ///< 0 is allowed

/// One white pixel.
unsigned int qvuiCreateWhiteTexture(void);

/// A texture to draw into and to copy from pixel by pixel, in the order of colours that screens have; what it holds is
/// not defined. Drivers choose that order by the one in which an upload would come.
unsigned int qvuiCreateScreenTexture(int width, int height);
