// SPDX-License-Identifier: GPL-3.0-or-later
/// Tools of the viewport: what the left button does on the body. To add one: write tool_x.c with its descriptor at the
/// end and a line in tool_list.inl, for a brush in quaver/brush_list.inl, which makes its action too; the strip, the
/// badges, the actions and the status bar read that table.
#pragma once

#include "quaver/bvh.h"
#include "quaver/limb.h"
#include "quaver/take.h"
#include "ui/actions/shortcut.h"
#include "ui/widgets/widgets.h"

#include <stdbool.h>

struct qvuiEditor;

typedef enum qvuiToolKind
{
#define TOOL(name) qvui_tool##name,
#include "ui/viewport/tool_list.inl"
#undef TOOL
    qvui_toolCount,
} qvuiToolKind;

/// The descriptor at the end of each tool_x.c. A gesture runs from begin (false: this press is not for the tool) over
/// drag (when the mouse moved) to end or, with Esc, cancel.
typedef struct qvuiTool
{
    const char* id; ///< stable, for scripts: "grab"
    const char* label;
    const char* icon;                                                                       ///< of the icon font, or
    void (*drawIcon)(ImDrawList* list, ImVec2 middle, float size, ImU32 color, float line); ///< drawn in a square
    const char* action; ///< that chooses it; its shortcut stands in the corner
    const char* help;   ///< tooltip: one sentence
    const char* hint;   ///< for the status bar, see status.c
    const char* during; ///< the same while a gesture goes on; NULL: that letting go ends it and Esc cancels
    ImU32 color;
    bool startsGroup; ///< a line above it in the strip
    bool hasBrush;    ///< a circle on the surface; radius and strength count
    bool isFine;      ///< its circle is a third of a brush's, until another is chosen: it paints
    bool makesStroke; ///< scales, volume, symmetry and mask count too
    bool anywhere;    ///< begins beside the body too
    bool ownHandles;  ///< has handles of its own, where those of strokes and velocities would be in their way
    bool ownMark;     ///< shows by itself where it acts: its circle only with Ctrl
    bool types;       ///< a number can be typed during a gesture
    bool (*begin)(struct qvuiEditor* editor);
    void (*drag)(struct qvuiEditor* editor);
    void (*end)(struct qvuiEditor* editor);
    void (*cancel)(struct qvuiEditor* editor);
    void (*draw)(struct qvuiEditor* editor, ImDrawList* list); ///< over the picture while it is chosen; may be NULL
    void (*again)(struct qvuiEditor* editor);                  ///< of a brush: it is chosen once more; may be NULL
} qvuiTool;

const qvuiTool* qvuiGetTool(qvuiToolKind kind);

/// A pose that is being changed by a gesture. Lengths and places are in rest coordinates.
typedef struct qvuiLive
{
    qvId key;        ///< 0: one will be made
    double time;     ///< of the key
    qvAffine frame;  ///< rest coordinates to the world
    qvVec3f* before; ///< [pointCount] the pose that the gesture starts from
    qvVec3f* points; ///< [pointCount] the pose now
    qvStroke stroke; ///< that is being dragged
    qvId edited;     ///< a stroke that is there already and is being changed; 0: a new one
    qvStroke* dabs;  ///< finished strokes of the same gesture
    int dabCount, dabCapacity;
} qvuiLive;

/// A pose between those of two keys, which the live pose shows.
typedef struct qvuiTween
{
    qvVec3f *from, *to; ///< [pointCount] of the keys before and after, rest coordinates; NULL: the bar is not open
    double percent;     ///< of the way
    double shown;       ///< of the pose that is shown; NAN: none yet
    uint64_t revision;  ///< of the document that it is about
} qvuiTween;

/// Tells whether a key's pose is still the same: unchanged keys are shared between snapshots of a document.
typedef struct qvuiKeyStamp
{
    const qvScene* scene; ///< retained, so that the key's address stays its own; NULL: none
    const qvSceneKey* key;
} qvuiKeyStamp;

/// Arrows of velocities show where the body would get in this time, seconds.
#define QVUI_VELOCITY_TIME 0.25

enum
{
    qvui_maxFlow = 48
};

/// The velocity that strokes give a key, at some places of the body: arriving, leaving. Rest coordinates, per second.
typedef struct qvuiFlow
{
    qvuiKeyStamp stamp; ///< what it was measured from
    int count[2];
    qvVec3 at[2][qvui_maxFlow], velocity[2][qvui_maxFlow];
} qvuiFlow;

enum
{
    qvui_maxMasks = 32
};

/// Masks to go back to; the items are owned, NULL is no mask.
typedef struct qvuiMasks
{
    float* items[qvui_maxMasks];
    int count, at;     ///< at: the one that counts now
    uint64_t revision; ///< of the document when the last one was made
} qvuiMasks;

