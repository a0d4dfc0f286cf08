// SPDX-License-Identifier: GPL-3.0-or-later
// Contact keys: what goes through the ground or a sphere is found, and keys keep it out.
#include "scene_testing.h"

#include "quaver/contact.h"

#define AT(x, y) "\"transform\": {\"translate\": [" #x ", " #y ", 0]}"
// Lands at 1 s a little above the ground and goes on through it.
#define LANDING(last)                                                                       \
    SCENE(FEW_MODES ", \"range\": [0, 1.5], \"keys\": [{\"time\": 0}, {\"time\": 0.5, " AT( \
        0, 1) "}, {\"time\": 1,"                                                            \
              " \"id\": \"land\", " AT(0, 0.05) "}, {\"time\": 1.5, " last "}]")
// Over the seam of a loop.
#define ROUND                                                                              \
    SCENE(FEW_MODES ", \"range\": [0, 2], \"loop\": true, \"keys\": [{\"time\": 0.2, " AT( \
        0, 0.05) "}, {\"time\": "                                                          \
                 "0.7, " AT(0, 0.8) "}, {\"time\": 1.2, " AT(0, 0.8) "}, {\"time\": 1.7, " AT(0, 0.05) "}]")
// A sack that swings on after its last key.
#define SWING                                                                                                         \
    "{\"quaver\": 1, \"range\": [0, 2], \"mesh\": {\"primitive\": \"sack\", \"resolution\": 4}, \"material\": "       \
    "{\"modes\": 6}, \"keys\": [{\"time\": 0}, {\"time\": 0.5, \"strokes\": [{\"brush\": \"grab\", \"at\": [0, 1.8, " \
    "0], \"drag\": [0, 0.5, 0], \"radius\": 0.8}]}, {\"time\": 1}]}"
// Passes below a sphere.
#define PASSING SCENE(FEW_MODES ", \"keys\": [{\"time\": 0, " AT(-2.5, 0) "}, {\"time\": 1, " AT(2.5, 0) "}]")

// The same with waves that bulge into it.
#define PASSING_IN_WAVES                                                                                          \
    SCENE(FEW_MODES ", \"keys\": [{\"time\": 0, " AT(-2.5, 0) "}, {\"time\": 1, " AT(                             \
        2.5, 0) "}], \"events\": [{\"time\": 0.4, \"shape\": \"grab\", \"load\": \"impulse\", \"at\": [0, 2, 0]," \
                "\"drag\": [0, 1, 0], \"radius\": 1}]")
// 24.24 frames, with a soft key below the ground at the seam.
#define SOFT_LOOP                                                                                          \
    SCENE(FEW_MODES ", \"range\": [0, 1.01], \"loop\": true, \"keys\": [{\"time\": 0, \"weight\": 3, " AT( \
        0, -0.2) "}, {\"time\": 0.5, " AT(0, 0.8) "}]")

static qvContactReport* MustFind(const qvTake* take, const qvContactDef* def)
{
    qvError error;
    qvContactReport* report;
    ASSERT_OK(qvFindContacts(take, def, NULL, &report, &error), error);
    return report;
}

static qvContactPlan* MustPlan(const qvTake* take, const qvContactDef* def, qvPipeline* pipeline)
{
    qvError error;
    qvContactPlan* plan;
    ASSERT_OK(qvPlanContacts(take, def, pipeline, NULL, &plan, &error), error);
    return plan;
}

static qvDocument* MustDocument(const qvScene* scene)
{
    qvError error;
    qvDocument* document;
    ASSERT_OK(qvCreateDocument(scene, &document, &error), error);
    return document;
}

// The largest distance of the poses at the times of a scene's keys.
static double KeysMoved(const qvScene* scene, const qvTake* a, const qvTake* b)
{
    double moved = 0.0;
    for (int i = 0; i < scene->keyCount; i++)
    {
        qvVec3f* x = PointsOf(a, scene->keys[i]->time, qv_layersAll, NULL);
        qvVec3f* y = PointsOf(b, scene->keys[i]->time, qv_layersAll, NULL);
        moved = fmax(moved, Farthest(x, y, qvTake_Body(a)->mesh->pointCount));
        free(x);
        free(y);
    }
    return moved / qvTake_Body(a)->diagonal;
}

