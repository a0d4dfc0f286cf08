// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/render/canvas.h"

#include "ui/render/program.h"
#include "ui/render/texture.h"

#include <epoxy/gl.h>
#include <stddef.h>
#include <stdlib.h>

// Three programs with no more in each than it needs: llvmpipe fills rectangles fast for simple shaders that hand down
// one value. Its version 22.3 does so for two values as well, but gives them the same one; "noperspective" keeps it
// from that.
static const char flatVertexShader[] = "layout(location = 0) in vec2 place;\n"
                                       "layout(location = 2) in vec4 color;\n"
                                       "uniform vec2 scale;\n"
                                       "out vec4 fragmentColor;\n"
                                       "void main()\n"
                                       "{\n"
                                       "    fragmentColor = color;\n"
                                       "    gl_Position = vec4(place * scale - 1.0, 0.0, 1.0);\n"
                                       "}\n";

static const char flatShader[] = "in vec4 fragmentColor;\n"
                                 "out vec4 result;\n"
                                 "void main()\n"
                                 "{\n"
                                 "    result = fragmentColor;\n"
                                 "}\n";

static const char copyVertexShader[] = "layout(location = 0) in vec2 place;\n"
                                       "layout(location = 1) in vec2 uv;\n"
                                       "uniform vec2 scale;\n"
                                       "out vec2 fragmentUv;\n"
                                       "void main()\n"
                                       "{\n"
                                       "    fragmentUv = uv;\n"
                                       "    gl_Position = vec4(place * scale - 1.0, 0.0, 1.0);\n"
                                       "}\n";

static const char copyShader[] = "in vec2 fragmentUv;\n"
                                 "uniform sampler2D image;\n"
                                 "out vec4 result;\n"
                                 "void main()\n"
                                 "{\n"
                                 "    result = texture(image, fragmentUv);\n"
                                 "}\n";

static const char tintVertexShader[] = "layout(location = 0) in vec2 place;\n"
                                       "layout(location = 1) in vec2 uv;\n"
                                       "layout(location = 2) in vec4 color;\n"
                                       "uniform vec2 scale;\n"
                                       "noperspective out vec2 fragmentUv;\n"
                                       "noperspective out vec4 fragmentColor;\n"
                                       "void main()\n"
                                       "{\n"
                                       "    fragmentUv = uv;\n"
                                       "    fragmentColor = color;\n"
                                       "    gl_Position = vec4(place * scale - 1.0, 0.0, 1.0);\n"
                                       "}\n";

static const char tintShader[] = "noperspective in vec2 fragmentUv;\n"
                                 "noperspective in vec4 fragmentColor;\n"
                                 "uniform sampler2D image;\n"
                                 "out vec4 result;\n"
                                 "void main()\n"
                                 "{\n"
                                 "    result = fragmentColor * texture(image, fragmentUv);\n"
                                 "}\n";

static const struct
{
    const char *name, *vertex, *fragment;
} shaders[] = {
    [qvui_paintFlat] = { "colour", flatVertexShader, flatShader },
    [qvui_paintCopy] = { "copy", copyVertexShader, copyShader },
    [qvui_paintTint] = { "tint", tintVertexShader, tintShader },
};

static void Attribute(GLuint index, GLint size, GLenum type, GLboolean normalized, size_t offset)
{
    glEnableVertexAttribArray(index);
    glVertexAttribPointer(index, size, type, normalized, sizeof(qvuiCanvasVertex), (const void*)offset);
}

qvResult qvuiCanvas_Init(qvuiCanvas* canvas, qvError* error)
{
    *canvas = (qvuiCanvas){ 0 };
    for (int i = 0; i < qvui_paintCount; i++)
    {
        qvResult result =
            qvuiCreateProgram(shaders[i].name, shaders[i].vertex, shaders[i].fragment, &canvas->programs[i], error);
        if (result != qv_ok)
            return result;
    }
    glGenVertexArrays(1, &canvas->arrays);
    glGenBuffers(1, &canvas->vertices);
    glBindVertexArray(canvas->arrays);
    glBindBuffer(GL_ARRAY_BUFFER, canvas->vertices);
    Attribute(0, 2, GL_FLOAT, GL_FALSE, offsetof(qvuiCanvasVertex, x));
    Attribute(1, 2, GL_FLOAT, GL_FALSE, offsetof(qvuiCanvasVertex, u));
    Attribute(2, 4, GL_UNSIGNED_BYTE, GL_TRUE, offsetof(qvuiCanvasVertex, color));
    glBindVertexArray(0);
    return qv_ok;
}

