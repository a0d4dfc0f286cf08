// SPDX-License-Identifier: GPL-3.0-or-later
// The tween bar at the foot of the viewport: a pose between those of the keys before and after the playhead, which the
// body takes while the bar is dragged. The document changes when it is taken over, in one step.
#include "ui/editor/editor.h"

#include "ui/actions/state.h"

#include <math.h>
#include <stdlib.h>

static const double ARROW_STEP = 5.0; // percent

bool qvuiTween_IsOpen(const qvuiEditor* editor)
{
    return editor->viewport.tools.tween.from != NULL;
}

static bool ReadPose(qvuiEditor* editor, qvId key, qvVec3f* points)
{
    const qvuiSession* session = &editor->session;
    qvError error;
    const qvScene* scene = qvuiSession_Scene(session);
    // Over a clip, what the key adds to it, where the clip has the body now.
    qvResult result = qvComputePose(scene, session->body, key, -1, session->pool, points, &error);
    if (result == qv_ok)
        result = qvPose_OffClip(scene, session->body, qvScene_FindKey(scene, key, NULL)->time, points, &error);
    if (result == qv_ok)
        result = qvPose_OnClip(scene, session->body, editor->viewport.tools.live.time, points, &error);
    return qvuiEditor_Did(editor, result, &error);
}

void qvuiTween_Drop(qvuiTween* tween)
{
    free(tween->from);
    free(tween->to);
    *tween = (qvuiTween){ 0 };
}

static bool ReadNeighbours(qvuiEditor* editor, qvId before, qvId after)
{
    qvuiTween* tween = &editor->viewport.tools.tween;
    size_t size = (size_t)editor->session.body->mesh->pointCount * sizeof(qvVec3f);
    qvError error;
    tween->from = malloc(size);
    tween->to = malloc(size);
    if (tween->from == NULL || tween->to == NULL)
        return qvuiEditor_Did(editor, qvError_OutOfMemory(&error, 2.0 * (double)size), &error);
    return ReadPose(editor, before, tween->from) && ReadPose(editor, after, tween->to);
}

void qvuiTween_Open(qvuiEditor* editor)
{
    qvuiSession* session = &editor->session;
    qvuiTween* tween = &editor->viewport.tools.tween;
    qvId before = qvuiSession_NeighbourKey(session, -1), after = qvuiSession_NeighbourKey(session, 1);
    if (before == 0 || after == 0)
    {
        qvuiEditor_Notify(editor, false, "Tween needs a key before and one after the playhead");
        return;
    }
    if (!qvuiLive_Begin(editor))
        return;
    if (!ReadNeighbours(editor, before, after))
    {
        qvuiTween_Close(editor);
        return;
    }
    editor->toast.text[0] = 0;
    tween->percent = 50.0;
    tween->shown = NAN;
    tween->revision = qvDocument_Revision(session->document);
}

void qvuiTween_Close(qvuiEditor* editor)
{
    qvuiTween_Drop(&editor->viewport.tools.tween);
    qvuiLive_Cancel(editor);
}

static void Show(qvuiEditor* editor)
{
    qvuiTween* tween = &editor->viewport.tools.tween;
    qvVec3f* points = editor->viewport.tools.live.points;
    float f = (float)(0.01 * tween->percent);
    for (int i = 0; i < editor->session.body->mesh->pointCount; i++)
    {
        qvVec3f a = tween->from[i], b = tween->to[i];
        points[i] = (qvVec3f){ a.x + f * (b.x - a.x), a.y + f * (b.y - a.y), a.z + f * (b.z - a.z) };
    }
    tween->shown = tween->percent;
    qvuiLive_ShowPoints(editor);
}

// Another moment or another scene is no longer what the bar is about.
void qvuiTween_Update(qvuiEditor* editor)
{
    const qvuiSession* session = &editor->session;
    const qvuiTools* tools = &editor->viewport.tools;
    if (!qvuiTween_IsOpen(editor))
        return;
    if (session->playback.playing || session->playback.time != tools->live.time ||
        qvDocument_Revision(session->document) != tools->tween.revision)
        qvuiTween_Close(editor);
    else if (qvuiTween_IsPending(editor))
        Show(editor);
}

