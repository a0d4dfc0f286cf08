// SPDX-License-Identifier: GPL-3.0-or-later
// A beam that is clamped at one end and hangs far down: its frame goes along, so that its volume stays where plain
// linear elasticity would blow it up.
#include "testing.h"

#include "bem/system.h"
#include "solid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    MOST_PINS = 64
};

static const double SECONDS = 4.0;

typedef struct Beam
{
    qvBemModel* model;
    qvVec3* points;
    double lowest; // how far its free end has sunk
    double volume; // over that at rest
    double worst;  // change of volume on the way
} Beam;

static double VolumeOf(const qvBemSurface* surface, const qvVec3* points)
{
    double volume;
    qvVec3 centroid;
    qvMat3 inertia;
    qvBemMassProperties(points, surface->triangles, surface->triangleCount, &volume, &centroid, &inertia);
    return volume / surface->volume;
}

static int PinEnd(const qvBemSurface* surface, qvBemPin* pins)
{
    int count = 0;
    for (int v = 0; v < surface->vertexCount; v++)
    {
        if (surface->vertices[v].x > -1.999)
            continue;
        assert_true(count < MOST_PINS);
        pins[count++] = (qvBemPin){ 0, v, surface->vertices[v] };
    }
    return count;
}

// Where it comes to rest under a gravity.
static void Hang(Beam* beam, double wobble, double gravity)
{
    qvError error;
    const qvBemSurface* surface = beam->model->surface;
    qvBemBodyDef body = qvDefaultBemBodyDef();
    body.model = beam->model;
    body.wobble = wobble;
    body.settle = 0.5;
    body.drag = 6.0;
    qvBemSystemDef def = qvDefaultBemSystemDef();
    def.bodies = &body;
    def.bodyCount = 1;
    def.gravity.y = -gravity;
    def.step = qvBemStepLength(&body, 1);
    qvBemSystem* system;
    ASSERT_OK(qvCreateBemSystem(&def, NULL, &system, &error), error);
    double* state = calloc((size_t)qvBemSystem_StateSize(system), sizeof(double));
    qvBemSystem_Rest(system, state);
    qvBemPin pins[MOST_PINS];
    qvBemStepDef step = { .pins = pins, .pinCount = PinEnd(surface, pins) };
    beam->worst = 0.0;
    for (; step.time < SECONDS; step.time += def.step)
    {
        qvBemStepReport report;
        ASSERT_OK(qvBemSystem_Step(system, &step, state, &report, &error), error);
        qvBemSystem_Positions(system, state, 0, beam->points);
        beam->worst = fmax(beam->worst, fabs(VolumeOf(surface, beam->points) - 1.0));
    }
    beam->volume = VolumeOf(surface, beam->points);
    beam->lowest = 0.0;
    for (int v = 0; v < surface->vertexCount; v++)
        beam->lowest = fmax(beam->lowest, surface->vertices[v].y - beam->points[v].y);
    for (int p = 0; p < step.pinCount; p++)
        assert_true(qvDistance(beam->points[pins[p].vertex], pins[p].target) < 1e-5 * surface->diameter);
    qvDestroyBemSystem(system);
    free(state);
}

static void BeamsKeepTheirVolume(void** state)
{
    (void)state;
    qvError error;
    qvSolid solid = qvMakeBlock(12, 3, 3, qvMakeVec3(4.0, 1.0, 1.0), 0.0);
    qvBemModelDef def = qvDefaultBemModelDef();
    def.vertices = solid.vertices;
    def.vertexCount = solid.vertexCount;
    def.triangles = solid.triangles;
    def.triangleCount = solid.triangleCount;
    def.poisson = 0.3;
    Beam beam = { .points = calloc((size_t)solid.vertexCount, sizeof(qvVec3)) };
    ASSERT_OK(qvCreateBemModel(&def, NULL, &beam.model, &error), error);
    qvFreeSolid(&solid);
    // Plain linear elasticity: so little gravity that nothing turns, and its displacements times as much.
    const double wobble = 2.22, gravity = 9.81, part = 1e-3;
    const qvBemSurface* surface = beam.model->surface;
    Hang(&beam, wobble, part * gravity);
    for (int v = 0; v < surface->vertexCount; v++)
        beam.points[v] = qvMulAdd(surface->vertices[v], 1.0 / part, qvSub(beam.points[v], surface->vertices[v]));
    double linear = VolumeOf(surface, beam.points), drop = beam.lowest / part;
    Hang(&beam, wobble, gravity);
    print_message(
        "linear: sinks by %.2f, volume %+.1f %%; its frame goes along: %.2f, %+.2f %%, %.2f %% at most on the way\n",
        drop, 100.0 * (linear - 1.0), beam.lowest, 100.0 * (beam.volume - 1.0), 100.0 * beam.worst);
    assert_true(linear - 1.0 > 0.29);
    assert_true(beam.lowest > 1.0);
    assert_true(fabs(beam.volume - 1.0) < 0.06 && beam.worst < 0.06);
    qvDestroyBemModel(beam.model);
    free(beam.points);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(BeamsKeepTheirVolume) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