// Finds, plans, applies and looks again; keys stay, one step takes all of it back.
static void ExpectKeptOut(const char* text, const qvContactDef* def, double atLeast, int mostKeys)
{
    qvError error;
    qvPipeline* pipeline = MustPipeline();
    qvTake *take = MustSolve(pipeline, text), *better;
    qvContactReport* before = MustFind(take, def);
    assert_true(before->contactCount >= 1 && before->keyCount == 0);
    assert_true(before->depth > atLeast * before->diagonal);
    assert_true(before->contacts[0].begin <= before->contacts[0].end && before->contacts[0].pointCount > 0);

    qvContactPlan* plan = MustPlan(take, def, pipeline);
    qvDocument* document = MustDocument(qvTake_Scene(take));
    uint64_t hash = qvScene_Hash(qvDocument_Scene(document));
    assert_in_range(qvContactPlan_KeyCount(plan), 1, mostKeys);
    assert_int_equal(qvContactPlan_LiftedCount(plan), 0);
    assert_int_equal(qvScene_Hash(qvTake_Scene(take)), hash); // planning changes nothing
    ASSERT_OK(qvContactPlan_Apply(plan, document, &error), error);
    assert_int_equal(qvDocument_Scene(document)->keyCount, qvTake_Scene(take)->keyCount + qvContactPlan_KeyCount(plan));

    ASSERT_OK(qvPipeline_Solve(pipeline, qvDocument_Scene(document), QUAVER_TEST_DATA, NULL, &better, &error), error);
    qvContactReport* after = MustFind(better, def);
    assert_int_equal(after->contactCount, 0);
    assert_true(after->depth <= def->tolerance * after->diagonal);
    assert_true(fabs(after->depth - qvContactPlan_Report(plan)->depth) < 1e-4 * after->diagonal);
    assert_true(KeysMoved(qvTake_Scene(take), take, better) < 1e-6);

    qvDocument_Undo(document);
    assert_int_equal(qvScene_Hash(qvDocument_Scene(document)), hash);
    assert_false(qvDocument_CanUndo(document));

    qvCloseDocument(document);
    qvDestroyContactPlan(plan);
    qvDestroyContactReport(before);
    qvDestroyContactReport(after);
    qvReleaseTake(take);
    qvReleaseTake(better);
    qvDestroyPipeline(pipeline);
}

static void TheGroundHolds(void** state)
{
    (void)state;
    qvContactDef def = qvDefaultContactDef();
    ExpectKeptOut(LANDING(AT(0, 0.05)), &def, 0.04, 3);
    def.obstacle.height = -0.05;
    ExpectKeptOut(LANDING(AT(0, 0.05)), &def, 0.02, 3);
}

static void ALoopHolds(void** state)
{
    (void)state;
    qvContactDef def = qvDefaultContactDef();
    ExpectKeptOut(ROUND, &def, 0.03, 4);
}

static void ASphereHolds(void** state)
{
    (void)state;
    qvContactDef def = qvDefaultContactDef();
    def.obstacle = (qvObstacle){ qv_obstacleSphere, 0.0, { 0.0, 2.2, 0.0 }, 0.3 };
    ExpectKeptOut(PASSING, &def, 0.02, 3);
}

// The same sphere as an obstacle of the scene, once still and once moving the other way; the ground is where the
// body stands at rest. Muted, it is not there.
#define PASSING_BY(more)                                                                                             \
    SCENE(FEW_MODES ", \"keys\": [{\"time\": 0, " AT(-2.5, 0) "}, {\"time\": 1, " AT(                                \
        2.5, 0) "}], \"obstacles\": [{\"shape\": \"box\", \"at\": [0, 50, 0]}, {\"shape\": \"sphere\", \"radius\": " \
                "0.3," more "}]")

