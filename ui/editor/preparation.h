// SPDX-License-Identifier: GPL-3.0-or-later
/// What a body needs besides its points, made on a thread of its own: the tree that finds what is under the mouse, and
/// the pictures of its materials. A decoder cannot be stopped, so what is under way for a body that went is let run and
/// then dropped; the window waits for none of it, and the end of the program leaves it behind.
#pragma once

#include "quaver/bvh.h"
#include "quaver/take.h"
#include "ui/editor/path.h"
#include "ui/editor/task.h"
#include "ui/render/surface.h"
#include "ui/render/texture_plan.h"

#include <stdatomic.h>

typedef struct qvuiPreparation
{
    qvuiTask task;      ///< its result and error are those of the first picture that cannot be read
    const qvBody* body; ///< that is or was prepared; retained
    bool isPast;        ///< the surface that it was for is gone; another one of the same body needs all of it again
    char folder[qvui_maxPath];
    qvuiReduction reduction;
    qvuiPicture* pictures; ///< [textureCount of the mesh], empty where none is used
    int pictureCount;      ///< of them; 0: none waits to be uploaded
    int uploaded;          ///< of them are on the graphics card, or empty
    qvuiUpload upload;     ///< of the next one; no name: not begun
    _Atomic(qvBvh*) bvh;   ///< over the rest shape; NULL: not made, or taken
    atomic_bool ends;      ///< nobody wants what a decoder is at
} qvuiPreparation;

/// Starts for a body whose pictures lie in folder. The task must not be running.
QV_CHECKED qvResult qvuiPreparation_Start(qvuiPreparation* preparation, const qvBody* body, const char* folder,
                                          qvError* error);

/// True once when all is done; it stays until the next start.
bool qvuiPreparation_Collect(qvuiPreparation* preparation);

/// The tree, as soon as it is made, also before the pictures are; the caller's then. NULL: not yet, or not any more.
qvBvh* qvuiPreparation_TakeTree(qvuiPreparation* preparation);

/// Pictures wait to be uploaded.
bool qvuiPreparation_HasPictures(const qvuiPreparation* preparation);

/// Brings a slice of the pictures to the surface of the body that was prepared, once all are decoded. Needs a current
/// OpenGL context.
void qvuiPreparation_Upload(qvuiPreparation* preparation, qvuiSurface* surface);

/// Frees the pictures.
void qvuiPreparation_DropPictures(qvuiPreparation* preparation);

/// Lets everything go, for the end of the program.
void qvuiPreparation_Free(qvuiPreparation* preparation);
