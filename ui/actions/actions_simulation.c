// SPDX-License-Identifier: GPL-3.0-or-later
// Simulations: adding, copying, muting, deleting.
#include "ui/editor/editor.h"

#include "ui/actions/simulations.h"
#include "ui/actions/state.h"

#include <math.h>
#include <string.h>

const qvSceneSimulation* qvuiChosenSimulation(const qvuiEditor* editor)
{
    const qvScene* scene = qvuiSession_Scene(&editor->session);
    return scene != NULL ? qvScene_FindSimulation(scene, editor->session.selection.simulation, NULL) : NULL;
}

const qvSceneJoint* qvuiChosenJoint(const qvuiEditor* editor)
{
    const qvSceneSimulation* simulation = qvuiChosenSimulation(editor);
    for (int j = 0; simulation != NULL && j < simulation->jointCount; j++)
        if (simulation->joints[j]->id == editor->session.selection.joint)
            return simulation->joints[j];
    return NULL;
}

static const char* CannotJoin(const qvuiEditor* editor, int a, int b)
{
    const qvSceneSimulation* simulation = qvuiChosenSimulation(editor);
    const qvTopology* topology = editor->session.body->topology;
    const int32_t* points = editor->session.body->mesh->vertexPoint;
    if (simulation == NULL)
        return "Joints belong to a simulation; choose one in the timeline first";
    if (strcmp(simulation->engine, "surface") != 0)
        return "Joints need the engine of surfaces; choose it in the simulation's inspector";
    if (topology->partCount < 2)
        return "Joints hold parts together, and this mesh is in one part";
    if (topology->pointPart[points[a]] == topology->pointPart[points[b]])
        return "Both points are on the same part; drag from one part to another";
    return NULL;
}

void qvuiAddJoint(qvuiEditor* editor, int a, int b)
{
    const char* reason = CannotJoin(editor, a, b);
    if (reason != NULL)
    {
        qvuiEditor_Notify(editor, false, "%s", reason);
        return;
    }
    qvSceneJoint joint = { .a = a, .b = b };
    qvId added = 0;
    qvError error;
    qvEdit edit = { .kind = qv_editAdd,
                    .object = { qv_objectJoint, 0 },
                    .value = { qv_valueObject, .data = &joint },
                    .parent = editor->session.selection.simulation,
                    .place = -1 };
    if (qvuiEditor_Did(editor, qvDocument_Apply(editor->session.document, &edit, &added, &error), &error))
        editor->session.selection.joint = added;
}

void qvuiDeleteJoint(qvuiEditor* editor)
{
    qvRef object = { qv_objectJoint, editor->session.selection.joint };
    qvError error;
    if (object.id != 0)
        qvuiEditor_Did(editor, qvDocument_Remove(editor->session.document, object, &error), &error);
}

const qvScenePart* qvuiChosenPart(const qvuiEditor* editor)
{
    const qvSceneSimulation* simulation = qvuiChosenSimulation(editor);
    for (int i = 0; simulation != NULL && i < simulation->partCount; i++)
        if (simulation->parts[i]->id == editor->session.selection.part)
            return simulation->parts[i];
    return NULL;
}

// Whether a part of the mesh has a material of its own.
static bool HasOwn(const qvuiEditor* editor, const qvSceneSimulation* simulation, int part)
{
    const qvMesh* mesh = editor->session.body->mesh;
    for (int i = 0; i < simulation->partCount; i++)
    {
        int at = simulation->parts[i]->at;
        if (at < mesh->vertexCount && mesh->vertexPoint[at] >= 0 &&
            editor->session.body->topology->pointPart[mesh->vertexPoint[at]] == part)
            return true;
    }
    return false;
}

void qvuiAddPart(qvuiEditor* editor)
{
    const qvSceneSimulation* simulation = qvuiChosenSimulation(editor);
    const qvTopology* topology = editor->session.body->topology;
    int point = 0;
    if (simulation == NULL)
        return;
    while (point < topology->pointCount && HasOwn(editor, simulation, topology->pointPart[point]))
        point++;
    if (point == topology->pointCount)
    {
        qvuiEditor_Notify(editor, false, "Every part has a material of its own already");
        return;
    }
    qvScenePart part = { .at = editor->session.body->mesh->pointVertex[point],
                         .wobble = NAN,
                         .settle = NAN,
                         .poisson = NAN,
                         .friction = NAN,
                         .density = 1.0 };
    qvId added = 0;
    qvError error;
    qvEdit edit = { .kind = qv_editAdd,
                    .object = { qv_objectPart, 0 },
                    .value = { qv_valueObject, .data = &part },
                    .parent = simulation->id,
                    .place = -1 };
    if (qvuiEditor_Did(editor, qvDocument_Apply(editor->session.document, &edit, &added, &error), &error))
        editor->session.selection.part = added;
}

