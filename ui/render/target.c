// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/render/target.h"

#include "ui/render/texture.h"

#include <epoxy/gl.h>
#include <stdlib.h>
#include <string.h>

static GLuint CreateStorage(GLenum format, int width, int height, int samples)
{
    GLuint buffer = 0;
    glGenRenderbuffers(1, &buffer);
    glBindRenderbuffer(GL_RENDERBUFFER, buffer);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, format, width, height);
    return buffer;
}

static void CreateSampleFramebuffer(qvuiTarget* target)
{
    target->sampleColor = CreateStorage(GL_RGBA8, target->width, target->height, target->samples);
    glGenFramebuffers(1, &target->sampleFramebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, target->sampleFramebuffer);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, target->sampleColor);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, target->depth);
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
    qvuiTarget_Free(target);
    *target = (qvuiTarget){ .width = width, .height = height, .samples = samples };
    target->texture = qvuiCreateScreenTexture(width, height);
    target->depth = CreateStorage(GL_DEPTH_COMPONENT24, width, height, samples);
    glGenFramebuffers(1, &target->framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, target->framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, target->texture, 0);
    if (samples == 0)
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, target->depth);
    else
        CreateSampleFramebuffer(target);
    GLenum status = glCheckFramebufferStatus(GL_FRAMEBUFFER);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    if (status == GL_FRAMEBUFFER_COMPLETE)
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
        glDeleteFramebuffers(1, &target->sampleFramebuffer);
        glDeleteRenderbuffers(1, &target->depth);
        glDeleteRenderbuffers(1, &target->sampleColor);
        glDeleteTextures(1, &target->texture);
    }
    *target = (qvuiTarget){ 0 };
}

void qvuiTarget_Begin(const qvuiTarget* target)
{
    glBindFramebuffer(GL_FRAMEBUFFER, target->samples > 0 ? target->sampleFramebuffer : target->framebuffer);
    glViewport(0, 0, target->width, target->height);
}

void qvuiTarget_End(const qvuiTarget* target)
{
    if (target->samples > 0)
    {
        glBindFramebuffer(GL_READ_FRAMEBUFFER, target->sampleFramebuffer);
        glBindFramebuffer(GL_DRAW_FRAMEBUFFER, target->framebuffer);
        glBlitFramebuffer(0, 0, target->width, target->height, 0, 0, target->width, target->height, GL_COLOR_BUFFER_BIT,
                          GL_NEAREST);
    }
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

// OpenGL's rows start at the bottom.
static void FlipRows(qvImage* image)
{
    size_t rowSize = (size_t)image->width * 4;
    for (int y = 0; y < image->height / 2; y++)
    {
        uint8_t* a = image->pixels + (size_t)y * rowSize;
        uint8_t* b = image->pixels + (size_t)(image->height - 1 - y) * rowSize;
        for (size_t i = 0; i < rowSize; i++)
        {
            uint8_t swap = a[i];
            a[i] = b[i];
            b[i] = swap;
        }
    }
}

static void DivideAlphaOut(qvImage* image)
{
    size_t count = (size_t)image->width * (size_t)image->height;
    for (size_t i = 0; i < count; i++)
    {
        uint8_t* pixel = image->pixels + 4 * i;
        int alpha = pixel[3];
        for (int c = 0; c < 3 && alpha > 0 && alpha < 255; c++)
        {
            int value = (pixel[c] * 255 + alpha / 2) / alpha;
            pixel[c] = (uint8_t)(value < 255 ? value : 255);
        }
    }
}

void qvuiTarget_Read(const qvuiTarget* target, qvImage* image)
{
    glBindFramebuffer(GL_FRAMEBUFFER, target->framebuffer);
    glPixelStorei(GL_PACK_ALIGNMENT, 4);
    glReadPixels(0, 0, target->width, target->height, GL_RGBA, GL_UNSIGNED_BYTE, image->pixels);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    FlipRows(image);
    DivideAlphaOut(image);
}
