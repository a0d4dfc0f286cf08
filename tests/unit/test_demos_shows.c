// SPDX-License-Identifier: GPL-3.0-or-later
// What each demo scene is named for, and the physics that it keeps to.
#include "demo_testing.h"

// Between two times the mass centre falls freely: a parabola upwards, straight on sideways.
static void AssertFlies(Demo* demo, double from, double to)
{
    qvVec3 a = MassCentre(demo->body, At(demo, from)), b = MassCentre(demo->body, At(demo, to));
    for (int i = 1; i < 8; i++)
    {
        double t = i / 8.0, time = from + (to - from) * t;
        qvVec3 fall = qvScale(-0.5 * (time - from) * (to - time), demo->scene->material.gravity);
        qvVec3 wanted = qvAdd(qvAdd(qvScale(1.0 - t, a), qvScale(t, b)), fall);
        ASSERT_NEAR(qvDistance(MassCentre(demo->body, At(demo, time)), wanted), 0.0, 1e-5);
    }
}

// Farthest from rest over a stretch of time.
static double Largest(Demo* demo, double from, double to)
{
    double largest = 0.0;
    for (int i = 0; i <= 36; i++)
        largest = fmax(largest, FromRest(demo, from + (to - from) * i / 36));
    return largest;
}

// The base stands as long as it is pinned, and would not without pins; take-off and touch-down break the velocities as
// they are given; in between the frame falls freely, as high as a flight of its length goes.
static void TheBlockJumps(void** state)
{
    Demo* demo = Find(state, "jumping_block");
    double off = demo->scene->keys[2]->time, down = demo->scene->keys[3]->time,
           gravity = demo->scene->material.gravity.y;
    assert_true(OffGroundWhile(demo, 0.0, off) < 2e-3);
    assert_true(OffGroundWhile(demo, down, demo->range[1]) < 2e-3);
    Demo loose;
    OpenDemo(&loose, "jumping_block", demo->pool, "pins");
    assert_true(OffGroundWhile(&loose, down, demo->range[1]) > 0.05);
    CloseDemo(&loose);

    double height = -gravity * (down - off) * (down - off) / 8.0;
    ASSERT_NEAR(qvTake_Frame(demo->take, 0.5 * (off + down)).offset.y - qvTake_Frame(demo->take, off).offset.y, height,
                0.1);
    assert_true(OffGround(demo, 0.5 * (off + down)) > 0.8 * height);
    AssertFlies(demo, off, down);
    // What is alike on both sides does not turn; the triangles of a coarse block are not.
    for (int i = 1; i < 8 && !DEMO_COARSE; i++)
        assert_true(Spin(demo, off + (down - off) * i / 8) < 2e-3);
    ASSERT_NEAR(Rise(demo, off, -1), 4.9, 0.1);
    ASSERT_NEAR(Rise(demo, down, 1), -4.9, 0.1);

    // Back on its feet it rings down: to 5 % in the time that the material needs to settle.
    double stand = demo->scene->keys[5]->time, window = 0.36, later = demo->range[1] - window;
    double first = Largest(demo, stand, stand + window), last = Largest(demo, later, demo->range[1]);
    double decay = exp(-3.0 / demo->scene->material.settle * (later - stand));
    ASSERT_NEAR(last / first, decay, DEMO_ROUGH * 0.1 * decay);
}

// A wave goes far, and what is left of it behind fades like the fifth power of time: to a 32nd in twice the time.
static void TheTentacleIsPushed(void** state)
{
    Demo* demo = Find(state, "tentacle_waves");
    int last = demo->scene->keyCount - 1, count = demo->body->mesh->pointCount;
    assert_true(FromRest(demo, demo->scene->keys[1]->time) < 1e-6);
    assert_true(FromRest(demo, demo->scene->keys[1]->time + 0.3) > 0.3);
    qvError error;
    ASSERT_OK(qvComputePose(demo->scene, demo->body, demo->scene->keys[last]->id, -1, NULL, demo->other, &error),
              error);
    double soon = Farthest(At(demo, demo->scene->keys[last]->time + 2.0), demo->other, count);
    double later = Farthest(At(demo, demo->scene->keys[last]->time + 4.0), demo->other, count);
    ASSERT_NEAR(log2(soon / later), 5.0, 0.5);
}

// Right after a time the body moves, without waves, as a key's velocity says: by what its stroke does in a second.
static void AssertLeaves(Demo* demo, const qvSceneVelocity* velocity, double time)
{
    const double step = 1e-3;
    qvError error;
    int count = demo->body->mesh->pointCount;
    assert_int_equal(velocity->strokes.count, 1);
    memcpy(demo->points, demo->body->rest, (size_t)count * sizeof(qvVec3f));
    ASSERT_OK(qvApplyStroke(demo->body, &velocity->strokes.strokes[0]->stroke, NULL, demo->pool, demo->points, &error),
              error);
    qvTake_Evaluate(demo->take, time + step, qv_layersMotion, demo->scratch, demo->pool, demo->other);
    double worst = 0.0;
    for (int i = 0; i < count; i++)
    {
        qvVec3 rest = qvVec3_FromFloat(demo->body->rest[i]), wanted = qvSub(qvVec3_FromFloat(demo->points[i]), rest);
        qvVec3 moves = qvScale(1.0 / step, qvSub(qvVec3_FromFloat(demo->other[i]), rest));
        if (rest.y > 1.0)
            worst = fmax(worst, qvDistance(moves, wanted));
    }
    // Pins hold some of it back.
    assert_true(worst < DEMO_ROUGH * 0.15 * qvLength(velocity->strokes.strokes[0]->stroke.drag));
}