void qvuiDeletePart(qvuiEditor* editor)
{
    qvRef object = { qv_objectPart, editor->session.selection.part };
    qvError error;
    if (object.id != 0)
        qvuiEditor_Did(editor, qvDocument_Remove(editor->session.document, object, &error), &error);
}

bool qvuiHasSimulation(const qvuiEditor* editor)
{
    return qvuiChosenSimulation(editor) != NULL;
}

bool qvuiIsSimulationMuted(const qvuiEditor* editor)
{
    return qvuiHasSimulation(editor) && qvuiChosenSimulation(editor)->mute;
}

bool qvuiCanDuplicate(const qvuiEditor* editor)
{
    return qvuiHasSelectedKeys(editor) || qvuiHasSimulation(editor);
}

double qvuiSimulationOver(const qvSceneSimulation* simulation, const qvScene* scene)
{
    qvSimulationDef def = qvSceneSimulation_Resolve(simulation, scene);
    return def.hold ? def.until : def.until + def.blend;
}

qvId qvuiAddSimulation(qvuiEditor* editor, const qvSceneSimulation* like)
{
    qvId added = 0;
    qvError error;
    if (qvuiEditor_Did(editor, qvDocument_AddSimulation(editor->session.document, like, &added, &error), &error))
        qvuiSession_SelectSimulation(&editor->session, added);
    editor->panelOpen[qvuiPanelSimulationIndex] = true;
    return added;
}

// Where a span that is put at a time has room: after one that is there already, until the next one.
static void FindRoom(const qvScene* scene, double* from, double* to)
{
    for (int i = 0; i < scene->simulationCount; i++)
    {
        const qvSceneSimulation* other = scene->simulations[i];
        double over = qvuiSimulationOver(other, scene);
        if (!other->mute && *from >= other->def.time && *from < over)
            *from = over;
        else if (!other->mute && other->def.time > *from)
            *to = fmin(*to, other->def.time);
    }
}

// From the playhead to the end, or to where the next one begins.
void qvuiAction_AddSimulation(qvuiEditor* editor)
{
    const qvScene* scene = qvuiSession_Scene(&editor->session);
    qvSceneSimulation like = qvDefaultSceneSimulation();
    double range[2], from = qvuiSession_SnapTime(&editor->session, editor->session.playback.time), to = INFINITY;
    qvScene_Range(scene, range);
    from = fmax(from, range[0]);
    FindRoom(scene, &from, &to);
    like.def.time = from;
    like.def.until = isinf(to) ? to : fmax(to - like.def.blend, from + 1.0 / scene->fps);
    if (from < (scene->loop ? range[1] - like.def.blend : range[1]) - 0.5 / scene->fps)
        qvuiAddSimulation(editor, &like);
    else
        qvuiEditor_Notify(editor, false, "There is no time left for a simulation here; move the playhead back");
}

void qvuiAction_DuplicateSimulation(qvuiEditor* editor)
{
    const qvScene* scene = qvuiSession_Scene(&editor->session);
    const qvSceneSimulation* simulation = qvuiChosenSimulation(editor);
    if (simulation == NULL)
        return;
    qvSceneSimulation copy = *simulation;
    double over = qvuiSimulationOver(simulation, scene);
    double length = qvSceneSimulation_Resolve(simulation, scene).until - simulation->def.time;
    copy.def.time = ceil(over * scene->fps - 1e-6) / scene->fps;
    copy.def.until = copy.def.time + length;
    qvuiAddSimulation(editor, &copy);
}

void qvuiAction_MuteSimulation(qvuiEditor* editor)
{
    const qvSceneSimulation* simulation = qvuiChosenSimulation(editor);
    qvError error;
    if (simulation == NULL)
        return;
    qvRef object = { qv_objectSimulation, simulation->id };
    qvResult result = qvDocument_SetBool(editor->session.document, object, "mute", !simulation->mute, &error);
    qvuiEditor_Did(editor, result, &error);
}

void qvuiAction_DeleteSimulation(qvuiEditor* editor)
{
    qvRef object = { qv_objectSimulation, editor->session.selection.simulation };
    qvError error;
    if (object.id != 0)
        qvuiEditor_Did(editor, qvDocument_Remove(editor->session.document, object, &error), &error);
}

bool qvuiCanCapture(const qvuiEditor* editor)
{
    return editor->session.document != NULL && qvuiSession_CannotCapture(&editor->session) == NULL;
}

void qvuiAction_CaptureKey(qvuiEditor* editor)
{
    qvId key;
    qvError error;
    if (qvuiEditor_Did(editor, qvuiSession_CaptureKey(&editor->session, &key, &error), &error))
        qvuiEditor_Notify(editor, false,
                          "Captured as a key. It counts where no simulation is: end the span here to go on from it");
}
