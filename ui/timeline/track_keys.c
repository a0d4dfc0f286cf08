// SPDX-License-Identifier: GPL-3.0-or-later
// Keys as diamonds, and between them what physics does there: the real wiggle of the strongest mode.
#include "ui/editor/editor.h"

#include <math.h>
#include <string.h>

static void Diamond(ImDrawList* list, ImVec2 middle, float radius, ImU32 color)
{
    ImDrawList_AddQuadFilled(list, (ImVec2){ middle.x, middle.y - radius }, (ImVec2){ middle.x + radius, middle.y },
                             (ImVec2){ middle.x, middle.y + radius }, (ImVec2){ middle.x - radius, middle.y }, color);
}

// At half a sample: between two of them the cubic through the four around.
static double CurveAt(const qvuiTrace* trace, int half)
{
    const double* c = trace->values;
    int i = half / 2, last = trace->count - 1;
    if (half % 2 == 0)
        return c[i];
    double before = c[i > 0 ? i - 1 : 0], after = c[i + 2 < last ? i + 2 : last];
    return 0.5625 * (c[i] + c[i + 1]) - 0.0625 * (before + after);
}

static void DrawCurve(const qvuiEditor* editor, ImVec2 place, ImVec2 size)
{
    const qvuiTimeline* timeline = &editor->timeline;
    const qvuiTrace* trace = &editor->findings.trace;
    const qvuiStyle* style = &editor->kit.style;
    ImVec2 points[2 * qvui_traceSamples];
    int count = 0, last = 2 * trace->count - 2;
    double step = (trace->end - trace->start) / fmax(last, 1);
    for (int i = 0; i <= last; i++)
    {
        float x = qvuiTimeline_X(timeline, style, trace->start + step * i);
        if (x < place.x - 10.0f || x > place.x + size.x + 10.0f)
            continue;
        points[count++] = (ImVec2){ x, place.y + size.y * (float)(0.5 - 0.7 * CurveAt(trace, i)) };
    }
    // Without a wiggle the motion is the smooth one.
    if (count > 1 && trace->peak > 1e-9)
        qvuiDrawCurve(igGetWindowDrawList(), points, count, QVUI_TEAL, 1.4f * style->scale);
}

// A line for what is not wiggly: straight for linear, stepped for hold, with a front for a wave.
static void DrawSegment(const qvuiEditor* editor, const qvSceneKey* from, const qvSceneKey* to, float y, float size)
{
    const qvuiStyle* style = &editor->kit.style;
    ImDrawList* list = igGetWindowDrawList();
    float a = qvuiTimeline_X(&editor->timeline, style, from->time),
          b = qvuiTimeline_X(&editor->timeline, style, to->time);
    float low = y + fminf(qvuiPixels(style, 12), 0.36f * size);
    ImU32 color = to->interp == qv_interpWave ? QVUI_CORAL : QVUI_MUTED;
    if (to->interp == qv_interpLinear || to->interp == qv_interpHold || to->interp == qv_interpWave)
        ImDrawList_AddLine(list, (ImVec2){ a, low }, (ImVec2){ b, low }, color, 1);
    if (to->interp == qv_interpHold || to->interp == qv_interpWave)
        ImDrawList_AddLine(list, (ImVec2){ b, low }, (ImVec2){ b, y }, color, 1);
    const char* label = qvInterp_Label(to->interp);
    if (to->interp != qv_interpWiggly && !qvuiSession_IsKeySelected(&editor->session, to->id) &&
        size >= qvuiPixels(style, 46) && b - a > qvuiTextWidth(style->value, label) + qvuiPixels(style, 30))
        qvuiDrawText(list, style->value,
                     (ImVec2){ 0.5f * (a + b - qvuiTextWidth(style->value, label)), y - qvuiPixels(style, 20) },
                     qvuiPixels(style, 14), QVUI_MUTED, label);
}

