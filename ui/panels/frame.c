// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/frame.h"

#include "ui/widgets/icons.h"

#include <math.h>
#include <stdio.h>

void qvuiBeginArea(const char* id, ImVec2 place, ImVec2 size, ImU32 color)
{
    igSetNextWindowPos(place, ImGuiCond_Always, (ImVec2){ 0, 0 });
    igSetNextWindowSize(size, ImGuiCond_Always);
    igPushStyleVar_Vec2(ImGuiStyleVar_WindowPadding, (ImVec2){ 0, 0 });
    igPushStyleColor_U32(ImGuiCol_WindowBg, color);
    igBegin(id, NULL,
            (color >> 24 == 0 ? ImGuiWindowFlags_NoBackground : 0) | ImGuiWindowFlags_NoDecoration |
                ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus |
                ImGuiWindowFlags_NoScrollWithMouse);
    igPopStyleColor(1);
    igPopStyleVar(1);
}

void qvuiEndArea(void)
{
    igEnd();
}

// Whether there is a toast, and how wide its text may be in an area of that width.
static bool HasToast(qvuiEditor* editor, float room, float* width)
{
    qvuiToast* toast = &editor->toast;
    if (toast->text[0] != 0 && igGetTime() >= toast->until)
        toast->text[0] = 0;
    *width = fminf(room - qvuiPixels(&editor->kit.style, 110), qvuiPixels(&editor->kit.style, 506));
    return toast->text[0] != 0;
}

static ImVec2 ToastSize(const qvuiEditor* editor, float width)
{
    const qvuiStyle* style = &editor->kit.style;
    ImVec2 size;
    igCalcTextSize(&size, editor->toast.text, NULL, false, width);
    return (ImVec2){ size.x + qvuiPixels(style, 54), size.y + qvuiPixels(style, 20) };
}

// Draws it into the current window; a click takes it away.
static void DrawToastAt(qvuiEditor* editor, ImVec2 place, ImVec2 size, float width)
{
    qvuiToast* toast = &editor->toast;
    const qvuiStyle* style = &editor->kit.style;
    float pad = qvuiPixels(style, 14);
    ImVec2 end = { place.x + size.x, place.y + size.y };
    igSetCursorScreenPos(place);
    if (igInvisibleButton("toast", size, ImGuiButtonFlags_MouseButtonLeft))
        toast->until = 0.0;
    qvuiNames_AddArea(&editor->kit.names, "Message");
    ImDrawList* list = igGetWindowDrawList();
    ImU32 color = toast->isError ? QVUI_CORAL : QVUI_TEAL;
    ImDrawList_AddRectFilled(list, place, end, QVUI_RGB(0x262a30), qvuiPixels(style, 7), 0);
    ImDrawList_AddRect(list, place, end, (color & 0xffffff) | 0x90000000u, qvuiPixels(style, 7), 0, 1);
    float top = place.y + 0.7f * pad;
    qvuiDrawText(list, style->body, (ImVec2){ place.x + pad, top }, igGetFontSize(), color,
                 toast->isError ? QVUI_ICON_WARNING : QVUI_ICON_INFO);
    ImDrawList_AddText_FontPtr(list, style->body, igGetFontSize(),
                               (ImVec2){ end.x - pad - (size.x - qvuiPixels(style, 54)), top }, QVUI_TEXT, toast->text,
                               NULL, width, NULL);
}

// An error or a remark at the foot of the viewport.
static void DrawToast(qvuiEditor* editor)
{
    const qvuiStyle* style = &editor->kit.style;
    const qvuiViewport* viewport = &editor->viewport;
    float width;
    if (editor->dialog != qvui_dialogNone || !HasToast(editor, viewport->size.x, &width))
        return;
    ImVec2 size = ToastSize(editor, width);
    float foot = qvuiTween_IsOpen(editor) ? qvuiTween_Top(editor) - qvuiPixels(style, 8)
                                          : viewport->place.y + viewport->size.y - qvuiPixels(style, 48);
    ImVec2 place = { floorf(viewport->place.x + 0.5f * (viewport->size.x - size.x)), floorf(foot - size.y) };
    DrawToastAt(editor, place, size, width);
}