static void TheScenesObstaclesHold(void** state)
{
    (void)state;
    qvError error;
    qvContactDef def = qvDefaultContactDef();
    def.obstacle.kind = qv_obstacleScene;
    ExpectKeptOut(PASSING_BY("\"at\": [0, 2.2, 0]"), &def, 0.02, 3);
    ExpectKeptOut(PASSING_BY("\"keys\": [{\"time\": 0, \"at\": [0.4, 2.2, 0]}, {\"time\": 1, \"at\": [-0.4, 2.2, 0]}]"),
                  &def, 0.02, 3);
    qvPipeline* pipeline = MustPipeline();
    qvTake* take = MustSolve(pipeline, PASSING_BY("\"at\": [0, 2.2, 0], \"mute\": true"));
    qvContactReport* report = MustFind(take, &def);
    assert_int_equal(report->contactCount, 0);
    qvDestroyContactReport(report);
    qvReleaseTake(take);
    take = MustSolve(pipeline, SCENE(FEW_MODES ", \"keys\": [{\"time\": 0}], \"ground\": {\"height\": 0.5}"));
    report = MustFind(take, &def);
    assert_true(report->keyCount == 1 && fabs(report->depth - 0.5) < 1e-3);
    qvDestroyContactReport(report);
    qvReleaseTake(take);
    take =
        MustSolve(pipeline, SCENE(FEW_MODES ", \"keys\": [{\"time\": 0}], \"obstacles\": [{\"id\": \"cup\", \"shape\":"
                                            "\"mesh\", \"file\": \"not/there.obj\"}]"));
    assert_int_equal(qvFindContacts(take, &def, NULL, &report, &error), qv_notFound);
    ASSERT_CONTAINS(error.message, "obstacle \"cup\": ");
    qvReleaseTake(take);
    qvDestroyPipeline(pipeline);
}

static void ASwingingSackHolds(void** state)
{
    (void)state;
    qvContactDef def = qvDefaultContactDef();
    ExpectKeptOut(SWING, &def, 0.006, 6);
}

// A contact key is one of the touching vertices, or of the whole body where much of it is inside.
static void KeysAreOrdinary(void** state)
{
    (void)state;
    qvError error;
    qvPipeline* pipeline = MustPipeline();
    qvContactDef def = qvDefaultContactDef();
    qvTake* take = MustSolve(pipeline, LANDING(AT(0, 0.05)));
    qvContactPlan* plan = MustPlan(take, &def, pipeline);
    qvDocument* document = MustDocument(qvTake_Scene(take));
    ASSERT_OK(qvContactPlan_Apply(plan, document, &error), error);
    const qvSceneKey* key = qvDocument_Scene(document)->keys[3];
    assert_string_equal(key->name, "contact");
    assert_true(key->hasTransform && !key->partial && key->translate.y > 0.0);
    // For another scene than that of the plan nothing is done.
    assert_int_equal(qvContactPlan_Apply(plan, document, &error), qv_badInput);
    ASSERT_CONTAINS(error.message, "has changed");
    qvCloseDocument(document);
    qvDestroyContactPlan(plan);
    qvReleaseTake(take);

    def.obstacle = (qvObstacle){ qv_obstacleSphere, 0.0, { 0.0, 2.2, 0.0 }, 0.3 };
    take = MustSolve(pipeline, PASSING);
    plan = MustPlan(take, &def, pipeline);
    document = MustDocument(qvTake_Scene(take));
    ASSERT_OK(qvContactPlan_Apply(plan, document, &error), error);
    key = qvDocument_Scene(document)->keys[1];
    assert_true(key->partial && !key->hasTransform && isinf(key->weight) && key->base == qv_baseOffsets);
    assert_true(key->only.vertices->size < 40 * sizeof(int32_t));
    qvCloseDocument(document);
    qvDestroyContactPlan(plan);
    qvReleaseTake(take);
    qvDestroyPipeline(pipeline);
}

