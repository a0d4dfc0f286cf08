// SPDX-License-Identifier: GPL-3.0-or-later
// Fields of the scene and of what it has beside keys and events.
#include "scene/reader.h"

#include "quaver/primitive.h"

#include <math.h>

#define MAX_TIME 1e6 // s: eleven days
#define MAX_PATH 4096

// --- Scene ----------------------------------------------------------------------------------------------------------

#define LIST(member, counter, ofKind, tagText, labelText, helpText)                              \
    {                                                                                            \
        QV_ROW(List, qv_fieldOther, qvScene, member, tagText, labelText, "", helpText, 0, 0, 0), \
            .extent = offsetof(qvScene, counter), .kind = ofKind                                 \
    }

#define CAMERA(codecName, fieldType, member, labelText, unitText, helpText, low, high, usual)                       \
    {                                                                                                               \
        QV_ROW(codecName, fieldType, qvScene, camera.member, "camera." #member, labelText, unitText, helpText, low, \
               high, usual),                                                                                        \
            .present = 1 + offsetof(qvScene, hasCamera)                                                             \
    }

static const qvRow sceneRows[] = {
    { QV_ROW(Text, qv_fieldText, qvScene, name, "name", "Name", "",
             "What the scene is called, here and in exported files; the motion stays as it is.", 0, 0, 0),
      .extent = qv_maxName },
    { QV_ROW(Number, qv_fieldNumber, qvScene, fps, "fps", "Frame rate", "frames/s",
             "How many pictures a second a bake takes; the motion itself does not depend on it.", 1, 240, 24) },
    { QV_ROW(Range, qv_fieldRange, qvScene, range, "range", "Range", "s",
             "Where the scene starts and ends; a key moved beyond takes the end along. Left out, it lasts from 0 to "
             "the last "
             "key, or 1 s.",
             -MAX_TIME, MAX_TIME, 0),
      .present = 1 + offsetof(qvScene, hasRange), .isUnset = true },
    { QV_ROW(Bool, qv_fieldBool, qvScene, loop, "loop", "Loop", "",
             "Joins the end to the start without a seam; keys must lie before the end of the range.", 0, 1, 0) },
    { QV_ROW(Range, qv_fieldRange, qvScene, preview, "preview", "Preview range", "s",
             "The part that is played, and baked when asked for.", -MAX_TIME, MAX_TIME, 0),
      .present = 1 + offsetof(qvScene, hasPreview) },
    { QV_ROW(Bool, qv_fieldBool, qvScene, keepKeys, "keep_keys", "Waves keep keys", "",
             "Fades waves out before the next hard key, so that the body passes exactly through its pose.", 0, 1, 1) },
    { QV_ROW(Number, qv_fieldNumber, qvScene, unit, "unit", "Unit", "m",
             "How many metres a unit of the mesh is: gravity pulls and waves run through it as through a body of that "
             "size.",
             1e-9, 1e9, 1) },
    { QV_ROW(Group, qv_fieldOther, qvScene, hasCamera, "camera", "Camera", "",
             "What pictures look at the scene with; left out, they show the whole motion.", 0, 0, 0),
      .present = 1 + offsetof(qvScene, hasCamera) },
    CAMERA(Vector, qv_fieldVector, target, "Target", "m", "The point in the middle of the picture.", -1e9, 1e9, 0),
    CAMERA(Number, qv_fieldNumber, yaw, "Turn", "\xc2\xb0",
           "Where the camera stands around the target: 0 in front, 90 at its right.", -360, 360, 30),
    CAMERA(Number, qv_fieldNumber, pitch, "Tilt", "\xc2\xb0",
           "How far it looks down on the target: 90 is from above, -90 from below.", -90, 90, 12),
    CAMERA(Number, qv_fieldNumber, distance, "Distance", "m", "How far it is from the target.", 1e-6, 1e9, 5),
    CAMERA(Number, qv_fieldNumber, lens, "Lens", "\xc2\xb0",
           "Vertical angle of view: a small one flattens, a large one exaggerates depth.", 1, 150, 35),
    CAMERA(Bool, qv_fieldBool, ortho, "Without perspective", "", "Shows everything as large as it is at the target.", 0,
           1, 0),
    { QV_ROW(Object, qv_fieldOther, qvScene, mesh, "mesh", "Mesh", "",
             "The shape that moves: a file or a built-in one.", 0, 0, 0),
      .kind = qv_objectMesh, .required = true },
    { QV_ROW(
        Detail, qv_fieldInt, qvScene, detail, "detail", "Detail", "points",
        "On how many points the motion of keys is solved where the mesh has more; the others are carried along and "
        "every key is still met exactly. Fewer is faster; 0 is all of them.",
        0, 1000000, 0) },
    { QV_ROW(Object, qv_fieldOther, qvScene, clip, "clip", "Clip", "",
             "Which animation of the mesh's file moves the body; null is none.", 0, 0, 0),
      .kind = qv_objectClip, .present = 1 + offsetof(qvScene, clip.on) },
    { QV_ROW(Object, qv_fieldOther, qvScene, material, "material", "Material", "", "What the body is made of.", 0, 0,
             0),
      .kind = qv_objectMaterial },
    { QV_ROW(Object, qv_fieldOther, qvScene, secondary, "secondary", "Secondary motion", "",
             "Waves that the motion itself sets off.", 0, 0, 0),
      .kind = qv_objectSecondary },
    { QV_ROW(Group, qv_fieldOther, qvScene, ground, "ground", "Ground", "",
             "What lies below a height: bodies stand on it and slide with friction.", 0, 0, 0) },
    { QV_ROW(Number, qv_fieldNumber, qvScene, ground.height, "ground.height", "Height", "m",
             "Where the ground is; left out, at the lowest point of the body at rest.", -1e9, 1e9, NAN),
      .isUnset = true },
    { QV_ROW(Number, qv_fieldNumber, qvScene, ground.friction, "ground.friction", "Friction", "",
             "How well it grips: 0 is ice, 1 rubber.", 0, 2, 0.5) },
    { QV_ROW(Bool, qv_fieldBool, qvScene, ground.on, "ground.on", "Ground", "", "Whether there is a ground at all.", 0,
             1, 1) },
    { QV_ROW(Floats, qv_fieldOther, qvScene, weights, "weights", "Secondary weights", "",
             "How much each vertex swings along in secondary motion: 0 not at all, 1 fully.", 0, 1, 1) },
    LIST(pins, pinCount, qv_objectPin, "pins", "Pins", "Vertices that stay where the keys have them."),
    LIST(strips, stripCount, qv_objectStrip, "mixer", "Mode mixer",
         "How much each vibration of the body takes part in the motion."),
    LIST(markers, markerCount, qv_objectMarker, "markers", "Markers", "Named moments on the timeline."),
    LIST(keys, keyCount, qv_objectKey, "keys", "Keys", "Poses in time that the motion passes through."),
    LIST(events, eventCount, qv_objectEvent, "events", "Events", "Blows and pushes that send waves through the body."),
    LIST(simulations, simulationCount, qv_objectSimulation, "simulations", "Simulations",
         "Spans of time in which physics moves the body."),
    LIST(obstacles, obstacleCount, qv_objectObstacle, "obstacles", "Obstacles",
         "Spheres, boxes and closed meshes that the body may not go through."),
};

