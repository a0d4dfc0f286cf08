// SPDX-License-Identifier: GPL-3.0-or-later
/// Pictures of materials on the graphics card.
#pragma once

#include "quaver/mesh.h"

/// Decodes a PNG or JPEG, embedded or a file in folder (NULL: none is looked up), with smaller copies of itself for
/// the distance. Needs a current OpenGL context.
QV_CHECKED qvResult qvuiLoadTexture(const qvTexture* texture, const char* folder, unsigned int* name, qvError* error);

/// A picture for the interface from a PNG or JPEG file: top row first, colours as they are. Needs a current OpenGL
/// context.
QV_CHECKED qvResult qvuiLoadPicture(const char* path, unsigned int* name, qvError* error);
void qvuiDestroyPicture(unsigned int name); ///< 0 is allowed

/// One white pixel.
unsigned int qvuiCreateWhiteTexture(void);

/// A texture to draw into and to copy from pixel by pixel, in the order of colours that screens have; what it holds is
/// not defined. Drivers choose that order by the one in which an upload would come.
unsigned int qvuiCreateScreenTexture(int width, int height);