static void NothingInsideAddsNothing(void** state)
{
    (void)state;
    qvError error;
    qvPipeline* pipeline = MustPipeline();
    qvContactDef def = qvDefaultContactDef();
    def.obstacle.height = -1.0;
    qvTake* take = MustSolve(pipeline, LANDING(AT(0, 0.05)));
    qvContactReport* report = MustFind(take, &def);
    assert_int_equal(report->contactCount + report->keyCount, 0);
    assert_true(report->depth == 0.0);
    qvContactPlan* plan = MustPlan(take, &def, pipeline);
    qvDocument* document = MustDocument(qvTake_Scene(take));
    uint64_t hash = qvScene_Hash(qvDocument_Scene(document));
    assert_int_equal(qvContactPlan_KeyCount(plan) + qvContactPlan_LiftedCount(plan), 0);
    ASSERT_OK(qvContactPlan_Apply(plan, document, &error), error);
    assert_int_equal(qvScene_Hash(qvDocument_Scene(document)), hash);
    assert_false(qvDocument_CanUndo(document));
    qvCloseDocument(document);
    qvDestroyContactPlan(plan);
    qvDestroyContactReport(report);
    qvReleaseTake(take);
    qvDestroyPipeline(pipeline);
}

// A key that is inside itself is named and stays, unless it is to be lifted.
static void KeysInsideAreNamed(void** state)
{
    (void)state;
    qvError error;
    qvPipeline* pipeline = MustPipeline();
    qvContactDef def = qvDefaultContactDef();
    qvTake *take = MustSolve(pipeline, LANDING(AT(0, -0.2))), *better;
    qvContactReport* report = MustFind(take, &def);
    assert_int_equal(report->keyCount, 1);
    assert_int_equal(report->keys[0].key, qvTake_Scene(take)->keys[3]->id);
    assert_true(fabs(report->keys[0].depth - 0.2) < 1e-5);
    qvContactPlan* plan = MustPlan(take, &def, pipeline);
    assert_int_equal(qvContactPlan_LiftedCount(plan), 0);
    assert_int_equal(qvContactPlan_Report(plan)->keyCount, 1);
    qvDestroyContactPlan(plan);

    def.lift = true;
    plan = MustPlan(take, &def, pipeline);
    assert_int_equal(qvContactPlan_LiftedCount(plan), 1);
    assert_int_equal(qvContactPlan_Report(plan)->keyCount + qvContactPlan_Report(plan)->contactCount, 0);
    qvDocument* document = MustDocument(qvTake_Scene(take));
    uint64_t hash = qvScene_Hash(qvDocument_Scene(document));
    ASSERT_OK(qvContactPlan_Apply(plan, document, &error), error);
    const qvScene* scene = qvDocument_Scene(document);
    assert_true(fabs(scene->keys[scene->keyCount - 1]->translate.y) < 1e-6);
    ASSERT_OK(qvPipeline_Solve(pipeline, scene, QUAVER_TEST_DATA, NULL, &better, &error), error);
    qvContactReport* after = MustFind(better, &def);
    assert_true(after->depth <= def.tolerance * after->diagonal && after->keyCount == 0);
    qvDocument_Undo(document);
    assert_int_equal(qvScene_Hash(qvDocument_Scene(document)), hash);
    qvCloseDocument(document);
    qvDestroyContactPlan(plan);
    qvDestroyContactReport(report);
    qvDestroyContactReport(after);
    qvReleaseTake(take);
    qvReleaseTake(better);
    qvDestroyPipeline(pipeline);
}

// The scene that a plan makes of another; release it.
static const qvScene* MustApply(const char* text, const qvContactDef* def, int* lifted)
{
    qvError error;
    qvPipeline* pipeline = MustPipeline();
    qvTake* take = MustSolve(pipeline, text);
    qvContactPlan* plan = MustPlan(take, def, pipeline);
    qvDocument* document = MustDocument(qvTake_Scene(take));
    ASSERT_OK(qvContactPlan_Apply(plan, document, &error), error);
    *lifted = qvContactPlan_LiftedCount(plan);
    const qvScene* scene = qvRetainScene(qvDocument_Scene(document));
    qvCloseDocument(document);
    qvDestroyContactPlan(plan);
    qvReleaseTake(take);
    qvDestroyPipeline(pipeline);
    return scene;
}

