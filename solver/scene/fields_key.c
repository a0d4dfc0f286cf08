// SPDX-License-Identifier: GPL-3.0-or-later
// Fields of keys, their strokes, and events.
#include "scene/reader.h"

#include "base/assert.h"

#include <math.h>

#define MAX_TIME 1e6 // s: eleven days

static const char* const interpTags[] = {
#define INTERP(value, tag, label) [value] = tag,
#include "scene/interp_list.inl"
#undef INTERP
    NULL
};
static const char* const interpLabels[] = {
#define INTERP(value, tag, label) [value] = label,
#include "scene/interp_list.inl"
#undef INTERP
    NULL
};
static const char* const velocityTags[] = { "free", "zero", "set", "broken", "turn", NULL };
static const char* const velocityLabels[] = { "Free", "Zero", "Set", "Broken", "Turn", NULL };
static const char* const breakTags[] = { "all", "frame", NULL };
static const char* const breakLabels[] = { "All", "Flight", NULL };
static const char* const rippleTags[] = { "none", "ripple", NULL };
static const char* const rippleLabels[] = { "None", "Ripple", NULL };
static const char* const loadTags[] = { "impulse", "push", NULL };
static const char* const loadLabels[] = { "Impulse", "Push", NULL };

static const char* const brushTags[] = {
#define ELASTIC_BRUSH(name, tag, ...) tag,
#define OTHER_BRUSH                   ELASTIC_BRUSH
#include "quaver/brush_list.inl"
    NULL
};
static const char* const brushLabels[] = {
#define ELASTIC_BRUSH(name, tag, label, ...) label,
#define OTHER_BRUSH                          ELASTIC_BRUSH
#include "quaver/brush_list.inl"
    NULL
};
static const char* const shapeTags[] = {
#define ELASTIC_BRUSH(name, tag, ...) tag,
#define OTHER_BRUSH(...)
#include "quaver/brush_list.inl"
    NULL
};
static const char* const shapeLabels[] = {
#define ELASTIC_BRUSH(name, tag, label, ...) label,
#define OTHER_BRUSH(...)
#include "quaver/brush_list.inl"
    NULL
};

const char* qvInterp_Tag(qvInterp interp)
{
    QV_ASSERT((unsigned)interp < qv_interpCount);
    return interpTags[interp];
}

const char* qvInterp_Label(qvInterp interp)
{
    QV_ASSERT((unsigned)interp < qv_interpCount);
    return interpLabels[interp];
}

#define CHOICE(codecName, owner, member, tagText, labelText, helpText, allTags, allNames) \
    .field = { .tag = tagText,                                                            \
               .label = labelText,                                                        \
               .unit = "",                                                                \
               .help = helpText,                                                          \
               .type = qv_fieldChoice,                                                    \
               .maximum = sizeof(allTags) / sizeof(allTags[0]) - 2,                       \
               .tags = allTags,                                                           \
               .names = allNames },                                                       \
    .codec = &qvCodec##codecName, .offset = offsetof(owner, member)

// --- Parameters of brushes, of a stroke or an event -----------------------------------------------------------------

// Range and default are those of the brush where it has the parameter.
#define PARAMETER(codecName, fieldType, owner, stroke, member, tagText, labelText, unitText, helpText, low, high, \
                  usual)                                                                                          \
    QV_ROW(codecName, fieldType, owner, stroke.member, tagText, labelText, unitText, helpText, low, high, usual), \
        .brush = 1 + offsetof(owner, stroke.brush)