/// What is being set by moving the mouse without a button.
typedef enum qvuiAdjust
{
    qvui_adjustNone,
    qvui_adjustRadius,
    qvui_adjustStrength,
} qvuiAdjust;

enum
{
    qvui_maxWavePath = 64
};

/// The limb that a bend would take, at the place under the mouse.
typedef struct qvuiLimbUnder
{
    qvLimb limb; ///< world
    int triangle;
    bool fixed;      ///< begins a radius away, whatever the shape
    double distance; ///< of that
    uint64_t revision;
    double time;
} qvuiLimbUnder;

/// What each tool remembers while another is chosen.
typedef struct qvuiToolSize
{
    double radius; ///< scene units; 0: not chosen yet
    double strength;
    int scales;
} qvuiToolSize;

typedef struct qvuiTools
{
    qvuiToolKind tool;
    double radius;   ///< of the chosen tool, scene units; 0: not chosen yet, the tool's usual part of the diagonal
    double strength; ///< the same
    double poisson;
    int scales;                         ///< of the chosen tool's strokes, 1 to 3
    qvuiToolSize sizes[qvui_toolCount]; ///< of the others
    int segments;                       ///< of bend, 1 to 4
    unsigned mirror;                    ///< bits of x, y, z
    bool connected;
    bool pins;         ///< pinned points stay where they are under the next strokes
    bool ground;       ///< the next strokes push nothing through the ground
    double ease;       ///< how much of the strain an easing takes out, per cent
    bool sticks;       ///< to the ground, while the transform tool moves the body
    const float* mask; ///< [pointCount] for the next strokes, 0 to 1; NULL: none. One of the masks
    qvuiMasks masks;

    const qvBody* body; ///< that the arrays below belong to; not owned
    qvBvh* bvh;         ///< over the shown points
    uint64_t bvhRevision;
    double bvhTime;
    qvHit hover;     ///< what is under the mouse; triangle -1: nothing
    qvVec3 normal;   ///< there, smoothed
    bool overHandle; ///< a press would take a handle
    qvuiLimbUnder limb;
    bool hasFocus; ///< a stroke was made, at
    qvVec3 focus;  ///< world

    // The gesture that is going on.
    const qvuiTool* active; ///< NULL: none
    qvHit hit;              ///< where it began, world
    qvVec3 hitNormal;
    qvVec3 hitRest;      ///< the same place in rest coordinates
    ImVec2 start, mouse; ///< pixels
    bool control, shift;
    bool moved;                ///< since it began
    bool freed;                ///< Ctrl was let go since it began
    qvVec3 limbJoint, limbTip; ///< of the limb that is being bent, in the pose that the gesture starts from
    ImVec2 limbMouse;          ///< where the mouse was when it was bent last
    qvuiLive live;
    qvuiTween tween;
    float* values;       ///< [pointCount] that are being painted
    int handle;          ///< which arrow or axis was taken
    qvVec3 arrow;        ///< vector that is being dragged, world
    qvJson* velocity;    ///< one that strokes give and that is dragged, as in files
    qvVec3 pivot;        ///< of the whole body, world
    qvAffine startFrame; ///< of the whole body before it was moved
    double amount;       ///< how far it was moved (scene units) or turned (radians, with whole turns)
    double turned;       ///< by the mouse round the pivot, radians
    double mouseAngle;   ///< where the mouse was round it last
    char typed[16];      ///< number typed during the gesture; "": the mouse counts
    qvVec3 path[qvui_maxWavePath], pathRest[qvui_maxWavePath]; ///< a painted curve of loads, world and rest
    int pathCount;

    // The last pose that was made, so that the next stroke need not compute it again.
    qvVec3f* kept;
    qvuiKeyStamp keptStamp;

    // Where the selected stroke's centre is.
    qvId centreStroke;
    qvuiKeyStamp centreStamp;
    qvVec3 centre; ///< rest coordinates, before the stroke moves it
    qvVec3 joint;  ///< the same of a bend's joint

    qvuiFlow flow;

    qvuiAdjust adjust;
    double adjustStart;
    ImVec2 adjustPlace;
} qvuiTools;

void qvuiTools_Init(qvuiTools* tools);

/// Forgets what belongs to the body; call it when another one comes.
void qvuiTools_DropBody(qvuiTools* tools);

/// Reads the mouse over the picture (the ImGui item drawn last). Returns whether a tool uses it.
bool qvuiTools_Mouse(struct qvuiEditor* editor);

/// Circle, handles and what the chosen tool draws.
void qvuiTools_Draw(struct qvuiEditor* editor, ImDrawList* list);

/// Digits, Backspace and Enter during a gesture that a number can be typed in. Returns whether the key was for it.
bool qvuiTools_Key(struct qvuiEditor* editor, const qvuiShortcut* shortcut);