// Nothing moves before the punch, and what it starts dies away.
static void ThePunchDiesAway(void** state)
{
    Demo* demo = Find(state, "punch_shockwave");
    assert_true(Largest(demo, 0.0, 0.5) < 1e-6);
    AssertLeaves(demo, &demo->scene->keys[1]->after, 0.5);
    double early = 0.0, late = 0.0;
    for (int i = 1; i <= 10; i++)
    {
        early = fmax(early, FromRest(demo, 0.5 + 0.05 * i));
        late = fmax(late, FromRest(demo, 2.5 + 0.05 * i));
    }
    assert_true(early > 0.3);
    assert_true(late < 0.1 * early);
}

static void DentsStay(void** state)
{
    Demo* demo = Find(state, "dented_panel");
    assert_true(Largest(demo, demo->range[0], demo->scene->events[0]->def.time) < 1e-6);
    for (int i = 0; i < demo->scene->eventCount; i++)
    {
        const qvSceneEvent* event = demo->scene->events[i];
        int point = PointNear(demo->body, event->def.stroke.at);
        ASSERT_NEAR(At(demo, demo->range[1])[point].z, event->def.stroke.drag.z, 0.15 * fabs(event->def.stroke.drag.z));
        assert_true(fabsf(At(demo, event->def.time)[point].z) < 0.02f);
    }
}

// It hops off the ground, turns to both sides, and never goes into the ground by a hundredth of its height.
static void TheSackDances(void** state)
{
    Demo* demo = Find(state, "dancing_sack");
    double highest = 0.0, left = 0.0, right = 0.0;
    for (int i = 0; i <= 120; i++)
    {
        double time = demo->range[0] + (demo->range[1] - demo->range[0]) * i / 120, low = INFINITY;
        At(demo, time);
        for (int p = 0; p < demo->body->mesh->pointCount; p++)
            low = fmin(low, demo->points[p].y);
        assert_true(low > -0.02);
        highest = fmax(highest, low);
        double facing = qvTake_Frame(demo->take, time).linear[0][2];
        left = fmin(left, facing), right = fmax(right, facing);
    }
    assert_true(highest > 0.4);
    assert_true(left < -0.2 && right > 0.2);
}

// How far waves have moved a point, on top of the motion.
static double Ripple(Demo* demo, int point, double time)
{
    qvTake_Evaluate(demo->take, time, qv_layersMotion, demo->scratch, demo->pool, demo->other);
    return qvDistance(qvVec3_FromFloat(At(demo, time)[point]), qvVec3_FromFloat(demo->other[point]));
}

// A drop makes a hole where it falls, and its ring comes by farther out when the hole has closed.
static void RingsRunOut(void** state)
{
    Demo* demo = Find(state, "rain_on_a_pond");
    const qvSceneEvent* drop = demo->scene->events[0];
    int hit = PointNear(demo->body, drop->def.stroke.at);
    int out = PointNear(demo->body, qvAdd(drop->def.stroke.at, qvMakeVec3(0.3, 0.0, 0.0)));
    double soon = drop->def.time + 0.05, later = drop->def.time + 0.3 / drop->def.speed;
    assert_true(Ripple(demo, hit, soon) > 0.1);
    assert_true(Ripple(demo, out, soon) < 0.1 * Ripple(demo, hit, soon));
    assert_true(Ripple(demo, out, later) > 0.02);
    assert_true(Ripple(demo, hit, later) < 0.5 * Ripple(demo, out, later));
}

// When a point is first at half of the farthest that waves carry it in the second after a moment, and how far that is.
static double Arrival(Demo* demo, int point, double from, double* peak)
{
    double ripples[60], time = from;
    *peak = 0.0;
    for (int i = 0; i < 60; i++)
    {
        ripples[i] = Ripple(demo, point, from + i / 60.0);
        *peak = fmax(*peak, ripples[i]);
    }
    for (int i = 0; ripples[i] < 0.5 * *peak; i++)
        time = from + (i + 1) / 60.0;
    return time;
}

// Belly, nose and horns swing one after the other, each by as much as an eye sees.
static void StompsRunUp(void** state)
{
    static const qvVec3 places[] = { { 0.0, 0.6, 0.4 }, { 0.0, 1.3, 0.5 }, { 0.25, 2.0, 0.0 } };
    static const double wanted[] = { 0.08, 0.04, 0.025 };
    Demo* demo = Find(state, "footfall");
    for (int e = 0; e < demo->scene->eventCount; e++)
    {
        double before = demo->scene->events[e]->def.time;
        for (int i = 0; i < 3; i++)
        {
            double peak,
                time = Arrival(demo, PointNear(demo->body, places[i]), demo->scene->events[e]->def.time, &peak);
            assert_true(peak > wanted[i]);
            assert_true(time > before);
            before = time;
        }
    }
    assert_int_equal(demo->scene->eventCount, 2);
}

// Upside down in the air, where its mass centre falls freely though it tucks and turns, and once round on the ground
// without growing or shrinking.
static void TheImpTurnsOver(void** state)
{
    Demo* demo = Find(state, "somersault");
    const qvMesh* mesh = demo->body->mesh;
    double leap = demo->scene->keys[2]->time, land = demo->scene->keys[4]->time, middle = 0.5 * (leap + land);
    assert_true(qvTake_Frame(demo->take, 0.5).linear[1][1] > 0.99);
    assert_true(qvTake_Frame(demo->take, middle).linear[1][1] < -0.9);
    assert_true(qvTake_Frame(demo->take, 1.75).linear[1][1] > 0.99);
    AssertFlies(demo, leap, land);
    assert_true(OffGroundWhile(demo, 0.0, leap) < 0.01);
    assert_true(OffGroundWhile(demo, land, demo->range[1]) < 0.01);
    double volume = Volume(mesh, demo->body->rest), facing = 1.0;
    for (int i = 0; i <= 20; i++)
    {
        double time = 2.2 + 0.04 * i;
        facing = fmin(facing, qvTake_Frame(demo->take, time).linear[2][2]);
        ASSERT_NEAR(Volume(mesh, At(demo, time)) / volume, 1.0, 0.04);
        ASSERT_NEAR(HeightOf(demo, time), 2.0, 0.1);
    }
    assert_true(facing < -0.9);
}