#define ROWS_OF_LOAD(owner, stroke)                                                                                   \
    { PARAMETER(Vector, qv_fieldPoint, owner, stroke, at, "at", "Centre", "m", "Where it acts, on the body at rest.", \
                -1e9, 1e9, 0) },                                                                                      \
        { PARAMETER(Vector, qv_fieldVector, owner, stroke, drag, "drag", "Drag", "m",                                 \
                    "How far the centre is moved, and the body around it with it.", -1e9, 1e9, 0) },                  \
        { PARAMETER(Vector, qv_fieldVector, owner, stroke, axis, "axis", "Axis", "",                                  \
                    "The axis of a twist, or the direction of a pinch.", -1e9, 1e9, 0),                               \
          .standards = { 0, 1, 0 } },                                                                                 \
        { PARAMETER(Number, qv_fieldNumber, owner, stroke, angle, "angle", "Angle", "rad",                            \
                    "How far the centre is turned, and the body around it with it; a limb about its length.",         \
                    -12.566370614359172, 12.566370614359172, 0) },                                                    \
        { PARAMETER(                                                                                                  \
            Number, qv_fieldNumber, owner, stroke, amount, "amount", "Amount", "",                                    \
            "How much the centre grows (0.5: half as large again), a pinch along its axis, a limb in length; how "    \
            "much is smoothed.",                                                                                      \
            -0.95, 10, 0) },                                                                                          \
        { PARAMETER(                                                                                                  \
            Number, qv_fieldNumber, owner, stroke, radius, "radius", "Radius", "m",                                   \
            "How far the effect reaches, a bend to each side of a joint; left out, 0.15 of the mesh's diagonal.",     \
            1e-9, 1e9, 0) },                                                                                          \
        { PARAMETER(Int, qv_fieldInt, owner, stroke, scales, "scales", "Scales", "",                                  \
                    "How quickly the effect fades with distance: 1 moves much of the body, 3 stays local.", 1, 3,     \
                    1) },                                                                                             \
    {                                                                                                                 \
        PARAMETER(Number, qv_fieldNumber, owner, stroke, poisson, "poisson", "Volume", "",                            \
                  "How much the body bulges to keep its volume: 0 not at all, 0.5 fully.", 0, 0.5, 0.45)              \
    }

// --- Stroke ---------------------------------------------------------------------------------------------------------

static const qvRow strokeRows[] = {
    { CHOICE(Brush, qvSceneStroke, stroke.brush, "brush", "Brush", "What the stroke does to the pose.", brushTags,
             brushLabels),
      .kind = qv_objectStroke, .required = true, .always = true },
    ROWS_OF_LOAD(qvSceneStroke, stroke),
    { PARAMETER(
        Vector, qv_fieldPoint, qvSceneStroke, stroke, joint, "joint", "Joint", "m",
        "Where the limb bends, inside the body at rest; what lies beyond it, seen from there to the centre, turns.",
        -1e9, 1e9, 0) },
    { PARAMETER(Int, qv_fieldInt, qvSceneStroke, stroke, segments, "segments", "Segments", "",
                "In how many parts the limb follows: 1 turns as one piece, more curl like a chain.", 1, 4, 1) },
    { PARAMETER(Number, qv_fieldNumber, qvSceneStroke, stroke, strength, "strength", "Strength", "",
                "Weakens the stroke: 0 does nothing, 1 all of it.", 0, 1, 1) },
    { PARAMETER(Axes, qv_fieldAxes, qvSceneStroke, stroke, mirror, "mirror", "Symmetry", "",
                "Does the same on the other side of these planes.", 0, 7, 0) },
    { PARAMETER(Bool, qv_fieldBool, qvSceneStroke, stroke, connected, "connected", "Connected only", "",
                "Moves only the part of the mesh that the centre is on.", 0, 1, 1) },
    { PARAMETER(Bool, qv_fieldBool, qvSceneStroke, stroke, pins, "pins", "Pins hold", "",
                "Leaves what is pinned at the key's time exactly where it is; the body bends around it.", 0, 1, 0) },
    { PARAMETER(Bool, qv_fieldBool, qvSceneStroke, stroke, ground, "ground", "Ground holds", "",
                "Pushes nothing through the ground; what stands on it does not sink.", 0, 1, 0) },
    { QV_ROW(Floats, qv_fieldOther, qvSceneStroke, mask, "mask", "Mask", "",
             "How much each vertex follows: 0 not at all, 1 fully.", 0, 1, 1) },
};

