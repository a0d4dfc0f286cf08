// SPDX-License-Identifier: GPL-3.0-or-later
// What is seen of a body whose topology changes, with the springs that burst.
#include "unit/scene_testing.h"

#include "scene/layer.h"
#include "swarm_engine.h"
#include "ui/editor/session.h"
#include "ui/film_entry.h"
#include "ui/render/texture.h"
#include "ui/render_entry.h"

#include <time.h>

const qvLayerKind* const qvLayerKinds[] = {
#define QV_LAYER(name) &name,
#include "scene/layer_list.inl"
#undef QV_LAYER
    NULL,
};

const qvEngine* const qvEngines[] = {
#define QV_ENGINE(name) &name,
#include "scene/engine_list.inl"
    QV_ENGINE(burstEngine)
#undef QV_ENGINE
        NULL,
};

static const char SCENE_TEXT[] =
    SCENE(FEW_MODES ", \"range\": [0, 1], \"camera\": {\"target\": [0, 1, 0], \"distance\": 7}, \"simulations\": ["
                    "{\"engine\": \"burst\", \"time\": 0.2, \"wobble\": 2, \"after\": \"hold\"}], \"keys\": "
                    "[{\"time\": 0}, {\"time\": 0.7}]");

static void SessionsShowTheMeshOfTheTime(void** state)
{
    (void)state;
    qvuiSession session;
    qvError error;
    qvDocument* document;
    const qvBody* body;
    ASSERT_OK(qvuiSession_Init(&session, &error), error);
    const qvScene* scene = MustParse(SCENE_TEXT);
    ASSERT_OK(qvCreateDocument(scene, &document, &error), error);
    ASSERT_OK(qvLoadBody(&scene->mesh, ".", NULL, &body, &error), error);
    qvuiSession_SetDocument(&session, document, body);
    qvReleaseBody(body);
    qvReleaseScene(scene);
    do
    {
        qvuiSession_Update(&session, 0.0);
        nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
    } while (qvuiSession_IsSolving(&session));
    qvuiSession_Play(&session, false);
    qvuiSession_Seek(&session, 0.3);
    qvuiSession_Update(&session, 0.0);
    assert_null(qvuiSession_Changed(&session));
    qvId key;
    ASSERT_OK(qvuiSession_CheckCapture(&session, 0.3, &error), error);
    assert_null(qvuiSession_CannotCapture(&session));
    qvuiSession_Seek(&session, 0.6);
    qvuiSession_Update(&session, 0.0);
    ASSERT_CONTAINS(qvuiSession_CannotCapture(&session), "changed its topology");
    const qvMesh* changed = qvuiSession_Changed(&session);
    assert_non_null(changed);
    assert_int_equal(changed->vertexCount, 4 * session.body->mesh->pointCount);
    assert_int_equal(qvuiSession_InsertKey(&session, 0.6, &key, &error), qv_badInput);
    ASSERT_CONTAINS(error.message, "changes its topology at 0.45 s");
    session.show = qvui_showPose; // a stroke that is being dragged shows the body's own mesh
    assert_null(qvuiSession_Changed(&session));
    qvuiSession_Free(&session);
}

static qvuiPainterDef PlainLook(const qvTake* take)
{
    qvuiPainterDef look = qvuiDefaultPainterDef();
    look.width = look.height = 200;
    look.camera = &qvTake_Scene(take)->camera;
    look.transparent = true, look.shadow = false;
    return look;
}

static qvuiPicture Draw(const qvTake* take, double time, bool ghosts)
{
    char path[512];
    qvError error;
    qvuiPicture picture;
    qvuiFilmDef def = qvuiDefaultFilmDef();
    def.look = PlainLook(take), def.time = time, def.ghosts = ghosts;
    OutputPath(path, sizeof(path), "changing.png");
    ASSERT_OK(qvuiDrawTake(take, &def, path, NULL, &error), error);
    ASSERT_OK(qvuiDecodePicture(path, &picture, &error), error);
    return picture;
}

// A picture of a take shows what a painter that has that mesh alone shows.
static void PicturesShowTheMeshOfTheTime(void** state)
{
    (void)state;
    qvTake* take = SolveAlone(SCENE_TEXT);
    qvError error;
    qvuiPicture drawn = Draw(take, 0.9, false), ghosts = Draw(take, 0.9, true);
    qvTakeView view = { 0 };
    ASSERT_OK(qvTakeView_SetTake(&view, take, &error), error);
    ASSERT_OK(qvTakeView_Show(&view, 0.9, qv_layersAll, NULL, &error), error);
    assert_non_null(view.changed);
    qvuiPainterDef look = PlainLook(take);
    qvImage image;
    qvuiPicture alone;
    char path[512];
    OutputPath(path, sizeof(path), "changing_alone.png");
    ASSERT_OK(qvuiRenderStill(view.changed, &look, &image, &error), error);
    ASSERT_OK(qvSaveImage(&image, path, NULL, &error), error);
    ASSERT_OK(qvuiDecodePicture(path, &alone, &error), error);
    int lit = 0, different = 0;
    for (int i = 0; i < 4 * 200 * 200; i++)
    {
        lit += drawn.pixels[i] > 0;
        different += abs(drawn.pixels[i] - alone.pixels[i]) > 8; // planes of depth lie elsewhere
    }
    assert_true(lit > 4000 && lit < 150000 && different < lit / 200);
    // The key before is one after the change: it has no pose to show.
    assert_memory_equal(drawn.pixels, ghosts.pixels, (size_t)4 * 200 * 200);
    qvuiFreePicture(&ghosts);
    qvuiFreePicture(&alone);
    qvDestroyImage(&image);
    qvuiFreePicture(&drawn);
    qvTakeView_Free(&view);
    qvReleaseTake(take);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(SessionsShowTheMeshOfTheTime),
        cmocka_unit_test(PicturesShowTheMeshOfTheTime),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
