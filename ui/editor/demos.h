// SPDX-License-Identifier: GPL-3.0-or-later
/// What comes with the program: demo scenes with their pictures, and the manual. Found beside the program in its source
/// tree (build/quaver, build/release/quaver) or below the prefix it was installed to.
#pragma once

#include "ui/editor/path.h"
#include "ui/editor/task.h"
#include "ui/render/texture.h"

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
    qvuiPicture decoded;  ///< until it is on the graphics card
    unsigned int picture; ///< texture; 0: none
} qvuiDemo;

typedef struct qvuiDemos
{
    qvuiTask task;   ///< reads them
    bool started;    ///< once
    int foundCount;  ///< by the task
    int count;       ///< that can be shown
    int uploaded;    ///< of their pictures
    qvuiDemo* items; ///< qvui_maxDemos entries, or NULL
} qvuiDemos;

/// Starts to list the scenes and to decode their pictures, on a thread of its own; once.
void qvuiDemos_Start(qvuiDemos* demos);
/// Once a frame: takes over the list when it is made, and then brings one picture after the other to the graphics card.
/// Does nothing before the start. Needs a current OpenGL context.
void qvuiDemos_Update(qvuiDemos* demos);
/// Waits for all of it.
void qvuiDemos_Finish(qvuiDemos* demos);
/// Whether they are started and not all there.
bool qvuiDemos_IsBusy(const qvuiDemos* demos);
void qvuiDemos_Free(qvuiDemos* demos);

/// The path of a file or folder that comes with the program: "scenes", "manual.md". False when it is not there.
bool qvuiDataPath(const char* name, char* path, size_t capacity);
