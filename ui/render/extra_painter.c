// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/render/extra_painter.h"

#include "ui/render/program.h"
#include "ui/render/shaders.h"

#include <epoxy/gl.h>

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
                        .color = { 0.235f, 0.784f, 0.706f, 1.0f },
                        .ghost = ghost,
                        .fill = 0.08f,
                        .outline = 0.75f,
                        .inFront = true };
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
        { "outline", qvuiScreenVertexShader, qvuiOutlineFragmentShader, &painter->outlineProgram },
        { "dot", qvuiDotVertexShader, qvuiDotFragmentShader, &painter->dotProgram },
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
    glBindVertexArray(0);
    return qv_ok;
}

void qvuiExtraPainter_Free(qvuiExtraPainter* painter)
{
    const GLuint programs[] = { painter->maskProgram, painter->outlineProgram, painter->dotProgram,
                                painter->planeProgram };
    for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++)
        glDeleteProgram(programs[i]);
    glDeleteVertexArrays(1, &painter->emptyArrays);
    glDeleteVertexArrays(1, &painter->dotArrays);
    glDeleteBuffers(1, &painter->dotBuffer);
    glDeleteFramebuffers(1, &painter->maskFramebuffer);
    glDeleteTextures(1, &painter->maskTexture);
    *painter = (qvuiExtraPainter){ 0 };
}

static void ResizeMask(qvuiExtraPainter* painter, int width, int height)
{
    if (painter->width == width && painter->height == height)
        return;
    painter->width = width;
    painter->height = height;
    if (painter->maskTexture == 0)
    {
        glGenTextures(1, &painter->maskTexture);
        glGenFramebuffers(1, &painter->maskFramebuffer);
    }
    glBindTexture(GL_TEXTURE_2D, painter->maskTexture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_R8, width, height, 0, GL_RED, GL_UNSIGNED_BYTE, NULL);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glBindFramebuffer(GL_FRAMEBUFFER, painter->maskFramebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, painter->maskTexture, 0);
}

static void SetMatrices(GLuint program, const qvuiMatrices* matrices)
{
    glUseProgram(program);
    qvuiSetMatrix(program, "view", &matrices->view);
    qvuiSetMatrix(program, "projection", &matrices->projection);
}

static void DrawMask(qvuiExtraPainter* painter, const qvuiExtraScene* scene, const qvuiGhost* ghost)
{
    ResizeMask(painter, scene->target->width, scene->target->height);
    glBindFramebuffer(GL_FRAMEBUFFER, painter->maskFramebuffer);
    glClearColor(0, 0, 0, 0);
    glClear(GL_COLOR_BUFFER_BIT);
    SetMatrices(painter->maskProgram, scene->matrices);
    glEnable(GL_DEPTH_CLAMP); // ghosts may be where the camera's depth range does not reach
    qvuiGhost_DrawTriangles(ghost);
    glDisable(GL_DEPTH_CLAMP);
}

static void DrawGhost(qvuiExtraPainter* painter, const qvuiExtraScene* scene, const qvuiExtra* extra)
{
    DrawMask(painter, scene, extra->ghost);
    qvuiTarget_Begin(scene->target);
    GLuint program = painter->outlineProgram;
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    glUseProgram(program);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, painter->maskTexture);
    qvuiSetInt(program, "mask", 0);
    qvuiSetVec2(program, "texel", 1.0 / painter->width, 1.0 / painter->height);
    qvuiSetColor(program, "ghostColor", extra->color);
    qvuiSetFloat(program, "fill", extra->fill);
    qvuiSetFloat(program, "outline", extra->outline);
    qvuiSetFloat(program, "lineWidth", scene->pixelScale);
    qvuiSetInt(program, "dashed", extra->dashed);
    glBindVertexArray(painter->emptyArrays);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glBindVertexArray(0);
    glDisable(GL_BLEND);
}

static void DrawPoints(const qvuiExtraPainter* painter, const qvuiExtraScene* scene, const qvuiExtra* extra)
{
    GLuint program = painter->dotProgram;
    glEnable(GL_PROGRAM_POINT_SIZE);
    SetMatrices(program, scene->matrices);
    qvuiSetColor(program, "dotColor", extra->color);
    qvuiSetFloat(program, "dotSize", extra->size);
    glBindBuffer(GL_ARRAY_BUFFER, painter->dotBuffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)((size_t)extra->pointCount * sizeof(qvVec3f)), extra->points,
                 GL_STREAM_DRAW);
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
            DrawGhost(painter, scene, &extras[i]);
}

void qvuiExtraPainter_DrawBefore(qvuiExtraPainter* painter, const qvuiExtraScene* scene, const qvuiExtra* extras,
                                 int count)
{
    for (int i = 0; i < count; i++)
    {
        if (extras[i].kind != qvui_extraGhost)
            DrawInDepth(painter, scene, &extras[i]);
        else if (extras[i].inFront)
            DrawGhost(painter, scene, &extras[i]);
    }
}
