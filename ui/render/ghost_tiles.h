// SPDX-License-Identifier: GPL-3.0-or-later
/// Where in the picture a ghost is: without a graphics card every pixel costs, and the outline, which costs most, is in
/// few of them.
#pragma once

#include <stdbool.h>
#include <stdint.h>

/// Rectangles as triangles, in coordinates of the screen (-1 to 1).
typedef struct qvuiGhostTiles
{
    unsigned int arrays, buffer; ///< attribute 0 are the corners
    int edgeCount;               ///< corners of those that hold a piece of the outline; they come first
    int count;                   ///< with those that lie within the ghost
    float* corners;              ///< two numbers each
    int capacity;                ///< corners
} qvuiGhostTiles;

/// What a ghost covers: 0 or 255 per pixel, rows from the lower edge of a rectangle (x, y, width, height).
typedef struct qvuiGhostMask
{
    const uint8_t* pixels; ///< NULL: not known
    const int* rect;
    int size[2]; ///< of the picture, pixels
} qvuiGhostMask;

/// Finds the rectangles and brings them to the card. reach: pixels from its own that a pixel of the outline looks at.
/// withInside: those within the ghost are wanted too. One for all of it when the mask is not known.
void qvuiGhostTiles_Find(qvuiGhostTiles* tiles, const qvuiGhostMask* mask, int reach, bool withInside);
void qvuiGhostTiles_Free(qvuiGhostTiles* tiles);

/// Draws those with an outline, those within, or both, with the program in use.
void qvuiGhostTiles_DrawEdges(const qvuiGhostTiles* tiles);
void qvuiGhostTiles_DrawInside(const qvuiGhostTiles* tiles);
void qvuiGhostTiles_DrawAll(const qvuiGhostTiles* tiles);
