// SPDX-License-Identifier: GPL-3.0-or-later
// The simulation that is selected on its track.
#include "ui/panels/fields.h"

#include "ui/actions/simulations.h"
#include "ui/actions/state.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum
{
    MAX_CHOICES = 32
};

static bool IsShown(const qvuiEditor* editor)
{
    return editor->session.body != NULL && qvuiHasSimulation(editor);
}

// How far it is computed.
static void Remark(const qvuiEditor* editor, char* text, size_t capacity)
{
    const qvSceneSimulation* simulation = qvuiChosenSimulation(editor);
    qvSimulationDef def = qvSceneSimulation_Resolve(simulation, qvuiSession_Scene(&editor->session));
    double known = editor->session.take != NULL ? qvTake_ValidUntil(editor->session.take) : def.time;
    double part = fmin(fmax((known - def.time) / (def.until - def.time), 0.0), 1.0);
    if (simulation->mute)
        snprintf(text, capacity, "muted");
    else if (part < 1.0)
        snprintf(text, capacity, "%.0f %% computed", floor(100.0 * part));
    else
        snprintf(text, capacity, "%.2f s to %.2f s", def.time, def.until);
}

// What each is good at, to choose by.
static void ExplainEngines(qvuiEditor* editor, const qvEngineInfo* infos, int count)
{
    char text[512] = "";
    for (int i = 0; i < count; i++)
    {
        size_t used = strlen(text);
        snprintf(text + used, sizeof(text) - used, "%s%s: %s", i > 0 ? "\n" : "", infos[i].label, infos[i].help);
    }
    qvuiMessageRow(&editor->kit, "", QVUI_MUTED, text);
}

static void EngineRow(qvuiEditor* editor, const qvSceneSimulation* simulation)
{
    qvEngineInfo infos[MAX_CHOICES];
    const char* labels[MAX_CHOICES];
    int count = 0, choice = -1;
    for (; count < MAX_CHOICES && qvGetEngineInfo(count, &infos[count]); count++)
    {
        labels[count] = infos[count].label;
        choice = strcmp(infos[count].tag, simulation->engine) == 0 ? count : choice;
    }
    qvRef object = { qv_objectSimulation, simulation->id };
    qvError error;
    int before = choice;
    if (qvuiChoiceRow(&editor->kit, "Engine", labels, count, &choice,
                      "What computes the motion; each is good at other bodies, the lines below it say which"))
        qvuiEditor_Did(
            editor, qvDocument_SetText(editor->session.document, object, "engine", infos[choice].tag, &error), &error);
    ExplainEngines(editor, infos, count);
    if (before < 0)
        qvuiMessageRow(
            &editor->kit, "!", QVUI_CORAL,
            "This program does not have the engine of this simulation: it is kept, and left out of the motion.");
}

static void PresetRow(qvuiEditor* editor, const qvSceneSimulation* simulation)
{
    const qvSimulationPreset *found[MAX_CHOICES], *own[MAX_CHOICES];
    const char* labels[MAX_CHOICES];
    int all = qvFindSimulationPresets(found, MAX_CHOICES), count = 0, choice = -1;
    for (int i = 0; i < all; i++)
        if (strcmp(found[i]->engine, simulation->engine) == 0)
        {
            own[count] = found[i];
            labels[count++] = found[i]->label;
        }
    if (count == 0 || !qvuiChoiceRow(&editor->kit, "Preset", labels, count, &choice,
                                     "Takes over how stiff, lively and rough a typical body is; its times stay"))
        return;
    qvDocument* document = editor->session.document;
    qvError error;
    qvDocument_Begin(document, own[choice]->label, 0);
    qvResult result = qvDocument_SetSimulationPreset(document, simulation->id, own[choice], &error);
    qvDocument_End(document);
    qvuiEditor_Did(editor, result, &error);
}

// What stands in the way of playing it.
static void ErrorRow(qvuiEditor* editor, const qvSceneSimulation* simulation)
{
    qvError error;
    if (qvScene_CheckSimulation(qvuiSession_Scene(&editor->session), simulation, &error) != qv_ok)
        qvuiMessageRow(&editor->kit, "!", QVUI_CORAL, error.message);
}

// Dimmed, with the reason, where nothing is simulated.
static void CaptureButton(qvuiEditor* editor)
{
    const char* reason = qvuiSession_CannotCapture(&editor->session);
    igBeginDisabled(reason != NULL);
    if (qvuiPill(&editor->kit, "Capture as key", 0.0f,
                 reason != NULL
                     ? reason
                     : "Makes an ordinary key of the simulated pose at the playhead, with the speed of every point"))
        qvuiAction_CaptureKey(editor);
    igEndDisabled();
}