// Where no key has a transform, all keys of the whole body get one, and only the one that moves counts.
static void LiftingKeysTheFrame(void** state)
{
    (void)state;
    int lifted;
    qvContactDef def = qvDefaultContactDef();
    def.lift = true;
    const qvScene* scene =
        MustApply(SCENE(FEW_MODES ", \"keys\": [{\"time\": 0}, {\"time\": 0.5, \"only\": {\"vertices\": [0, 1]}}, "
                                  "{\"time\": 1, \"id\": \"low\", \"strokes\": [{\"brush\": \"grab\", \"at\": "
                                  "[0, 0, 0], \"drag\": [0, -0.3, 0], \"radius\": 0.8}]}]"),
                  &def, &lifted);
    assert_int_equal(lifted, 1);
    for (int i = 0; i < scene->keyCount; i++)
    {
        const qvSceneKey* key = scene->keys[i];
        if (strcmp(key->name, "contact") == 0)
            continue;
        assert_int_equal(key->hasTransform, !key->partial);
        assert_true((key->translate.y > 0.2) == (strcmp(key->tag, "low") == 0));
    }
    qvReleaseScene(scene);
}

// A soft key need not be where it says, and is not moved.
static void SoftKeysStay(void** state)
{
    (void)state;
    int lifted;
    qvContactDef def = qvDefaultContactDef();
    def.lift = true;
    const qvScene* scene = MustApply(LANDING("\"weight\": 0.5, " AT(0, -0.2)), &def, &lifted);
    assert_int_equal(lifted, 0);
    ASSERT_NEAR(scene->keys[scene->keyCount - 1]->translate.y, -0.2, 0.0);
    qvReleaseScene(scene);
}

// A new key splits its segment in two of the same kind and material; a hard one would end waves.
static void KeysSuitTheirSegment(void** state)
{
    (void)state;
    int lifted;
    qvContactDef def = qvDefaultContactDef();
    const qvScene* scene =
        MustApply(LANDING("\"frequency\": 5, \"settle\": 0.4, \"interp\": \"smooth\", " AT(0, 0.05)), &def, &lifted);
    const qvSceneKey* key = scene->keys[3];
    assert_string_equal(key->name, "contact");
    ASSERT_NEAR(key->frequency, 5.0, 0.0);
    ASSERT_NEAR(key->settle, 0.4, 0.0);
    assert_ptr_equal(key->interp, scene->keys[scene->keyCount - 1]->interp);
    assert_true(isinf(key->weight));
    qvReleaseScene(scene);
    scene = MustApply(
        SCENE(
            FEW_MODES
            ", \"range\": [0, 1.5], \"keys\": [{\"time\": 0}, {\"time\": 0.5, " AT(0, 1) "}, {\"time\": 1, " AT(
                0, 0.05) "}, {\"time\": 1.5, " AT(0,
                                                  0.05) "}], \"events\": [{\"time\": 0.1, \"shape\": \"grab\", "
                                                        "\"load\": \"impulse\", "
                                                        "\"at\": [0, 2, 0], \"drag\": [0, 0.01, 0], \"radius\": 0.5}]"),
        &def, &lifted);
    assert_string_equal(scene->keys[3]->name, "contact");
    ASSERT_NEAR(scene->keys[3]->weight, 1e9, 0.0);
    qvReleaseScene(scene);
}

// A body in free flight that hits something bounces off it: its speed breaks there.
static void FlightsBounce(void** state)
{
    (void)state;
    int lifted, contacts = 0;
    qvContactDef def = qvDefaultContactDef();
    const qvScene* scene = MustApply(
        SCENE("\"material\": {\"modes\": 6, \"gravity\": [0, 4, 0]}, \"keys\": [{\"time\": 0, \"velocity\": {\"mode\": "
              "\"broken\"}, " AT(0, 0.3) "}, {\"time\": 1, \"velocity\": {\"mode\": \"broken\"}, " AT(2, 0.3) "}]"),
        &def, &lifted);
    for (int i = 0; i < scene->keyCount; i++)
    {
        if (strcmp(scene->keys[i]->name, "contact") == 0 && ++contacts > 0)
            assert_int_equal(scene->keys[i]->velocityMode, qv_velocityBroken);
    }
    assert_true(contacts > 0);
    qvReleaseScene(scene);
}

