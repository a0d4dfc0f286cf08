// SPDX-License-Identifier: GPL-3.0-or-later
// Facts that float over the picture: tool and its numbers, key and stroke, counts and times.
#include "ui/editor/editor.h"

#include "ui/panels/numbers.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define DOT " \xe2\x80\xa2 "

typedef struct Text
{
    char text[256];
    size_t used;
} Text;

static void Append(Text* text, const char* format, ...) QV_PRINTF(2, 3);

static void Append(Text* text, const char* format, ...)
{
    va_list args;
    va_start(args, format);
    int length = vsnprintf(text->text + text->used, sizeof(text->text) - text->used, format, args);
    va_end(args);
    if (length > 0)
        text->used += (size_t)length;
    if (text->used >= sizeof(text->text))
        text->used = sizeof(text->text) - 1;
}

// What the chosen tool would do now.
static void DescribeTool(const qvuiEditor* editor, Text* text)
{
    static const char* const scales[] = { "", "  bi-scale", "  tri-scale" };
    const qvuiTools* tools = &editor->viewport.tools;
    const qvuiTool* tool = qvuiGetTool(tools->tool);
    if (!tool->hasBrush)
    {
        Append(text, "%s%s", editor->viewport.camera.orthographic ? "orthographic" : "perspective",
               editor->viewport.look.flat ? DOT "flat" : "");
        return;
    }
    double radius = qvuiTools_Radius(editor);
    Append(text, radius >= 0.05 && radius < 1e3 ? "radius %.2f" : "radius %.2g", radius);
    Append(text, "  strength %.2f", tools->strength);
    if (tools->tool == qvui_toolBend)
        Append(text, "  %d segment%s", tools->segments, tools->segments > 1 ? "s" : "");
    else if (tool->makesStroke && tools->tool != qvui_toolSmooth)
        Append(text, "%s  volume %.2f", scales[tools->scales - 1], tools->poisson);
    if (tools->mirror != 0)
        Append(text, "  symmetry %s%s%s", tools->mirror & 1 ? "x" : "", tools->mirror & 2 ? "y" : "",
               tools->mirror & 4 ? "z" : "");
    if (tools->mask != NULL && tool->makesStroke)
        Append(text, "  masked");
}

static void DescribeKey(const qvuiEditor* editor, Text* text)
{
    const qvuiSession* session = &editor->session;
    const qvScene* scene = qvuiSession_Scene(session);
    int index = 0, place = 0;
    if (session->playback.playing)
    {
        Append(text, "playing");
        return;
    }
    const qvSceneKey* key = qvScene_FindKey(scene, qvuiSession_KeyAtTime(session), &index);
    if (key == NULL)
    {
        Append(text, "unkeyed");
        if (!session->autoKey)
            Append(text, DOT "auto-key off");
        else if (qvuiGetTool(editor->viewport.tools.tool)->makesStroke)
            Append(text, DOT "a stroke makes a key");
        return;
    }
    Append(text, "Key %d", index + 1);
    if (key->name[0] != 0)
        Append(text, " \xe2\x80\x9c%.60s\xe2\x80\x9d", key->name);
    if (qvuiSession_ShowsWaveEnd(session))
        Append(text, DOT "a wave leads to this pose");
    const qvSceneKey* owner = NULL;
    if (qvScene_FindStroke(scene, session->selection.stroke, &owner, &place) != NULL && owner == key)
        Append(text, DOT "stroke %d of %d", place + 1, key->strokes.count);
    else if (key->strokes.count > 0)
        Append(text, DOT "%d stroke%s", key->strokes.count, key->strokes.count == 1 ? "" : "s");
    Append(text, DOT "auto-key %s", session->autoKey ? "on" : "off");
}

static void DescribeBody(const qvuiEditor* editor, Text* text)
{
    const qvuiSession* session = &editor->session;
    const qvuiViewport* viewport = &editor->viewport;
    char count[32];
    Append(text, "%s points", qvuiFormatCount(session->body->mesh->pointCount, count, sizeof(count)));
    if (session->take != NULL)
        Append(text, DOT "%d modes", qvTake_ModeCount(session->take));
    else
        Append(text, DOT "%s triangles", qvuiFormatCount(session->body->mesh->triangleCount, count, sizeof(count)));
    if (viewport->drawSeconds > 0.0)
        Append(text, DOT "frame %.1f ms", 1e3 * viewport->drawSeconds);
    if (viewport->overlay.showPlain)
        Append(text, DOT "plain motion");
}