// Automatic motion starts where it was painted, and what is not painted does not move with it.
static void AssertPaint(Demo* demo)
{
    const qvMesh* mesh = demo->body->mesh;
    const float* weights = (const float*)demo->scene->weights->data;
    assert_true(qvTake_GeneratedCount(demo->take) > 10);
    for (int i = 0; i < qvTake_GeneratedCount(demo->take); i++)
        assert_true(weights[qvTake_GeneratedEvent(demo->take, i)->def.vertex] > 0.0f);
    double painted = 0.0, bare = 0.0;
    int bareCount = 0;
    for (int s = 0; s < 6; s++)
    {
        double time = demo->range[0] + 0.11 * s;
        qvTake_Evaluate(demo->take, time, qv_layersMotion, demo->scratch, demo->pool, demo->other);
        At(demo, time);
        for (int i = 0; i < mesh->pointCount; i++)
        {
            double moved = qvDistance(qvVec3_FromFloat(demo->points[i]), qvVec3_FromFloat(demo->other[i]));
            bool isBare = weights[mesh->pointVertex[i]] == 0.0f;
            double* most = isBare ? &bare : &painted;
            *most = fmax(*most, moved);
            bareCount += isBare;
        }
    }
    assert_true(bareCount > 6 * mesh->pointCount / 2);
    assert_true(painted > 0.03 / DEMO_ROUGH * demo->body->diagonal); // few waves do not carry as far
    assert_true(bare < 1e-6);
}

static void PaintDecidesWhatSwings(void** state)
{
    AssertPaint(Find(state, "running_imp"));
    AssertPaint(Find(state, "hopper"));
}

// What pins leave free swings many times as far as what they hold.
static void ArmsAndSheetsSwing(void** state)
{
    Demo *hand = Find(state, "waving_hand"), *sheet = Find(state, "sheet_in_the_wind");
    assert_true(Slip(hand, 0.7, 3.0) > 25.0 * Slip(hand, 0.0, 0.3));
    assert_true(Slip(sheet, 0.0, 0.2) > 25.0 * Slip(sheet, 1.9, 3.0));
    assert_true(Slip(hand, 0.0, 0.3) > 0.0 && Slip(sheet, 1.9, 3.0) > 0.0);
}

// Wind never lets go: at no moment does the sheet all but stand still to make up for it at the next.
static void TheSheetFlows(void** state)
{
    Demo* demo = Find(state, "sheet_in_the_wind");
    double slowest = INFINITY, fastest = 0.0;
    for (int s = 0; s < 60; s++)
    {
        double speed = MeanSpeed(demo, demo->range[0] + (demo->range[1] - demo->range[0]) * s / 60);
        slowest = fmin(slowest, speed);
        fastest = fmax(fastest, speed);
    }
    if (!(slowest > 0.5 * fastest))
        fail_msg("the sheet moves at %g to %g per second", slowest, fastest);
}

// What swings by itself bends: it neither shrinks nor swells beyond what the motion does to it.
static void SwingsSpareTheShape(void** state)
{
    static const char* const names[] = { "running_imp", "hopper" };
    for (int i = 0; i < 2; i++)
    {
        Strain strain = WorstStrain(Find(state, names[i]), true);
        if (!(strain.thin > 0.68 && strain.stretched < 1.4))
            fail_msg("%s: waves squeeze it to %g and stretch it to %g", names[i], strain.thin, strain.stretched);
    }
}

// The clip of the file moves the body; waves come on top.
static void TheHopperSwingsItsEars(void** state)
{
    Demo* demo = Find(state, "hopper");
    assert_true(qvTake_Clip(demo->take) >= 0);
    int ear = PointNear(demo->body, qvMakeVec3(0.36, 2.2, -0.45));
    double swing = 0.0;
    for (int s = 0; s < 8; s++)
    {
        qvTake_Evaluate(demo->take, 0.1 * s, qv_layersMotion, demo->scratch, demo->pool, demo->other);
        swing = fmax(swing, qvDistance(qvVec3_FromFloat(At(demo, 0.1 * s)[ear]), qvVec3_FromFloat(demo->other[ear])));
    }
    assert_true(swing > 0.02);
    assert_true(swing < 0.5);
}

// The box of a demo's points at a time.
static qvBox BoxAt(Demo* demo, double time)
{
    return qvComputeBounds(At(demo, time), demo->body->mesh->pointCount);
}

