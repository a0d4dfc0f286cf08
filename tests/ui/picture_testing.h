// SPDX-License-Identifier: GPL-3.0-or-later
// Square pictures for the tests that draw without a window: straight from the front, nothing around the body.
#pragma once

#include "testing.h"

#include "quaver/primitive.h"
#include "ui/render_entry.h"

#include <string.h>

enum
{
    SIZE = 240
};

static inline qvMesh* CreateShape(const char* tag)
{
    qvError error;
    qvMesh* mesh = NULL;
    ASSERT_OK(qvCreatePrimitive(tag, 0, &mesh, &error), error);
    return mesh;
}

static inline qvuiPainterDef PlainDef(void)
{
    qvuiPainterDef def = qvuiDefaultPainterDef();
    def.width = def.height = SIZE;
    def.samples = 0;
    def.yaw = def.pitch = 0.0;
    def.orthographic = true;
    def.transparent = true;
    def.shadow = false;
    return def;
}

static inline qvuiPainter* CreatePainter(const qvMesh* mesh, const qvuiPainterDef* def)
{
    qvError error;
    qvuiPainter* painter;
    ASSERT_OK(qvuiCreatePainter(mesh, def, &painter, &error), error);
    return painter;
}

static inline void MustDraw(qvuiPainter* painter, const qvVec3f* positions, double yaw, qvImage* image)
{
    qvError error;
    ASSERT_OK(qvuiPainter_Draw(painter, positions, yaw, image, &error), error);
}

static inline qvImage EmptyImage(void)
{
    qvError error;
    qvImage image;
    ASSERT_OK(qvCreateImage(SIZE, SIZE, &image, &error), error);
    return image;
}

static inline const uint8_t* Pixel(const qvImage* image, int x, int y)
{
    return image->pixels + 4 * ((size_t)y * (size_t)image->width + (size_t)x);
}

static inline int CountDifferent(const qvImage* a, const qvImage* b)
{
    int count = 0;
    for (int y = 0; y < a->height; y++)
        for (int x = 0; x < a->width; x++)
            count += memcmp(Pixel(a, x, y), Pixel(b, x, y), 4) != 0;
    return count;
}

static inline int CountCovered(const qvImage* image)
{
    int count = 0;
    for (int y = 0; y < image->height; y++)
        for (int x = 0; x < image->width; x++)
            count += Pixel(image, x, y)[3] > 127;
    return count;
}