static qvResult CheckAxis(qvReader* reader, const qvStroke* stroke)
{
    if (qvLength(stroke->axis) > 0.0)
        return qv_ok;
    size_t mark = qvReader_Enter(reader, "axis");
    qvResult result = qvReader_Fail(reader, "must not be zero");
    qvReader_Leave(reader, mark);
    return result;
}

static qvResult CheckStroke(qvReader* reader, const void* object)
{
    return CheckAxis(reader, &((const qvSceneStroke*)object)->stroke);
}

const qvKindInfo qvKindStroke = {
    .label = "stroke",
    .rows = strokeRows,
    .rowCount = sizeof(strokeRows) / sizeof(strokeRows[0]),
    .list = "strokes",
    .owner = qv_objectKey,
    .type = &qvSharedStroke,
    .extra = 1 + offsetof(qvSceneStroke, extra),
    .limit = 10000,
    .check = CheckStroke,
};

// --- Key ------------------------------------------------------------------------------------------------------------

#define SIDE(member, mode, tagText, labelText, helpText)                                                     \
    {                                                                                                        \
        QV_ROW(Side, qv_fieldVector, qvSceneKey, member, tagText, labelText, "m/s", helpText, -1e9, 1e9, 0), \
            .extent = mode, .isUnset = true                                                                  \
    }

