// SPDX-License-Identifier: GPL-3.0-or-later
/// The editor without its window: all state, and one frame of its interface. The window feeds events and shows what was
/// drawn; scripts and tests use the same functions.
#pragma once

#include "ui/actions/action.h"
#include "ui/editor/contacts.h"
#include "ui/editor/demos.h"
#include "ui/editor/export_form.h"
#include "ui/editor/exporter.h"
#include "ui/editor/findings.h"
#include "ui/editor/loader.h"
#include "ui/editor/opener.h"
#include "ui/editor/preparation.h"
#include "ui/editor/session.h"
#include "ui/panels/browser.h"
#include "ui/panels/dialog.h"
#include "ui/panels/panel.h"
#include "ui/timeline/graph.h"
#include "ui/timeline/timeline.h"
#include "ui/viewport/viewport.h"
#include "ui/widgets/widgets.h"

typedef struct qvuiToast
{
    char text[512];
    bool isError;
    double until; ///< seconds of igGetTime
} qvuiToast;

enum
{
    qvui_maxLeftovers = 4,
    qvui_maxRecent = 8,
};

/// What waits until the user has decided about unsaved changes.
typedef enum qvuiPendingKind
{
    qvui_pendingNone,
    qvui_pendingQuit,
    qvui_pendingClose,
    qvui_pendingFile,
    qvui_pendingShape,
} qvuiPendingKind;

typedef struct qvuiPending
{
    qvuiPendingKind kind;
    char argument[qvui_maxPath]; ///< path or tag
} qvuiPending;

/// A rotation in the inspector: many angles mean the same one, and what was typed stays.
typedef struct qvuiShownAngles
{
    qvRef object;     ///< whose rotation it is
    double angles[3]; ///< degrees, see turn.h
} qvuiShownAngles;

typedef struct qvuiEditor
{
    qvuiKit kit;
    qvuiRenderer* renderer; ///< the window's
    qvuiSession session;
    qvuiSurface* surface;      ///< the session's body on the graphics card; NULL when nothing is open
    const qvBody* surfaceBody; ///< what the surface was made from
    qvuiSurface* changed;      ///< what is shown where the topology is another than the body's; else NULL
    unsigned int changedEpoch; ///< of the session's view, which it was made from
    qvuiLoader loader;
    qvuiPreparation preparation;
    qvuiViewport viewport;
    qvuiBrowser browser;
    qvuiToast toast;

    qvuiDialogKind dialog;
    qvuiDialogKind dialogBefore; ///< the one that it took the place of
    bool dialogOpened;           ///< ImGui knows of it
    bool popupLost;              ///< ImGui has closed the dialog's popup, which is to be opened again
    double dialogTime;           ///< when it opened, seconds of igGetTime; the window behind it dims for a moment
    float dialogNeeds;           ///< height of what is in it, pixels; 0: not drawn yet
    bool dialogGrows;            ///< that has just changed
    float dialogTop;             ///< its upper edge, pixels; 0: not placed yet
    float dialogEnds[2];         ///< where it was drawn last: from, to, pixels
    float dialogWindow;          ///< height of the window for which it was placed
    bool popupOpen;              ///< a menu was open in the last frame, over the window or over the dialog
    bool closesPopups;           ///< the next frame starts by closing menus
    bool framePending;           ///< the document's first view comes once the viewport has its size
    bool awaitsMotion;           ///< the view is to hold the motion that is being solved, as long as it is
    qvuiCamera firstView;        ///< this one
    bool showInspector;
    float inspectorWidth; ///< at scale 1; 0: by the size of the window
    bool showBottom;
    float bottomHeight; ///< of the timeline's area, the same
    int bottomTab;
    qvuiTimeline timeline;
    qvuiGraph graph;
    qvuiFindings findings;
    qvuiPending pending;
    qvuiWhere where;                 ///< which area the mouse is over: it decides single letters
    char replacedPath[qvui_maxPath]; ///< a file that saving may replace, because the user said so
    char palette[64];                ///< what is typed into the command palette
    int paletteChoice;               ///< which of the commands found Enter runs
    qvuiKeymap keymap;
    char keysFilter[64];         ///< what is typed into the dialog of keys
    const qvuiAction* keysAsked; ///< that the next key press is for, in that dialog; NULL: none
    qvuiShortcut keysPressed;    ///< one that another action has: to be given away or not
    const qvuiAction* keysTaken; ///< that other action; NULL: none is asked about
    qvuiExporter exporter;
    qvuiExportForm exportForm;
    qvuiContacts contacts;
    float contactHeight;             ///< of their box, pixels; 0: not drawn yet
    char exportFolder[qvui_maxPath]; ///< of the last export; "": none yet
    char saveFolder[qvui_maxPath];   ///< of the last scene that was saved under a new name; "": none yet
    qvuiOpener opener;
    qvLeftover leftovers[qvui_maxLeftovers];
    int leftoverCount;
    char recent[qvui_maxRecent][qvui_maxPath]; ///< files opened or saved, newest first; "" after the last
    qvuiDemos demos;                           ///< for the welcome screen
    char* manual;                              ///< its text, once read; NULL: not yet
    double aim[3];                             ///< displacement that the event panel aims at
    qvuiShownAngles angles;                    ///< of the rotation that the inspector shows
    bool collects;                             ///< the save dialog copies the mesh and its files beside the scene
    bool keepsJournal;                         ///< edits survive a crash; off in scripts
    double flushTime;                          ///< when the journal was last brought up to date, seconds of igGetTime
    uint64_t flushedRevision;                  ///< what it holds
    bool holdsStep;                            ///< an undo step is open until the mouse lets go
    qvFileNews fileNews;                       ///< of the document's file at the last look
    uint64_t fileVersion;                      ///< what there has been a toast for
    double savedTime;                          ///< when the document was last saved, seconds of igGetTime; 0: not yet
    float splitterStart;                       ///< width when the splitter was taken
    bool panelOpen[qvui_panelCount];
    double typedDiskCache;  ///< GB, slider while it is dragged
    double typedScale;      ///< scale slider while it is dragged
    qvId outlineKey;        ///< that the outline has last scrolled to
    char shownProblem[512]; ///< of the session, for which there was a toast
    char shownRemark[256];  ///< what was said last about a change of topology
    uint64_t remarkedTake;  ///< the session's take that it is about

    double meshSeconds; ///< of this frame: evaluating, uploading and drawing the body and its ghosts
    bool wantsQuit;
    bool wantsFullScreen;
    double wantedScale;      ///< of the interface; the window applies it between frames
    const char* windowFacts; ///< versions for the about box; the window's
    const char* hint;        ///< what the mouse does now, for the status bar; NULL: the viewport's
} qvuiEditor;

