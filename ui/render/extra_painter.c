// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/render/extra_painter.h"

#include "ui/render/program.h"
#include "ui/render/shaders.h"

#include <epoxy/gl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

qvuiExtra qvuiGhostBefore(const qvuiGhost* ghost)
{
    return (qvuiExtra){
        .kind = qvui_extraGhost, .color = { 0.357f, 0.616f, 1.0f, 1.0f }, .ghost = ghost, .fill = 0.17f, .outline = 0.6f
    };
}

qvuiExtra qvuiGhostAfter(const qvuiGhost* ghost)
{
    return (qvuiExtra){ .kind = qvui_extraGhost,
                        .color = { 0.949f, 0.639f, 0.227f, 1.0f },
                        .ghost = ghost,
                        .fill = 0.0f,
                        .outline = 0.85f,
                        .dashed = true,
                        .inFront = true };
}

qvuiExtra qvuiGhostPlain(const qvuiGhost* ghost)
{
    return (qvuiExtra){ .kind = qvui_extraGhost,
                        .color = { 0.561f, 0.592f, 0.639f, 1.0f }, // muted: neither physics nor a key made it
                        .ghost = ghost,
                        .fill = 0.08f,
                        .outline = 0.75f,
                        .inFront = true };
}

qvuiExtra qvuiShownBalls(const qvShownPoints* shown)
{
    return (qvuiExtra){ .kind = qvui_extraBalls,
                        .points = shown->points,
                        .values = shown->values,
                        .pointCount = shown->count,
                        .radius = shown->radius,
                        .arrows = shown->arrows };
}

// An attribute of which there is one for every arrow.
static void AddPerArrow(unsigned int place, int size, unsigned int buffer)
{
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glEnableVertexAttribArray(place);
    glVertexAttribPointer(place, size, GL_FLOAT, GL_FALSE, 0, NULL);
    glVertexAttribDivisor(place, 1);
}

qvResult qvuiExtraPainter_Init(qvuiExtraPainter* painter, qvError* error)
{
    const struct
    {
        const char* name;
        const char* vertex;
        const char* fragment;
        unsigned int* program;
    } rows[] = {
        { "mask", qvuiMaskVertexShader, qvuiMaskFragmentShader, &painter->maskProgram },
        { "outline", qvuiTileVertexShader, qvuiOutlineFragmentShader, &painter->outlineProgram },
        { "inside", qvuiTileVertexShader, qvuiInsideFragmentShader, &painter->insideProgram },
        { "layer", qvuiTileVertexShader, qvuiLayerFragmentShader, &painter->layerProgram },
        { "dot", qvuiDotVertexShader, qvuiDotFragmentShader, &painter->dotProgram },
        { "ball", qvuiBallVertexShader, qvuiBallFragmentShader, &painter->ballProgram },
        { "arrow", qvuiArrowVertexShader, qvuiArrowFragmentShader, &painter->arrowProgram },
        { "plane", qvuiGroundVertexShader, qvuiPlaneFragmentShader, &painter->planeProgram },
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
    {
        qvResult result = qvuiCreateProgram(rows[i].name, rows[i].vertex, rows[i].fragment, rows[i].program, error);
        if (result != qv_ok)
            return result;
    }
    glGenVertexArrays(1, &painter->emptyArrays);
    glGenVertexArrays(1, &painter->dotArrays);
    glGenBuffers(1, &painter->dotBuffer);
    glBindVertexArray(painter->dotArrays);
    glBindBuffer(GL_ARRAY_BUFFER, painter->dotBuffer);
    glEnableVertexAttribArray(0);
    glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, 0, NULL);
    glGenVertexArrays(1, &painter->ballArrays);
    glGenBuffers(1, &painter->valueBuffer);
    glBindVertexArray(painter->ballArrays);
    glBindBuffer(GL_ARRAY_BUFFER, painter->dotBuffer);
    glEnableVertexAttribArray(0);
    glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, 0, NULL);
    glBindBuffer(GL_ARRAY_BUFFER, painter->valueBuffer);
    glEnableVertexAttribArray(1);
    glVertexAttribPointer(1, 1, GL_FLOAT, GL_FALSE, 0, NULL);
    glGenVertexArrays(1, &painter->arrowArrays);
    glGenBuffers(1, &painter->arrowBuffer);
    glBindVertexArray(painter->arrowArrays);
    AddPerArrow(0, 3, painter->dotBuffer);
    AddPerArrow(1, 1, painter->valueBuffer);
    AddPerArrow(2, 3, painter->arrowBuffer);
    glBindVertexArray(0);
    return qv_ok;
}