static const qvRow keyRows[] = {
    { QV_ROW(Text, qv_fieldText, qvSceneKey, tag, "id", "Id", "", "The key's name for other keys in files.", 0, 0, 0),
      .extent = qv_maxTag, QV_ROW_NAME },
    { QV_ROW(Number, qv_fieldNumber, qvSceneKey, time, "time", "Time", "s",
             "When the body is in this pose: closer to its neighbours is faster and wobbles more.", -MAX_TIME, MAX_TIME,
             0),
      .required = true, .always = true },
    { QV_ROW(Text, qv_fieldText, qvSceneKey, name, "name", "Name", "",
             "What the pose is called; the motion stays as it is.", 0, 0, 0),
      .extent = qv_maxName, QV_ROW_NAME },
    { QV_ROW(Base, qv_fieldOther, qvSceneKey, base, "base", "Base", "",
             "What the strokes start from: the rest shape, another key's pose, or a captured one.", 0, 1e9, 0) },
    { QV_ROW(List, qv_fieldOther, qvSceneKey, strokes.strokes, "strokes", "Strokes", "",
             "The brush strokes that make the pose, in order.", 0, 0, 0),
      .extent = offsetof(qvSceneKey, strokes.count), .kind = qv_objectStroke },
    { QV_ROW(Group, qv_fieldOther, qvSceneKey, hasTransform, "transform", "Transform", "",
             "Where the whole body is and how it is turned; left out, this key leaves that open.", 0, 0, 0),
      .present = 1 + offsetof(qvSceneKey, hasTransform) },
    { QV_ROW(Vector, qv_fieldVector, qvSceneKey, translate, "transform.translate", "Move", "m",
             "Carries the whole body along a smooth path through the keys: hops, steps, falls.", -1e9, 1e9, 0),
      .present = 1 + offsetof(qvSceneKey, hasTransform) },
    { QV_ROW(Rotation, qv_fieldRotation, qvSceneKey, rotate, "transform.rotate", "Turn", "",
             "Turns the whole body about the origin; it swings smoothly from key to key.", -1e9, 1e9, 0),
      .standards = { 0, 0, 0, 1 }, .present = 1 + offsetof(qvSceneKey, hasTransform) },
    { QV_ROW(Int, qv_fieldInt, qvSceneKey, turns, "transform.turns", "Extra turns", "",
             "Whole turns more on the way to this key; negative ones go the other way round.", -1000, 1000, 0),
      .present = 1 + offsetof(qvSceneKey, hasTransform) },
    { CHOICE(Choice, qvSceneKey, interp, "interp", "Arrives",
             "How the motion comes here from the key before: wiggly swings, smooth does not, hold jumps, wave spreads.",
             interpTags, interpLabels) },
    { QV_ROW(Group, qv_fieldOther, qvSceneKey, velocityMode, "velocity", "Velocity", "",
             "How fast the key is passed: free flows through, zero stops, broken is an impact.", 0, 0, 0) },
    { CHOICE(VelocityMode, qvSceneKey, velocityMode, "velocity.mode", "Velocity",
             "Free is smoothest, zero stops there, set gives a speed, broken is an impact, turn goes no farther than "
             "the pose.",
             velocityTags, velocityLabels) },
    SIDE(after, qv_velocitySet, "velocity.value", "Speed", "How fast, and where to, the body passes the key."),
    SIDE(before, qv_velocityBroken, "velocity.in", "Speed in", "How fast it arrives; left out, whatever is smoothest."),
    SIDE(after, qv_velocityBroken, "velocity.out", "Speed out", "How fast it leaves; left out, whatever is smoothest."),
    { CHOICE(FlagChoice, qvSceneKey, breaksFrame, "velocity.break", "Breaks",
             "At a broken key: all of the motion, or only the body's flight, and the wobble goes on through it.",
             breakTags, breakLabels) },
    { QV_ROW(Weight, qv_fieldNumber, qvSceneKey, weight, "weight", "Weight", "",
             "How strictly the pose is met: hard is exactly, 1 nearly, 0.1 partly, 0.001 hardly.", 1e-9, 1e9,
             INFINITY) },
    { QV_ROW(Group, qv_fieldOther, qvSceneKey, partial, "only", "Only part", "",
             "Poses these vertices alone and lets the rest of the body follow.", 0, 0, 0),
      .present = 1 + offsetof(qvSceneKey, partial) },
    { QV_ROW(Vertices, qv_fieldOther, qvSceneKey, only.vertices, "only.vertices", "Vertices", "",
             "The vertices that are posed, by their numbers in the mesh file.", 0, 0, 0),
      .present = 1 + offsetof(qvSceneKey, partial) },
    { QV_ROW(Box, qv_fieldOther, qvSceneKey, only, "only.box", "Box", "m",
             "Poses every vertex that lies in this box at rest.", -1e9, 1e9, 0),
      .present = 1 + offsetof(qvSceneKey, partial) },
    { QV_ROW(Group, qv_fieldOther, qvSceneKey, ripple, "wave", "Wave", "",
             "The wave that the key sends through the body as it is met.", 0, 0, 0),
      .from = qv_stageWaves },
    { CHOICE(FlagChoice, qvSceneKey, ripple, "wave.kind", "Wave", "Ripple sends the strokes through the body as blows.",
             rippleTags, rippleLabels),
      .from = qv_stageWaves },
    { QV_ROW(Number, qv_fieldNumber, qvSceneKey, waveAmount, "wave.amount", "Wave amount", "",
             "How far the ripple swings: 1 as far as the strokes move the body, 0 not at all.", -100, 100, 1),
      .from = qv_stageWaves },
    { QV_ROW(Number, qv_fieldNumber, qvSceneKey, waveSpeed, "wave.speed", "Wave speed", "m/s",
             "How fast the wave crosses the body: slow rolls like jelly, fast is a short jolt.", 1e-6, 1e6, 3),
      .from = qv_stageWaves },
    { QV_ROW(Number, qv_fieldNumber, qvSceneKey, frequency, "frequency", "Wobble here", "Hz",
             "Softer or stiffer than the material on the way to this key only: low swings wide and slowly.", 0, 60,
             NAN),
      .isUnset = true },
    { QV_ROW(Number, qv_fieldNumber, qvSceneKey, settle, "settle", "Settle here", "s",
             "Calmer or livelier than the material on the way to this key only: long keeps on swinging.", 0.01, 60,
             NAN),
      .isUnset = true },
};

const qvKindInfo qvKindKey = {
    .label = "key",
    .rows = keyRows,
    .rowCount = sizeof(keyRows) / sizeof(keyRows[0]),
    .list = "keys",
    .type = &qvSharedKey,
    .extra = 1 + offsetof(qvSceneKey, extra),
    .time = 1 + offsetof(qvSceneKey, time),
    .tag = 1 + offsetof(qvSceneKey, tag),
    .limit = 4096,
};

