// SPDX-License-Identifier: GPL-3.0-or-later
/// The editor without its window: all state, and one frame of its interface. The window feeds events and shows what was
/// drawn; scripts and tests use the same functions.
#pragma once

#include "ui/actions/action.h"
#include "ui/editor/document.h"
#include "ui/editor/loader.h"
#include "ui/panels/browser.h"
#include "ui/panels/dialog.h"
#include "ui/panels/panel.h"
#include "ui/viewport/viewport.h"
#include "ui/widgets/widgets.h"

typedef struct qvuiToast
{
    char text[512];
    bool isError;
    double until; ///< seconds of igGetTime
} qvuiToast;

typedef struct qvuiEditor
{
    qvuiKit kit;
    qvuiRenderer* renderer; ///< the window's
    qvuiDocument document;
    qvuiLoader loader;
    qvuiViewport viewport;
    qvuiBrowser browser;
    qvuiToast toast;

    qvuiDialogKind dialog;
    bool dialogOpened; ///< ImGui knows of it
    double dialogTime; ///< when it opened, seconds of igGetTime; the window behind it dims for a moment
    bool popupOpen;    ///< a menu was open in the last frame
    bool closesPopups; ///< the next frame starts by closing menus
    bool framePending; ///< the mesh comes into the picture once the viewport has its size
    bool showInspector;
    float inspectorWidth; ///< at scale 1; 0: by the size of the window
    float splitterStart;  ///< width when the splitter was taken
    bool panelOpen[qvui_panelCount];
    double typedScale; ///< scale slider while it is dragged

    bool wantsQuit;
    bool wantsFullScreen;
    double wantedScale;      ///< of the interface; the window applies it between frames
    const char* windowFacts; ///< versions for the about box; the window's
    const char* hint;        ///< what the mouse does now, for the status bar; NULL: the viewport's
} qvuiEditor;

void qvuiEditor_Init(qvuiEditor* editor, qvuiRenderer* renderer, double scale);
void qvuiEditor_Free(qvuiEditor* editor);

/// Starts to load a mesh file; errors become a toast.
void qvuiEditor_OpenFile(qvuiEditor* editor, const char* path);

/// Opens a built-in shape by its tag.
void qvuiEditor_OpenShape(qvuiEditor* editor, const char* tag);

/// Puts the mesh into the picture.
void qvuiEditor_FrameMesh(qvuiEditor* editor);

void qvuiEditor_SetDialog(qvuiEditor* editor, qvuiDialogKind dialog);

/// Default panels, widths and display.
void qvuiEditor_ResetLayout(qvuiEditor* editor);

/// A line over the viewport for a few seconds.
void qvuiEditor_Notify(qvuiEditor* editor, bool isError, const char* format, ...) QV_PRINTF(3, 4);

/// A key press that may be an action's shortcut.
void qvuiEditor_Key(qvuiEditor* editor, const qvuiShortcut* shortcut);

/// Submits one frame between igNewFrame and igRender, for a window of that size in pixels.
void qvuiEditor_Draw(qvuiEditor* editor, float width, float height);

/// Seconds until the editor wants to draw again without an event; negative: never.
double qvuiEditor_NextWake(const qvuiEditor* editor);

/// State by name, for scripts: "mesh", "triangles", "camera.yaw", "dialog"… False for an unknown name.
bool qvuiEditor_Query(const qvuiEditor* editor, const char* name, char* text, size_t capacity);