/// Gives up what is going on. Returns whether there was something.
bool qvuiTools_Cancel(struct qvuiEditor* editor);

void qvuiTools_Choose(struct qvuiEditor* editor, qvuiToolKind kind);
void qvuiTools_Adjust(struct qvuiEditor* editor, qvuiAdjust adjust);
double qvuiTools_Radius(const struct qvuiEditor* editor); ///< scene units

/// The box of contact keys, and its obstacle in the picture.
void qvuiContact_Toggle(struct qvuiEditor* editor);
void qvuiContact_Draw(struct qvuiEditor* editor);

/// The tween bar: opens at the playhead, or says why not.
void qvuiTween_Open(struct qvuiEditor* editor);
bool qvuiTween_IsOpen(const struct qvuiEditor* editor);
void qvuiTween_Close(struct qvuiEditor* editor); ///< the pose is as before
void qvuiTween_Drop(qvuiTween* tween);
/// Once a frame: shows the pose of the bar; closes it when the moment or the scene is another.
void qvuiTween_Update(struct qvuiEditor* editor);
/// Whether the bar has moved since the pose was shown.
bool qvuiTween_IsPending(const struct qvuiEditor* editor);
/// A key that the bar uses: Enter and the arrows.
bool qvuiTween_Key(struct qvuiEditor* editor, const qvuiShortcut* shortcut);
/// Joints of the chosen simulation, over the picture.
void qvuiJoints_Draw(struct qvuiEditor* editor, ImDrawList* list);

/// Over the viewport, after everything else in it.
void qvuiTween_Draw(struct qvuiEditor* editor);
float qvuiTween_Top(const struct qvuiEditor* editor); ///< its upper edge, pixels

/// "Grab bi-scale" and the like.
const char* qvuiStrokeLabel(const qvStroke* stroke);

// --- For the tools themselves ---------------------------------------------------------------------------------------

/// Scene units per pixel at the depth of a place.
double qvuiUnitsPerPixel(const struct qvuiEditor* editor, qvVec3 place);
/// How the mouse has moved since the gesture began, in the plane of the picture at the place where it began.
qvVec3 qvuiMouseMove(const struct qvuiEditor* editor);
/// Where a place is in the window; false when it is behind the eye.
bool qvuiProject(const struct qvuiEditor* editor, qvVec3 place, ImVec2* pixel);
/// The body under a pixel; nothing where its topology has changed.
qvHit qvuiPick(struct qvuiEditor* editor, ImVec2 pixel);
/// The corner of the triangle that was hit which is nearest to the hit.
int qvuiNearestCorner(const qvHit* hit, const qvTriangle* triangle);
/// The ray through a pixel.
qvRay qvuiMouseRay(const struct qvuiEditor* editor, ImVec2 pixel);
/// What is shown under a pixel, whatever its topology: where it is in the world. False when there is nothing.
bool qvuiPickPlace(struct qvuiEditor* editor, ImVec2 pixel, qvVec3* place);
/// A place on the shown surface in rest coordinates.
qvVec3 qvuiRestPlace(const struct qvuiEditor* editor, const qvHit* hit);
/// Smooth normal of the shown surface.
qvVec3 qvuiHitNormal(const struct qvuiEditor* editor, const qvHit* hit);

qvVec3 qvuiToWorld(const qvAffine* frame, qvVec3 place);
qvVec3 qvuiTurn(const qvAffine* frame, qvVec3 vector);     ///< of rest coordinates into the world
qvVec3 qvuiTurnBack(const qvAffine* frame, qvVec3 vector); ///< of the world into rest coordinates (the frame is rigid)
/// Rest coordinates of a key's pose to the world.
qvAffine qvuiKeyFrame(const struct qvuiEditor* editor, qvId key, double time);

/// Starts to change the pose at the playhead; a failure (no key, auto-key off) becomes a toast.
bool qvuiLive_Begin(struct qvuiEditor* editor);
/// Starts to change a stroke that is there.
bool qvuiLive_BeginEdit(struct qvuiEditor* editor, qvId stroke);
/// Shows the pose with live.stroke applied.
void qvuiLive_Show(struct qvuiEditor* editor);
/// Shows live.points in live.frame.
void qvuiLive_ShowPoints(struct qvuiEditor* editor);
/// Makes live.stroke part of the pose and goes on with the next dab.
void qvuiLive_AddDab(struct qvuiEditor* editor);
/// Puts the strokes into the document as one step.
void qvuiLive_Commit(struct qvuiEditor* editor, const char* label);
/// Gives the key live.points as its own shape, as one step.
void qvuiLive_CommitPose(struct qvuiEditor* editor, const char* label);
void qvuiLive_Cancel(struct qvuiEditor* editor);
/// Notes where a stroke's centre and joint are in the pose that it acts on.
void qvuiKeepCentre(struct qvuiEditor* editor, qvId key, qvId stroke, const qvStroke* values, const qvVec3f* before);
void qvuiKeyStamp_Set(qvuiKeyStamp* stamp, const struct qvuiEditor* editor, qvId key); ///< key 0: none
bool qvuiKeyStamp_IsValid(const qvuiKeyStamp* stamp, const struct qvuiEditor* editor, qvId key);
/// A stroke of the chosen settings at the place where the gesture began.
qvStroke qvuiNewStroke(const struct qvuiEditor* editor, const char* brush);