// In front of the window that a dialog dims: below the dialog, or above it where there is no room.
static void DrawToastOverDialog(qvuiEditor* editor, float windowWidth, float windowHeight)
{
    const qvuiStyle* style = &editor->kit.style;
    float width, gap = qvuiPixels(style, 8);
    if (editor->dialog == qvui_dialogNone || !HasToast(editor, windowWidth, &width))
        return;
    ImVec2 size = ToastSize(editor, width), place = { floorf(0.5f * (windowWidth - size.x)), 0 };
    bool below = editor->dialogEnds[1] + size.y + 2 * gap <= windowHeight;
    place.y = below ? editor->dialogEnds[1] + gap : fmaxf(editor->dialogEnds[0] - gap - size.y, gap);
    place.y = floorf(place.y);
    // With room for its edge, which ImGui would cut.
    igSetNextWindowPos((ImVec2){ place.x - 2, place.y - 2 }, ImGuiCond_Always, (ImVec2){ 0, 0 });
    igSetNextWindowSize((ImVec2){ size.x + 4, size.y + 4 }, ImGuiCond_Always);
    igPushStyleVar_Vec2(ImGuiStyleVar_WindowPadding, (ImVec2){ 0, 0 });
    igBegin("toast", NULL,
            ImGuiWindowFlags_Tooltip | ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoDecoration |
                ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing |
                ImGuiWindowFlags_NoNav);
    igPopStyleVar(1);
    DrawToastAt(editor, place, size, width);
    // What is not the dialog's gets no clicks from ImGui.
    ImVec2 mouse = igGetIO()->MousePos;
    bool over = mouse.x >= place.x && mouse.x < place.x + size.x && mouse.y >= place.y && mouse.y < place.y + size.y;
    if (over && igIsMouseClicked(ImGuiMouseButton_Left, false))
        editor->toast.until = 0.0;
    igEnd();
}

// A scene whose mesh is not there has nothing to show but why.
static void DrawMissing(qvuiEditor* editor)
{
    const qvuiSession* session = &editor->session;
    const qvuiViewport* viewport = &editor->viewport;
    const qvuiStyle* style = &editor->kit.style;
    if (session->document == NULL || session->body != NULL || qvuiSession_IsSolving(session))
        return;
    const char* lines[] = { "This scene has no mesh", session->problem,
                            "Put the file back and open the scene again, or drop another mesh here" };
    float y = floorf(viewport->place.y + 0.4f * viewport->size.y), row = qvuiPixels(style, 24);
    for (int i = 0; i < 3; i++, y += row)
    {
        ImFont* font = i == 0 ? style->strong : style->body;
        char buffer[640];
        const char* text = qvuiShorten(font, lines[i], 0.9f * viewport->size.x, false, buffer, sizeof(buffer));
        float x = viewport->place.x + 0.5f * (viewport->size.x - qvuiTextWidth(font, text));
        qvuiDrawText(igGetWindowDrawList(), font, (ImVec2){ x, y }, row, i == 0 ? QVUI_TEXT : QVUI_MUTED, text);
    }
}

// A thin line at the top of the viewport while something is read or solved.
static void DrawProgress(qvuiEditor* editor)
{
    double fraction;
    char stage[64];
    if (!qvuiEditor_Progress(editor, &fraction, stage))
        return;
    const qvuiViewport* viewport = &editor->viewport;
    float width = viewport->size.x * (float)fmin(fmax(fraction, 0.02), 1.0);
    ImVec2 end = { viewport->place.x + width, viewport->place.y + qvuiPixels(&editor->kit.style, 2) };
    ImDrawList_AddRectFilled(igGetWindowDrawList(), viewport->place, end, QVUI_TEAL, 0, 0);
}