// Off its keys it falls freely, hits the lower step and then the ground, and the last key has it again.
static void TheJellyGoesDownTheStairs(void** state)
{
    Demo* demo = Find(state, "jelly_stairs");
    const qvScene* scene = demo->scene;
    const qvSceneSimulation *down = scene->simulations[0], *caught = scene->simulations[1];
    assert_true(qvTake_IsSimulated(demo->take, down->def.time + 0.01) && down->def.until == caught->def.time);
    qvVec3 a = MassCentre(demo->body, At(demo, down->def.time)), b = MassCentre(demo->body, At(demo, 0.7));
    qvVec3 c = MassCentre(demo->body, At(demo, 0.8));
    ASSERT_NEAR(c.y - 2.0 * b.y + a.y, -9.81 * 0.1 * 0.1, DEMO_ROUGH * 0.01);
    assert_true(BoxAt(demo, down->def.time).lower.y > 1.45f);
    // The steps hold it up: it reaches the ground later than by falling freely. It bounces: its middle comes down and
    // goes up again.
    int bounces = 0;
    double last = a.y, ground = INFINITY, speed = c.y > b.y ? (c.y - b.y) / 0.1 : 0.0;
    bool isFalling = false;
    for (double time = down->def.time; time < caught->def.until; time += 1.0 / 60.0)
    {
        double y = MassCentre(demo->body, At(demo, time)).y;
        bounces += isFalling && y > last + 1e-3;
        isFalling = y < last - 1e-3 || (isFalling && y <= last + 1e-3);
        last = y;
        if (isinf(ground) && BoxAt(demo, time).lower.y < 0.05)
            ground = time;
    }
    double free = 0.8 + (speed + sqrt(speed * speed + 2.0 * 9.81 * BoxAt(demo, 0.8).lower.y)) / 9.81;
    print_message("%d bounces, on the ground at %.2f s, freely at %.2f s\n", bounces, ground, free);
    assert_true(bounces >= 1 && ground > free + 0.1 && isfinite(ground));
    // Nothing is inside the steps.
    for (double time = down->def.time; time < down->def.until; time += 0.05)
    {
        const qvVec3f* points = At(demo, time);
        for (int i = 0; i < demo->body->mesh->pointCount; i++)
        {
            qvVec3f p = points[i];
            bool isInTop = fabsf(p.x + 0.4f) < 1.19f && p.y < 1.49f && fabsf(p.z) < 1.49f;
            bool isInLower = fabsf(p.x - 1.45f) < 0.64f && p.y < 0.74f && fabsf(p.z) < 1.49f;
            assert_false(time > down->def.time + 0.2 && (isInTop || isInLower));
        }
    }
    assert_true(qvTake_KeyReport(demo->take, scene->keyCount - 1).error < 1e-6);
}

// The ball is dented from below and above, keeps that, and its volume.
static void TheClayKeepsItsDents(void** state)
{
    Demo* demo = Find(state, "clay_ball");
    double start = demo->scene->simulations[0]->def.time, end = demo->range[1];
    qvBox before = BoxAt(demo, start), after = BoxAt(demo, end);
    assert_true(after.upper.y - after.lower.y < 0.9f * (before.upper.y - before.lower.y));
    qvTake_Evaluate(demo->take, end - 0.5, qv_layersAll, demo->scratch, demo->pool, demo->other);
    assert_true(Farthest(At(demo, end), demo->other, demo->body->mesh->pointCount) < 0.01 * demo->body->diagonal);
}

// It sinks to less than two thirds of its height, spreads, and is solid in the end.
static void TheWaxMeltsAndSets(void** state)
{
    Demo* demo = Find(state, "wax_imp");
    double start = demo->scene->simulations[0]->def.time, end = demo->range[1];
    qvBox before = BoxAt(demo, start), after = BoxAt(demo, end);
    assert_true(after.upper.y - after.lower.y < (DEMO_COARSE ? 0.85f : 0.67f) * (before.upper.y - before.lower.y));
    qvTake_Evaluate(demo->take, end - 0.3, qv_layersAll, demo->scratch, demo->pool, demo->other);
    assert_true(Farthest(At(demo, end), demo->other, demo->body->mesh->pointCount) < 0.03 * demo->body->diagonal);
    // The mesh stays outside the ball that it runs over.
    for (double time = start + 0.2; time <= end; time += 0.2)
    {
        const qvVec3f* points = At(demo, time);
        for (int i = 0; i < demo->body->mesh->pointCount; i++)
            assert_true(qvDistance(qvVec3_FromFloat(points[i]), demo->scene->obstacles[0]->at) >
                        demo->scene->obstacles[0]->radius - 1e-3);
    }
}

// --- Bodies that tear ------------------------------------------------------------------------------------------------

static int32_t RootOf(int32_t* parents, int32_t v)
{
    while (parents[v] != v)
        v = parents[v] = parents[parents[v]];
    return v;
}

// Into how many pieces with more than a share of the volume a body falls. The surface of a hollow inside of one, which
// faces inwards, is none.
static int PiecesOf(const qvTakeView* view, double share)
{
    const qvMesh* mesh = view->mesh;
    int32_t* parents = malloc((size_t)mesh->pointCount * sizeof(*parents));
    double* volumes = calloc((size_t)mesh->pointCount, sizeof(*volumes));
    assert_true(parents != NULL && volumes != NULL);
    int pieces = 0;
    double whole = 0.0;
    for (int v = 0; v < mesh->pointCount; v++)
        parents[v] = v;
    for (int t = 0; t < mesh->triangleCount; t++)
    {
        const int32_t* v = mesh->pointTriangles[t].v;
        for (int k = 1; k < 3; k++)
            parents[RootOf(parents, v[k])] = RootOf(parents, v[0]);
    }
    for (int t = 0; t < mesh->triangleCount; t++)
    {
        const int32_t* v = mesh->triangles[t].v;
        qvVec3 a = qvVec3_FromFloat(view->vertices[v[0]]), b = qvVec3_FromFloat(view->vertices[v[1]]);
        volumes[RootOf(parents, mesh->pointTriangles[t].v[0])] +=
            qvDot(a, qvCross(b, qvVec3_FromFloat(view->vertices[v[2]]))) / 6.0;
    }
    for (int v = 0; v < mesh->pointCount; v++)
        whole += fmax(volumes[v], 0.0);
    for (int v = 0; v < mesh->pointCount; v++)
        pieces += parents[v] == v && volumes[v] > share * whole;
    free(volumes);
    free(parents);
    return pieces;
}

// What is drawn at a time; the caller frees the view.
static void ShowAt(Demo* demo, double time, qvTakeView* view)
{
    qvError error;
    if (view->take == NULL)
        ASSERT_OK(qvTakeView_SetTake(view, demo->take, &error), error);
    ASSERT_OK(qvTakeView_Show(view, time, qv_layersAll, demo->pool, &error), error);
}

