// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/fields.h"

#include "ui/actions/state.h"
#include "ui/widgets/icons.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const qvRef material = { qv_objectMaterial, 0 };

// The preset whose numbers the scene has, or -1.
static int FindPreset(const qvBodyMaterial* own)
{
    qvBodyMaterial preset;
    for (int i = 0; qvMaterialPreset(i, &preset) != NULL; i++)
        if (preset.frequency == own->frequency && preset.settle == own->settle &&
            preset.stiffDamping == own->stiffDamping && preset.maxWobble == own->maxWobble &&
            preset.stretch == own->stretch && preset.bend == own->bend)
            return i;
    return -1;
}

static void Remark(const qvuiEditor* editor, char* text, size_t capacity)
{
    qvBodyMaterial preset;
    int index = FindPreset(&qvuiSession_Scene(&editor->session)->material);
    snprintf(text, capacity, "%s", index >= 0 ? qvMaterialPreset(index, &preset) : "own");
}

static void ApplyPreset(qvuiEditor* editor, int index)
{
    qvBodyMaterial preset;
    const char* label = qvMaterialPreset(index, &preset);
    const struct
    {
        const char* tag;
        double value;
    } fields[] = {
        { "frequency", preset.frequency },  { "settle", preset.settle },   { "stiff_damping", preset.stiffDamping },
        { "max_wobble", preset.maxWobble }, { "stretch", preset.stretch }, { "bend", preset.bend }
    };
    qvDocument_Begin(editor->session.document, label, 0);
    for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
    {
        qvError error;
        qvuiEditor_Did(editor,
                       qvDocument_SetNumber(editor->session.document, material, fields[i].tag, fields[i].value, &error),
                       &error);
    }
    qvDocument_End(editor->session.document);
}

void qvuiWarnOfWobble(qvuiEditor* editor, double frequency)
{
    if (!(frequency > qvuiSession_Scene(&editor->session)->material.maxWobble))
        return;
    qvuiMessageRow(&editor->kit, QVUI_ICON_WARNING, QVUI_AMBER,
                   "Faster than Top wobble, above which nothing rings: the body does not overshoot or wobble.");
    qvuiNames_AddArea(&editor->kit.names, "Wobble warning");
}

// A clip moves the body as the file has it: nothing swings where there is no key and no simulation.
static bool IsIdle(const qvuiEditor* editor)
{
    const qvScene* scene = qvuiSession_Scene(&editor->session);
    return scene->keyCount == 0 && scene->simulationCount == 0 && qvuiSession_Clip(&editor->session) >= 0;
}

static void DrawRows(qvuiEditor* editor)
{
    const char* labels[16];
    qvBodyMaterial preset;
    int count = 0, choice = FindPreset(&qvuiSession_Scene(&editor->session)->material);
    while (count < 16 && qvMaterialPreset(count, &preset) != NULL)
    {
        labels[count] = qvMaterialPreset(count, &preset);
        count++;
    }
    if (qvuiChoiceRow(&editor->kit, "Preset", labels, count, &choice,
                      "Makes the body swing, settle, stretch and bend as such a material does"))
        ApplyPreset(editor, choice);
    qvuiFieldRow(editor, material, "frequency", QVUI_SOLVED);
    qvuiWarnOfWobble(editor, qvuiSession_Scene(&editor->session)->material.frequency);
    qvuiFieldRows(editor, material, (const char* const[]){ "frequency", NULL }, QVUI_SOLVED);
}

static void Draw(qvuiEditor* editor)
{
    bool idle = IsIdle(editor);
    if (idle)
    {
        qvuiMessageRow(&editor->kit, QVUI_ICON_INFO, QVUI_MUTED,
                       "The clip alone moves this body. The material counts once there is a key over it or a "
                       "simulation.");
        qvuiNames_AddArea(&editor->kit.names, "Material is idle");
    }
    igBeginDisabled(idle);
    DrawRows(editor);
    igEndDisabled();
}

const qvuiPanel qvuiPanelMaterial = { "material",
                                      "Material",
                                      qvuiHasDocument,
                                      Remark,
                                      Draw,
                                      true,
                                      "What the body is made of: how it swings, bends and settles between the keys" };
