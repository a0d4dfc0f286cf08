// SPDX-License-Identifier: GPL-3.0-or-later
// Fields of simulations.
#include "scene/reader.h"

#include <math.h>

#define MAX_TIME 1e6 // s: eleven days

static const char* const restTags[] = { "mesh", "pose", NULL };
static const char* const restNames[] = { "Mesh", "Pose", NULL };
static const char* const afterTags[] = { "blend", "hold", NULL };
static const char* const afterNames[] = { "Blend", "Hold", NULL };

static const char* const methodTags[] = { "modes", "history", NULL };
static const char* const methodNames[] = { "Modes", "History", NULL };

#define FLAG(member, tagText, labelText, helpText, choiceTags, choiceNames) \
    .field = { .tag = tagText,                                              \
               .label = labelText,                                          \
               .unit = "",                                                  \
               .help = helpText,                                            \
               .type = qv_fieldChoice,                                      \
               .maximum = 1,                                                \
               .tags = choiceTags,                                          \
               .names = choiceNames },                                      \
    .codec = &qvCodecFlagChoice, .offset = offsetof(qvSceneSimulation, member)

static const qvRow simulationRows[] = {
    { QV_ROW(Text, qv_fieldText, qvSceneSimulation, tag, "id", "Id", "", "The simulation's name in files.", 0, 0, 0),
      .extent = qv_maxTag, QV_ROW_NAME },
    { QV_ROW(Text, qv_fieldText, qvSceneSimulation, name, "name", "Name", "", "What it is called in lists.", 0, 0, 0),
      .extent = qv_maxName, QV_ROW_NAME },
    { QV_ROW(Text, qv_fieldText, qvSceneSimulation, engine, "engine", "Engine", "",
             "What computes it; one that this program does not have is kept and left out.", 0, 0, 0),
      .extent = qv_maxTag, .required = true, .always = true },
    { QV_ROW(Number, qv_fieldNumber, qvSceneSimulation, def.time, "time", "Time", "s",
             "When the body is let go, with the pose and the speed that it has then.", -MAX_TIME, MAX_TIME, 0),
      .required = true, .always = true },
    { QV_ROW(Number, qv_fieldNumber, qvSceneSimulation, def.until, "until", "Until", "s",
             "When the keys take over again; left out, at the end of the range.", -MAX_TIME, MAX_TIME, INFINITY),
      .isUnset = true },
    { QV_ROW(Number, qv_fieldNumber, qvSceneSimulation, def.follow, "follow", "Follow", "",
             "How firmly the whole body is pulled along by its keys: 0 not at all, 1 fully.", 0, 1, 0) },
    { QV_ROW(Curve, qv_fieldNumber, qvSceneSimulation, def.wobble, "wobble", "Wobble", "Hz",
             "How fast the body swings: low is soft, high is stiff; left out, as the material.", 0.1, 60, NAN),
      .extent = offsetof(qvSceneSimulation, wobble), .isUnset = true },
    { QV_ROW(Number, qv_fieldNumber, qvSceneSimulation, def.settle, "settle", "Settle", "s",
             "How long a swing takes to fade to 5 %; left out, as the material.", 0.01, 60, NAN),
      .isUnset = true },
    { QV_ROW(Number, qv_fieldNumber, qvSceneSimulation, def.poisson, "poisson", "Volume", "",
             "How much it bulges when it is squeezed: 0 not at all, 0.49 keeps its volume.", 0, 0.49, NAN),
      .isUnset = true },
    { QV_ROW(Vector, qv_fieldVector, qvSceneSimulation, def.gravity, "gravity", "Gravity", "m/s^2",
             "Pulls the body; left out, the material's, or down with 9.81 where that has none.", -1e6, 1e6, 0),
      .standards = { NAN, NAN, NAN }, .isUnset = true },
    { QV_ROW(Number, qv_fieldNumber, qvSceneSimulation, def.friction, "friction", "Friction", "",
             "How well it grips what it touches: 0 is ice, 1 rubber.", 0, 2, 0.5) },
    { FLAG(def.fromPose, "rest", "Rest shape", "Which shape it springs back to: the mesh's, or the pose at its start.",
           restTags, restNames) },
    { FLAG(def.hold, "after", "Afterwards", "Fades back to the keys, or stays as it is.", afterTags, afterNames) },
    { QV_ROW(Number, qv_fieldNumber, qvSceneSimulation, def.blend, "blend", "Blend", "s",
             "How long fading back to the keys takes.", 0.01, 60, 0.3) },
    { QV_ROW(Int, qv_fieldInt, qvSceneSimulation, def.detail, "detail", "Detail", "",
             "How many points are simulated: more is finer and takes longer; left out, the engine decides.", 100, 50000,
             0),
      .isUnset = true },
    { FLAG(def.byHistory, "method", "Method",
           "How forces are answered: by modes, fast, or by the full history of the surface, slow, exact and for bodies "
           "of "
           "few points (engine of surfaces).",
           methodTags, methodNames),
      .engine = "surface" },
    { QV_ROW(Number, qv_fieldNumber, qvSceneSimulation, def.compression, "compression", "Compression", "",
             "Of the history: one of so many numbers is kept. 1 keeps all; 8 takes a fifth of the memory and is some "
             "percent off (engine of surfaces).",
             1, 128, 1),
      .engine = "surface" },
    { QV_ROW(
          Int, qv_fieldInt, qvSceneSimulation, def.pieces, "pieces", "Pieces", "",
          "Into how many pieces the body is cut across its longest direction, each with a turn of its own: more bend "
          "and twist further (engine of surfaces).",
          1, 16, 1),
      .engine = "surface" },
    { QV_ROW(List, qv_fieldOther, qvSceneSimulation, joints, "joints", "Joints", "",
             "Points of different parts that stay together (engine of surfaces).", 0, 0, 0),
      .extent = offsetof(qvSceneSimulation, jointCount), .kind = qv_objectJoint, .engine = "surface" },
    { QV_ROW(List, qv_fieldOther, qvSceneSimulation, parts, "parts", "Parts", "",
             "Parts of the body that are made of something else (engine of surfaces).", 0, 0, 0),
      .extent = offsetof(qvSceneSimulation, partCount), .kind = qv_objectPart, .engine = "surface" },
    { QV_ROW(Curve, qv_fieldNumber, qvSceneSimulation, def.melt, "melt", "Melt", "",
             "How liquid the body is: 0 is solid, 1 runs like honey. Above 0 its curve opens in the timeline, where a "
             "click makes points (engine of points).",
             0, 1, 0),
      .extent = offsetof(qvSceneSimulation, melt), .engine = "points" },
    { QV_ROW(Curve, qv_fieldNumber, qvSceneSimulation, def.dent, "dent", "Dent", "",
             "How easily it keeps dents: 0 springs back fully, 1 is soft clay (engine of points).", 0, 1, 0),
      .extent = offsetof(qvSceneSimulation, dent), .engine = "points" },
    { QV_ROW(Bool, qv_fieldBool, qvSceneSimulation, def.flow, "flow", "Flow", "",
             "Whether the surface may tear, drip and grow together (engine of points).", 0, 1, 0),
      .engine = "points" },
    { QV_ROW(Bool, qv_fieldBool, qvSceneSimulation, def.relax, "relax", "Relax", "",
             "Set again after melting, it stays as it is; else what stress is left still pulls (engine of points).", 0,
             1, 0),
      .engine = "points" },
    { QV_ROW(Bool, qv_fieldBool, qvSceneSimulation, def.implicit, "implicit", "Long steps", "",
             "For very stiff bodies: fewer steps, which swallow its wobble and most of its bounce (engine of points).",
             0, 1, 0),
      .engine = "points" },
    { QV_ROW(Number, qv_fieldNumber, qvSceneSimulation, def.impacts, "impacts", "Impact waves", "",
             "How strongly each knock sends a wave through the body: 0 not at all, 1 as hard as it hits (engine of "
             "points).",
             0, 10, 0),
      .engine = "points" },
    { QV_ROW(Bool, qv_fieldBool, qvSceneSimulation, mute, "mute", "Mute", "",
             "Leaves the simulation out of the motion.", 0, 1, 0) },
};