// Held by its ears it tears, its pieces fall and become one on the ground, and each keeps its stripes.
static void TheFigureTears(void** state)
{
    Demo* demo = Find(state, "torn_figure");
    const qvSceneSimulation* melts = demo->scene->simulations[0];
    qvTakeView view = { 0 };
    int most = 0, last = 0;
    ShowAt(demo, melts->def.time, &view);
    assert_null(view.changed);
    float top = qvComputeBounds(view.vertices, view.mesh->vertexCount).upper.y;
    for (double time = melts->def.time; time <= demo->range[1]; time += 0.1)
    {
        ShowAt(demo, time, &view);
        qvBox box = qvComputeBounds(view.vertices, view.mesh->vertexCount);
        int pieces = PiecesOf(&view, 0.0);
        last = PiecesOf(&view, 0.01);
        most = pieces > most ? pieces : most;
        ASSERT_NEAR(box.upper.y, top, 0.05);
        assert_true(box.lower.y > -1e-3f * DEMO_ROUGH);
    }
    int hanging = 0, lying = 0;
    double tops = 0.0, feet = 0.0;
    assert_non_null(view.changed);
    assert_int_equal(view.mesh->uvDomain, qv_domainCorner);
    for (int t = 0; t < view.mesh->triangleCount; t++)
    {
        float y = view.vertices[view.mesh->triangles[t].v[0]].y, v = 1.0f - view.mesh->uvs[3 * t].y;
        assert_true(y < 0.9f || y > 1.9f);
        hanging += y > 1.5f, lying += y < 1.5f;
        tops += y > 1.5f ? v : 0.0f, feet += y < 1.5f ? v : 0.0f;
    }
    print_message("%d pieces at most, %d large ones at last; stripes at %.2f of the height hang and at %.2f lie\n",
                  most, last, tops / hanging, feet / lying);
    assert_true(most >= 3 && last == 2); // small drops come and go
    assert_true(tops / hanging > 0.75 && feet / lying < 0.6);
    qvTakeView_Free(&view);
}

// How much five points there are in an outline: the share of cos 5a in the distances from the middle, of what lies low.
static double Starry(const qvTakeView* view, double below)
{
    double even = 0.0, odd = 0.0, sum = 0.0;
    for (int i = 0; i < view->mesh->vertexCount; i++)
    {
        qvVec3f p = view->vertices[i];
        double r = hypot(p.x, p.z), angle = atan2(p.x, p.z);
        if (p.y > below || r < 0.3)
            continue;
        sum += r;
        even += r * cos(5.0 * angle), odd += r * sin(5.0 * angle);
    }
    return sum > 0.0 ? 2.0 * hypot(even, odd) / sum : 0.0;
}

// How far the distances between points of the body differ at two times, on the mean.
static double ShapeChange(Demo* demo, double a, double b)
{
    int n = demo->body->mesh->pointCount, pairs = 0;
    double sum = 0.0;
    qvTake_Evaluate(demo->take, a, qv_layersAll, demo->scratch, demo->pool, demo->other);
    const qvVec3f* now = At(demo, b);
    for (int i = 0; i < n; i += 7)
    {
        for (int k = i + 1; k < n; k += 31, pairs++)
        {
            double before = qvDistance(qvVec3_FromFloat(demo->other[i]), qvVec3_FromFloat(demo->other[k]));
            double after = qvDistance(qvVec3_FromFloat(now[i]), qvVec3_FromFloat(now[k]));
            sum += fabs(after - before) / (before + 0.1);
        }
    }
    return sum / pairs;
}

// The figure becomes a star in the mould, is lifted with it, comes out, and stays what it has become.
static void TheFigureIsCast(void** state)
{
    Demo* demo = Find(state, "figure_in_mould");
    const qvSceneSimulation* runs = demo->scene->simulations[0];
    double set = runs->def.time + 1.4;
    qvTakeView view = { 0 };
    ShowAt(demo, runs->def.time, &view);
    double before = Starry(&view, 10.0);
    ShowAt(demo, set, &view);
    qvBox box = qvComputeBounds(view.vertices, view.mesh->vertexCount);
    double star = Starry(&view, 0.4);
    print_message("star %.3f of the radius, %.3f before; from (%.2f %.2f %.2f) to (%.2f %.2f %.2f)\n", star, before,
                  box.lower.x, box.lower.y, box.lower.z, box.upper.x, box.upper.y, box.upper.z);
    assert_true(star > 0.4 && before < 0.3);
    assert_true(box.upper.y < 0.76f); // all of it is below the rim
    assert_true(box.lower.y > 0.15f && hypot(box.lower.x, box.lower.z) < 1.3 && hypot(box.upper.x, box.upper.z) < 1.3);
    ShowAt(demo, 2.3, &view);
    assert_true(qvComputeBounds(view.vertices, view.mesh->vertexCount).lower.y > 0.9f);
    ShowAt(demo, demo->range[1], &view);
    box = qvComputeBounds(view.vertices, view.mesh->vertexCount);
    double kept = ShapeChange(demo, set + 0.3, demo->range[1]), flowed = ShapeChange(demo, runs->def.time, set);
    print_message("out at (%.2f %.2f %.2f) to (%.2f %.2f %.2f); distances changed by %.3f, by %.3f before\n",
                  box.lower.x, box.lower.y, box.lower.z, box.upper.x, box.upper.y, box.upper.z, kept, flowed);
    assert_true(box.lower.y < 0.3f && box.lower.y > -1e-3f * DEMO_ROUGH && box.upper.y < 1.4f);
    assert_true(kept < 0.05 && flowed > 4.0 * kept);
    qvTakeView_Free(&view);
}

