// SPDX-License-Identifier: GPL-3.0-or-later
// The key that is selected: how it is arrived at, its velocity, weight, part and transform.
#include "ui/panels/fields.h"

#include "ui/actions/state.h"
#include "ui/panels/here.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const qvSceneKey* SelectedKey(const qvuiEditor* editor, int* index)
{
    const qvScene* scene = qvuiSession_Scene(&editor->session);
    return scene != NULL ? qvScene_FindKey(scene, editor->session.selection.key, index) : NULL;
}

static bool IsShown(const qvuiEditor* editor)
{
    return SelectedKey(editor, NULL) != NULL;
}

// Also where no key is selected: it says what there is at the playhead. What else is selected has a section of its own.
static bool IsPlaceShown(const qvuiEditor* editor)
{
    return editor->session.document != NULL &&
           (IsShown(editor) || (editor->session.selection.event == 0 && editor->session.selection.simulation == 0));
}

static void Remark(const qvuiEditor* editor, char* text, size_t capacity)
{
    int index;
    const qvSceneKey* key = SelectedKey(editor, &index);
    if (key == NULL)
        return;
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
            &editor->kit, "Strictness", kinds, 2, &kind, QVUI_KEYED,
            "Hard: the motion passes exactly through the pose. Soft: it may miss it where that saves force"))
        qvuiEditor_Did(editor,
                       kind == 0 ? qvDocument_SetText(document, object, "weight", "hard", &error)
                                 : qvDocument_SetNumber(document, object, "weight", 1.0, &error),
                       &error);
    if (isfinite(key->weight))
        qvuiFieldRow(editor, object, "weight", QVUI_KEYED);
}

// What the key says something about; the mask brush paints the part.
static void PartRow(qvuiEditor* editor, const qvSceneKey* key)
{
    static const char* const parts[] = { "all", "masked part" };
    int part = key->partial;
    bool masked = key->partial && editor->viewport.tools.mask != NULL;
    if (qvuiSegmentedRow(&editor->kit, "Holds", parts, 2, &part, QVUI_KEYED,
                         "Masked part: paint it with the mask brush (M, M). Only that is held at this key; physics "
                         "decides where the rest is"))
        qvuiEditor_Run(editor, qvuiFindAction(part == 0 ? "key.whole" : "key.part"));
    if (masked && qvuiPillRow(&editor->kit, "Take the new mask",
                              "The key holds what is masked now instead; physics moves the rest"))
        qvuiEditor_Run(editor, qvuiFindAction("key.part"));
}

// A speed of the whole body, or one that strokes give; the arrows over the picture show both and can be dragged.
static void VelocityRow(qvuiEditor* editor, qvRef object, const char* field, const qvSceneVelocity* velocity)
{
    char text[48];
    const double still[3] = { 0 };
    qvError error;
    snprintf(text, sizeof(text), "by %d stroke%s", velocity->strokes.count, velocity->strokes.count == 1 ? "" : "s");
    if (velocity->offsets != NULL)
        snprintf(text, sizeof(text), "captured");
    if (!qvSceneVelocity_IsField(velocity))
    {
        qvuiFieldRow(editor, object, field, QVUI_KEYED);
        return;
    }
    qvuiTextRow(&editor->kit, qvFindField(qv_objectKey, field)->label, text);
    igPushID_Str(field);
    if (qvuiPillRow(&editor->kit, "One speed instead",
                    "The whole body has one speed here; strokes, or what was captured, go"))
        qvuiEditor_Did(editor, qvDocument_SetNumbers(editor->session.document, object, field, still, 3, &error),
                       &error);
    igPopID();
}

// How far the motion misses the key, and how far waves would carry it away if they were let.
static void ReportRow(qvuiEditor* editor, qvId key)
{
    qvuiFindings* findings = &editor->findings;
    char text[96];
    // Measuring takes a moment for a large body, so it waits until nothing is being dragged.
    if (editor->session.take == NULL || igIsMouseDown(ImGuiMouseButton_Left) || editor->session.playback.playing)
        return;
    findings->wantedKey = key;
    if (findings->reportKey != key)
        return;
    qvKeyReport report = findings->report;
    double miss = fmax(report.error, report.residual);
    snprintf(text, sizeof(text), "%.2g %% of the size", 100.0 * miss);
    if (miss >= 1e-5)
        qvuiTextRow(&editor->kit, "Misses by", text);
    snprintf(text, sizeof(text), "%.2g %% of the size", 100.0 * report.waves);
    if (report.waves >= 1e-4)
        qvuiTextRow(&editor->kit, qvuiSession_Scene(&editor->session)->keepKeys ? "Waves held back" : "Waves pull by",
                    text);
}

