// SPDX-License-Identifier: GPL-3.0-or-later
// The strokes of the selected key, in order; the selected one can be changed number by number.
#include "ui/actions/action.h"
#include "ui/panels/fields.h"
#include "ui/panels/here.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>

static const qvSceneKey* SelectedKey(const qvuiEditor* editor)
{
    const qvScene* scene = qvuiSession_Scene(&editor->session);
    return scene != NULL ? qvScene_FindKey(scene, editor->session.selection.key, NULL) : NULL;
}

static bool IsShown(const qvuiEditor* editor)
{
    return SelectedKey(editor) != NULL;
}

static void Remark(const qvuiEditor* editor, char* text, size_t capacity)
{
    int index, count = SelectedKey(editor)->strokes.count;
    qvScene_FindKey(qvuiSession_Scene(&editor->session), editor->session.selection.key, &index);
    if (qvuiIsKeyElsewhere(editor))
        snprintf(text, capacity, "%d of key %d", count, index + 1);
    else
        snprintf(text, capacity, "%d", count);
}

// What the stroke does, in a few letters.
static void Describe(const qvStroke* stroke, char* text, size_t capacity)
{
    size_t measure = stroke->brush->measure;
    if (measure == offsetof(qvStroke, drag))
        snprintf(text, capacity, "drag %.2f", qvLength(stroke->drag));
    else if (measure == offsetof(qvStroke, angle))
        snprintf(text, capacity, "%.0f\xc2\xb0", stroke->angle * 57.29577951308232);
    else if (qvBrush_FindParameter(stroke->brush, measure)->minimum < 0.0)
        snprintf(text, capacity, "%+.0f %%", 100.0 * stroke->amount);
    else
        snprintf(text, capacity, "%.0f %%", 100.0 * stroke->amount * stroke->strength);
}

static void MoveStroke(qvuiEditor* editor, qvId stroke, int place)
{
    qvError error;
    qvEdit edit = { .kind = qv_editMove, .object = { qv_objectStroke, stroke }, .place = place };
    qvuiEditor_Did(editor, qvDocument_Apply(editor->session.document, &edit, NULL, &error), &error);
}

static void Buttons(qvuiEditor* editor, const qvSceneKey* key, qvId stroke)
{
    qvuiKit* kit = &editor->kit;
    int place = 0;
    qvScene_FindStroke(qvuiSession_Scene(&editor->session), stroke, NULL, &place);
    float gap = qvuiPixels(&kit->style, 6);
    igSetCursorPosX(igGetCursorPosX() + qvuiPixels(&kit->style, 12));
    igBeginDisabled(place == 0);
    if (qvuiPill(kit, "Earlier", 0.0f, "Does this stroke before the one above it; the pose may change"))
        MoveStroke(editor, stroke, place - 1);
    igEndDisabled();
    igSameLine(0.0f, gap);
    igBeginDisabled(place + 1 >= key->strokes.count);
    if (qvuiPill(kit, "Later", 0.0f, "Does this stroke after the one below it; the pose may change"))
        MoveStroke(editor, stroke, place + 1);
    igEndDisabled();
    igSameLine(0.0f, gap);
    if (qvuiPill(kit, "Delete stroke", 0.0f, "Takes this stroke out of the pose; the motion follows"))
    {
        qvError error;
        qvRef object = { qv_objectStroke, stroke };
        qvuiEditor_Did(editor, qvDocument_Remove(editor->session.document, object, &error), &error);
    }
}

static void DrawRows(qvuiEditor* editor)
{
    const qvSceneKey* key = SelectedKey(editor);
    qvId selected = editor->session.selection.stroke;
    if (key->strokes.count == 0)
        qvuiTextRow(&editor->kit, "Pose with a brush to add strokes", "");
    for (int i = 0; i < key->strokes.count; i++)
    {
        const qvSceneStroke* stroke = key->strokes.strokes[i];
        char name[64], remark[48];
        static const char* const scales[] = { "", "", " bi-scale", " tri-scale" };
        snprintf(name, sizeof(name), "%s%s##stroke%u", stroke->stroke.brush->label, scales[stroke->stroke.scales & 3],
                 stroke->id);
        Describe(&stroke->stroke, remark, sizeof(remark));
        bool chosen = stroke->id == selected;
        if (qvuiListRow(&editor->kit, name, remark, chosen ? QVUI_AMBER : QVUI_MUTED, chosen,
                        "Shows its numbers, to change them; the pose and the motion follow"))
            qvuiSession_SelectStroke(&editor->session, chosen ? 0 : stroke->id);
    }
    if (selected == 0 || qvScene_FindStroke(qvuiSession_Scene(&editor->session), selected, NULL, NULL) == NULL)
        return;
    static const char* const without[] = { "brush", "mask", NULL };
    qvuiFieldRows(editor, (qvRef){ qv_objectStroke, selected }, without, QVUI_KEYED);
    Buttons(editor, key, selected);
}

// How much an easing takes out, and the button that does it.
static void EaseRows(qvuiEditor* editor)
{
    static const qvuiSliderDef def = { .label = "Ease by",
                                       .format = "%.0f %%",
                                       .minimum = 1.0,
                                       .maximum = 100.0,
                                       .standard = 30.0,
                                       .color = QVUI_KEYED,
                                       .tooltip = "How much of the strain in the pose Ease takes out" };
    qvuiSliderRow(&editor->kit, &def, &editor->viewport.tools.ease);
    igSetCursorPosX(igGetCursorPosX() + qvuiPixels(&editor->kit.style, 12));
    if (qvuiPill(&editor->kit, "Ease the strain", 0.0f,
                 "Takes a part of the strain out of the pose, bumps first; pinned and masked points stay"))
        qvuiAction_EasePose(editor);
}

static void Draw(qvuiEditor* editor)
{
    ImVec2 start;
    igGetCursorScreenPos(&start);
    DrawRows(editor);
    EaseRows(editor);
    qvuiDimElsewhere(editor, start);
}

const qvuiPanel qvuiPanelStrokes = {
    "strokes",
    "Strokes",
    IsShown,
    Remark,
    Draw,
    true,
    "The brush strokes of the selected pose, in order; each can be changed afterwards"
};