const qvKindInfo qvKindScene = {
    .label = "scene",
    .rows = sceneRows,
    .rowCount = sizeof(sceneRows) / sizeof(sceneRows[0]),
    .extra = 1 + offsetof(qvScene, extra),
};

// --- Mesh -----------------------------------------------------------------------------------------------------------

static const char* const primitiveTags[] = {
#define PRIMITIVE(name, tag, label) tag,
#include "mesh/primitive_list.inl"
#undef PRIMITIVE
    NULL
};
static const char* const primitiveNames[] = {
#define PRIMITIVE(name, tag, label) label,
#include "mesh/primitive_list.inl"
#undef PRIMITIVE
    NULL
};

static const qvRow meshRows[] = {
    { QV_ROW(SharedText, qv_fieldText, qvSceneMesh, file, "file", "File", "",
             "A mesh file, by its path from the scene's folder.", 0, 0, 0),
      .extent = MAX_PATH },
    { .field = { .tag = "primitive",
                 .label = "Shape",
                 .unit = "",
                 .help = "A built-in shape instead of a file.",
                 .type = qv_fieldChoice,
                 .maximum = sizeof(primitiveTags) / sizeof(primitiveTags[0]) - 2,
                 .tags = primitiveTags,
                 .names = primitiveNames },
      .codec = &qvCodecPrimitive,
      .offset = offsetof(qvSceneMesh, primitive) },
    { QV_ROW(Int, qv_fieldInt, qvSceneMesh, resolution, "resolution", "Resolution", "",
             "How finely the shape is divided: finer shows smaller waves, but takes longer; left out, it decides.",
             qv_minResolution, qv_maxResolution, 0) },
};