// Joints of the engine of surfaces: the chosen one can be changed and deleted, the tool adds more.
static void JointRows(qvuiEditor* editor, const qvSceneSimulation* simulation)
{
    qvuiKit* kit = &editor->kit;
    qvId* chosen = &editor->session.selection.joint;
    if (simulation->jointCount == 0 && editor->session.body->topology->partCount < 2)
        return;
    for (int j = 0; j < simulation->jointCount; j++)
    {
        const qvSceneJoint* joint = simulation->joints[j];
        char name[64], remark[48];
        snprintf(name, sizeof(name), "Joint %d##joint%u", j + 1, joint->id);
        snprintf(remark, sizeof(remark), "%d \xe2\x80\x93 %d", joint->a, joint->b);
        bool isChosen = joint->id == *chosen;
        if (qvuiListRow(kit, name, remark, isChosen ? QVUI_AMBER : QVUI_MUTED, isChosen,
                        "Two vertices of different parts that stay together; shows them, to change or delete them"))
            *chosen = isChosen ? 0 : joint->id;
    }
    const qvSceneJoint* joint = qvuiChosenJoint(editor);
    if (joint != NULL)
    {
        qvuiFieldRow(editor, (qvRef){ qv_objectJoint, joint->id }, "a", QVUI_SOLVED);
        qvuiFieldRow(editor, (qvRef){ qv_objectJoint, joint->id }, "b", QVUI_SOLVED);
    }
    igSetCursorPosX(igGetCursorPosX() + qvuiPixels(&kit->style, 12));
    if (qvuiPill(kit, "Join parts", 0.0f,
                 "Chooses the tool that joins parts: drag from a point of one to a point of another"))
        qvuiAction_ToolJoint(editor);
    if (joint == NULL)
        return;
    igSameLine(0.0f, qvuiPixels(&kit->style, 6));
    if (qvuiPill(kit, "Delete joint", 0.0f, "Takes the chosen joint away: its parts go their own ways"))
        qvuiDeleteJoint(editor);
}

// Parts of the body with a material of their own: the chosen one can be changed and deleted.
static void PartRows(qvuiEditor* editor, const qvSceneSimulation* simulation)
{
    static const char* const fields[] = { "at", "wobble", "settle", "poisson", "friction", "density" };
    qvuiKit* kit = &editor->kit;
    qvId* chosen = &editor->session.selection.part;
    if (simulation->partCount == 0 && editor->session.body->topology->partCount < 2)
        return;
    for (int i = 0; i < simulation->partCount; i++)
    {
        const qvScenePart* part = simulation->parts[i];
        char name[64], remark[48];
        snprintf(name, sizeof(name), "Part %d##part%u", i + 1, part->id);
        snprintf(remark, sizeof(remark), "vertex %d", part->at);
        bool isChosen = part->id == *chosen;
        if (qvuiListRow(kit, name, remark, isChosen ? QVUI_AMBER : QVUI_MUTED, isChosen,
                        "A part of the body that is made of something else; shows what, to change or delete it"))
            *chosen = isChosen ? 0 : part->id;
    }
    const qvScenePart* part = qvuiChosenPart(editor);
    for (size_t f = 0; part != NULL && f < sizeof(fields) / sizeof(fields[0]); f++)
        qvuiFieldRow(editor, (qvRef){ qv_objectPart, part->id }, fields[f], QVUI_SOLVED);
    igSetCursorPosX(igGetCursorPosX() + qvuiPixels(&kit->style, 12));
    if (qvuiPill(kit, "Part of its own", 0.0f,
                 "Gives a part of the body a wobble, friction and weight of its own; its vertex says which part"))
        qvuiAddPart(editor);
    if (part == NULL)
        return;
    igSameLine(0.0f, qvuiPixels(&kit->style, 6));
    if (qvuiPill(kit, "Delete part's own", 0.0f, "The chosen part is made of the same as the others again"))
        qvuiDeletePart(editor);
}

// The next pill stands beside the last one where there is room for it, else below.
static void Beside(const qvuiEditor* editor, const char* next)
{
    const qvuiStyle* style = &editor->kit.style;
    ImVec2 end, below, room;
    igGetItemRectMax(&end);
    igGetCursorScreenPos(&below);
    igGetContentRegionAvail(&room);
    float width = qvuiTextWidth(style->body, next) + qvuiPixels(style, 32);
    if (end.x + width < below.x + room.x)
    {
        igSameLine(0.0f, qvuiPixels(style, 6));
        return;
    }
    igDummy((ImVec2){ 1, qvuiPixels(style, 5) });
    igSetCursorPosX(igGetCursorPosX() + qvuiPixels(style, 12));
}

static void Draw(qvuiEditor* editor)
{
    static const char* const without[] = { "id", "engine", NULL };
    const qvScene* scene = qvRetainScene(qvuiSession_Scene(&editor->session));
    const qvSceneSimulation* simulation = qvuiChosenSimulation(editor);
    qvRef object = { qv_objectSimulation, simulation->id };
    ErrorRow(editor, simulation);
    EngineRow(editor, simulation);
    PresetRow(editor, simulation);
    qvuiFieldRows(editor, object, without, QVUI_SOLVED);
    if (strcmp(simulation->engine, "surface") == 0)
    {
        JointRows(editor, simulation);
        PartRows(editor, simulation);
    }
    igDummy((ImVec2){ 1, qvuiPixels(&editor->kit.style, 6) });
    igSetCursorPosX(igGetCursorPosX() + qvuiPixels(&editor->kit.style, 12));
    CaptureButton(editor);
    Beside(editor, "Duplicate");
    if (qvuiPill(&editor->kit, "Duplicate", 0.0f,
                 "The body is let go once more in the same way, after this simulation"))
        qvuiAction_DuplicateSimulation(editor);
    Beside(editor, "Delete");
    if (qvuiPill(&editor->kit, "Delete", 0.0f, "Takes the simulation away: the keys move the body again"))
        qvuiAction_DeleteSimulation(editor);
    qvReleaseScene(scene);
}

const qvuiPanel qvuiPanelSimulation = {
    "simulation", "Simulation", IsShown, Remark, Draw, true, "The selected span of time in which physics moves the body"
};