// The motion is not what is seen while a mode of the mixer swings alone.
static void DrawSwing(qvuiEditor* editor, ImDrawList* list, ImVec2 place)
{
    const qvuiSession* session = &editor->session;
    int mode = session->playback.previewMode;
    Text text = { .used = 0 };
    if (session->take == NULL || mode < 0 || mode >= qvTake_ModeCount(session->take))
        return;
    Append(&text, "%.1f Hz" DOT "Esc stops it", qvTake_ModeFrequency(session->take, mode));
    char strong[48];
    snprintf(strong, sizeof(strong), "Mode %d plays alone", mode + 1);
    ImVec2 size = qvuiBadge(&editor->kit, list, place, 0, 0, strong, text.text, 1.0f);
    qvuiNames_AddRect(&editor->kit.names, "Mode plays alone", place, (ImVec2){ place.x + size.x, place.y + size.y });
}

// Who plays what is not solved yet sees why it stands.
static void DrawPreparation(qvuiEditor* editor, ImDrawList* list, ImVec2 place)
{
    const qvuiSession* session = &editor->session;
    if (session->take != NULL || !session->playback.playing || !qvuiSession_IsSolving(session))
        return;
    ImVec2 size = qvuiBadge(&editor->kit, list, place, 0, 0, "Plays soon", "the motion is being prepared", 1.0f);
    qvuiNames_AddRect(&editor->kit.names, "Plays soon", place, (ImVec2){ place.x + size.x, place.y + size.y });
}

void qvuiDrawBadges(qvuiEditor* editor)
{
    qvuiKit* kit = &editor->kit;
    const qvuiViewport* viewport = &editor->viewport;
    if (editor->session.body == NULL || !viewport->showBadges)
        return;
    ImDrawList* list = igGetWindowDrawList();
    float pad = qvuiPixels(&kit->style, 12), row = qvuiPixels(&kit->style, 30);
    ImVec2 upper = { viewport->place.x + pad, viewport->place.y + pad };
    ImVec2 lower = { upper.x, viewport->place.y + viewport->size.y - pad };
    Text tool = { .used = 0 }, key = { .used = 0 }, body = { .used = 0 };
    DescribeTool(editor, &tool);
    const qvuiTools* tools = &viewport->tools;
    const qvuiTool* chosen = tools->active != NULL ? tools->active : qvuiGetTool(tools->tool);
    qvuiBadge(kit, list, upper, 0, 0, chosen->label, tool.text, viewport->badgeAlpha);
    if (editor->session.document != NULL)
    {
        DescribeKey(editor, &key);
        qvuiBadge(kit, list, (ImVec2){ upper.x, upper.y + row }, 0, 0, NULL, key.text, viewport->badgeAlpha);
        DrawSwing(editor, list, (ImVec2){ upper.x, upper.y + 2 * row });
        DrawPreparation(editor, list, (ImVec2){ upper.x, upper.y + 2 * row });
    }
    DescribeBody(editor, &body);
    qvuiBadge(kit, list, lower, 0, 1, NULL, body.text, viewport->badgeAlpha);
}

void qvuiBadgeBeside(qvuiEditor* editor, ImDrawList* list, ImVec2 mouse, const char* strong, const char* text)
{
    const qvuiViewport* viewport = &editor->viewport;
    const qvuiStyle* style = &editor->kit.style;
    float away = qvuiPixels(style, 18), wide = qvuiPixels(style, 220), high = qvuiPixels(style, 28);
    float left = mouse.x + away + wide > viewport->place.x + viewport->size.x ? 1.0f : 0.0f;
    float above = mouse.y + away + high > viewport->place.y + viewport->size.y ? 1.0f : 0.0f;
    ImVec2 place = { mouse.x + (1.0f - 2.0f * left) * away, mouse.y + (1.0f - 2.0f * above) * away };
    qvuiBadge(&editor->kit, list, place, left, above, strong, text, 1.0f);
}