// Where the middle of a part's points is, and its lowest point.
static qvVec3 PartAt(Demo* demo, int part, double time, double* lowest)
{
    const qvTopology* topology = demo->body->topology;
    const qvVec3f* points = At(demo, time);
    qvVec3 sum = { 0.0, 0.0, 0.0 };
    int count = 0;
    *lowest = INFINITY;
    for (int i = 0; i < topology->pointCount; i++)
    {
        if (topology->pointPart[i] != part)
            continue;
        sum = qvAdd(sum, qvVec3_FromFloat(points[i]));
        *lowest = fmin(*lowest, points[i].y);
        count++;
    }
    return qvScale(1.0 / count, sum);
}

// Inside one of the boxes that are a scene's obstacles.
static bool IsInBox(const qvScene* scene, qvVec3f p)
{
    for (int o = 0; o < scene->obstacleCount; o++)
    {
        qvVec3 from = qvSub(qvVec3_FromFloat(p), scene->obstacles[o]->at), size = scene->obstacles[o]->size;
        if (fabs(from.x) < 0.5 * size.x - 0.01 && fabs(from.y) < 0.5 * size.y - 0.01 &&
            fabs(from.z) < 0.5 * size.z - 0.01)
            return true;
    }
    return false;
}

// Both fall freely, the cube stops on the step and the ball on the cube, longer than it takes to fall to the ground;
// nothing goes into a step or into the other. The cube comes to rest on the lower step, the ball rolls on beside it.
static void TheBallMeetsTheCube(void** state)
{
    Demo* demo = Find(state, "ball_and_cube");
    double low, met = INFINITY, start = demo->scene->simulations[0]->def.time, end = demo->range[1];
    int ball = PartAt(demo, 0, 0.0, &low).y > PartAt(demo, 1, 0.0, &low).y ? 0 : 1;
    double fall = PartAt(demo, ball, start, &low).y - PartAt(demo, ball, start + 0.2, &low).y;
    ASSERT_NEAR(fall, 0.5 * 9.81 * 0.2 * 0.2, 0.01);
    for (double time = 0.0; time <= end; time += 1.0 / 30.0)
    {
        met = fmin(met, qvDistance(PartAt(demo, ball, time, &low), PartAt(demo, 1 - ball, time, &low)));
        const qvVec3f* points = At(demo, time);
        for (int i = 0; i < demo->body->mesh->pointCount; i++)
            assert_true(points[i].y > -1e-3f && !IsInBox(demo->scene, points[i]));
    }
    qvVec3 rolled = PartAt(demo, ball, end, &low), lies = PartAt(demo, 1 - ball, end, &low);
    print_message("the middles of ball and cube are never nearer than %.3f; in the end (%.2f %.2f) and (%.2f %.2f)\n",
                  met, rolled.x, rolled.y, lies.x, lies.y);
    assert_true(met > 0.7 && met < 1.2); // radius and half a side are 1; the cube is jelly, and corners are farther
    assert_true(PartAt(demo, ball, start + 0.75, &low).y > 1.4);
    assert_true(lies.x < 2.4 && lies.y > 0.75 && lies.y < 1.0);
    assert_true(rolled.x > 2.4 && rolled.x < 3.5 && rolled.y < 0.9);
    assert_true(qvDistance(PartAt(demo, 1 - ball, end - 0.2, &low), lies) < 0.05);
}

// All fish end in the bowl, on each other: most not on its bottom, none through another's middle, and still.
static void TheFishLieInTheBowl(void** state)
{
    Demo* demo = Find(state, "fish_in_a_bowl");
    const qvTopology* topology = demo->body->topology;
    double end = demo->range[1], low, nearest = INFINITY;
    qvVec3 middles[25];
    int above = 0;
    assert_int_equal(topology->partCount, 25);
    for (int b = 0; b < 25; b++)
    {
        middles[b] = PartAt(demo, b, end, &low);
        assert_true(hypot(middles[b].x, middles[b].z) < 1.3 && middles[b].y > 0.2 && middles[b].y < 1.6);
        above += low > 0.4;
        for (int other = 0; other < b; other++)
            nearest = fmin(nearest, qvDistance(middles[b], middles[other]));
        qvVec3 before = PartAt(demo, b, end - 0.1, &low);
        assert_true(qvDistance(before, middles[b]) < 0.002);
    }
    print_message("%d fish lie on others; the nearest middles are %.3f apart\n", above, nearest);
    assert_true(above > 8 && nearest > 0.15); // they are 0.22 thin
}

// The chain swings through below its pinned link, whose keys then lead it; no joint opens, and it is as long as at
// first.
static void TheChainHangs(void** state)
{
    Demo* demo = Find(state, "chain");
    const int links = demo->body->topology->partCount - 1, last = demo->body->mesh->pointCount - 1;
    double leftmost = INFINITY, low, widest = 0.0, longest = 0.0;
    double length = demo->body->rest[last].x - demo->body->rest[0].x;
    assert_int_equal(links, demo->scene->simulations[0]->jointCount);
    for (double time = 0.0; time <= demo->range[1]; time += 1.0 / 24.0)
    {
        const qvVec3f* x = At(demo, time);
        for (int j = 0; j < links; j++)
        {
            const qvSceneJoint* joint = demo->scene->simulations[0]->joints[j];
            widest = fmax(widest, qvDistance(qvVec3_FromFloat(x[joint->a]), qvVec3_FromFloat(x[joint->b])));
        }
        longest = fmax(longest, qvDistance(qvVec3_FromFloat(x[last]), qvVec3_FromFloat(x[0])));
        leftmost = fmin(leftmost, PartAt(demo, links, time, &low).x);
    }
    qvVec3 led = PartAt(demo, 0, 3.5, &low), start = PartAt(demo, 0, 0.0, &low);
    print_message("tips are %.3f apart at most; %.2f long at most, %.2f at first; the ball swings to %.2f\n", widest,
                  longest, length, leftmost);
    assert_true(widest < 0.07); // 0.04 at first
    assert_true(longest < 1.1 * length);
    assert_true(leftmost < -1.0); // from the other side
    ASSERT_NEAR(led.x - start.x, 1.6, 0.02);
}