void qvuiExtraPainter_Free(qvuiExtraPainter* painter)
{
    const GLuint programs[] = { painter->maskProgram,  painter->outlineProgram, painter->insideProgram,
                                painter->layerProgram, painter->dotProgram,     painter->planeProgram,
                                painter->ballProgram,  painter->arrowProgram };
    for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++)
        glDeleteProgram(programs[i]);
    glDeleteVertexArrays(1, &painter->emptyArrays);
    glDeleteVertexArrays(1, &painter->dotArrays);
    glDeleteBuffers(1, &painter->dotBuffer);
    glDeleteVertexArrays(1, &painter->ballArrays);
    glDeleteBuffers(1, &painter->valueBuffer);
    glDeleteVertexArrays(1, &painter->arrowArrays);
    glDeleteBuffers(1, &painter->arrowBuffer);
    glDeleteFramebuffers(1, &painter->maskFramebuffer);
    glDeleteTextures(1, &painter->maskTexture);
    for (int i = 0; i < qvui_maxGhostLayers; i++)
    {
        glDeleteFramebuffers(1, &painter->layers[i].framebuffer);
        glDeleteTextures(1, &painter->layers[i].texture);
        qvuiGhostTiles_Free(&painter->layers[i].tiles);
    }
    free(painter->pixels);
    *painter = (qvuiExtraPainter){ 0 };
}

// A texture of one channel to draw into.
static void ResizeTexture(unsigned int* texture, unsigned int* framebuffer, int width, int height)
{
    if (*texture == 0)
    {
        glGenTextures(1, texture);
        glGenFramebuffers(1, framebuffer);
    }
    glBindTexture(GL_TEXTURE_2D, *texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_R8, width, height, 0, GL_RED, GL_UNSIGNED_BYTE, NULL);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glBindFramebuffer(GL_FRAMEBUFFER, *framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, *texture, 0);
}

static void ResizeMask(qvuiExtraPainter* painter, int width, int height)
{
    if (painter->width == width && painter->height == height)
        return;
    painter->width = width;
    painter->height = height;
    ResizeTexture(&painter->maskTexture, &painter->maskFramebuffer, width, height);
}

static void ResizeLayer(qvuiGhostLayer* layer, int width, int height)
{
    if (layer->width == width && layer->height == height)
        return;
    layer->width = width;
    layer->height = height;
    ResizeTexture(&layer->texture, &layer->framebuffer, width, height);
}

static void SetMatrices(GLuint program, const qvuiMatrices* matrices)
{
    glUseProgram(program);
    qvuiSetMatrix(program, "view", &matrices->view);
    qvuiSetMatrix(program, "projection", &matrices->projection);
}

static double Transformed(const qvuiMatrix* m, int row, const double v[4])
{
    return (double)m->m[row] * v[0] + (double)m->m[4 + row] * v[1] + (double)m->m[8 + row] * v[2] +
           (double)m->m[12 + row] * v[3];
}