// The menu of the right button over the picture, where that button does nothing else.
static void ViewportMenu(qvuiEditor* editor, bool free)
{
    static const char* const poses[] = { "key.insert",         "key.deleteHere", "pose.copy", "pose.paste",
                                         "pose.pasteMirrored", "pose.tween",     "pose.reset" };
    static const char* const views[] = { "view.focus", "view.all", "view.ghosts", "view.trails", "view.wireframe" };
    const qvuiViewport* viewport = &editor->viewport;
    bool wanted = free && viewport->hovered && !viewport->leftOrbits && !igGetIO()->KeyAlt;
    if (wanted && igIsMouseClicked(ImGuiMouseButton_Right, false) && editor->session.document != NULL)
        igOpenPopup_Str("viewportMenu", ImGuiPopupFlags_None);
    if (!qvuiBeginMenuPopup(&editor->kit, "viewportMenu"))
        return;
    qvuiMenuItems(editor, poses, sizeof(poses) / sizeof(poses[0]));
    igSeparator();
    qvuiMenuItems(editor, views, sizeof(views) / sizeof(views[0]));
    qvuiEndMenuPopup();
}

static void DrawViewportArea(qvuiEditor* editor, ImVec2 place, ImVec2 size)
{
    bool free = !qvuiEditor_InGesture(editor);
    qvuiBeginArea("viewport", place, size, 0);
    qvError error;
    qvuiViewport* viewport = &editor->viewport;
    viewport->size = size;
    if (editor->framePending)
        qvuiEditor_BeginView(editor);
    else
        qvuiEditor_UpdateView(editor);
    editor->framePending = false;
    if (qvuiViewport_Draw(editor, &error) != qv_ok)
        qvuiEditor_Notify(editor, true, "%s", error.message);
    qvuiDrawBadges(editor);
    float inset = qvuiPixels(&editor->kit.style, 64);
    float pad = qvuiPixels(&editor->kit.style, 12);
    if (editor->session.document != NULL)
    {
        qvuiAxisGizmo(viewport, &editor->kit, (ImVec2){ place.x + size.x - inset, place.y + inset });
        qvuiDrawLegend(editor, (ImVec2){ place.x + size.x - pad, place.y + 2 * inset - pad });
    }
    else
        qvuiDrawWelcome(editor);
    if (viewport->hovered)
        editor->where = qvui_whereViewport;
    DrawProgress(editor);
    DrawMissing(editor);
    qvuiContact_Draw(editor);
    qvuiTween_Draw(editor);
    DrawToast(editor);
    ViewportMenu(editor, free);
    qvuiEndArea();
}

void qvuiDrawFrame(qvuiEditor* editor, float width, float height)
{
    const qvuiStyle* style = &editor->kit.style;
    float menu = qvuiPixels(style, 30), status = qvuiPixels(style, 24);
    float inspector = qvuiInspectorWidth(editor, width), bottom = qvuiBottomHeight(editor, height);
    float middle = fmaxf(height - menu - status - bottom, 1.0f), left = fmaxf(width - inspector, 1.0f);
    editor->where = qvui_whereAny;
    igPushFont(style->body);
    // Of areas, ImGui keeps the one that came first on top; so splitters are there even when they have nothing to
    // split.
    qvuiDrawSplitter(editor, (ImVec2){ inspector > 0.0f ? left : 2.0f * width, menu }, middle);
    qvuiDrawBottomSplitter(editor, (ImVec2){ 0, bottom > 0.0f ? menu + middle : 2.0f * height }, width);
    float strip = editor->session.document != NULL ? fminf(qvuiToolStripWidth(editor, middle), left - 1.0f) : 0.0f;
    if (strip > 0.0f)
        qvuiDrawToolStrip(editor, (ImVec2){ 0, menu }, (ImVec2){ strip, middle });
    DrawViewportArea(editor, (ImVec2){ strip, menu }, (ImVec2){ left - strip, middle });
    if (inspector > 0.0f)
        qvuiDrawInspector(editor, (ImVec2){ left, menu }, (ImVec2){ inspector, middle });
    if (bottom > 0.0f)
        qvuiDrawBottom(editor, (ImVec2){ 0, menu + middle }, (ImVec2){ width, bottom });
    qvuiDrawMenuBar(editor, (ImVec2){ 0, 0 }, (ImVec2){ width, menu });
    qvuiDrawStatusBar(editor, (ImVec2){ 0, height - status }, (ImVec2){ width, status });
    qvuiDrawDialog(editor, width, height);
    DrawToastOverDialog(editor, width, height);
    igPopFont();
}
