// SPDX-License-Identifier: GPL-3.0-or-later
/// A picture to draw into: colour and depth, with or without multisampling, resolved into a texture.
#pragma once

#include "quaver/image.h"
#include "quaver/result.h"

typedef struct qvuiTarget
{
    int width, height;
    int samples;              ///< to draw with; 0: no multisampling
    int storedRows;           ///< kept at a time, where pictures are drawn by rows and read before the next. 0: all
    int rows[2];              ///< the first to be drawn, and the one after the last; the others stay. 0, 0: all
    unsigned int texture;     ///< RGBA8, colour multiplied by alpha; top row first
    unsigned int framebuffer; ///< the texture and depth
    unsigned int depth;       ///< renderbuffer; 0: not needed yet
    int keptSamples;          ///< of the buffers below; 0: there are none
    unsigned int sampleFramebuffer; ///< kept while pictures without samples are drawn
    unsigned int sampleColor, sampleDepth;
} qvuiTarget;

/// Makes the target that size if it is not yet; a zeroed struct is an empty target. samples is lowered to what the
/// driver has; switching them on and off is cheap.
QV_CHECKED qvResult qvuiTarget_Resize(qvuiTarget* target, int width, int height, int samples, qvError* error);

void qvuiTarget_Free(qvuiTarget* target);

/// Binds it for drawing and sets the viewport; where only some rows are drawn, the scissor too.
void qvuiTarget_Begin(const qvuiTarget* target);

/// The rows that are drawn: the first, and the one after the last.
void qvuiTarget_FindRows(const qvuiTarget* target, int rows[2]);

/// Which row of the picture is the first that is kept.
int qvuiTarget_FirstRow(const qvuiTarget* target);

/// Resolves the samples into the texture and binds the window's framebuffer again.
void qvuiTarget_End(const qvuiTarget* target);

/// Reads the picture back, top row first, alpha divided out. image has the target's size.
void qvuiTarget_Read(const qvuiTarget* target, qvImage* image);

/// The same of the rows that are drawn; the image keeps its others.
void qvuiTarget_ReadRows(const qvuiTarget* target, qvImage* image);