// How far the body's points are from their middle, whichever way it is turned.
static double SpreadAt(Demo* demo, double time)
{
    int count = demo->body->mesh->pointCount;
    const qvVec3f* points = At(demo, time);
    qvVec3 middle = { 0.0, 0.0, 0.0 };
    double sum = 0.0;
    for (int i = 0; i < count; i++)
        middle = qvMulAdd(middle, 1.0 / count, qvVec3_FromFloat(points[i]));
    for (int i = 0; i < count; i++)
    {
        qvVec3 away = qvSub(qvVec3_FromFloat(points[i]), middle);
        sum += qvDot(away, away) / count;
    }
    return sqrt(sum);
}

// The range of that over a stretch of time.
static double Quiver(Demo* demo, double from, double to)
{
    double least = INFINITY, most = 0.0;
    for (double time = from; time <= to; time += 1.0 / 60.0)
    {
        double spread = SpreadAt(demo, time);
        least = fmin(least, spread);
        most = fmax(most, spread);
    }
    return most - least;
}

// Keys move the imp until it is let go; it goes on with their velocity, falls freely, lands, goes on over the ground
// until friction stops it, and what the landing has set ringing fades.
static void TheImpSlides(void** state)
{
    Demo* demo = Find(state, "sliding_imp");
    double start = demo->scene->simulations[0]->def.time, end = demo->range[1], low;
    qvVec3 before = PartAt(demo, 0, start - 0.02, &low), now = PartAt(demo, 0, start, &low);
    assert_true(low > 0.3);
    qvVec3 after = PartAt(demo, 0, start + 0.02, &low);
    print_message("forward %.2f/s by keys, %.2f/s after\n", (now.z - before.z) / 0.02, (after.z - now.z) / 0.02);
    ASSERT_NEAR((after.z - now.z) / (now.z - before.z), 1.0, 0.1);
    double flown = 0.2, up = (after.y - now.y) / 0.02;
    qvVec3 fallen = PartAt(demo, 0, start + flown, &low);
    ASSERT_NEAR(fallen.y - now.y, up * flown - 0.5 * 9.81 * flown * flown, 0.04);
    for (double time = start; time <= end; time += 1.0 / 30.0)
    {
        (void)PartAt(demo, 0, time, &low);
        assert_true(low > -1e-3);
    }
    qvVec3 landed = PartAt(demo, 0, start + 0.5, &low), lies = PartAt(demo, 0, end, &low);
    double early = Quiver(demo, start + 0.4, start + 0.9), late = Quiver(demo, end - 0.5, end);
    print_message("slides on by %.2f, lies %.2f high; quivers by %.4f and in the end by %.4f; moves by %.4f then\n",
                  lies.z - landed.z, lies.y, early, late, qvDistance(PartAt(demo, 0, end - 0.2, &low), lies));
    assert_true(lies.z - landed.z > 0.7);
    assert_true(fabs(PartAt(demo, 0, end - 0.2, &low).z - lies.z) < 0.02); // it only rolls a little
    assert_true(early > 0.007 && late < 0.2 * early);
}

// How oval the bell's lip is seen from below: the second harmonic of its radius, along x and across.
static double OvalAt(Demo* demo, double time)
{
    int count = demo->body->mesh->pointCount;
    const qvVec3f* points = At(demo, time);
    double along = 0.0, across = 0.0, x = 0.0, z = 0.0, number = 0.0;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < count; i++)
        {
            if (hypot(demo->body->rest[i].x, demo->body->rest[i].z) < 0.85)
                continue;
            number += pass == 0;
            x += pass == 0 ? points[i].x : 0.0;
            z += pass == 0 ? points[i].z : 0.0;
            along += pass == 1 ? pow(points[i].x - x / number, 2.0) : 0.0;
            across += pass == 1 ? pow(points[i].z - z / number, 2.0) : 0.0;
        }
    return (along - across) / (along + across);
}

// Before the hammer comes the bell is round; then its lip is oval along and across in turn, at the frequency that the
// scene says, for as long as it says. Its crown hangs where it is.
static void TheBellRings(void** state)
{
    Demo* demo = Find(state, "struck_bell");
    const qvSimulationDef* def = &demo->scene->simulations[0]->def;
    double last = 0.0, early = 0.0, late = 0.0, from = 0.8, to = demo->range[1];
    int turns = 0;
    assert_true(fabs(OvalAt(demo, 0.3)) < 2e-3);
    for (double time = from; time <= to; time += 1.0 / 240.0)
    {
        double oval = OvalAt(demo, time);
        turns += oval * last < 0.0;
        last = oval;
        if (time < from + 0.5)
            early = fmax(early, fabs(oval));
        if (time > to - 0.5)
            late = fmax(late, fabs(oval));
    }
    double frequency = 0.5 * turns / (to - from), decay = exp(-3.0 / def->settle * (to - from - 0.5));
    print_message("the lip is oval by %.4f and %.4f at the end (%.2f of it, %.2f wanted), %.2f times a second\n", early,
                  late, late / early, decay, frequency);
    assert_true(early > 0.03);
    ASSERT_NEAR(late / early, decay, 0.12);
    ASSERT_NEAR(frequency, def->wobble, 0.15 * def->wobble);
    for (int i = 0; i < demo->body->mesh->pointCount; i++)
    {
        if (demo->body->rest[i].y > 1.95f)
            ASSERT_NEAR(qvDistance(qvVec3_FromFloat(At(demo, 1.0)[i]), qvVec3_FromFloat(demo->body->rest[i])), 0.0,
                        1e-5);
    }
}