static qvResult CheckMesh(qvReader* reader, const void* object)
{
    const qvSceneMesh* mesh = object;
    if (mesh->file == NULL && mesh->primitive == NULL)
        return qvReader_Fail(reader, "needs a \"file\" or a \"primitive\"");
    if (mesh->file != NULL && mesh->primitive != NULL)
        return qvReader_Fail(reader, "has a \"file\" and a \"primitive\", must have one of them");
    return qv_ok;
}

const qvKindInfo qvKindMesh = {
    .label = "mesh",
    .rows = meshRows,
    .rowCount = sizeof(meshRows) / sizeof(meshRows[0]),
    .embedded = offsetof(qvScene, mesh),
    .check = CheckMesh,
};

// --- Clip -----------------------------------------------------------------------------------------------------------

static const qvRow clipRows[] = {
    { QV_ROW(Bool, qv_fieldBool, qvSceneClip, on, "on", "Play", "",
             "Whether an animation of the mesh's file moves the body; off, it is at rest.", 0, 1, 1) },
    { QV_ROW(SharedText, qv_fieldText, qvSceneClip, name, "name", "Name", "",
             "The file's animation that moves the body, by its name; left out, the one with the number.", 0, 0, 0),
      .extent = MAX_PATH },
    { QV_ROW(Int, qv_fieldInt, qvSceneClip, number, "number", "Number", "",
             "The file's animation that moves the body, counted from 1, where no name is given.", 1, 1000000, 1) },
    { QV_ROW(Number, qv_fieldNumber, qvSceneClip, start, "start", "Start", "s",
             "When the animation begins; before, the body waits in its first pose, or it repeats.", -MAX_TIME, MAX_TIME,
             0) },
    { QV_ROW(Number, qv_fieldNumber, qvSceneClip, speed, "speed", "Speed", "",
             "How fast it plays: 2 is twice as fast as in the file, 0.5 half as fast.", 0.01, 100, 1) },
    { QV_ROW(Bool, qv_fieldBool, qvSceneClip, repeat, "repeat", "Repeat", "",
             "Plays it again and again; off, it plays once and the body holds its last pose.", 0, 1, 1) },
};

const qvKindInfo qvKindClip = {
    .label = "clip",
    .rows = clipRows,
    .rowCount = sizeof(clipRows) / sizeof(clipRows[0]),
    .embedded = offsetof(qvScene, clip),
};

// --- Material -------------------------------------------------------------------------------------------------------

