// SPDX-License-Identifier: GPL-3.0-or-later
// What an exported file shows when it is drawn by itself, against the scene that it was exported from.
#include "unit/scene_testing.h"

#include "ui/film_entry.h"
#include "ui/render/blur.h"
#include "ui/render/texture.h"

#include <unistd.h>

static qvTake* SolveFile(const char* name, const char* text)
{
    char folder[512];
    qvError error;
    qvTake* take;
    snprintf(folder, sizeof(folder), "%s/../../scenes", QUAVER_TEST_DATA);
    const qvScene* scene = NULL;
    if (text != NULL)
        scene = MustParse(text);
    else
    {
        char path[600];
        snprintf(path, sizeof(path), "%s/%s", folder, name);
        ASSERT_OK(qvLoadScene(path, &scene, &error), error);
    }
    qvPipeline* pipeline = MustPipeline();
    ASSERT_OK(qvPipeline_Solve(pipeline, scene, folder, NULL, &take, &error), error);
    qvDestroyPipeline(pipeline);
    qvReleaseScene(scene);
    return take;
}

// Without a camera, only the body.
static qvuiPicture Draw(const qvTake* take, double time, const qvSceneCamera* camera)
{
    char path[512];
    qvError error;
    qvuiPicture picture;
    qvuiFilmDef def = qvuiDefaultFilmDef();
    def.look.width = def.look.height = 200;
    def.look.camera = camera;
    def.look.transparent = camera == NULL;
    def.time = time;
    OutputPath(path, sizeof(path), "moment.png");
    ASSERT_OK(qvuiDrawTake(take, &def, path, NULL, &error), error);
    ASSERT_OK(qvuiDecodePicture(path, &picture, &error), error);
    return picture;
}

// Pixels in which a colour differs by more than smooth edges and shades make of a thousandth of the body.
static int CountDifferent(const qvuiPicture* a, const qvuiPicture* b)
{
    int count = 0;
    assert_true(a->width == b->width && a->height == b->height);
    for (int i = 0; i < a->width * a->height; i++)
    {
        bool differs = false;
        for (int c = 4 * i; c < 4 * i + 3; c++)
            differs |= abs(a->pixels[c] - b->pixels[c]) > 32;
        count += differs;
    }
    return count;
}

static void CheckExport(qvTake* take)
{
    char path[512];
    qvError error;
    qvTakeExport export = qvDefaultTakeExport();
    ASSERT_OK(qvExportTake(take, &export, OutputPath(path, sizeof(path), "drawn.glb"), NULL, &error), error);
    qvTake* played = MustPlay(path);
    const qvSceneCamera camera = { .target = { 0, 1.4, 0 }, .yaw = 45, .pitch = 8, .distance = 5.8, .lens = 35 };
    qvuiPicture first = Draw(take, 0.0, &camera);
    int moved = 0;
    for (int i = 0; i < 4; i++)
    {
        double time = i * 0.2;
        qvuiPicture there = Draw(take, time, &camera), here = Draw(played, time, &camera);
        assert_true(CountDifferent(&there, &here) < 40);
        int change = CountDifferent(&there, &first);
        moved = change > moved ? change : moved;
        qvuiFreePicture(&there);
        qvuiFreePicture(&here);
    }
    assert_true(moved > 1000);
    qvuiFreePicture(&first);
    qvReleaseTake(played);
    qvReleaseTake(take);
}

static void TestKeyed(void** state)
{
    (void)state;
    CheckExport(SolveFile(NULL,
                          "{\"quaver\": 1, \"fps\": 30, \"range\": [0, 0.8], \"mesh\": {\"file\": \"hopper.glb\"}, "
                          "\"material\": {\"modes\": 6}, \"keys\": [{\"time\": 0}, {\"time\": 0.4, \"strokes\": "
                          "[{\"brush\": \"grab\", \"at\": [0, 1.8, 0], \"drag\": [0.7, 0, 0], \"radius\": 0.8}], "
                          "\"transform\": {\"rotate\": [0, 0.38268343, 0, 0.92387953]}}]}"));
}

