// SPDX-License-Identifier: GPL-3.0-or-later
// Fields of obstacles and of the keys that move them.
#include "scene/reader.h"

#define MAX_TIME 1e6 // s: eleven days
#define MAX_PATH 4096

// --- Obstacle -------------------------------------------------------------------------------------------------------

// The order of qvObstacleShape, without the ground.
static const char* const shapeTags[] = { "sphere", "box", "mesh", NULL };
static const char* const shapeNames[] = { "Sphere", "Box", "Mesh", NULL };

static const qvRow obstacleRows[] = {
    { QV_ROW(Text, qv_fieldText, qvSceneObstacle, tag, "id", "Id", "", "The obstacle's name in files.", 0, 0, 0),
      .extent = qv_maxTag, QV_ROW_NAME },
    { QV_ROW(Text, qv_fieldText, qvSceneObstacle, name, "name", "Name", "", "What it is called in lists.", 0, 0, 0),
      .extent = qv_maxName, QV_ROW_NAME },
    { .field = { .tag = "shape",
                 .label = "Shape",
                 .unit = "",
                 .help = "What it is: a sphere, a box, or a closed mesh from a file.",
                 .type = qv_fieldChoice,
                 .maximum = sizeof(shapeTags) / sizeof(shapeTags[0]) - 2,
                 .tags = shapeTags,
                 .names = shapeNames },
      .codec = &qvCodecChoice,
      .offset = offsetof(qvSceneObstacle, shape),
      .always = true },
    { QV_ROW(Number, qv_fieldNumber, qvSceneObstacle, radius, "radius", "Radius", "m", "How large the sphere is.", 1e-9,
             1e9, 0.5) },
    { QV_ROW(Vector, qv_fieldVector, qvSceneObstacle, size, "size", "Size", "m", "How wide, high and deep the box is.",
             1e-9, 1e9, 0),
      .standards = { 1, 1, 1 } },
    { QV_ROW(SharedText, qv_fieldText, qvSceneObstacle, file, "file", "File", "",
             "A closed mesh, by its path from the scene's folder.", 0, 0, 0),
      .extent = MAX_PATH },
    { QV_ROW(Vector, qv_fieldVector, qvSceneObstacle, at, "at", "Place", "m",
             "Where its middle is, or the origin of its mesh, while it has no keys.", -1e9, 1e9, 0) },
    { QV_ROW(Rotation, qv_fieldRotation, qvSceneObstacle, rotate, "rotate", "Turn", "",
             "How it is turned about its middle, while it has no keys.", -1e9, 1e9, 0),
      .standards = { 0, 0, 0, 1 } },
    { QV_ROW(List, qv_fieldOther, qvSceneObstacle, keys, "keys", "Keys", "",
             "Where it is at some times; it moves smoothly from one to the next.", 0, 0, 0),
      .extent = offsetof(qvSceneObstacle, keyCount), .kind = qv_objectObstacleKey },
    { QV_ROW(Number, qv_fieldNumber, qvSceneObstacle, friction, "friction", "Friction", "",
             "How well it grips: 0 is ice, 1 rubber.", 0, 2, 0.5) },
    { QV_ROW(Bool, qv_fieldBool, qvSceneObstacle, inside, "inside", "Vessel", "",
             "Keeps the body inside instead of outside, like a bowl or a room.", 0, 1, 0) },
    { QV_ROW(Bool, qv_fieldBool, qvSceneObstacle, mute, "mute", "Mute", "",
             "Leaves it in the scene, but nothing collides with it.", 0, 1, 0) },
};

static qvResult CheckObstacle(qvReader* reader, const void* object)
{
    const qvSceneObstacle* obstacle = object;
    if (obstacle->shape == qv_shapeMesh && obstacle->file == NULL)
        return qvReader_Fail(reader, "needs a \"file\", the mesh that it is");
    for (int i = 1; i < obstacle->keyCount; i++)
    {
        if (!(obstacle->keys[i]->time > obstacle->keys[i - 1]->time))
            return qvReader_Fail(reader,
                                 "keys: the one at %g s comes after the one at %g s; put them in order, each at "
                                 "its own time",
                                 obstacle->keys[i]->time, obstacle->keys[i - 1]->time);
    }
    return qv_ok;
}

const qvKindInfo qvKindObstacle = {
    .label = "obstacle",
    .rows = obstacleRows,
    .rowCount = sizeof(obstacleRows) / sizeof(obstacleRows[0]),
    .list = "obstacles",
    .type = &qvSharedObstacle,
    .extra = 1 + offsetof(qvSceneObstacle, extra),
    .tag = 1 + offsetof(qvSceneObstacle, tag),
    .limit = 1000,
    .check = CheckObstacle,
};

// --- Key of an obstacle ---------------------------------------------------------------------------------------------

static const qvRow obstacleKeyRows[] = {
    { QV_ROW(Number, qv_fieldNumber, qvSceneObstacleKey, time, "time", "Time", "s", "When the obstacle is there.",
             -MAX_TIME, MAX_TIME, 0),
      .required = true, .always = true },
    { QV_ROW(Vector, qv_fieldVector, qvSceneObstacleKey, at, "at", "Place", "m",
             "Where its middle is at that time, or the origin of its mesh.", -1e9, 1e9, 0) },
    { QV_ROW(Rotation, qv_fieldRotation, qvSceneObstacleKey, rotate, "rotate", "Turn", "",
             "How it is turned about its middle at that time.", -1e9, 1e9, 0),
      .standards = { 0, 0, 0, 1 } },
};

const qvKindInfo qvKindObstacleKey = {
    .label = "key of an obstacle",
    .rows = obstacleKeyRows,
    .rowCount = sizeof(obstacleKeyRows) / sizeof(obstacleKeyRows[0]),
    .list = "keys",
    .owner = qv_objectObstacle,
    .type = &qvSharedObstacleKey,
    .extra = 1 + offsetof(qvSceneObstacleKey, extra),
    .time = 1 + offsetof(qvSceneObstacleKey, time),
    .limit = 4096,
};
