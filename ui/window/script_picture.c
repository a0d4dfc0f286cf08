// SPDX-License-Identifier: GPL-3.0-or-later
// Commands that look at the picture of the window.
#include "ui/window/script_play.h"

#include <stdio.h>

void qvuiPlay_Screenshot(qvuiPlayer* player, const char* rest)
{
    snprintf(player->script->screenshot, sizeof(player->script->screenshot), "%s", rest);
}

void qvuiPlay_Pixel(qvuiPlayer* player, const char* rest)
{
    qvuiScript* script = player->script;
    script->wantsPixel = sscanf(rest, "%d %d %x", &script->pixelX, &script->pixelY, &script->pixelColor) == 3;
    if (!script->wantsPixel)
        qvuiPlayer_Fail(player, "pixel needs a place and a colour as RRGGBB");
}

bool qvuiScript_WantsPicture(const qvuiScript* script)
{
    return script->screenshot[0] != 0 || script->wantsPixel;
}

static qvResult CheckPixel(const qvuiScript* script, const qvImage* image, qvError* error)
{
    int x = script->pixelX, y = script->pixelY;
    if (x < 0 || y < 0 || x >= image->width || y >= image->height)
        return qvError_Set(error, qv_badInput, "%s: line %d: %d %d is outside", script->path, script->line, x, y);
    const uint8_t* p = image->pixels + 4 * ((size_t)y * (size_t)image->width + (size_t)x);
    unsigned int color = (unsigned int)p[0] << 16 | (unsigned int)p[1] << 8 | p[2];
    if (color == script->pixelColor)
        return qv_ok;
    return qvError_Set(error, qv_badInput, "%s: line %d: the pixel at %d %d is %06x, not %06x", script->path,
                       script->line, x, y, color, script->pixelColor);
}

qvResult qvuiScript_TakePicture(qvuiScript* script, const qvImage* image, qvError* error)
{
    qvResult result =
        script->wantsPixel ? CheckPixel(script, image, error) : qvSaveImage(image, script->screenshot, NULL, error);
    script->screenshot[0] = 0;
    script->wantsPixel = false;
    return result;
}