static void FreePixels(qvuiCanvas* canvas)
{
    glDeleteFramebuffers(1, &canvas->framebuffer);
    glDeleteTextures(1, &canvas->texture);
    canvas->framebuffer = canvas->texture = 0;
}

void qvuiCanvas_Free(qvuiCanvas* canvas)
{
    if (canvas->programs[0] == 0)
        return;
    FreePixels(canvas);
    glDeleteTextures(1, &canvas->font);
    for (int i = 0; i < qvui_paintCount; i++)
        glDeleteProgram(canvas->programs[i]);
    glDeleteBuffers(1, &canvas->vertices);
    glDeleteVertexArrays(1, &canvas->arrays);
    *canvas = (qvuiCanvas){ 0 };
}

qvResult qvuiCanvas_Resize(qvuiCanvas* canvas, int width, int height, bool* fresh, qvError* error)
{
    *fresh = canvas->texture == 0 || canvas->width != width || canvas->height != height;
    if (!*fresh)
        return qv_ok;
    FreePixels(canvas);
    canvas->width = width;
    canvas->height = height;
    canvas->texture = qvuiCreateScreenTexture(width, height);
    glGenFramebuffers(1, &canvas->framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, canvas->framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, canvas->texture, 0);
    GLenum status = glCheckFramebufferStatus(GL_FRAMEBUFFER);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    for (int i = 0; i < qvui_paintCount; i++)
    {
        glUseProgram(canvas->programs[i]);
        qvuiSetVec2(canvas->programs[i], "scale", 2.0 / width, 2.0 / height);
    }
    if (status == GL_FRAMEBUFFER_COMPLETE)
        return qv_ok;
    return qvError_Set(error, qv_unsupported,
                       "the driver cannot draw a window of %d x %d pixels; make it smaller, or update the driver",
                       width, height);
}

bool qvuiCanvas_SetFont(qvuiCanvas* canvas, const uint8_t* opacity, int width, int height)
{
    GLint most = 0;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &most);
    size_t count = (size_t)width * (size_t)height;
    uint8_t* pixels = width <= most && height <= most ? malloc(4 * count) : NULL;
    if (pixels == NULL)
        return false;
    for (size_t i = 0; i < 4 * count; i++)
        pixels[i] = opacity[i / 4];
    glDeleteTextures(1, &canvas->font);
    canvas->font = qvuiCreateScreenTexture(width, height);
    glBindTexture(GL_TEXTURE_2D, canvas->font);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, width, height, GL_BGRA, GL_UNSIGNED_BYTE, pixels);
    // Lines lie between pixels; letters do not.
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glBindTexture(GL_TEXTURE_2D, 0);
    free(pixels);
    return true;
}

// Sets only what differs from the run before.
static void DrawRun(const qvuiCanvas* canvas, const qvuiCanvasRun* run, const qvuiCanvasRun* before)
{
    if (before == NULL || run->paint != before->paint)
        glUseProgram(canvas->programs[run->paint]);
    if (run->texture != 0 && (before == NULL || run->texture != before->texture))
        glBindTexture(GL_TEXTURE_2D, run->texture);
    if (before == NULL || run->blends != before->blends)
        (run->blends ? glEnable : glDisable)(GL_BLEND);
    glScissor(run->lower[0], run->lower[1], run->upper[0] - run->lower[0], run->upper[1] - run->lower[1]);
    glDrawArrays(GL_TRIANGLES, run->first, run->count);
}