static const qvRow materialRows[] = {
    { QV_ROW(Number, qv_fieldNumber, qvBodyMaterial, frequency, "frequency", "Wobble", "Hz",
             "How fast the body swings when nothing pins it: low is soft and heavy, high is stiff and light.", 0, 60,
             2),
      .from = qv_stageMotion },
    { QV_ROW(Number, qv_fieldNumber, qvBodyMaterial, settle, "settle", "Settle", "s",
             "How long a swing takes to fade to 5 %: short stops dead, long keeps on wobbling.", 0.01, 60, 1),
      .from = qv_stageMotion },
    { QV_ROW(Number, qv_fieldNumber, qvBodyMaterial, stiffDamping, "stiff_damping", "Stiff damping", "s",
             "Fades fast, small wobbles sooner than slow, large ones.", 0, 1, 0),
      .from = qv_stageMotion },
    { QV_ROW(Number, qv_fieldNumber, qvBodyMaterial, maxWobble, "max_wobble", "Top wobble", "Hz",
             "Vibrations faster than this do not ring, because a film cannot show them.", 0.1, 1000, 12),
      .from = qv_stageMotion },
    { QV_ROW(Number, qv_fieldNumber, qvBodyMaterial, stretch, "stretch", "Stretch", "",
             "How much the surface resists stretching: high keeps lengths and folds, low swells and shrinks.", 1e-6,
             1e6, 1) },
    { QV_ROW(Number, qv_fieldNumber, qvBodyMaterial, bend, "bend", "Bend", "",
             "How much the surface resists bending: low flutters like cloth, high springs like sheet metal.", 1e-6, 1e6,
             1) },
    { QV_ROW(Int, qv_fieldInt, qvBodyMaterial, modes, "modes", "Modes", "",
             "How many vibrations are found at each key: more gives finer wobbles and takes longer.", 1, 200, 20) },
    { QV_ROW(Vector, qv_fieldVector, qvBodyMaterial, gravity, "gravity", "Gravity", "m/s^2",
             "Pulls the body while it moves, and bends flights into arcs.", -1e6, 1e6, 0),
      .from = qv_stageMotion },
    { QV_ROW(Vector, qv_fieldVector, qvBodyMaterial, wind, "wind", "Wind", "m/s^2",
             "A steady push while the body moves, strongest where the surface faces the wind.", -1e6, 1e6, 0),
      .from = qv_stageMotion },
};

const qvKindInfo qvKindMaterial = {
    .label = "material",
    .rows = materialRows,
    .rowCount = sizeof(materialRows) / sizeof(materialRows[0]),
    .embedded = offsetof(qvScene, material),
};

// --- Secondary motion -----------------------------------------------------------------------------------------------

static const qvRow secondaryRows[] = {
    { QV_ROW(Bool, qv_fieldBool, qvSceneSecondary, enabled, "enabled", "Enabled", "",
             "Lets sudden changes of the motion send small waves through the body.", 0, 1, 0) },
    { QV_ROW(Number, qv_fieldNumber, qvSceneSecondary, terms.amount, "amount", "Amount", "",
             "How far loose parts swing: 0 not at all, 1 as physics has it, above that more.", 0, 100, 1) },
    { QV_ROW(Number, qv_fieldNumber, qvSceneSecondary, terms.threshold, "threshold", "Threshold", "",
             "How sudden a change must be: low makes everything ripple, high only hard stops.", 0, 1e6, 0.05) },
    { QV_ROW(Number, qv_fieldNumber, qvSceneSecondary, terms.radius, "radius", "Radius", "m",
             "How wide the waves start; left out, it follows from the size of the mesh.", 1e-9, 1e9, 0) },
    { QV_ROW(Number, qv_fieldNumber, qvSceneSecondary, terms.speed, "speed", "Speed", "m/s",
             "How fast the swing passes: slow sways softly, fast shivers.", 1e-6, 1e6, 3) },
    { QV_ROW(Int, qv_fieldInt, qvSceneSecondary, terms.max, "max", "Most waves", "",
             "How many waves there may be; the strongest stay, so few of them look rough.", 1, 10000, 100) },
    { QV_ROW(Number, qv_fieldNumber, qvSceneSecondary, terms.rate, "rate", "Samples", "/s",
             "How often a second the motion is searched for changes: more is smoother and takes longer.", 1, 1000,
             48) },
};

const qvKindInfo qvKindSecondary = {
    .label = "secondary motion",
    .rows = secondaryRows,
    .rowCount = sizeof(secondaryRows) / sizeof(secondaryRows[0]),
    .embedded = offsetof(qvScene, secondary),
};