// The pixels that a box covers, with room for an outline; all of them when the box reaches behind the eye. Returns
// whether it does not.
static bool FindRect(const qvuiMatrices* matrices, qvBox box, const qvuiTarget* target, int rect[4])
{
    qvuiMatrix all = qvuiMatrix_Multiply(&matrices->projection, &matrices->view);
    double lower[2] = { 1.0, 1.0 }, upper[2] = { -1.0, -1.0 };
    bool ahead = true;
    for (int corner = 0; corner < 8; corner++)
    {
        const double v[4] = { corner & 1 ? box.upper.x : box.lower.x, corner & 2 ? box.upper.y : box.lower.y,
                              corner & 4 ? box.upper.z : box.lower.z, 1.0 };
        double w = Transformed(&all, 3, v);
        ahead = ahead && w > 0.0;
        for (int k = 0; k < 2; k++)
        {
            double place = w > 0.0 ? Transformed(&all, k, v) / w : 0.0;
            lower[k] = w > 0.0 ? fmax(fmin(lower[k], place), -1.0) : -1.0;
            upper[k] = w > 0.0 ? fmin(fmax(upper[k], place), 1.0) : 1.0;
        }
    }
    const int size[2] = { target->width, target->height }, margin = 6;
    for (int k = 0; k < 2; k++)
    {
        rect[k] = (int)((0.5 + 0.5 * lower[k]) * size[k]) - margin;
        rect[k] = rect[k] > 0 ? rect[k] : 0;
        int end = (int)((0.5 + 0.5 * upper[k]) * size[k]) + margin;
        end = end < size[k] ? end : size[k];
        rect[2 + k] = end > rect[k] ? end - rect[k] : 0;
    }
    return ahead;
}

// frontOnly: what is seen from behind is left out. Whatever a closed body covers, it covers with its front too.
static void DrawMask(qvuiExtraPainter* painter, const qvuiExtraScene* scene, const qvuiGhost* ghost, bool frontOnly)
{
    ResizeMask(painter, scene->target->width, scene->target->height);
    glBindFramebuffer(GL_FRAMEBUFFER, painter->maskFramebuffer);
    glClear(GL_COLOR_BUFFER_BIT);
    SetMatrices(painter->maskProgram, scene->matrices);
    glEnable(GL_DEPTH_CLAMP); // ghosts may be where the camera's depth range does not reach
    if (frontOnly)
        glEnable(GL_CULL_FACE);
    glFrontFace(GL_CW); // because rows count downwards
    qvuiGhost_DrawTriangles(ghost);
    glFrontFace(GL_CCW);
    glDisable(GL_CULL_FACE);
    glDisable(GL_DEPTH_CLAMP);
}

// The mask's pixels in a rectangle, or NULL.
static const uint8_t* ReadMask(qvuiExtraPainter* painter, const int rect[4])
{
    size_t size = (size_t)rect[2] * (size_t)rect[3];
    if (!painter->software || size == 0)
        return NULL;
    if (size > painter->pixelCapacity)
    {
        free(painter->pixels);
        painter->pixels = malloc(size);
        painter->pixelCapacity = painter->pixels != NULL ? size : 0;
    }
    if (painter->pixels == NULL)
        return NULL;
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(rect[0], rect[1], rect[2], rect[3], GL_RED, GL_UNSIGNED_BYTE, painter->pixels);
    glPixelStorei(GL_PACK_ALIGNMENT, 4);
    return painter->pixels;
}

static void FindTiles(qvuiExtraPainter* painter, qvuiGhostLayer* layer, const int rect[4])
{
    qvuiGhostMask mask = { ReadMask(painter, rect), rect, { layer->width, layer->height } };
    int reach = (int)ceilf(0.75f * layer->key.lineWidth) + 1;
    qvuiGhostTiles_Find(&layer->tiles, &mask, reach, layer->key.fill > 0.0f);
}

