// SPDX-License-Identifier: GPL-3.0-or-later
/// Draws the extras of a picture; a part of the renderer.
#pragma once

#include "ui/render/extra.h"
#include "ui/render/ghost_tiles.h"
#include "ui/render/matrix.h"
#include "ui/render/target.h"

typedef struct qvuiMatrices
{
    qvuiMatrix view, projection;
} qvuiMatrices;

typedef struct qvuiExtraScene
{
    const qvuiTarget* target; ///< bound for drawing
    const qvuiMatrices* matrices;
    double pixelScale;
} qvuiExtraScene;

enum
{
    qvui_maxGhostLayers = 4
};

/// What a ghost's layer was made from; compared bytewise.
typedef struct qvuiGhostLayerKey
{
    const qvuiGhost* ghost;
    uint64_t revision;
    qvuiMatrices matrices;
    float fill, outline, lineWidth;
    int dashed;
    int width, height;
} qvuiGhostLayerKey;

/// Opacity of a ghost in the picture. Kept, because while the body is posed its ghosts stay.
typedef struct qvuiGhostLayer
{
    unsigned int texture, framebuffer;
    int width, height;
    qvuiGhostTiles tiles; ///< that it covers
    qvuiGhostLayerKey key;
} qvuiGhostLayer;

typedef struct qvuiExtraPainter
{
    unsigned int maskProgram, outlineProgram, insideProgram, layerProgram, dotProgram, planeProgram, ballProgram,
        arrowProgram;
    unsigned int emptyArrays, dotArrays, dotBuffer, ballArrays, valueBuffer, arrowArrays, arrowBuffer;
    unsigned int maskTexture, maskFramebuffer; ///< what a ghost covers; as large as the last target
    int width, height;
    uint8_t* pixels; ///< of the mask
    size_t pixelCapacity;
    bool software; ///< the driver draws without a graphics card: looking at pixels is cheap, and drawing them is not
    qvuiGhostLayer layers[qvui_maxGhostLayers];
} qvuiExtraPainter;

QV_CHECKED qvResult qvuiExtraPainter_Init(qvuiExtraPainter* painter, qvError* error);
void qvuiExtraPainter_Free(qvuiExtraPainter* painter);

/// What lies behind the surface, and what lies on it or before it.
void qvuiExtraPainter_DrawBehind(qvuiExtraPainter* painter, const qvuiExtraScene* scene, const qvuiExtra* extras,
                                 int count);
void qvuiExtraPainter_DrawBefore(qvuiExtraPainter* painter, const qvuiExtraScene* scene, const qvuiExtra* extras,
                                 int count);