// Where the motion that the selected keys' fields speak of lies: what arrives at them.
static void DrawArrival(const qvuiEditor* editor, double from, double to, qvInterp interp, float y, float size)
{
    const qvuiStyle* style = &editor->kit.style;
    ImDrawList* list = igGetWindowDrawList();
    float a = qvuiTimeline_X(&editor->timeline, style, from), b = qvuiTimeline_X(&editor->timeline, style, to);
    float half = floorf(0.5f * size) - 1.0f;
    const char* label = qvInterp_Label(interp);
    ImDrawList_AddRectFilled(list, (ImVec2){ a, y - half }, (ImVec2){ b, y + half }, QVUI_RGBA(0xf2a33a, 24), 0, 0);
    ImDrawList_AddLine(list, (ImVec2){ a, y + half }, (ImVec2){ b, y + half }, QVUI_AMBER, 1.5f * style->scale);
    // A wiggle says its name itself, and would run through it.
    if (interp != qv_interpWiggly && size >= qvuiPixels(style, 46) &&
        b - a > qvuiTextWidth(style->value, label) + qvuiPixels(style, 30))
        qvuiDrawText(list, style->value,
                     (ImVec2){ 0.5f * (a + b - qvuiTextWidth(style->value, label)), y - qvuiPixels(style, 20) },
                     qvuiPixels(style, 14), QVUI_AMBER, label);
}

// In a loop the first key is arrived at from the last one, over the end.
static void DrawArrivals(const qvuiEditor* editor, const qvScene* scene, float y, float size)
{
    double range[2];
    qvScene_Range(scene, range);
    for (int i = 0; i < scene->keyCount; i++)
    {
        const qvSceneKey* key = scene->keys[i];
        if (!qvuiSession_IsKeySelected(&editor->session, key->id))
            continue;
        if (i > 0)
            DrawArrival(editor, scene->keys[i - 1]->time, key->time, key->interp, y, size);
        else if (scene->loop && scene->keyCount > 1)
            DrawArrival(editor, scene->keys[scene->keyCount - 1]->time, range[1], key->interp, y, size);
    }
}

static void DrawKey(qvuiEditor* editor, const qvSceneKey* key, ImVec2 middle, float radius)
{
    const qvuiStyle* style = &editor->kit.style;
    ImDrawList* list = igGetWindowDrawList();
    bool selected = qvuiSession_IsKeySelected(&editor->session, key->id);
    bool soft = isfinite(key->weight) || key->partial;
    if (selected)
        Diamond(list, middle, radius + qvuiPixels(style, 2), QVUI_RGB(0xffffff));
    else
        Diamond(list, middle, radius + 1, QVUI_LINE);
    Diamond(list, middle, radius, selected ? QVUI_RGB(0xffe2b0) : QVUI_AMBER);
    if (soft)
        Diamond(list, middle, 0.55f * radius, QVUI_WINDOW);
    if (key->velocityMode == qv_velocityBroken)
        ImDrawList_AddLine(list, (ImVec2){ middle.x, middle.y - radius }, (ImVec2){ middle.x, middle.y + radius },
                           QVUI_LINE, 2);
    char name[qv_maxTag + 8] = "Key ";
    strncat(name, key->tag, qv_maxTag);
    qvuiNames_AddRect(&editor->kit.names, name, (ImVec2){ middle.x - radius, middle.y - radius },
                      (ImVec2){ middle.x + radius, middle.y + radius });
}

// Beside the first and the last of several selected keys there is an edge to scale their times by.
static bool EdgePlace(const qvuiEditor* editor, bool last, float* x)
{
    double range[2];
    const qvuiStyle* style = &editor->kit.style;
    if (!qvuiSession_SelectedRange(&editor->session, range))
        return false;
    *x = qvuiTimeline_X(&editor->timeline, style, range[last]) + qvuiPixels(style, last ? 17 : -17);
    return true;
}

static void DrawEdges(qvuiEditor* editor, float y, float radius)
{
    static const char* const names[] = { "First edge", "Last edge" };
    const qvuiStyle* style = &editor->kit.style;
    float x, half = qvuiPixels(style, 1.5);
    for (int last = 0; last < 2; last++)
    {
        if (!EdgePlace(editor, last == 1, &x))
            continue;
        ImVec2 lower = { x - half, y - radius }, upper = { x + half, y + radius };
        ImDrawList_AddRectFilled(igGetWindowDrawList(), lower, upper, QVUI_RGB(0xffe2b0), half, 0);
        qvuiNames_AddRect(&editor->kit.names, names[last], lower, upper);
    }
}

