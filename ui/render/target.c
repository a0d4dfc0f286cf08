// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/render/target.h"

#include "ui/render/texture.h"

#include <epoxy/gl.h>
#include <stdbool.h>

static int StoredRows(const qvuiTarget* target)
{
    bool all = target->storedRows == 0 || target->storedRows > target->height;
    return all ? target->height : target->storedRows;
}

static GLuint CreateStorage(GLenum format, int width, int height, int samples)
{
    GLuint buffer = 0;
    glGenRenderbuffers(1, &buffer);
    glBindRenderbuffer(GL_RENDERBUFFER, buffer);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, format, width, height);
    return buffer;
}

static void FreeSamples(qvuiTarget* target)
{
    glDeleteFramebuffers(1, &target->sampleFramebuffer);
    glDeleteRenderbuffers(1, &target->sampleColor);
    glDeleteRenderbuffers(1, &target->sampleDepth);
    target->sampleFramebuffer = target->sampleColor = target->sampleDepth = 0;
    target->keptSamples = 0;
}

static bool IsComplete(void)
{
    bool complete = glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    return complete;
}

static bool CreateSamples(qvuiTarget* target)
{
    if (target->keptSamples == target->samples)
        return true;
    FreeSamples(target);
    target->keptSamples = target->samples;
    target->sampleColor = CreateStorage(GL_RGBA8, target->width, StoredRows(target), target->samples);
    target->sampleDepth = CreateStorage(GL_DEPTH_COMPONENT24, target->width, StoredRows(target), target->samples);
    glGenFramebuffers(1, &target->sampleFramebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, target->sampleFramebuffer);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, target->sampleColor);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, target->sampleDepth);
    return IsComplete();
}

static bool CreateDepth(qvuiTarget* target)
{
    if (target->depth != 0)
        return true;
    target->depth = CreateStorage(GL_DEPTH_COMPONENT24, target->width, StoredRows(target), 0);
    glBindFramebuffer(GL_FRAMEBUFFER, target->framebuffer);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, target->depth);
    return IsComplete();
}

static void CreateTexture(qvuiTarget* target)
{
    target->texture = qvuiCreateScreenTexture(target->width, StoredRows(target));
    glGenFramebuffers(1, &target->framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, target->framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, target->texture, 0);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

qvResult qvuiTarget_Resize(qvuiTarget* target, int width, int height, int samples, qvError* error)
{
    GLint maxSamples = 0, maxSize = 0;
    glGetIntegerv(GL_MAX_SAMPLES, &maxSamples);
    glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &maxSize);
    samples = samples <= 1 ? 0 : samples < maxSamples ? samples : maxSamples;
    if (target->texture != 0 && target->width == width && target->height == height && target->samples == samples)
        return qv_ok;
    if (width < 1 || height < 1 || width > maxSize || height > maxSize)
        return qvError_Set(error, qv_unsupported, "a picture of %d x %d pixels; this driver draws 1 to %d", width,
                           height, (int)maxSize);
    if (target->texture == 0 || target->width != width || target->height != height)
    {
        int storedRows = target->storedRows;
        qvuiTarget_Free(target);
        *target = (qvuiTarget){ .width = width, .height = height, .storedRows = storedRows };
        CreateTexture(target);
    }
    target->samples = samples;
    if (samples > 0 ? CreateSamples(target) : CreateDepth(target))
        return qv_ok;
    qvuiTarget_Free(target);
    return qvError_Set(error, qv_unsupported, "the driver cannot make a picture of %d x %d pixels; try a smaller one",
                       width, height);
}

void qvuiTarget_Free(qvuiTarget* target)
{
    if (target->texture != 0)
    {
        glDeleteFramebuffers(1, &target->framebuffer);
        glDeleteRenderbuffers(1, &target->depth);
        FreeSamples(target);
        glDeleteTextures(1, &target->texture);
    }
    *target = (qvuiTarget){ 0 };
}

void qvuiTarget_FindRows(const qvuiTarget* target, int rows[2])
{
    bool all = target->rows[1] == 0;
    rows[0] = all ? 0 : target->rows[0];
    rows[1] = all ? target->height : target->rows[1];
}

int qvuiTarget_FirstRow(const qvuiTarget* target)
{
    return StoredRows(target) < target->height ? target->rows[0] : 0;
}

void qvuiTarget_Begin(const qvuiTarget* target)
{
    glBindFramebuffer(GL_FRAMEBUFFER, target->samples > 0 ? target->sampleFramebuffer : target->framebuffer);
    int first = qvuiTarget_FirstRow(target);
    glViewport(0, -first, target->width, target->height);
    if (target->rows[1] == 0)
        return;
    glEnable(GL_SCISSOR_TEST);
    glScissor(0, target->rows[0] - first, target->width, target->rows[1] - target->rows[0]);
}

void qvuiTarget_End(const qvuiTarget* target)
{
    int rows[2], first = qvuiTarget_FirstRow(target);
    qvuiTarget_FindRows(target, rows);
    rows[0] -= first, rows[1] -= first;
    glDisable(GL_SCISSOR_TEST);
    if (target->samples > 0)
    {
        glBindFramebuffer(GL_READ_FRAMEBUFFER, target->sampleFramebuffer);
        glBindFramebuffer(GL_DRAW_FRAMEBUFFER, target->framebuffer);
        glBlitFramebuffer(0, rows[0], target->width, rows[1], 0, rows[0], target->width, rows[1], GL_COLOR_BUFFER_BIT,
                          GL_NEAREST);
    }
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

static void DivideAlphaOut(uint8_t* pixels, size_t count)
{
    for (size_t i = 0; i < count; i++)
    {
        uint8_t* pixel = pixels + 4 * i;
        int alpha = pixel[3];
        for (int c = 0; c < 3 && alpha > 0 && alpha < 255; c++)
        {
            int value = (pixel[c] * 255 + alpha / 2) / alpha;
            pixel[c] = (uint8_t)(value < 255 ? value : 255);
        }
    }
}

static void Read(const qvuiTarget* target, const int rows[2], qvImage* image)
{
    size_t width = (size_t)target->width, height = (size_t)(rows[1] - rows[0]);
    uint8_t* pixels = image->pixels + 4 * width * (size_t)rows[0];
    glBindFramebuffer(GL_FRAMEBUFFER, target->framebuffer);
    glPixelStorei(GL_PACK_ALIGNMENT, 4);
    glReadPixels(0, rows[0] - qvuiTarget_FirstRow(target), target->width, (GLsizei)height, GL_RGBA, GL_UNSIGNED_BYTE,
                 pixels);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    DivideAlphaOut(pixels, width * height);
}

void qvuiTarget_Read(const qvuiTarget* target, qvImage* image)
{
    Read(target, (int[2]){ 0, target->height }, image);
}

void qvuiTarget_ReadRows(const qvuiTarget* target, qvImage* image)
{
    int rows[2];
    qvuiTarget_FindRows(target, rows);
    Read(target, rows, image);
}
