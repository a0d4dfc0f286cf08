// SPDX-License-Identifier: GPL-3.0-or-later
// The thin bar of bar.h as a body with poses.
#pragma once

#include "bar.h"
#include "motion_testing.h"

static inline Actor MakeBar(void)
{
    qvError error;
    qvMesh* mesh;
    ASSERT_OK(qvCreateBar(&mesh, &error), error);
    assert_int_equal(mesh->pointCount, qv_barRings * qv_barSides + 2);
    return MakeActorOf(mesh);
}

static inline void BendBar(const Actor* actor, double* points, double bend, double twist)
{
    qvBar_Bend(actor->rest, actor->size / 3, bend, twist, points);
}