QV_CHECKED qvResult qvuiEditor_Init(qvuiEditor* editor, qvuiRenderer* renderer, double scale, qvError* error);
void qvuiEditor_Free(qvuiEditor* editor);

/// Quits at once and unasked; what is not saved is offered at the next start.
void qvuiEditor_Yield(qvuiEditor* editor);

/// Opens a scene or mesh file, a shape, closes or quits (argument: path or tag), after asking about unsaved changes.
void qvuiEditor_Request(qvuiEditor* editor, qvuiPendingKind kind, const char* argument);

/// Offers to restore what a crash left behind.
void qvuiEditor_LookForLeftovers(qvuiEditor* editor);

/// Does what was requested, whatever is unsaved.
void qvuiEditor_RunPending(qvuiEditor* editor);

/// Saves to a path, or with NULL to the document's own; without one, or where another program has changed the file, a
/// dialog asks. Errors become a toast. Returns whether it is saved.
bool qvuiEditor_Save(qvuiEditor* editor, const char* path);

/// Saves to the document's own file, whatever is in it.
bool qvuiEditor_Overwrite(qvuiEditor* editor);

/// Opens the document's file again; what is not saved is lost.
void qvuiEditor_Reload(qvuiEditor* editor);

/// Looks whether another program has changed the document's file, and says so once for each change.
void qvuiEditor_LookAtFile(qvuiEditor* editor);

/// The result of an edit: a failure becomes a toast. Returns whether it was done.
bool qvuiEditor_Did(qvuiEditor* editor, qvResult result, const qvError* error);

/// Puts the mesh into the picture.
void qvuiEditor_FrameMesh(qvuiEditor* editor);
/// What the viewport shows of the body; NULL when nothing is open.
const qvuiSurface* qvuiEditor_Shown(const qvuiEditor* editor);

/// Puts the whole motion into the picture.
void qvuiEditor_FrameMotion(qvuiEditor* editor);

/// The view that a document begins with: its camera's, or the whole motion in the picture.
void qvuiEditor_BeginView(qvuiEditor* editor);
/// Once the first motion is there, it comes into the picture, unless the view was changed meanwhile.
void qvuiEditor_UpdateView(qvuiEditor* editor);

void qvuiEditor_SetDialog(qvuiEditor* editor, qvuiDialogKind dialog);
/// Says that no file manager shows the folder that was asked for.
void qvuiEditor_ReportOpener(qvuiEditor* editor);
/// Closes the dialog that is open; the one that it belongs to comes back.
void qvuiEditor_LeaveDialog(qvuiEditor* editor);

/// Default panels, widths and display.
void qvuiEditor_ResetLayout(qvuiEditor* editor);

/// What is being read or solved. stage has at least 64 characters. False when nothing is.
bool qvuiEditor_Progress(qvuiEditor* editor, double* fraction, char* stage);

/// A line over the viewport for a few seconds.
void qvuiEditor_Notify(qvuiEditor* editor, bool isError, const char* format, ...) QV_PRINTF(3, 4);

/// Whether the mouse or a modal key is in the middle of something: other shortcuts wait until it has ended.
bool qvuiEditor_InGesture(const qvuiEditor* editor);
/// Gives up what is being dragged, typed or renamed. Returns whether there was something.
bool qvuiEditor_EndGesture(qvuiEditor* editor);

/// While a value is dragged, all edits become one undo step, and Esc takes them back. Does nothing without a drag.
void qvuiEditor_HoldStep(qvuiEditor* editor, const char* label);

/// Gives up the value that is being dragged. Returns whether there was one.
bool qvuiEditor_EndDrag(qvuiEditor* editor);

/// Runs an action if it is possible now, after giving up what is being dragged. Returns whether it ran.
bool qvuiEditor_Run(qvuiEditor* editor, const qvuiAction* action);

/// A key press that may be an action's shortcut.
void qvuiEditor_Key(qvuiEditor* editor, const qvuiShortcut* shortcut);

/// Submits one frame between igNewFrame and igRender, for a window of that size in pixels.
void qvuiEditor_Draw(qvuiEditor* editor, float width, float height);

/// Whether the graph is seen and still being filled in.
bool qvuiEditor_DrawsGraph(const qvuiEditor* editor);

/// Seconds until the editor wants to draw again without an event; negative: never.
double qvuiEditor_NextWake(const qvuiEditor* editor);

/// State by name, for scripts: "mesh", "triangles", "camera.yaw", "dialog"… False for an unknown name.
bool qvuiEditor_Query(const qvuiEditor* editor, const char* name, char* text, size_t capacity);