// --- Event ----------------------------------------------------------------------------------------------------------

static const qvRow eventRows[] = {
    { QV_ROW(Text, qv_fieldText, qvSceneEvent, tag, "id", "Id", "", "The event's name in files.", 0, 0, 0),
      .extent = qv_maxTag, QV_ROW_NAME },
    { QV_ROW(Number, qv_fieldNumber, qvSceneEvent, def.time, "time", "Time", "s",
             "When the blow falls and its wave starts to travel.", -MAX_TIME, MAX_TIME, 0),
      .required = true, .always = true },
    { QV_ROW(Number, qv_fieldNumber, qvSceneEvent, def.until, "until", "Until", "s",
             "By when the wave has died away or the dent has gone back; left out, waves run out and dents stay.",
             -MAX_TIME, MAX_TIME, INFINITY),
      .isUnset = true },
    { QV_ROW(Text, qv_fieldText, qvSceneEvent, name, "name", "Name", "",
             "What the event is called; the motion stays as it is.", 0, 0, 0),
      .extent = qv_maxName, QV_ROW_NAME },
    { CHOICE(FlagChoice, qvSceneEvent, def.push, "load", "Load",
             "An impulse is a blow that the body springs back from, a push leaves it moved.", loadTags, loadLabels),
      .always = true },
    { CHOICE(Brush, qvSceneEvent, def.stroke.brush, "shape", "Shape",
             "What the blow does at its centre: pulls, turns, swells or squeezes.", shapeTags, shapeLabels),
      .kind = qv_objectEvent, .always = true },
    ROWS_OF_LOAD(qvSceneEvent, def.stroke),
    { PARAMETER(Bool, qv_fieldBool, qvSceneEvent, def.stroke, connected, "connected", "Connected only", "",
                "Moves only the part of the mesh that the centre is on.", 0, 1, 1) },
    { QV_ROW(Int, qv_fieldInt, qvSceneEvent, def.vertex, "vertex", "Vertex", "",
             "Acts at this vertex of the mesh file instead of at a point.", 0, 2147483646, -1),
      .isUnset = true },
    { QV_ROW(Number, qv_fieldNumber, qvSceneEvent, def.speed, "speed", "Speed", "m/s",
             "How fast the wave crosses the body: slow rolls like jelly, fast is a short jolt.", 1e-6, 1e6, 3) },
    { QV_ROW(Number, qv_fieldNumber, qvSceneEvent, def.fade, "fade", "Fade", "1/s",
             "How quickly the wave or the dent dies away; at 0 a wave only spreads out, and a dent stays.", 0, 1000,
             0) },
    { QV_ROW(Bool, qv_fieldBool, qvSceneEvent, def.mute, "mute", "Mute", "", "Leaves the event out of the motion.", 0,
             1, 0) },
    { QV_ROW(Floats, qv_fieldOther, qvSceneEvent, mask, "mask", "Mask", "",
             "How much each vertex follows: 0 not at all, 1 fully.", 0, 1, 1) },
    { QV_ROW(Path, qv_fieldOther, qvSceneEvent, path, "path", "Path", "m",
             "A painted curve: the blow falls along all of it at once.", -1e9, 1e9, 0) },
};

static qvResult CheckEvent(qvReader* reader, const void* object)
{
    const qvSceneEvent* event = object;
    if (!(event->def.until > event->def.time))
        return qvReader_Fail(reader, "lasts from %g s until %g s, must end after it starts", event->def.time,
                             event->def.until);
    return CheckAxis(reader, &event->def.stroke);
}

const qvKindInfo qvKindEvent = {
    .label = "event",
    .rows = eventRows,
    .rowCount = sizeof(eventRows) / sizeof(eventRows[0]),
    .list = "events",
    .type = &qvSharedEvent,
    .extra = 1 + offsetof(qvSceneEvent, extra),
    .time = 1 + offsetof(qvSceneEvent, def.time),
    .tag = 1 + offsetof(qvSceneEvent, tag),
    .limit = 10000,
    .check = CheckEvent,
};
