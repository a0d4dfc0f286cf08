// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/render/ghost_tiles.h"

#include "ui/grow.h"

#include <epoxy/gl.h>
#include <stdlib.h>
#include <string.h>

enum
{
    TILE = 16, // pixels
    MOST_REACH = 8,
    ROW = TILE + 2 * MOST_REACH
};

typedef enum Kind
{
    kindOutside,
    kindInside,
    kindEdge,
} Kind;

static int Least(int a, int b)
{
    return a < b ? a : b;
}

static int Most(int a, int b)
{
    return a > b ? a : b;
}

// Of a tile at a place in the rectangle. Beyond the rectangle there is no ghost, and beyond the picture a pixel of the
// outline sees the last one within.
static Kind Judge(const qvuiGhostMask* mask, int x, int y, int reach)
{
    int width = mask->rect[2], height = mask->rect[3];
    int left = Most(x - reach, 0), right = Least(x + TILE + reach, width);
    int lower = Most(y - reach, 0), upper = Least(y + TILE + reach, height);
    uint8_t first = mask->pixels[lower * width + left], row[ROW];
    memset(row, first, sizeof(row));
    for (int i = lower; i < upper; i++)
        if (memcmp(mask->pixels + i * width + left, row, (size_t)(right - left)) != 0)
            return kindEdge;
    return first == 0 ? kindOutside : kindInside;
}

static bool Add(qvuiGhostTiles* tiles, const int size[2], const int lower[2], const int upper[2])
{
    if (!qvuiGrow(&tiles->corners, &tiles->capacity, tiles->count + 6, 2 * sizeof(float)))
        return false;
    float x[2] = { 2.0f * (float)lower[0] / (float)size[0] - 1.0f, 2.0f * (float)upper[0] / (float)size[0] - 1.0f };
    float y[2] = { 2.0f * (float)lower[1] / (float)size[1] - 1.0f, 2.0f * (float)upper[1] / (float)size[1] - 1.0f };
    static const int order[6][2] = { { 0, 0 }, { 1, 0 }, { 1, 1 }, { 0, 0 }, { 1, 1 }, { 0, 1 } };
    float* corner = tiles->corners + 2 * tiles->count;
    for (int k = 0; k < 6; k++)
    {
        corner[2 * k] = x[order[k][0]];
        corner[2 * k + 1] = y[order[k][1]];
    }
    tiles->count += 6;
    return true;
}

// Tiles of a kind, those beside each other as one.
static bool AddKind(qvuiGhostTiles* tiles, const qvuiGhostMask* mask, const uint8_t* kinds, Kind kind)
{
    const int* rect = mask->rect;
    int columns = (rect[2] + TILE - 1) / TILE, rows = (rect[3] + TILE - 1) / TILE;
    for (int row = 0; row < rows; row++)
        for (int column = 0, end; column < columns; column = end)
        {
            end = column + 1;
            if (kinds[row * columns + column] != kind)
                continue;
            while (end < columns && kinds[row * columns + end] == kind)
                end++;
            int lower[2] = { rect[0] + column * TILE, rect[1] + row * TILE };
            int upper[2] = { rect[0] + Least(end * TILE, rect[2]), rect[1] + Least((row + 1) * TILE, rect[3]) };
            if (!Add(tiles, mask->size, lower, upper))
                return false;
        }
    return true;
}

static bool FindTiles(qvuiGhostTiles* tiles, const qvuiGhostMask* mask, int reach, bool withInside)
{
    int columns = (mask->rect[2] + TILE - 1) / TILE, rows = (mask->rect[3] + TILE - 1) / TILE;
    uint8_t* kinds = malloc((size_t)columns * (size_t)rows + 1);
    for (int i = 0; kinds != NULL && i < columns * rows; i++)
        kinds[i] = (uint8_t)Judge(mask, i % columns * TILE, i / columns * TILE, reach);
    bool found = kinds != NULL && AddKind(tiles, mask, kinds, kindEdge);
    tiles->edgeCount = tiles->count;
    found = found && (!withInside || AddKind(tiles, mask, kinds, kindInside));
    free(kinds);
    return found;
}

// All of the rectangle may hold a piece of the outline.
static void FillRect(qvuiGhostTiles* tiles, const qvuiGhostMask* mask)
{
    const int* rect = mask->rect;
    const int upper[2] = { rect[0] + rect[2], rect[1] + rect[3] };
    tiles->count = 0;
    Add(tiles, mask->size, rect, upper);
    tiles->edgeCount = tiles->count;
}

void qvuiGhostTiles_Find(qvuiGhostTiles* tiles, const qvuiGhostMask* mask, int reach, bool withInside)
{
    tiles->count = tiles->edgeCount = 0;
    if (mask->pixels == NULL || reach > MOST_REACH || !FindTiles(tiles, mask, reach, withInside))
        FillRect(tiles, mask);
    if (tiles->arrays == 0)
    {
        glGenVertexArrays(1, &tiles->arrays);
        glGenBuffers(1, &tiles->buffer);
        glBindVertexArray(tiles->arrays);
        glBindBuffer(GL_ARRAY_BUFFER, tiles->buffer);
        glEnableVertexAttribArray(0);
        glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, NULL);
        glBindVertexArray(0);
    }
    glBindBuffer(GL_ARRAY_BUFFER, tiles->buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(2 * (size_t)tiles->count * sizeof(float)), tiles->corners,
                 GL_DYNAMIC_DRAW);
}

void qvuiGhostTiles_Free(qvuiGhostTiles* tiles)
{
    glDeleteBuffers(1, &tiles->buffer);
    glDeleteVertexArrays(1, &tiles->arrays);
    free(tiles->corners);
    *tiles = (qvuiGhostTiles){ 0 };
}

static void DrawCorners(const qvuiGhostTiles* tiles, int first, int end)
{
    if (end == first)
        return;
    glBindVertexArray(tiles->arrays);
    glDrawArrays(GL_TRIANGLES, first, end - first);
    glBindVertexArray(0);
}

void qvuiGhostTiles_DrawEdges(const qvuiGhostTiles* tiles)
{
    DrawCorners(tiles, 0, tiles->edgeCount);
}

void qvuiGhostTiles_DrawInside(const qvuiGhostTiles* tiles)
{
    DrawCorners(tiles, tiles->edgeCount, tiles->count);
}

void qvuiGhostTiles_DrawAll(const qvuiGhostTiles* tiles)
{
    DrawCorners(tiles, 0, tiles->count);
}
