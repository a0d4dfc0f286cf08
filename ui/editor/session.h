// SPDX-License-Identifier: GPL-3.0-or-later
/// What is being edited: the document, the worker that solves it, the take that is shown, the playhead and the
/// selection. Knows no ImGui and no window, so that actions, panels and tests share it.
#pragma once

#include "quaver/document.h"
#include "quaver/take.h"

#include <stdbool.h>

enum
{
    qvui_maxTrails = 8,
    qvui_diskCache = 4,     ///< GB that may be kept on disk unless told
    qvui_maxDiskCache = 256 ///< GB
};

typedef enum qvuiPlayMode
{
    qvui_playLoop,
    qvui_playOnce,
    qvui_playPingPong,
    qvui_playModeCount,
} qvuiPlayMode;

/// The playhead. Plays on the wall clock: frames that come late are dropped, not stretched.
typedef struct qvuiPlayback
{
    double time; ///< s, of the scene
    bool playing;
    bool waits; ///< it stands still as long as a dialog is in front of it
    qvuiPlayMode mode;
    double speed;     ///< 0.1 to 2
    double direction; ///< 1, or -1 on the way back
    double clock;     ///< wall time of the last step, s; negative: none yet
    int previewMode;  ///< -1, or the mode of the mixer that swings alone
} qvuiPlayback;

/// What is selected. Ids of objects that are gone are dropped by qvuiSession_Update.
typedef struct qvuiSelection
{
    qvId* keys; ///< in order of time
    int keyCount, keyCapacity;
    qvId key; ///< the one that the inspector shows; 0: none
    qvId stroke, event, simulation, pin, obstacle;
    qvId joint, part;           ///< of the simulation
    int trails[qvui_maxTrails]; ///< picked points that leave trails
    int trailCount;
} qvuiSelection;

/// Why the shown points may differ from the take's.
typedef enum qvuiShow
{
    qvui_showTake, ///< evaluate(time)
    qvui_showPose, ///< what a tool has put into `points`: a stroke that is being dragged
} qvuiShow;

typedef struct qvuiSession
{
    qvDocument* document; ///< NULL: nothing is open
    qvWorker* worker;
    qvPool* pool;
    const qvBody* body; ///< the mesh; known before the first take
    const qvTake* take; ///< the last valid one; NULL before
    bool isNew;         ///< made from a mesh or a shape and never saved
    char name[256];     ///< for the title

    uint64_t postedRevision; ///< what the worker works on or has done
    uint64_t takeRevision;   ///< grows with every take
    uint64_t revision;       ///< grows when what is shown may have changed
    char problem[512];       ///< why the last solve failed; "" when it did not

    qvuiPlayback playback;
    qvuiSelection selection;
    double diskCache; ///< GB that may be kept on disk
    bool autoKey;     ///< a stroke where there is no key makes one

    qvuiShow show;
    qvVec3f* points;        ///< [pointCount] world positions shown now
    qvVec3f* vertices;      ///< [vertexCount] the same for the file's vertices
    qvTakeView view;        ///< of the take
    uint64_t shownRevision; ///< what `points` was made from
    double knownUntil;      ///< s: how far simulations of the take had come then
    double shownTime;
    qvTakeLayers shownLayers;
    bool shownSwings;  ///< it was a mode of the mixer alone
    bool showsChanged; ///< the topology is another than the body's: view.mesh is to be seen

    // Clipboard.
    qvVec3f* copiedPose; ///< offsets per vertex; NULL: empty
    int copiedCount;
} qvuiSession;

QV_CHECKED qvResult qvuiSession_Init(qvuiSession* session, qvError* error);
void qvuiSession_Free(qvuiSession* session);

/// So many GB may be kept on disk from now on; what is more goes at once. Without a worker it is only noted.
void qvuiSession_SetDiskCache(qvuiSession* session, double gigabytes);

/// Takes a document over (NULL: closes) with its mesh loaded; the session retains the body.
void qvuiSession_SetDocument(qvuiSession* session, qvDocument* document, const qvBody* body);
/// A new scene on a shape or a mesh file (loaded already when body is given).
QV_CHECKED qvResult qvuiSession_New(qvuiSession* session, const qvSceneMesh* mesh, const qvBody* body, qvError* error);
/// What the mesh's file moves it with; NULL: it has no animations, or there is no document.
const qvRig* qvuiSession_Rig(const qvuiSession* session);
/// The animation of the file that the scene plays, or -1.
int qvuiSession_Clip(const qvuiSession* session);