// A free motion that goes far beyond the pose, as one does that has to turn quickly; and what helps.
static void PassesRow(qvuiEditor* editor, const qvSceneKey* key)
{
    const double worthSaying = 0.3; // of the way
    const qvuiFindings* findings = &editor->findings;
    char text[64];
    qvError error;
    if (key->velocityMode != qv_velocityFree || findings->reportKey != key->id ||
        !(findings->report.passes > worthSaying))
        return;
    snprintf(text, sizeof(text), "%.0f %% of the way", 100.0 * findings->report.passes);
    qvuiTextRow(&editor->kit, "Goes too far by", text);
    if (qvuiPillRow(&editor->kit, "Turn here instead",
                    "The motion reaches this pose without going beyond it first; it may still wobble afterwards"))
        qvuiEditor_Did(editor,
                       qvDocument_SetText(editor->session.document, (qvRef){ qv_objectKey, key->id }, "velocity.mode",
                                          "turn", &error),
                       &error);
}

static void Draw(qvuiEditor* editor)
{
    static const char* const shown[] = { "name", "time", "interp", "velocity.mode" };
    qvuiDrawHereRow(editor);
    ImVec2 start;
    igGetCursorScreenPos(&start);
    const qvSceneKey* key = SelectedKey(editor, NULL);
    if (key == NULL)
        return;
    qvRef object = { qv_objectKey, key->id };
    ImU32 color = QVUI_KEYED;
    bool here = qvuiSession_KeyAtTime(&editor->session) == key->id && !editor->session.playback.playing;
    double time = key->time;
    for (size_t i = 0; i < sizeof(shown) / sizeof(shown[0]); i++)
        qvuiFieldRow(editor, object, shown[i], color);
    key = SelectedKey(editor, NULL); // as it is after an edit
    if (here && key->time != time)
        qvuiSession_Seek(&editor->session, key->time); // who sets the time of what is seen goes on seeing it
    if (key->velocityMode == qv_velocitySet)
        VelocityRow(editor, object, "velocity.value", &key->after);
    if (key->velocityMode == qv_velocityBroken)
    {
        VelocityRow(editor, object, "velocity.in", &key->before);
        VelocityRow(editor, object, "velocity.out", &key->after);
        qvuiFieldRow(editor, object, "velocity.break", color);
    }
    PassesRow(editor, key);
    WeightRows(editor, object, key);
    PartRow(editor, key);
    ReportRow(editor, object.id);
    qvuiDimElsewhere(editor, start);
}

// Fields that most keys leave alone.
static void DrawMore(qvuiEditor* editor)
{
    static const char* const shown[] = { "transform.translate", "transform.rotate", "transform.turns", "wave.kind",
                                         "wave.amount",         "wave.speed",       "frequency",       "settle" };
    qvRef object = { qv_objectKey, editor->session.selection.key };
    ImVec2 start;
    igGetCursorScreenPos(&start);
    for (size_t i = 0; i < sizeof(shown) / sizeof(shown[0]); i++)
    {
        qvuiFieldRow(editor, object, shown[i], QVUI_KEYED);
        const qvSceneKey* key = SelectedKey(editor, NULL); // as it is after an edit
        if (key != NULL && strcmp(shown[i], "frequency") == 0)
            qvuiWarnOfWobble(editor, key->frequency);
    }
    qvuiDimElsewhere(editor, start);
}

const qvuiPanel qvuiPanelKeyMore = {
    "keyMore",
    "Body frame, wave, own material",
    IsShown,
    NULL,
    DrawMore,
    false,
    "Where the whole body is at this key, the wave that it sends out, and a softness of its own"
};
const qvuiPanel qvuiPanelKey = {
    "key",
    "Key",
    IsPlaceShown,
    Remark,
    Draw,
    true,
    "The selected pose: when it comes, how the motion arrives and how strictly it is met"
};
