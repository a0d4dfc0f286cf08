// SPDX-License-Identifier: GPL-3.0-or-later
// The key that is selected: how it is arrived at, its velocity, weight, part and transform.
#include "ui/panels/fields.h"

#include "ui/actions/state.h"

#include <math.h>
#include <stdio.h>

static const qvSceneKey* SelectedKey(const qvuiEditor* editor, int* index)
{
    const qvScene* scene = qvuiSession_Scene(&editor->session);
    return scene != NULL ? qvScene_FindKey(scene, editor->session.selection.key, index) : NULL;
}

static bool IsShown(const qvuiEditor* editor)
{
    return SelectedKey(editor, NULL) != NULL;
}

static void Remark(const qvuiEditor* editor, char* text, size_t capacity)
{
    int index;
    const qvSceneKey* key = SelectedKey(editor, &index);
    double fps = qvuiSession_Scene(&editor->session)->fps;
    snprintf(text, capacity, "%d%s%.24s \xe2\x80\xa2 %.2f s \xe2\x80\xa2 frame %.0f", index + 1,
             key->name[0] != 0 ? " " : "", key->name, key->time, round(key->time * fps));
}

// Hard, or soft with a weight.
static void WeightRows(qvuiEditor* editor, qvRef object, const qvSceneKey* key)
{
    static const char* const kinds[] = { "hard", "soft" };
    int kind = isfinite(key->weight);
    qvDocument* document = editor->session.document;
    qvError error;
    if (qvuiSegmentedRow(
            &editor->kit, "Weight", kinds, 2, &kind,
            "Hard: the motion passes exactly through the pose. Soft: it may miss it where that saves force"))
        qvuiEditor_Did(editor,
                       kind == 0 ? qvDocument_SetText(document, object, "weight", "hard", &error)
                                 : qvDocument_SetNumber(document, object, "weight", 1.0, &error),
                       &error);
    if (isfinite(key->weight))
        qvuiFieldRow(editor, object, "weight", QVUI_RGB(0x6f4a16));
}

// A partial key can be made whole again here; the mask brush makes it partial.
static void PartRow(qvuiEditor* editor, qvRef object, const qvSceneKey* key)
{
    bool whole = !key->partial;
    qvError error;
    if (whole)
        return;
    if (qvuiSwitchRow(&editor->kit, "Whole body", &whole,
                      "Off: only some points are held at this key, the rest is free"))
        qvuiEditor_Did(editor, qvDocument_Reset(editor->session.document, object, "only", &error), &error);
}

// How far the motion misses the key, and how far waves would carry it away if they were let.
static void ReportRow(qvuiEditor* editor, int index)
{
    const qvTake* take = editor->session.take;
    char text[96];
    // Measuring takes a moment for a large body, so it waits until nothing is being dragged.
    if (take == NULL || qvTake_Scene(take)->keyCount <= index || igIsMouseDown(ImGuiMouseButton_Left) ||
        editor->session.playback.playing)
        return;
    qvKeyReport report = qvTake_KeyReport(take, index);
    double miss = fmax(report.error, report.residual);
    snprintf(text, sizeof(text), "%.2g %% of the size", 100.0 * miss);
    if (miss >= 1e-5)
        qvuiTextRow(&editor->kit, "Misses by", text);
    snprintf(text, sizeof(text), "%.2g %% of the size", 100.0 * report.waves);
    if (report.waves >= 1e-4)
        qvuiTextRow(&editor->kit, "Waves pull by", text);
}

static void Draw(qvuiEditor* editor)
{
    static const char* const shown[] = { "name", "time", "interp", "velocity.mode" };
    int index;
    const qvSceneKey* key = SelectedKey(editor, &index);
    qvRef object = { qv_objectKey, key->id };
    ImU32 color = QVUI_RGB(0x6f4a16);
    for (size_t i = 0; i < sizeof(shown) / sizeof(shown[0]); i++)
        qvuiFieldRow(editor, object, shown[i], color);
    if (key->velocityMode == qv_velocitySet)
        qvuiFieldRow(editor, object, "velocity.value", color);
    if (key->velocityMode == qv_velocityBroken)
    {
        qvuiFieldRow(editor, object, "velocity.in", color);
        qvuiFieldRow(editor, object, "velocity.out", color);
    }
    WeightRows(editor, object, key);
    PartRow(editor, object, key);
    ReportRow(editor, index);
}

// Fields that most keys leave alone.
static void DrawMore(qvuiEditor* editor)
{
    static const char* const shown[] = { "transform.translate", "transform.rotate", "transform.turns", "wave.kind",
                                         "wave.amount",         "wave.speed",       "frequency",       "settle" };
    qvRef object = { qv_objectKey, editor->session.selection.key };
    for (size_t i = 0; i < sizeof(shown) / sizeof(shown[0]); i++)
        qvuiFieldRow(editor, object, shown[i], QVUI_RGB(0x6f4a16));
}

const qvuiPanel qvuiPanelKeyMore = { "keyMore", "Body frame, wave, own material", IsShown, NULL, DrawMore, false };
const qvuiPanel qvuiPanelKey = { "key", "Key", IsShown, Remark, Draw, true };