static qvResult CheckSimulation(qvReader* reader, const void* object)
{
    const qvSceneSimulation* simulation = object;
    if (simulation->engine[0] == 0)
        return qvReader_Fail(reader, "engine: must not be empty");
    if (!(simulation->def.until > simulation->def.time))
        return qvReader_Fail(reader, "lasts from %g s until %g s, must end after it starts", simulation->def.time,
                             simulation->def.until);
    return qv_ok;
}

const qvKindInfo qvKindSimulation = {
    .label = "simulation",
    .rows = simulationRows,
    .rowCount = sizeof(simulationRows) / sizeof(simulationRows[0]),
    .list = "simulations",
    .type = &qvSharedSimulation,
    .extra = 1 + offsetof(qvSceneSimulation, extra),
    .time = 1 + offsetof(qvSceneSimulation, def.time),
    .tag = 1 + offsetof(qvSceneSimulation, tag),
    .limit = 1000,
    .check = CheckSimulation,
};

// --- Joint ----------------------------------------------------------------------------------------------------------

static const qvRow jointRows[] = {
    { QV_ROW(Int, qv_fieldInt, qvSceneJoint, a, "a", "From", "", "A vertex of one part.", 0, INT32_MAX, 0),
      .required = true, .always = true },
    { QV_ROW(Int, qv_fieldInt, qvSceneJoint, b, "b", "To", "", "A vertex of another part.", 0, INT32_MAX, 0),
      .required = true, .always = true },
};