// The mask's fill and outline as opacity.
static void DrawOutline(const qvuiExtraPainter* painter, const qvuiGhostLayer* layer)
{
    glBindFramebuffer(GL_FRAMEBUFFER, layer->framebuffer);
    glUseProgram(painter->insideProgram);
    qvuiSetFloat(painter->insideProgram, "fill", layer->key.fill);
    qvuiGhostTiles_DrawInside(&layer->tiles);
    GLuint program = painter->outlineProgram;
    glUseProgram(program);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, painter->maskTexture);
    qvuiSetInt(program, "mask", 0);
    qvuiSetVec2(program, "texel", 1.0 / layer->width, 1.0 / layer->height);
    qvuiSetFloat(program, "fill", layer->key.fill);
    qvuiSetFloat(program, "outline", layer->key.outline);
    qvuiSetFloat(program, "lineWidth", layer->key.lineWidth);
    qvuiSetInt(program, "dashed", layer->key.dashed);
    qvuiGhostTiles_DrawEdges(&layer->tiles);
}

static void UpdateLayer(qvuiExtraPainter* painter, const qvuiExtraScene* scene, const qvuiExtra* extra,
                        qvuiGhostLayer* layer)
{
    qvuiGhostLayerKey key;
    memset(&key, 0, sizeof(key)); // padding compares too
    key.ghost = extra->ghost;
    key.revision = qvuiGhost_Revision(extra->ghost);
    key.matrices = *scene->matrices;
    // Depth plays no part, and its range follows the body.
    for (int column = 0; column < 4; column++)
        key.matrices.projection.m[4 * column + 2] = 0.0f;
    key.fill = extra->fill;
    key.outline = extra->outline;
    key.lineWidth = (float)scene->pixelScale;
    key.dashed = extra->dashed;
    key.width = scene->target->width;
    key.height = scene->target->height;
    if (memcmp(&key, &layer->key, sizeof(key)) == 0)
        return;
    memcpy(&layer->key, &key, sizeof(key));
    ResizeLayer(layer, key.width, key.height);
    // All of it, also where the picture has only some rows drawn.
    glDisable(GL_SCISSOR_TEST);
    glViewport(0, 0, key.width, key.height);
    glDisable(GL_BLEND);
    glClearColor(0, 0, 0, 0);
    int rect[4];
    bool ahead = FindRect(scene->matrices, qvuiGhost_Bounds(extra->ghost), scene->target, rect);
    DrawMask(painter, scene, extra->ghost, ahead && qvuiGhost_IsSolid(extra->ghost));
    FindTiles(painter, layer, rect);
    DrawOutline(painter, layer);
    qvuiTarget_Begin(scene->target);
}

static void DrawGhost(qvuiExtraPainter* painter, const qvuiExtraScene* scene, const qvuiExtra* extra, int index)
{
    if (index >= qvui_maxGhostLayers)
        return;
    qvuiGhostLayer* layer = &painter->layers[index];
    UpdateLayer(painter, scene, extra, layer);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    glUseProgram(painter->layerProgram);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, layer->texture);
    qvuiSetInt(painter->layerProgram, "layer", 0);
    qvuiSetInt(painter->layerProgram, "firstRow", qvuiTarget_FirstRow(scene->target));
    qvuiSetColor(painter->layerProgram, "ghostColor", extra->color);
    qvuiGhostTiles_DrawAll(&layer->tiles);
    glDisable(GL_BLEND);
}

static void Fill(unsigned int buffer, const void* data, size_t size)
{
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)size, data, GL_STREAM_DRAW);
}

static void DrawPoints(const qvuiExtraPainter* painter, const qvuiExtraScene* scene, const qvuiExtra* extra)
{
    GLuint program = painter->dotProgram;
    glEnable(GL_PROGRAM_POINT_SIZE);
    SetMatrices(program, scene->matrices);
    qvuiSetColor(program, "dotColor", extra->color);
    qvuiSetFloat(program, "dotSize", extra->size);
    Fill(painter->dotBuffer, extra->points, (size_t)extra->pointCount * sizeof(*extra->points));
    glBindVertexArray(painter->dotArrays);
    glDrawArrays(GL_POINTS, 0, extra->pointCount);
    glBindVertexArray(0);
    glDisable(GL_PROGRAM_POINT_SIZE);
}

