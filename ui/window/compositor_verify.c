// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/compositor.h"

#include <string.h>

static qvResult Compare(const qvImage* a, const qvImage* b, qvError* error)
{
    for (int i = 0; i < a->width * a->height; i++)
        if (memcmp(a->pixels + 4 * (size_t)i, b->pixels + 4 * (size_t)i, 4) != 0)
            return qvError_Set(error, qv_badInput, "the pixel at %d, %d is out of date", i % a->width, i / a->width);
    return qv_ok;
}

qvResult qvuiCompositor_Verify(qvuiCompositor* compositor, const ImDrawData* data, const qvuiBackground* background,
                               qvError* error)
{
    int width = compositor->canvas.width, height = compositor->canvas.height;
    qvImage shown = { 0 }, anew = { 0 };
    qvResult result = qvCreateImage(width, height, &shown, error);
    if (result == qv_ok)
        result = qvCreateImage(width, height, &anew, error);
    if (result == qv_ok)
        result = qvuiCompositor_CatchUp(compositor, data, background, error);
    if (result == qv_ok)
    {
        qvuiCanvas_Read(&compositor->canvas, &shown);
        compositor->whole = true;
        result = qvuiCompositor_CatchUp(compositor, data, background, error);
    }
    if (result == qv_ok)
    {
        qvuiCanvas_Read(&compositor->canvas, &anew);
        result = Compare(&shown, &anew, error);
    }
    qvDestroyImage(&shown);
    qvDestroyImage(&anew);
    return result;
}
