// SPDX-License-Identifier: GPL-3.0-or-later
/// Reads a scene, a mesh file or what a crash left, or makes a shape, on a thread of its own.
#pragma once

#include "quaver/document.h"
#include "quaver/take.h"
#include "ui/editor/path.h"
#include "ui/editor/task.h"
#include "ui/render/surface.h"

/// What was read. The caller takes the document and the surface out, and drops the rest.
typedef struct qvuiLoaded
{
    qvDocument* document; ///< NULL: the file is a mesh, or it is a shape
    const qvBody* body;   ///< NULL: the scene's mesh could not be read
    qvError problem;      ///< then why
    qvuiSurface* surface; ///< of the body, prepared; NULL: not possible
} qvuiLoaded;

/// What a crash left stays for the next start when nobody has taken the document.
void qvuiDropLoaded(qvuiLoaded* loaded);

typedef enum qvuiSource
{
    qvui_sourceFile, ///< a scene or a mesh
    qvui_sourceShape,
    qvui_sourceLeftover,
} qvuiSource;

typedef struct qvuiLoader
{
    qvuiTask task;           ///< its progress is the loader's; cancel and end it as such
    qvuiSource source;       ///< of what was asked for last
    char path[qvui_maxPath]; ///< of it, or the tag of a shape
} qvuiLoader;

/// Starts to read; what is being read is given up.
QV_CHECKED qvResult qvuiLoader_Start(qvuiLoader* loader, const char* path, qvError* error);

/// The same for a primitive.
QV_CHECKED qvResult qvuiLoader_StartShape(qvuiLoader* loader, const char* tag, qvError* error);

/// The same for what a crash left.
QV_CHECKED qvResult qvuiLoader_Restore(qvuiLoader* loader, const qvLeftover* leftover, qvError* error);

/// What the scene says of a mesh or shape that was read. Its text is the loader's.
qvSceneMesh qvuiLoader_Mesh(qvuiLoader* loader);

/// True once when the file has been read: *result and, with qv_ok, *loaded (the caller's then).
bool qvuiLoader_Collect(qvuiLoader* loader, qvResult* result, qvuiLoaded* loaded, qvError* error);