static qvResult CheckJoint(qvReader* reader, const void* object)
{
    const qvSceneJoint* joint = object;
    if (joint->a == joint->b)
        return qvReader_Fail(reader, "joins vertex %d to itself; choose vertices of two parts", joint->a);
    return qv_ok;
}

const qvKindInfo qvKindJoint = {
    .label = "joint",
    .rows = jointRows,
    .rowCount = sizeof(jointRows) / sizeof(jointRows[0]),
    .list = "joints",
    .owner = qv_objectSimulation,
    .type = &qvSharedJoint,
    .extra = 1 + offsetof(qvSceneJoint, extra),
    .limit = 10000,
    .check = CheckJoint,
};

// --- Part -----------------------------------------------------------------------------------------------------------

static const qvRow partRows[] = {
    { QV_ROW(Int, qv_fieldInt, qvScenePart, at, "at", "Vertex", "", "A vertex of the part.", 0, INT32_MAX, 0),
      .required = true, .always = true },
    { QV_ROW(Number, qv_fieldNumber, qvScenePart, wobble, "wobble", "Wobble", "Hz",
             "How fast the part swings; left out, as the simulation.", 0.1, 60, NAN),
      .isUnset = true },
    { QV_ROW(Number, qv_fieldNumber, qvScenePart, settle, "settle", "Settle", "s",
             "How long a swing of the part takes to fade to 5 %; left out, as the simulation.", 0.01, 60, NAN),
      .isUnset = true },
    { QV_ROW(Number, qv_fieldNumber, qvScenePart, poisson, "poisson", "Volume", "",
             "How much the part bulges when it is squeezed; left out, as the simulation.", 0, 0.49, NAN),
      .isUnset = true },
    { QV_ROW(Number, qv_fieldNumber, qvScenePart, friction, "friction", "Friction", "",
             "How well the part grips what it touches; left out, as the simulation.", 0, 2, NAN),
      .isUnset = true },
    { QV_ROW(Number, qv_fieldNumber, qvScenePart, density, "density", "Density", "",
             "How heavy the part is for its size, beside parts that are not named here.", 0.01, 100, 1) },
};

const qvKindInfo qvKindPart = {
    .label = "part",
    .rows = partRows,
    .rowCount = sizeof(partRows) / sizeof(partRows[0]),
    .list = "parts",
    .owner = qv_objectSimulation,
    .type = &qvSharedPart,
    .extra = 1 + offsetof(qvScenePart, extra),
    .limit = 10000,
};