// The report names the deepest moment, the last one of the range too, and contacts as they come.
static void ReportsSayWhen(void** state)
{
    (void)state;
    qvContactDef def = qvDefaultContactDef();
    qvTake* take = SolveAlone(
        SCENE(FEW_MODES ", \"range\": [0, 1], \"keys\": [{\"time\": 0, " AT(0, 0) "}, {\"time\": 2, " AT(0, -1) "}]"));
    qvContactReport* report = MustFind(take, &def);
    ASSERT_NEAR(report->time, 1.0, 1e-9);
    // The later key is inside by itself, and on the way to it nothing can be outside.
    assert_int_equal(report->contactCount, 0);
    assert_int_equal(report->keyCount, 1);
    qvDestroyContactReport(report);
    qvReleaseTake(take);

    def.obstacle = (qvObstacle){ qv_obstacleSphere, 0.0, { 0.0, 2.2, 0.0 }, 0.3 };
    take = SolveAlone(SCENE(FEW_MODES ", \"keys\": [{\"time\": 0, " AT(-2.5, 0) "}, {\"time\": 1, " AT(
        2.5, 0) "}, {\"time\": 2, " AT(-2.5, 0) "}]"));
    report = MustFind(take, &def);
    assert_int_equal(report->contactCount, 2);
    assert_true(report->contacts[0].time < 1.0 && report->contacts[1].time > 1.0);
    qvDestroyContactReport(report);
    qvReleaseTake(take);
}

// Waves are told apart from the motion, which is all that keys hold.
static void WavesAreTold(void** state)
{
    (void)state;
    qvTake* take = SolveAlone(SCENE(
        FEW_MODES ", \"range\": [0, 1], \"keys\": [{\"time\": 0}], \"events\": [{\"time\": 0.1, \"shape\": \"grab\", "
                  "\"load\": \"impulse\", \"at\": [0, 0, 0], \"drag\": [0, -0.2, 0], \"radius\": 0.5}]"));
    qvContactDef def = qvDefaultContactDef();
    qvContactReport* report = MustFind(take, &def);
    assert_true(report->contactCount >= 1 && report->keyCount == 0);
    assert_true(report->contacts[0].waves && report->depth > 0.02 * report->diagonal);
    qvDestroyContactReport(report);
    qvReleaseTake(take);
}

// How much of the body is inside without them decides between a key of what touches and one that lifts all of it.
static void WavesDoNotLift(void** state)
{
    (void)state;
    qvError error;
    qvPipeline* pipeline = MustPipeline();
    qvContactDef def = qvDefaultContactDef();
    def.obstacle = (qvObstacle){ qv_obstacleSphere, 0.0, { 0.0, 2.95, 0.0 }, 1.0 };
    qvTake* take = MustSolve(pipeline, PASSING_IN_WAVES);
    qvContactReport* report = MustFind(take, &def);
    assert_true(report->contacts[0].pointCount > 0.05 * qvTake_Body(take)->mesh->pointCount);
    qvContactPlan* plan = MustPlan(take, &def, pipeline);
    qvDocument* document = MustDocument(qvTake_Scene(take));
    ASSERT_OK(qvContactPlan_Apply(plan, document, &error), error);
    const qvScene* scene = qvDocument_Scene(document);
    assert_true(scene->keyCount > 2);
    for (int i = 1; i < scene->keyCount - 1; i++)
        assert_true(scene->keys[i]->partial && !scene->keys[i]->hasTransform);
    qvCloseDocument(document);
    qvDestroyContactPlan(plan);
    qvDestroyContactReport(report);
    qvReleaseTake(take);
    qvDestroyPipeline(pipeline);
}