// --- Pins, mixer, markers -------------------------------------------------------------------------------------------

static const qvRow pinRows[] = {
    { QV_ROW(Vertices, qv_fieldOther, qvScenePin, where.vertices, "vertices", "Vertices", "",
             "The vertices that are held, by their numbers in the mesh file.", 0, 0, 0) },
    { QV_ROW(Box, qv_fieldOther, qvScenePin, where, "box", "Box", "m",
             "Holds every vertex that lies in this box at rest.", -1e9, 1e9, 0) },
    { QV_ROW(Number, qv_fieldNumber, qvScenePin, from, "from", "From", "s",
             "When the pin starts to hold; left out, from the beginning.", -MAX_TIME, MAX_TIME, -INFINITY),
      .isUnset = true },
    { QV_ROW(Number, qv_fieldNumber, qvScenePin, to, "to", "To", "s", "When the pin lets go; left out, never.",
             -MAX_TIME, MAX_TIME, INFINITY),
      .isUnset = true },
};

static qvResult CheckPin(qvReader* reader, const void* object)
{
    const qvScenePin* pin = object;
    if (!(pin->from < pin->to))
        return qvReader_Fail(reader, "holds from %g s to %g s, must end after it starts", pin->from, pin->to);
    return qv_ok;
}

const qvKindInfo qvKindPin = {
    .label = "pin",
    .rows = pinRows,
    .rowCount = sizeof(pinRows) / sizeof(pinRows[0]),
    .list = "pins",
    .type = &qvSharedPin,
    .extra = 1 + offsetof(qvScenePin, extra),
    .limit = 10000,
    .check = CheckPin,
};

static const qvRow stripRows[] = {
    { QV_ROW(Int, qv_fieldInt, qvSceneStrip, def.mode, "mode", "Mode", "",
             "Which vibration of the body this is about; 0 is the slowest.", 0, 199, 0),
      .required = true, .always = true },
    { QV_ROW(Number, qv_fieldNumber, qvSceneStrip, def.gain, "gain", "Gain", "",
             "How strongly it swings: 0 not at all, 1 as the physics says.", 0, 4, 1) },
    { QV_ROW(Number, qv_fieldNumber, qvSceneStrip, def.damping, "damping", "Damping", "1/s",
             "Fades this vibration faster than the material does.", 0, 100, 0) },
    { QV_ROW(Bool, qv_fieldBool, qvSceneStrip, def.mute, "mute", "Mute", "", "Takes this vibration out of the motion.",
             0, 1, 0) },
    { QV_ROW(Bool, qv_fieldBool, qvSceneStrip, def.solo, "solo", "Solo", "",
             "Leaves only this vibration and other solo ones in the motion.", 0, 1, 0) },
};

const qvKindInfo qvKindStrip = {
    .label = "mixer strip",
    .rows = stripRows,
    .rowCount = sizeof(stripRows) / sizeof(stripRows[0]),
    .list = "mixer",
    .type = &qvSharedStrip,
    .extra = 1 + offsetof(qvSceneStrip, extra),
    .limit = 1000,
};

static const qvRow markerRows[] = {
    { QV_ROW(Number, qv_fieldNumber, qvSceneMarker, time, "time", "Time", "s",
             "Where the marker stands; the motion stays as it is.", -MAX_TIME, MAX_TIME, 0),
      .required = true, .always = true },
    { QV_ROW(Text, qv_fieldText, qvSceneMarker, name, "name", "Name", "",
             "What the marker says; the motion stays as it is.", 0, 0, 0),
      .extent = qv_maxName },
};

const qvKindInfo qvKindMarker = {
    .label = "marker",
    .rows = markerRows,
    .rowCount = sizeof(markerRows) / sizeof(markerRows[0]),
    .list = "markers",
    .type = &qvSharedMarker,
    .extra = 1 + offsetof(qvSceneMarker, extra),
    .time = 1 + offsetof(qvSceneMarker, time),
    .limit = 10000,
};