static void Draw(qvuiEditor* editor, ImVec2 place, ImVec2 size)
{
    const qvScene* scene = qvuiSession_Scene(&editor->session);
    float middle = place.y + floorf(0.5f * size.y);
    float radius = fminf(qvuiPixels(&editor->kit.style, 9), 0.36f * size.y);
    DrawArrivals(editor, scene, middle, size.y);
    DrawCurve(editor, place, size);
    for (int i = 1; i < scene->keyCount; i++)
        DrawSegment(editor, scene->keys[i - 1], scene->keys[i], middle, size.y);
    for (int i = 0; i < scene->keyCount; i++)
    {
        float x = floorf(qvuiTimeline_X(&editor->timeline, &editor->kit.style, scene->keys[i]->time)) + 0.5f;
        if (x > place.x - 20.0f && x < place.x + size.x + 20.0f)
            DrawKey(editor, scene->keys[i], (ImVec2){ x, middle }, radius);
    }
    DrawEdges(editor, middle, radius);
}

// Beside the key that may be there: a third along, or past it.
static float FirstStepX(const qvuiEditor* editor, float width)
{
    const qvuiStyle* style = &editor->kit.style;
    const qvuiTimeline* timeline = &editor->timeline;
    const qvScene* scene = qvuiSession_Scene(&editor->session);
    float gap = qvuiPixels(style, 14), start = timeline->place.x + 0.35f * timeline->size.x;
    float right = timeline->place.x + timeline->size.x - qvuiPixels(style, 8);
    start = fmaxf(fminf(start, right - width), timeline->place.x + gap);
    if (scene->keyCount == 0)
        return start;
    float key = qvuiTimeline_X(timeline, style, scene->keys[0]->time);
    if (key + gap < start || key - gap > start + width)
        return start;
    return key + gap + width <= right ? key + gap : key - gap - width;
}

// What to do next, in as many words as there is room for.
void qvuiTimeline_DrawFirstStep(qvuiEditor* editor)
{
    static const char* const still[] = {
        "Click the ruler at another time and pose the body with a brush: that makes a key",
        "Pose at another time: that makes a key",
    };
    static const char* const clip[] = {
        "The file's own animation moves the body; keys of yours add to it",
        "Moved by the file's animation",
    };
    const qvScene* scene = qvuiSession_Scene(&editor->session);
    const char* const* hints = qvuiSession_Clip(&editor->session) < 0 ? still : clip;
    const qvuiStyle* style = &editor->kit.style;
    ImDrawList* list = igGetWindowDrawList();
    // What waves move needs no key.
    if (scene->keyCount > 1 || scene->eventCount > 0)
        return;
    float room = 0.6f * editor->timeline.size.x, pad = qvuiPixels(style, 4);
    const char* hint = qvuiTextWidth(style->value, hints[0]) <= room ? hints[0] : hints[1];
    float width = qvuiTextWidth(style->value, hint), height = qvuiTrackHeight(editor, 0);
    ImVec2 place = { floorf(FirstStepX(editor, width)), editor->timeline.place.y };
    float middle = place.y + 0.5f * height, half = fminf(0.5f * height, qvuiPixels(style, 10));
    // Lines of the ruler pass behind it.
    ImDrawList_AddRectFilled(list, (ImVec2){ place.x - pad, middle - half },
                             (ImVec2){ place.x + width + pad, middle + half }, QVUI_WINDOW, 0, 0);
    qvuiDrawText(list, style->value, place, height, QVUI_MUTED, hint);
    qvuiNames_AddRect(&editor->kit.names, "First step", (ImVec2){ place.x, middle - half },
                      (ImVec2){ place.x + width, middle + half });
}

static qvRef Find(const qvuiEditor* editor, ImVec2 place, ImVec2 size, ImVec2 mouse, int* part)
{
    const qvScene* scene = qvuiSession_Scene(&editor->session);
    float reach = qvuiPixels(&editor->kit.style, 10), best = reach;
    qvRef found = { qv_objectScene, 0 };
    if (fabsf(mouse.y - place.y - 0.5f * size.y) > reach)
        return found;
    for (int i = 0; i < scene->keyCount; i++)
    {
        float distance = fabsf(qvuiTimeline_X(&editor->timeline, &editor->kit.style, scene->keys[i]->time) - mouse.x);
        if (distance > best)
            continue;
        best = distance;
        found = (qvRef){ qv_objectKey, scene->keys[i]->id };
    }
    float x;
    for (int last = 0; found.id == 0 && last < 2; last++)
        if (EdgePlace(editor, last == 1, &x) && fabsf(mouse.x - x) <= qvuiPixels(&editor->kit.style, 6))
        {
            *part = last == 1 ? qvui_keyLastEdge : qvui_keyFirstEdge;
            return (qvRef){ qv_objectKey, editor->session.selection.key };
        }
    return found;
}

const qvuiTrack qvuiTrackKeys = { "Keys", 50, Draw, Find, NULL };
