// SPDX-License-Identifier: GPL-3.0-or-later
// What obstacles are made of. Private to obstacles.c and way_out.c.
#pragma once

#include "quaver/obstacle.h"

#include "body/distance_grid.h"
#include "body/rigid_path.h"

typedef struct qvObstacleItem
{
    qvObstacleShape shape;
    double radius;
    qvVec3 half; // of a box
    qvDistanceGrid* grid;
    qvRigidPath* path;
    double friction;
    bool inside;
} qvObstacleItem;

struct qvObstacles
{
    int count;
    qvObstacleItem* items;
};