bool qvuiTween_IsPending(const qvuiEditor* editor)
{
    const qvuiTween* tween = &editor->viewport.tools.tween;
    return qvuiTween_IsOpen(editor) && (tween->shown != tween->percent || editor->session.show != qvui_showPose);
}

static void Apply(qvuiEditor* editor)
{
    Show(editor);
    qvuiTween_Drop(&editor->viewport.tools.tween);
    qvuiLive_CommitPose(editor, "Tween");
}

bool qvuiTween_Key(qvuiEditor* editor, const qvuiShortcut* shortcut)
{
    qvuiTween* tween = &editor->viewport.tools.tween;
    bool right = shortcut->key == qvui_keyRight, moves = right || shortcut->key == qvui_keyLeft;
    if (!qvuiTween_IsOpen(editor) || shortcut->control || shortcut->alt)
        return false;
    if (shortcut->key == qvui_keyEnter)
        Apply(editor);
    else if (moves)
        tween->percent = fmin(fmax(tween->percent + (right ? ARROW_STEP : -ARROW_STEP), -20.0), 120.0);
    return moves || shortcut->key == qvui_keyEnter;
}

static void DrawBar(qvuiEditor* editor, ImVec2 size)
{
    qvuiSliderDef def = { .label = "Towards next",
                          .format = "%.0f %%",
                          .minimum = -20.0,
                          .maximum = 120.0,
                          .standard = 50.0,
                          .color = QVUI_KEYED,
                          .tooltip =
                              "Where between its neighbours the pose lies: 0 is the key before, 100 the one after" };
    igBeginChild_Str("bar", size, false, ImGuiWindowFlags_NoScrollbar);
    qvuiSliderRow(&editor->kit, &def, &editor->viewport.tools.tween.percent);
    igEndChild();
}

// Above the badge of the body.
float qvuiTween_Top(const qvuiEditor* editor)
{
    const qvuiViewport* viewport = &editor->viewport;
    return floorf(viewport->place.y + viewport->size.y - qvuiPixels(&editor->kit.style, 12 + 23 + 8 + 40));
}

void qvuiTween_Draw(qvuiEditor* editor)
{
    qvuiKit* kit = &editor->kit;
    const qvuiStyle* style = &kit->style;
    const qvuiViewport* viewport = &editor->viewport;
    if (!qvuiTween_IsOpen(editor))
        return;
    float pad = qvuiPixels(style, 6), pills = qvuiPixels(style, 166);
    ImVec2 size = { fminf(viewport->size.x - 2 * pad, qvuiPixels(style, 520)), qvuiPixels(style, 40) };
    ImVec2 place = { floorf(viewport->place.x + 0.5f * (viewport->size.x - size.x)), qvuiTween_Top(editor) };
    igSetCursorScreenPos(place);
    igPushStyleColor_U32(ImGuiCol_ChildBg, QVUI_RGBA(0x262a30, 245));
    igBeginChild_Str("tween", size, false, ImGuiWindowFlags_NoScrollbar);
    igPopStyleColor(1);
    igSetCursorScreenPos((ImVec2){ place.x, place.y + pad });
    DrawBar(editor, (ImVec2){ size.x - pills, size.y - 2 * pad });
    igSetCursorScreenPos((ImVec2){ place.x + size.x - pills, place.y + qvuiPixels(style, 7) });
    bool applies =
        qvuiPill(kit, "Tween", 0.0f, "Gives the body that pose at the playhead; a key is made where there is none");
    igSameLine(0.0f, qvuiPixels(style, 8));
    bool closes = qvuiPill(kit, "Cancel", 0.0f, "The pose stays as it is");
    igEndChild();
    if (applies)
        Apply(editor);
    else if (closes)
        qvuiTween_Close(editor);
    else if (kit->hint == NULL)
        editor->hint = "Drag\tthe bar|Left, Right\tstep|Enter\ttake the pose|Esc\tback";
}
