// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/editor.h"

#include "ui/panels/frame.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void qvuiEditor_ResetLayout(qvuiEditor* editor)
{
    editor->showInspector = true;
    editor->inspectorWidth = 0.0f;
    for (int i = 0; i < qvui_panelCount; i++)
        editor->panelOpen[i] = true;
    qvuiCamera camera = editor->viewport.camera;
    qvuiTarget target = editor->viewport.target;
    ImVec2 size = editor->viewport.size;
    qvuiViewport_Init(&editor->viewport);
    editor->viewport.camera = camera;
    editor->viewport.target = target;
    editor->viewport.size = size;
}

void qvuiEditor_Init(qvuiEditor* editor, qvuiRenderer* renderer, double scale)
{
    *editor = (qvuiEditor){ .renderer = renderer, .wantedScale = scale, .typedScale = scale };
    editor->kit.style.scale = (float)scale;
    qvuiViewport_Init(&editor->viewport);
    qvuiEditor_ResetLayout(editor);
}

void qvuiEditor_Free(qvuiEditor* editor)
{
    qvuiLoader_Cancel(&editor->loader);
    qvuiDocument_Clear(&editor->document);
    qvuiViewport_Free(&editor->viewport);
    qvuiBrowser_Free(&editor->browser);
    qvuiNames_Free(&editor->kit.names);
}

void qvuiEditor_Notify(qvuiEditor* editor, bool isError, const char* format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(editor->toast.text, sizeof(editor->toast.text), format, args);
    va_end(args);
    editor->toast.isError = isError;
    editor->toast.until = igGetTime() + (isError ? 12.0 : 4.0);
}

void qvuiEditor_FrameMesh(qvuiEditor* editor)
{
    qvBox nothing = { { 1, 1, 1 }, { -1, -1, -1 } };
    const qvuiSurface* surface = editor->document.surface;
    qvuiCamera_Focus(&editor->viewport.camera, surface != NULL ? qvuiSurface_Bounds(surface) : nothing,
                     qvuiViewport_Aspect(&editor->viewport));
}

void qvuiEditor_OpenFile(qvuiEditor* editor, const char* path)
{
    qvError error;
    if (qvuiLoader_Start(&editor->loader, path, &error) != qv_ok)
        qvuiEditor_Notify(editor, true, "%s", error.message);
}

void qvuiEditor_OpenShape(qvuiEditor* editor, const char* tag)
{
    qvError error;
    qvuiLoader_Cancel(&editor->loader);
    if (qvuiDocument_SetShape(&editor->document, tag, &error) != qv_ok)
        qvuiEditor_Notify(editor, true, "%s", error.message);
    else
        qvuiEditor_FrameMesh(editor);
}

void qvuiEditor_SetDialog(qvuiEditor* editor, qvuiDialogKind dialog)
{
    editor->dialog = dialog;
    editor->dialogOpened = false;
    editor->dialogTime = igGetTime();
}

void qvuiEditor_Key(qvuiEditor* editor, const qvuiShortcut* shortcut)
{
    bool typing = igGetIO()->WantTextInput || editor->dialog != qvui_dialogNone;
    qvuiRunShortcut(editor, shortcut, typing);
}

// Takes over what the loader has finished.
static void CollectModel(qvuiEditor* editor)
{
    qvResult result;
    qvModel* model;
    qvError error;
    if (!qvuiLoader_Collect(&editor->loader, &result, &model, &error))
        return;
    if (result == qv_ok)
        result = qvuiDocument_SetModel(&editor->document, model, editor->loader.path, &error);
    if (result == qv_ok)
        editor->framePending = true;
    else if (result != qv_cancelled)
        qvuiEditor_Notify(editor, true, "%s", error.message);
}

void qvuiEditor_Draw(qvuiEditor* editor, float width, float height)
{
    qvuiNames_Clear(&editor->kit.names);
    editor->hint = NULL;
    editor->kit.restPending = false;
    if (editor->closesPopups)
        igClosePopupToLevel(0, true);
    editor->closesPopups = false;
    CollectModel(editor);
    qvuiDrawFrame(editor, width, height);
    editor->popupOpen = igIsPopupOpen_Str("", ImGuiPopupFlags_AnyPopup);
}

static double Sooner(double a, double b)
{
    if (a < 0.0 || b < 0.0)
        return fmax(a, b);
    return fmin(a, b);
}

double qvuiEditor_NextWake(const qvuiEditor* editor)
{
    double wake = qvuiViewport_NextWake(&editor->viewport);
    wake = Sooner(wake, qvuiTooltipWake(&editor->kit));
    if (igGetTime() - editor->dialogTime < 0.25)
        wake = 0.0;
    if (editor->loader.running)
        wake = Sooner(wake, 1.0 / 30.0);
    if (editor->toast.text[0] != 0)
        wake = Sooner(wake, fmax(0.0, editor->toast.until - igGetTime()) + 0.02);
    return wake;
}
