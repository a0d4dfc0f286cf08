// SPDX-License-Identifier: GPL-3.0-or-later
/// The area at the foot of the window: tabs (timeline, graph, history), the transport, and the timeline's tracks. To
/// add a tab: tab_x.c with its descriptor and a line in tab_list.inl; a track: track_x.c and a line in track_list.inl.
#pragma once

#include "quaver/scene.h"
#include "ui/actions/shortcut.h"
#include "ui/widgets/widgets.h"

struct qvuiEditor;

/// What a drag in the timeline does.
typedef enum qvuiTimelineDrag
{
    qvui_timelineIdle,
    qvui_timelineScrub,
    qvui_timelinePan,
    qvui_timelineBox,     ///< a rectangle that selects
    qvui_timelineMove,    ///< selected keys in time
    qvui_timelineScale,   ///< selected keys about the first or last
    qvui_timelineRipple,  ///< a key and everything after it
    qvui_timelineEvent,   ///< an event's start
    qvui_timelineStretch, ///< an event's end
    qvui_timelineMarker,
    qvui_timelinePreview, ///< the preview range, drawn on the ruler
    qvui_timelineSpanNew, ///< a simulation that is dragged out
    qvui_timelineSpan,    ///< a simulation in time
    qvui_timelineSpanStart,
    qvui_timelineSpanEnd,
    qvui_timelineKnot,    ///< a point of a melt curve, in time and value
    qvui_timelineClip,    ///< the start of the mesh file's animation
    qvui_timelineClipEnd, ///< its end, which is its speed
} qvuiTimelineDrag;

typedef struct qvuiMovedTime
{
    qvRef object;
    double time; ///< before the drag
} qvuiMovedTime;

typedef struct qvuiTimeline
{
    double start;     ///< time at the left edge of the tracks, s
    double perSecond; ///< pixels at scale 1
    bool fitPending;
    float fittedWidth; ///< of the tracks when all of the time was put into them; 0: the user has chosen another part
    double all[2];     ///< the time that there is: the play range and all keys, s
    bool showFrames;   ///< frames on the ruler instead of seconds

    qvuiTimelineDrag drag;
    bool modal;        ///< started by a key: follows the mouse without a button
    double grabTime;   ///< under the mouse when the drag began
    double pivot;      ///< of a scaling
    double scrubStart; ///< where the playhead was
    ImVec2 boxStart;   ///< screen
    bool boxWaits;     ///< B was pressed: the box starts with the next click
    char typed[16];    ///< number typed during a modal move (frames) or scale (factor); "" follows the mouse
    qvId held;         ///< key, event or marker that was grabbed
    int knot;          ///< of a curve, that was grabbed
    bool moved;        ///< the drag changed something
    bool stretches;    ///< it is at the right end, where the time in the picture grows
    qvuiMovedTime* times;
    int timeCount, timeCapacity;

    // Layout of this frame.
    ImVec2 place, size; ///< of the tracks, without their labels

    char markerName[qv_maxName]; ///< while a marker is renamed
    qvId renamed;

    qvRef menuObject; ///< what the menu of the right button is about

    int historyPosition; ///< the step that was last scrolled to
} qvuiTimeline;

void qvuiTimeline_Init(qvuiTimeline* timeline);
void qvuiTimeline_Free(qvuiTimeline* timeline);

/// Time to a place on the screen and back.
float qvuiTimeline_X(const qvuiTimeline* timeline, const qvuiStyle* style, double time);
double qvuiTimeline_Time(const qvuiTimeline* timeline, const qvuiStyle* style, float x);

/// Puts the play range, or all keys, into the picture when that is due, or when the window's size has changed since. A
/// motion that got longer does not run out of sight: its end stays in the picture when it was there.
void qvuiTimeline_KeepFitted(struct qvuiEditor* editor);

/// Whether the end of the motion is in the picture.
bool qvuiTimeline_ShowsEnd(const struct qvuiEditor* editor);

/// Starts to move, scale or ripple the selected keys with the mouse; modal: without a button held.
void qvuiTimeline_BeginMove(struct qvuiEditor* editor, qvuiTimelineDrag drag, double pivot, bool modal);
/// A drag of another kind begins with the mouse: an undo step is open until it ends. One object may be held.
void qvuiTimeline_BeginDrag(struct qvuiEditor* editor, qvuiTimelineDrag drag, qvRef held, double time);
/// Keys and spans snap to frames, Ctrl inverts that.
double qvuiTimeline_Snap(const struct qvuiEditor* editor, double time);
/// The mouse went down on a simulation, or on a place of its track where there is none: it is dragged out from there.
void qvuiTimeline_PressSpan(struct qvuiEditor* editor, qvId simulation, int part);
/// One end of it follows the mouse.
void qvuiTimeline_DragSpan(struct qvuiEditor* editor, double now);
/// The mouse went down in a simulation's melt curve, on one of its points or where there is none yet; part as the track
/// finds it. Double: the point goes.
void qvuiTimeline_PressMelt(struct qvuiEditor* editor, qvId simulation, int part, bool twice);
/// The point follows the mouse.
void qvuiTimeline_DragKnot(struct qvuiEditor* editor, ImVec2 mouse);
/// When the point that is held is, s. False: none is.
bool qvuiTimeline_KnotTime(const struct qvuiEditor* editor, double* time);
/// The same of the bar of the mesh file's animation: its start or its end, which changes its speed.
void qvuiTimeline_PressClip(struct qvuiEditor* editor, int part);
/// start: where the drag has brought its start, s.
void qvuiTimeline_DragClip(struct qvuiEditor* editor, double start, double now);
/// The playhead follows the mouse until it lets go.
void qvuiTimeline_BeginScrub(struct qvuiEditor* editor);
/// The next drag draws a box, wherever it starts.
void qvuiTimeline_BeginBox(struct qvuiEditor* editor);
/// Digits, Backspace and Enter during a modal move or scale. Returns whether the key was for it.
bool qvuiTimeline_Key(struct qvuiEditor* editor, const qvuiShortcut* shortcut);
/// Takes back what the drag did. Returns whether there was one.
bool qvuiTimeline_Cancel(struct qvuiEditor* editor);

