// SPDX-License-Identifier: GPL-3.0-or-later
/// Which pictures of a mesh are shown, and how large: all of them together stay within a limit, so that no file takes
/// more memory than there is by what its materials show.
#pragma once

#include "ui/render/texture.h"

#include <stdbool.h>
#include <stddef.h>

enum
{
    qvui_largestPicture = 8192, ///< pixels of a side, whatever else is shown
};

typedef struct qvuiTexturePlan
{
    int count;
    bool* used;  ///< [count] whether a part of the mesh shows it
    int largest; ///< pixels of a side of all of them, a power of two
} qvuiTexturePlan;

/// What to tell of pictures that are shown smaller than they are.
typedef struct qvuiReduction
{
    int count;
    char remark[256]; ///< of the first of them
} qvuiReduction;

/// Counts a decoded picture if it was reduced.
void qvuiReduction_Add(qvuiReduction* reduction, const qvTexture* texture, const qvuiPicture* picture);

/// One line about all of them. There must be one at least.
void qvuiReduction_Tell(const qvuiReduction* reduction, char* line, size_t size);

/// Bytes of all pictures with their smaller copies that a plan keeps to: 512 MB.
extern const double qvui_pictureBytes;

/// limit: bytes. Fails only for want of memory; what cannot be read is left to whoever decodes it. On any thread.
QV_CHECKED qvResult qvuiTexturePlan_Init(qvuiTexturePlan* plan, const qvMesh* mesh, const char* folder, double limit,
                                         qvError* error);
void qvuiTexturePlan_Free(qvuiTexturePlan* plan);