void qvuiCanvas_Draw(const qvuiCanvas* canvas, const qvuiCanvasVertex* vertices, int vertexCount,
                     const qvuiCanvasRun* runs, int runCount)
{
    if (runCount == 0)
        return;
    glBindFramebuffer(GL_FRAMEBUFFER, canvas->framebuffer);
    glViewport(0, 0, canvas->width, canvas->height);
    glEnable(GL_SCISSOR_TEST);
    glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    glActiveTexture(GL_TEXTURE0);
    glBindVertexArray(canvas->arrays);
    glBindBuffer(GL_ARRAY_BUFFER, canvas->vertices);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)((size_t)vertexCount * sizeof(*vertices)), vertices, GL_STREAM_DRAW);
    for (int i = 0; i < runCount; i++)
        DrawRun(canvas, &runs[i], i > 0 ? &runs[i - 1] : NULL);
    glDisable(GL_BLEND);
    glDisable(GL_SCISSOR_TEST);
    glBindTexture(GL_TEXTURE_2D, 0);
    glBindVertexArray(0);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

void qvuiCanvas_Copy(const qvuiCanvas* canvas, unsigned int framebuffer, const int from[2], const int to[2],
                     const int size[2])
{
    glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, canvas->framebuffer);
    glBlitFramebuffer(from[0], from[1], from[0] + size[0], from[1] + size[1], to[0], to[1], to[0] + size[0],
                      to[1] + size[1], GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

void qvuiCanvas_Show(const qvuiCanvas* canvas)
{
    int width = canvas->width, height = canvas->height;
    glBindFramebuffer(GL_READ_FRAMEBUFFER, canvas->framebuffer);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
    glBlitFramebuffer(0, 0, width, height, 0, height, width, 0, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

void qvuiCanvas_Read(const qvuiCanvas* canvas, qvImage* image)
{
    glBindFramebuffer(GL_FRAMEBUFFER, canvas->framebuffer);
    glPixelStorei(GL_PACK_ALIGNMENT, 4);
    glReadPixels(0, 0, canvas->width, canvas->height, GL_RGBA, GL_UNSIGNED_BYTE, image->pixels);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

// A texture like those that pictures in the interface have: with smaller copies, and sizes that are no powers of two.
static unsigned int CreateSample(void)
{
    uint8_t pixels[4 * 3 * 3] = { 0 };
    return qvuiUploadPicture(&(qvuiPicture){ .pixels = pixels, .width = 3, .height = 3, .levels = 1 });
}

// Drivers compile a shader again for each kind of texture, blending and target when it is first drawn with them.
qvResult qvuiCanvas_WarmUp(qvuiCanvas* canvas, int width, int height, qvError* error)
{
    bool fresh;
    qvResult result = qvuiCanvas_Resize(canvas, width, height, &fresh, error);
    if (result != qv_ok)
        return result;
    unsigned int sample = CreateSample(), screen = qvuiCreateScreenTexture(3, 3);
    const qvuiCanvasRun runs[] = {
        { .paint = qvui_paintFlat, .upper = { width, height }, .count = 9 },
        { .paint = qvui_paintFlat, .blends = true, .upper = { 7, 7 }, .count = 9 },
        { .paint = qvui_paintCopy, .texture = screen, .upper = { 7, 7 }, .count = 9 },
        { .paint = qvui_paintTint, .texture = sample, .blends = true, .upper = { 7, 7 }, .count = 9 },
        { .paint = qvui_paintTint, .texture = canvas->font, .blends = true, .upper = { 7, 7 }, .count = 9 },
    };
    // A rectangle over all of it, whose memory is then there, and a triangle.
    float x = (float)width, y = (float)height;
    const qvuiCanvasVertex a = { 0.0f, 0.0f, 0.0f, 0.0f, 0 }, b = { x, 0.0f, 1.0f, 0.0f, 0 };
    const qvuiCanvasVertex c = { x, y, 1.0f, 1.0f, 0 }, d = { 0.0f, y, 0.0f, 1.0f, 0 };
    const qvuiCanvasVertex e = { 5.0f, 2.0f, 1.0f, 0.0f, 0 }, f = { 2.0f, 6.0f, 0.0f, 1.0f, 0 };
    const qvuiCanvasVertex vertices[9] = { a, b, c, a, c, d, a, e, f };
    qvuiCanvas_Draw(canvas, vertices, 9, runs, sizeof(runs) / sizeof(runs[0]));
    qvuiCanvas_Copy(canvas, canvas->framebuffer, (int[2]){ 0, 0 }, (int[2]){ 4, 4 }, (int[2]){ 2, 2 });
    qvuiCanvas_Show(canvas);
    qvuiDestroyPicture(sample);
    qvuiDestroyPicture(screen);
    return qv_ok;
}
