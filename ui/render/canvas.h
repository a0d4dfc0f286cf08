// SPDX-License-Identifier: GPL-3.0-or-later
/// The picture of the whole interface. It stays from frame to frame, so that a frame draws only the rectangles that
/// changed: without a graphics card every pixel costs, and filling the window a few times over takes longer than a
/// frame may. What the window's own buffer holds after it was shown is not defined, so it gets a copy of the canvas.
///
/// Three things make drawing cheap on llvmpipe, Mesa's renderer without a card, and cost nothing elsewhere: pixels in
/// the order blue, green, red, alpha, which rectangles are filled in five times as fast as in any other; colours
/// multiplied by alpha, whose blending is one step less; and rows from the top, as the window has them, so that showing
/// is a plain copy.
#pragma once

#include "quaver/image.h"
#include "quaver/result.h"

#include <stdbool.h>
#include <stdint.h>

/// Pixels from the upper left corner, and a place in the texture. The colour's bytes are red, green, blue, alpha.
typedef struct qvuiCanvasVertex
{
    float x, y, u, v;
    uint32_t color; ///< multiplied by alpha
} qvuiCanvasVertex;

typedef enum qvuiPaint
{
    qvui_paintFlat, ///< the colour alone
    qvui_paintCopy, ///< the texture alone
    qvui_paintTint, ///< one times the other
    qvui_paintCount,
} qvuiPaint;

/// Triangles that are drawn at once.
typedef struct qvuiCanvasRun
{
    qvuiPaint paint;
    unsigned int texture;   ///< 0 when it is not used
    bool blends;            ///< false: what is below is replaced
    int lower[2], upper[2]; ///< pixels that may change
    int first, count;       ///< vertices, three to a triangle
} qvuiCanvasRun;

typedef struct qvuiCanvas
{
    int width, height;
    unsigned int texture, framebuffer;
    unsigned int programs[qvui_paintCount];
    unsigned int arrays, vertices;
    unsigned int font; ///< texture of the letters
} qvuiCanvas;

/// Compiles the shaders; the canvas has no size yet. Needs a current OpenGL 3.3 context.
QV_CHECKED qvResult qvuiCanvas_Init(qvuiCanvas* canvas, qvError* error);
void qvuiCanvas_Free(qvuiCanvas* canvas);

/// Makes it that size; *fresh tells whether it holds nothing of the last frame any more.
QV_CHECKED qvResult qvuiCanvas_Resize(qvuiCanvas* canvas, int width, int height, bool* fresh, qvError* error);

/// Takes the picture of the letters: one byte of opacity per pixel. False when no texture can be that large.
bool qvuiCanvas_SetFont(qvuiCanvas* canvas, const uint8_t* opacity, int width, int height);

/// Makes it that size and draws a little of everything once, the font too, so that no frame has to wait for shaders.
QV_CHECKED qvResult qvuiCanvas_WarmUp(qvuiCanvas* canvas, int width, int height, qvError* error);

void qvuiCanvas_Draw(const qvuiCanvas* canvas, const qvuiCanvasVertex* vertices, int vertexCount,
                     const qvuiCanvasRun* runs, int runCount);

/// Copies pixels of a framebuffer, whose top row comes first too, to a place of the canvas.
void qvuiCanvas_Copy(const qvuiCanvas* canvas, unsigned int framebuffer, const int from[2], const int to[2],
                     const int size[2]);

/// Copies it into the window's buffer.
void qvuiCanvas_Show(const qvuiCanvas* canvas);

/// Reads it back. image has the canvas's size.
void qvuiCanvas_Read(const qvuiCanvas* canvas, qvImage* image);
