// SPDX-License-Identifier: GPL-3.0-or-later
/// What comes with the program: demo scenes with their pictures, and the manual. Found beside the program in its source
/// tree (build/quaver, build/release/quaver) or below the prefix it was installed to.
#pragma once

#include "ui/editor/path.h"

#include <stdbool.h>
#include <stddef.h>

enum
{
    qvui_maxDemos = 24
};

typedef struct qvuiDemo
{
    char path[qvui_maxPath];
    char name[64];
    char about[192];      ///< what it shows; "": the scene does not say
    unsigned int picture; ///< texture; 0: none
} qvuiDemo;

typedef struct qvuiDemos
{
    bool looked; ///< the list is made
    int count;
    qvuiDemo* items; ///< qvui_maxDemos entries, or NULL
} qvuiDemos;

/// Lists the scenes and loads their pictures, once. Needs a current OpenGL context.
void qvuiDemos_Look(qvuiDemos* demos);
void qvuiDemos_Free(qvuiDemos* demos);

/// The path of a file or folder that comes with the program: "scenes", "manual.md". False when it is not there.
bool qvuiDataPath(const char* name, char* path, size_t capacity);
