// SPDX-License-Identifier: GPL-3.0-or-later
/// What is open: a mesh from a file or a built-in shape, and its surface on the graphics card.
#pragma once

#include "quaver/model.h"
#include "ui/render/surface.h"

enum
{
    qvui_maxPath = 4096
};

typedef struct qvuiDocument
{
    const qvMesh* mesh; ///< NULL: nothing is open
    qvMeshReport report;
    qvuiSurface* surface;
    char name[256];          ///< for the title: the file's name or the shape's label
    char path[qvui_maxPath]; ///< "" for a shape

    qvModel* model; ///< owner of the mesh when it came from a file
    qvMesh* shape;  ///< owner of the mesh when it is a built-in shape
} qvuiDocument;

/// Takes a loaded model over (also on failure).
QV_CHECKED qvResult qvuiDocument_SetModel(qvuiDocument* document, qvModel* model, const char* path, qvError* error);

/// Opens a built-in shape by its tag.
QV_CHECKED qvResult qvuiDocument_SetShape(qvuiDocument* document, const char* tag, qvError* error);

/// Closes what is open.
void qvuiDocument_Clear(qvuiDocument* document);