// Where a slice of the tentacle is, and its tip.
static qvVec3 SliceAt(Demo* demo, double height, double time)
{
    const qvVec3f* points = At(demo, time);
    qvVec3 sum = { 0.0, 0.0, 0.0 };
    double weight = 0.0;
    for (int i = 0; i < demo->body->mesh->pointCount; i++)
    {
        double away = (demo->body->rest[i].y - height) / 0.08, share = exp(-away * away);
        sum = qvMulAdd(sum, share, qvVec3_FromFloat(points[i]));
        weight += share;
    }
    return qvScale(1.0 / weight, sum);
}

static double VolumeAt(Demo* demo, double time)
{
    const qvVec3f* points = At(demo, time);
    double sum = 0.0;
    for (int t = 0; t < demo->body->mesh->triangleCount; t++)
    {
        const int32_t* v = demo->body->mesh->pointTriangles[t].v;
        sum += qvDot(qvVec3_FromFloat(points[v[0]]),
                     qvCross(qvVec3_FromFloat(points[v[1]]), qvVec3_FromFloat(points[v[2]]))) /
               6.0;
    }
    return sum;
}

// The tentacle is curled until its tip points down beside it, keeps its length and its volume there, and stands again
// when it is let go.
static void TheTentacleCurls(void** state)
{
    Demo* demo = Find(state, "curling_tentacle");
    double length[3] = { 0.0, 0.0, 0.0 }, worst = 0.0, volume = VolumeAt(demo, 0.0), end = demo->range[1];
    const double times[3] = { 0.0, 1.9, end };
    qvVec3 tip[3];
    for (int k = 0; k < 3; k++)
    {
        qvVec3 before = SliceAt(demo, 0.1, times[k]);
        for (double height = 0.2; height < 1.95; height += 0.1)
        {
            qvVec3 here = SliceAt(demo, height, times[k]);
            length[k] += qvDistance(here, before);
            before = here;
        }
        tip[k] = qvSub(SliceAt(demo, 1.95, times[k]), SliceAt(demo, 1.7, times[k]));
    }
    for (double time = 0.0; time <= end; time += 1.0 / 24.0)
        worst = fmax(worst, fabs(VolumeAt(demo, time) / volume - 1.0));
    print_message(
        "the tip points (%.2f %.2f), and (%.2f %.2f) in the end; %.3f long, %.3f curled; volume %.1f %% off\n",
        tip[1].x, tip[1].y, tip[2].x, tip[2].y, length[0], length[1], 100.0 * worst);
    assert_true(tip[1].y < 0.0 && tip[2].y > 0.2);
    assert_true(fabs(length[1] / length[0] - 1.0) < 0.1);
    assert_true(worst < 0.08);
}

// How far the cross-section at a place along the beam is turned about its axis, radians.
static double TwistAt(Demo* demo, double x, double time)
{
    const qvVec3f* points = At(demo, time);
    double sine = 0.0, cosine = 0.0;
    for (int i = 0; i < demo->body->mesh->pointCount; i++)
    {
        qvVec3f rest = demo->body->rest[i];
        if (fabs(rest.x - x) > 0.01)
            continue;
        double y = rest.y - 1.5, z = rest.z, toY = points[i].y - 1.5, toZ = points[i].z;
        sine += y * toZ - z * toY;
        cosine += y * toY + z * toZ;
    }
    return atan2(sine, cosine);
}

// In pieces every quarter of the beam takes its share of the twist; in one piece the middle hardly does, and its
// ends swell.
static void TheBeamTwists(void** state)
{
    Demo *pieces = Find(state, "twisted_beam"), *whole = Find(state, "twisted_beam_whole");
    double end = pieces->range[1], all[2], inner[2];
    for (int k = 0; k < 2; k++)
    {
        Demo* demo = k == 0 ? pieces : whole;
        all[k] = fabs(TwistAt(demo, 2.5, end)) + fabs(TwistAt(demo, -2.5, end));
        inner[k] = fabs(TwistAt(demo, 1.25, end)) + fabs(TwistAt(demo, -1.25, end));
    }
    print_message("twisted by %.2f, of which the middle half takes %.2f; in one piece %.2f and %.2f\n", all[0],
                  inner[0], all[1], inner[1]);
    assert_true(all[0] > 2.5 && fabs(all[0] - all[1]) < 0.1);
    assert_true(inner[0] > 0.4 * all[0] && inner[0] < 0.6 * all[0]);
    assert_true(inner[1] < 0.8 * inner[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TheBlockJumps),
        cmocka_unit_test(TheTentacleIsPushed),
        cmocka_unit_test(ThePunchDiesAway),
        cmocka_unit_test(DentsStay),
        cmocka_unit_test(TheSackDances),
        cmocka_unit_test(RingsRunOut),
        cmocka_unit_test(StompsRunUp),
        cmocka_unit_test(TheImpTurnsOver),
        cmocka_unit_test(PaintDecidesWhatSwings),
        cmocka_unit_test(ArmsAndSheetsSwing),
        cmocka_unit_test(TheSheetFlows),
        cmocka_unit_test(SwingsSpareTheShape),
        cmocka_unit_test(TheHopperSwingsItsEars),
        cmocka_unit_test(TheJellyGoesDownTheStairs),
        cmocka_unit_test(TheClayKeepsItsDents),
        cmocka_unit_test(TheWaxMeltsAndSets),
        cmocka_unit_test(TheFigureTears),
        cmocka_unit_test(TheFigureIsCast),
        cmocka_unit_test(TheBallMeetsTheCube),
        cmocka_unit_test(TheFishLieInTheBowl),
        cmocka_unit_test(TheChainHangs),
        cmocka_unit_test(TheImpSlides),
        cmocka_unit_test(TheBellRings),
        cmocka_unit_test(TheTentacleCurls),
        cmocka_unit_test(TheBeamTwists),
    };
    return cmocka_run_group_tests(tests, Setup, Teardown);
}