/// Once a frame: posts a changed scene, collects takes, moves the playhead to `now` (wall clock, s), drops dead ids,
/// evaluates what is shown. Returns true when the shown points changed.
bool qvuiSession_Update(qvuiSession* session, double now);
/// At the end of a frame: what it has changed is solved while it is drawn and shown.
void qvuiSession_Post(qvuiSession* session);
/// Seconds until the next frame is wanted while playing; negative when nothing moves by itself.
double qvuiSession_NextWake(const qvuiSession* session);

const qvScene* qvuiSession_Scene(const qvuiSession* session); ///< NULL when nothing is open

/// Whether the take is older than the scene.
bool qvuiSession_IsSolving(const qvuiSession* session);

/// Whether closing would lose something. A scene that was only just made from a mesh holds nothing yet.
bool qvuiSession_IsDirty(const qvuiSession* session);

/// What the window is called. In plain letters as far as the name is, because programs that look for a window by its
/// title read no others in a plain locale.
void qvuiSession_Title(const qvuiSession* session, char* title, size_t capacity);

/// After the document was saved: its name may be another.
void qvuiSession_Rename(qvuiSession* session);

/// The session's name as one for files: without its ending, slashes as "_".
void qvuiSession_FileStem(const qvuiSession* session, char* stem, size_t capacity);

// Time.
void qvuiSession_Seek(qvuiSession* session, double time);
void qvuiSession_Play(qvuiSession* session, bool playing);
/// Where playing starts and ends: the preview range, or the scene's.
void qvuiSession_PlayRange(const qvuiSession* session, double range[2]);
double qvuiSession_SnapTime(const qvuiSession* session, double time); ///< to the nearest frame
/// The key at the playhead (within half a frame), or 0.
qvId qvuiSession_KeyAtTime(const qvuiSession* session);
/// Whether the playhead rests right at a key that arrives as a wave. Then the pose that the wave leads to is shown,
/// which is what brushes change there; the motion is still at the pose before.
bool qvuiSession_ShowsWaveEnd(const qvuiSession* session);
/// The key before (direction -1) or after (1) the playhead, or 0.
qvId qvuiSession_NeighbourKey(const qvuiSession* session, int direction);

/// Fails when a path is that of the scene or of a file of its mesh, which no export writes over. There is a take.
QV_CHECKED qvResult qvuiSession_CheckTarget(const qvuiSession* session, const char* path, qvError* error);

// Selection.
void qvuiSession_SelectKey(qvuiSession* session, qvId key, bool add); ///< 0 selects none; add toggles
void qvuiSession_SelectAllKeys(qvuiSession* session);
bool qvuiSession_IsKeySelected(const qvuiSession* session, qvId key);
/// Times of the first and the last selected key, s. False when they are not two moments.
bool qvuiSession_SelectedRange(const qvuiSession* session, double range[2]);
void qvuiSession_SelectStroke(qvuiSession* session, qvId stroke); ///< and its key
void qvuiSession_SelectEvent(qvuiSession* session, qvId event);
void qvuiSession_SelectSimulation(qvuiSession* session, qvId simulation);
void qvuiSession_SelectObstacle(qvuiSession* session, qvId obstacle);

/// The key that a stroke at the playhead goes to: the one there, or with auto-key a new one whose base captures the
/// motion at this time. 0 with an error when there is none and auto-key is off.
QV_CHECKED qvResult qvuiSession_KeyForStroke(qvuiSession* session, qvId* key, qvError* error);
/// Inserts a key that captures the motion at a time (or the rest shape before there is any), and where the body is as
/// far as keys may say that there (qvScene_MayKeyPlace).
QV_CHECKED qvResult qvuiSession_InsertKey(qvuiSession* session, double time, qvId* key, qvError* error);

/// Why what is simulated at the playhead cannot be captured now, or NULL.
const char* qvuiSession_CannotCapture(const qvuiSession* session);
/// Makes an ordinary key of what is simulated at the playhead: its pose as offsets, and the velocity of every point. A
/// key that is there already takes it over. One undo step.
QV_CHECKED qvResult qvuiSession_CaptureKey(qvuiSession* session, qvId* key, qvError* error);

/// The key that the body is shown at, pose and place, until there is a motion: the first one. NULL afterwards.
const qvSceneKey* qvuiSession_FirstShown(const qvuiSession* session);

/// What is to be seen where the topology is another than the body's mesh's; NULL: that mesh, at `vertices`.
const qvMesh* qvuiSession_Changed(const qvuiSession* session);

/// Fails where the topology has changed, which no key can hold.
QV_CHECKED qvResult qvuiSession_CheckCapture(const qvuiSession* session, double time, qvError* error);

/// Displacements of the vertices from rest, in rest coordinates (the frame taken out), of the motion at a time:
/// vertexCount entries.
void qvuiSession_CaptureOffsets(const qvuiSession* session, double time, qvVec3f* offsets);