// The end of a loop that is no whole number of frames is its start, where a key is already.
static void LoopsOfPartsOfFramesHold(void** state)
{
    (void)state;
    qvError error;
    qvPipeline* pipeline = MustPipeline();
    qvContactDef def = qvDefaultContactDef();
    qvTake* take = MustSolve(pipeline, SOFT_LOOP);
    qvContactReport* before = MustFind(take, &def);
    assert_true(before->contactCount == 1 && before->contacts[0].end < before->contacts[0].begin + 1.01);
    for (int i = 0; i < before->contactCount; i++)
        assert_true(before->contacts[i].time < 1.01);
    qvContactPlan* plan = MustPlan(take, &def, pipeline);
    qvDocument* document = MustDocument(qvTake_Scene(take));
    ASSERT_OK(qvContactPlan_Apply(plan, document, &error), error);
    const qvScene* scene = qvDocument_Scene(document);
    assert_true(qvContactPlan_KeyCount(plan) >= 1);
    assert_true(qvContactPlan_Report(plan)->depth < before->depth);
    // Over the seam, too, keys are apart.
    assert_true(scene->keys[scene->keyCount - 1]->time < 1.01 - 0.4 / scene->fps);
    qvCloseDocument(document);
    qvDestroyContactPlan(plan);
    qvDestroyContactReport(before);
    qvReleaseTake(take);
    qvDestroyPipeline(pipeline);
}

static bool Refuse(void* context, const char* stage, double fraction)
{
    (void)context, (void)stage, (void)fraction;
    return false;
}

static void BadInputIsOneLine(void** state)
{
    (void)state;
    qvError error;
    qvPipeline* pipeline = MustPipeline();
    qvTake* take = MustSolve(pipeline, LANDING(AT(0, 0.05)));
    qvContactReport* report;
    qvContactPlan* plan;
    qvContactDef bad[7];
    for (int i = 0; i < 7; i++)
        bad[i] = qvDefaultContactDef();
    bad[0].obstacle.height = NAN;
    bad[1].obstacle = (qvObstacle){ qv_obstacleSphere, 0.0, { 0.0, 0.0, 0.0 }, 0.0 };
    bad[2].obstacle = (qvObstacle){ qv_obstacleSphere, 0.0, { 0.0, INFINITY, 0.0 }, 1.0 };
    bad[3].obstacle = (qvObstacle){ qv_obstacleSphere, 0.0, { 0.0, 0.0, 0.0 }, NAN };
    bad[4].tolerance = 0.0;
    bad[5].tolerance = NAN;
    bad[6].keysPerContact = 0;
    for (int i = 0; i < 7; i++)
    {
        assert_int_equal(qvFindContacts(take, &bad[i], NULL, &report, &error), qv_badInput);
        assert_null(strchr(error.message, '\n'));
        assert_int_equal(qvPlanContacts(take, &bad[i], pipeline, NULL, &plan, &error), qv_badInput);
    }
    qvContactDef def = qvDefaultContactDef();
    qvJob job = { .progress = Refuse };
    assert_int_equal(qvFindContacts(take, &def, &job, &report, &error), qv_cancelled);
    assert_int_equal(qvPlanContacts(take, &def, pipeline, &job, &plan, &error), qv_cancelled);
    qvReleaseTake(take);
    take = MustSolve(pipeline, SCENE("\"keys\": []"));
    assert_int_equal(qvPlanContacts(take, &def, pipeline, NULL, &plan, &error), qv_unsupported);
    qvReleaseTake(take);
    qvDestroyPipeline(pipeline);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TheGroundHolds),
        cmocka_unit_test(ALoopHolds),
        cmocka_unit_test(ASphereHolds),
        cmocka_unit_test(TheScenesObstaclesHold),
        cmocka_unit_test(ASwingingSackHolds),
        cmocka_unit_test(KeysAreOrdinary),
        cmocka_unit_test(NothingInsideAddsNothing),
        cmocka_unit_test(KeysInsideAreNamed),
        cmocka_unit_test(WavesAreTold),
        cmocka_unit_test(WavesDoNotLift),
        cmocka_unit_test(LoopsOfPartsOfFramesHold),
        cmocka_unit_test(BadInputIsOneLine),
        cmocka_unit_test(LiftingKeysTheFrame),
        cmocka_unit_test(SoftKeysStay),
        cmocka_unit_test(KeysSuitTheirSegment),
        cmocka_unit_test(FlightsBounce),
        cmocka_unit_test(ReportsSayWhen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