// A shape without a material has the colour that it has in the window.
static void TestPlain(void** state)
{
    (void)state;
    CheckExport(SolveFile(NULL,
                          "{\"quaver\": 1, \"fps\": 30, \"range\": [0, 0.8], \"mesh\": {\"primitive\": \"sack\"}, "
                          "\"material\": {\"modes\": 6}, \"keys\": [{\"time\": 0}, {\"time\": 0.4, \"strokes\": "
                          "[{\"brush\": \"grab\", \"at\": [0, 1.8, 0], \"drag\": [0.7, 0, 0], \"radius\": 0.8}]}]}"));
}

static void TestSkinned(void** state)
{
    (void)state;
    CheckExport(SolveFile("hopper.json", NULL));
}

// The camera sees also where a long motion goes for a moment.
static void TestFraming(void** state)
{
    (void)state;
    qvTake* take =
        SolveAlone("{\"quaver\": 1, \"mesh\": {\"primitive\": \"block\", \"resolution\": 2}, \"range\": [0, 16], "
                   "\"material\": {\"modes\": 4}, \"keys\": [{\"time\": 5, \"transform\": {\"translate\": [0, 0, 0]}}, "
                   "{\"time\": 5.25, \"transform\": {\"translate\": [30, 0, 0]}, \"interp\": \"hold\"}, "
                   "{\"time\": 5.35, \"transform\": {\"translate\": [0, 0, 0]}, \"interp\": \"hold\"}]}");
    qvuiPicture picture = Draw(take, 5.3, NULL);
    int covered = 0;
    for (int i = 0; i < picture.width * picture.height; i++)
        covered += picture.pixels[4 * i + 3] > 200;
    assert_true(covered > 10);
    qvuiFreePicture(&picture);
    qvReleaseTake(take);
}

static bool StopAtFifth(void* context, const char* stage, double fraction)
{
    (void)stage;
    (void)fraction;
    return ++*(int*)context < 5;
}

// While the camera looks for the whole motion as well, which takes hundreds of frames.
static void TestStopped(void** state)
{
    (void)state;
    char path[512];
    qvError error;
    int calls = 0;
    qvTake* take = SolveAlone(SCENE(FEW_MODES ", \"keys\": [" DANCE_KEYS "]"));
    qvJob job = { .progress = StopAtFifth, .context = &calls };
    qvuiFilmDef def = qvuiDefaultFilmDef();
    OutputPath(path, sizeof(path), "stopped.png");
    unlink(path);
    assert_int_equal(qvuiDrawTake(take, &def, path, &job, &error), qv_cancelled);
    assert_int_equal(calls, 5);
    assert_int_not_equal(access(path, F_OK), 0);
    qvReleaseTake(take);
}

// The mean of black and white is half of the light, not half of the byte; what is transparent brings no colour along.
static void TestBlur(void** state)
{
    (void)state;
    qvError error;
    qvuiBlur blur;
    qvImage image;
    ASSERT_OK(qvuiBlur_Init(&blur, 3, 1, &error), error);
    ASSERT_OK(qvCreateImage(3, 1, &image, &error), error);
    for (int i = 0; i < 2; i++)
    {
        const uint8_t pixels[2][12] = { { 0, 0, 0, 255, 90, 60, 30, 255, 200, 10, 10, 255 },
                                        { 255, 255, 255, 255, 90, 60, 30, 255, 7, 7, 7, 0 } };
        memcpy(image.pixels, pixels[i], sizeof(pixels[i]));
        qvuiBlur_Add(&blur, &image);
    }
    qvuiBlur_End(&blur, &image);
    const uint8_t wanted[12] = { 188, 188, 188, 255, 90, 60, 30, 255, 200, 10, 10, 128 };
    assert_memory_equal(image.pixels, wanted, sizeof(wanted));
    qvDestroyImage(&image);
    qvuiBlur_Free(&blur);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(TestKeyed),   cmocka_unit_test(TestPlain),
                                        cmocka_unit_test(TestSkinned), cmocka_unit_test(TestFraming),
                                        cmocka_unit_test(TestStopped), cmocka_unit_test(TestBlur) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
