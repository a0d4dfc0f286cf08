// SPDX-License-Identifier: GPL-3.0-or-later
// The files that a mesh file refers to: material libraries, textures, buffers.
#pragma once

#include "quaver/result.h"

typedef struct qvSideFiles
{
    char** paths; ///< from the folder of the mesh file, each once
    int count, capacity;
} qvSideFiles;

/// Lists what is there and inside the folder of the mesh file; references that lead nowhere are left out. The mesh
/// itself is not checked.
QV_CHECKED qvResult qvListSideFiles(const char* path, qvSideFiles* files, qvError* error);
void qvSideFiles_Free(qvSideFiles* files);