/// The whole area, and its upper edge, which can be dragged.
void qvuiDrawBottom(struct qvuiEditor* editor, ImVec2 place, ImVec2 size);
void qvuiDrawBottomSplitter(struct qvuiEditor* editor, ImVec2 edge, float width);
/// Height of the area in pixels, 0 when it is hidden.
float qvuiBottomHeight(const struct qvuiEditor* editor, float windowHeight);

// Used by the parts of the timeline.
/// The mouse went down on a key: selects it and starts to move it.
void qvuiTimeline_PressKey(struct qvuiEditor* editor, qvId key);
void qvuiTimeline_OpenMenu(struct qvuiEditor* editor, qvRef object);
void qvuiTimeline_DrawMenu(struct qvuiEditor* editor);
void qvuiDrawTransport(struct qvuiEditor* editor, ImVec2 place, ImVec2 size);
void qvuiDrawRuler(struct qvuiEditor* editor, ImVec2 place, ImVec2 size);
/// A flag in the ruler with the time of what is being dragged.
void qvuiDrawHeldTime(struct qvuiEditor* editor, ImVec2 place, ImVec2 size);
/// What the mouse does now, for the status bar: while something is dragged, and over an object or an empty place.
void qvuiTimeline_DragHint(struct qvuiEditor* editor);
void qvuiTimeline_Hint(struct qvuiEditor* editor, qvRef found, int part);
void qvuiTimeline_HandleMouse(struct qvuiEditor* editor, bool hovered, bool active);
/// The playhead over the tracks, the preview range and what lies outside the play range.
void qvuiTimeline_DrawRange(struct qvuiEditor* editor, ImVec2 lower, ImVec2 upper);
void qvuiTimeline_DrawPlayhead(struct qvuiEditor* editor, float top, float bottom);
/// Over the playhead: what to do while there is no motion yet.
void qvuiTimeline_DrawFirstStep(struct qvuiEditor* editor);
/// In tracks that are empty, what would fill them.
void qvuiTimeline_DrawEmptyTracks(struct qvuiEditor* editor);

/// Wheel and middle button over the timeline or the graph.
void qvuiTimeline_Navigate(struct qvuiEditor* editor, bool hovered);

/// Parts of what the keys' track finds.
enum
{
    qvui_keyFirstEdge = 1,
    qvui_keyLastEdge,
};

/// Parts of what the melt curve's track finds.
enum
{
    qvui_meltEmpty = 8, ///< where a point could be
    qvui_meltKnot,      ///< the first point; the others follow
};

// --- Tabs and tracks -----------------------------------------------------------------------------------------------

typedef struct qvuiTab
{
    const char* id;
    const char* label;
    const char* help;
    void (*draw)(struct qvuiEditor* editor, ImVec2 place, ImVec2 size);
} qvuiTab;

typedef struct qvuiTrack
{
    const char* label;
    float height; ///< at scale 1
    void (*draw)(struct qvuiEditor* editor, ImVec2 place, ImVec2 size);
    /// The object under the mouse, of kind qv_objectScene when there is none; with the id 0 where one could be dragged
    /// out. part: 1 at its end (to stretch), 2 at its start.
    qvRef (*find)(const struct qvuiEditor* editor, ImVec2 place, ImVec2 size, ImVec2 mouse, int* part);
    /// What would fill it; NULL (or returned NULL): nothing to say; returned "": nothing can, the track is not shown.
    const char* (*empty)(const struct qvuiEditor* editor);
} qvuiTrack;

#define TAB(name) extern const qvuiTab name;
#include "ui/timeline/tab_list.inl"
#undef TAB
#define TRACK(name) extern const qvuiTrack name;
#include "ui/timeline/track_list.inl"
#undef TRACK

enum
{
#define TAB(name) name##Index,
#include "ui/timeline/tab_list.inl"
#undef TAB
    qvui_tabCount
};

int qvuiTrackCount(void);
/// Height of a track in pixels: less than it wants where there is no room for all, 0 while it is not shown.
float qvuiTrackHeight(const struct qvuiEditor* editor, int index);
const qvuiTrack* qvuiGetTrack(int index);