/// Brushes share everything but how the mouse becomes a stroke.
bool qvuiBrush_Begin(struct qvuiEditor* editor, const char* brush);
void qvuiBrush_End(struct qvuiEditor* editor);

/// Paints live values per point with the brush: towards `to` where the mouse passes.
bool qvuiPaint_Begin(struct qvuiEditor* editor, const float* start, float standard);
void qvuiPaint_Dab(struct qvuiEditor* editor, float to, bool soft);
void qvuiPaint_Cancel(struct qvuiEditor* editor);
/// Puts what was painted into the document as one step by store, which fails like an edit. Ends the painting.
void qvuiPaint_Commit(struct qvuiEditor* editor, const char* label,
                      qvResult (*store)(struct qvuiEditor* editor, qvError* error));

/// How much of what the mask tool or the weight tool paints is on each point, 0 to 1 (1: masked, or no secondary
/// motion), by which of them is chosen; the caller frees. NULL: no memory, with a toast.
float* qvuiPainted_Get(struct qvuiEditor* editor);
/// Makes that (taken over) the mask or the weights.
void qvuiPainted_Set(struct qvuiEditor* editor, const char* label, float* painted);
/// Paints all of the bone that holds a place most, or where there is none the connected part of it.
void qvuiPainted_AddRegion(struct qvuiEditor* editor, const qvHit* hit, float to);

/// Makes values (taken over; NULL: none) the mask of the next strokes.
void qvuiMask_Set(struct qvuiEditor* editor, float* values);
/// Undo (-1) and redo (1) of the mask. False when the document is what was changed last.
bool qvuiMask_Step(struct qvuiEditor* editor, int steps);
bool qvuiMask_CanStep(const struct qvuiEditor* editor, int steps);
void qvuiMask_Drop(qvuiTools* tools); ///< with its history

/// Values of points for the mesh's vertices; vertices without a point get the standard. The caller frees. NULL: no
/// memory, with *error.
float* qvuiVertexValues(const qvMesh* mesh, const float* values, float standard, qvError* error);
/// The vertices whose points have values above a half (or, with below, under it). The caller frees; NULL as above.
int32_t* qvuiPaintedVertices(const qvMesh* mesh, const float* values, bool below, int* count, qvError* error);

/// Arrow with a head, and a dot that can be taken.
void qvuiDrawArrow(const qvuiStyle* style, ImDrawList* list, ImVec2 from, ImVec2 to, ImU32 color);
void qvuiDrawHandle(const qvuiStyle* style, ImDrawList* list, ImVec2 place, ImU32 color, bool hovered);

/// The chain of a limb that is bent: its joints and its end, in rest coordinates, carried by the frame.
void qvuiDrawChain(struct qvuiEditor* editor, ImDrawList* list, const qvAffine* frame, const qvStroke* placed);

/// Arrows of a key's velocity on one side, where strokes give it.
void qvuiDrawFlow(struct qvuiEditor* editor, ImDrawList* list, const qvSceneKey* key, bool arriving);
/// The longest of those arrows in the window: where it is rooted, and its free end, which can be dragged. False when
/// there is none.
bool qvuiFlowHandle(struct qvuiEditor* editor, const qvSceneKey* key, bool arriving, ImVec2* root, ImVec2* handle);
/// Turns a key's speed of the whole body into the world: where the key has a transform it is the world's already.
qvAffine qvuiVelocityFrame(const struct qvuiEditor* editor, const qvSceneKey* key);
/// One side of a key's velocity ("velocity.out") as in files; the caller destroys it. NULL: none, or no memory.
qvJson* qvuiReadVelocity(const struct qvuiEditor* editor, qvId key, const char* field);
/// Sets that side to what was read, its strokes made larger by a factor.
QV_CHECKED qvResult qvuiSetVelocity(struct qvuiEditor* editor, qvId key, const char* field, const qvJson* side,
                                    double factor, qvError* error);

/// Handles of the selected stroke and of the selected key's velocity: gestures of any tool that begin on them. NULL
/// when none is under the pixel.
const qvuiTool* qvuiFindHandle(struct qvuiEditor* editor, ImVec2 pixel);
void qvuiDrawHandles(struct qvuiEditor* editor, ImDrawList* list);
