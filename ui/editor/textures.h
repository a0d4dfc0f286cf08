// SPDX-License-Identifier: GPL-3.0-or-later
/// Decodes the pictures of a body's materials on a thread of its own. A decoder cannot be stopped, so what is under way
/// for a body that went is let run and then dropped; the window waits for none of it.
#pragma once

#include "quaver/take.h"
#include "ui/editor/path.h"
#include "ui/editor/task.h"
#include "ui/render/texture.h"

typedef struct qvuiTextures
{
    qvuiTask task;      ///< its result and error are those of the first picture that cannot be read
    const qvBody* body; ///< whose pictures are or were decoded; retained
    char folder[qvui_maxPath];
    qvuiPicture* pictures; ///< [textureCount of the mesh], empty where none is used
} qvuiTextures;

/// Starts for a body whose pictures lie in folder. The task must not be running.
QV_CHECKED qvResult qvuiTextures_Start(qvuiTextures* textures, const qvBody* body, const char* folder, qvError* error);

/// True once when all pictures are decoded; they stay until the next start.
bool qvuiTextures_Collect(qvuiTextures* textures);

/// Frees the pictures; the body stays known.
void qvuiTextures_Drop(qvuiTextures* textures);

/// Waits for what is under way, and lets everything go.
void qvuiTextures_Free(qvuiTextures* textures);
