// SPDX-License-Identifier: GPL-3.0-or-later
/// Pictures of materials on the graphics card.
#pragma once

#include "quaver/mesh.h"

/// Decodes a PNG or JPEG, embedded or a file in folder (NULL: none is looked up), with smaller copies of itself for
/// the distance. Needs a current OpenGL context.
QV_CHECKED qvResult qvuiLoadTexture(const qvTexture* texture, const char* folder, unsigned int* name, qvError* error);

/// One white pixel.
unsigned int qvuiCreateWhiteTexture(void);