static void DrawPlane(const qvuiExtraPainter* painter, const qvuiExtraScene* scene, const qvuiExtra* extra)
{
    GLuint program = painter->planeProgram;
    SetMatrices(program, scene->matrices);
    qvuiSetVec3(program, "origin", extra->origin);
    qvuiSetVec3(program, "axisU", extra->axisU);
    qvuiSetVec3(program, "axisV", extra->axisV);
    qvuiSetVec2(program, "centre", 0.0, 0.0);
    qvuiSetFloat(program, "extent", extra->extent);
    qvuiSetFloat(program, "lineWidth", scene->pixelScale);
    qvuiSetColor(program, "planeColor", extra->color);
    glEnable(GL_DEPTH_CLAMP);
    glBindVertexArray(painter->emptyArrays);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glBindVertexArray(0);
    glDisable(GL_DEPTH_CLAMP);
}

// In front of all balls, since forces point into what they act on. Without depth: the far side of what is round is as
// bright as the near one.
static void DrawArrows(const qvuiExtraPainter* painter, const qvuiExtraScene* scene, const qvuiExtra* extra)
{
    GLuint program = painter->arrowProgram;
    SetMatrices(program, scene->matrices);
    qvuiSetFloat(program, "radius", extra->radius);
    Fill(painter->arrowBuffer, extra->arrows, (size_t)extra->pointCount * sizeof(*extra->arrows));
    glBindVertexArray(painter->arrowArrays);
    glDrawArraysInstanced(GL_TRIANGLES, 0, QVUI_ARROW_VERTICES, extra->pointCount);
    glBindVertexArray(0);
}

static void DrawBalls(const qvuiExtraPainter* painter, const qvuiExtraScene* scene, const qvuiExtra* extra)
{
    GLuint program = painter->ballProgram;
    size_t count = (size_t)extra->pointCount;
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LEQUAL);
    glEnable(GL_PROGRAM_POINT_SIZE);
    SetMatrices(program, scene->matrices);
    qvuiSetFloat(program, "radius", extra->radius);
    qvuiSetFloat(program, "height", scene->target->height);
    Fill(painter->dotBuffer, extra->points, count * sizeof(*extra->points));
    Fill(painter->valueBuffer, extra->values, count * sizeof(*extra->values));
    glBindVertexArray(painter->ballArrays);
    glDrawArrays(GL_POINTS, 0, extra->pointCount);
    glBindVertexArray(0);
    glDisable(GL_PROGRAM_POINT_SIZE);
    glDisable(GL_DEPTH_TEST);
    if (extra->arrows != NULL)
        DrawArrows(painter, scene, extra);
}

// Dots and planes take part in the depth of the surface, but do not hide each other.
static void DrawInDepth(const qvuiExtraPainter* painter, const qvuiExtraScene* scene, const qvuiExtra* extra)
{
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LEQUAL);
    glDepthMask(GL_FALSE);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    if (extra->kind == qvui_extraPoints)
        DrawPoints(painter, scene, extra);
    else
        DrawPlane(painter, scene, extra);
    glDisable(GL_BLEND);
    glDepthMask(GL_TRUE);
    glDisable(GL_DEPTH_TEST);
}

void qvuiExtraPainter_DrawBehind(qvuiExtraPainter* painter, const qvuiExtraScene* scene, const qvuiExtra* extras,
                                 int count)
{
    for (int i = 0; i < count; i++)
        if (extras[i].kind == qvui_extraGhost && !extras[i].inFront)
            DrawGhost(painter, scene, &extras[i], i);
}

void qvuiExtraPainter_DrawBefore(qvuiExtraPainter* painter, const qvuiExtraScene* scene, const qvuiExtra* extras,
                                 int count)
{
    for (int i = 0; i < count; i++)
    {
        if (extras[i].kind == qvui_extraBalls)
            DrawBalls(painter, scene, &extras[i]);
        else if (extras[i].kind != qvui_extraGhost)
            DrawInDepth(painter, scene, &extras[i]);
        else if (extras[i].inFront)
            DrawGhost(painter, scene, &extras[i], i);
    }
}
