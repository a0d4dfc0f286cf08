// SPDX-License-Identifier: GPL-3.0-or-later
// What the interface is made of, without drawing: camera, shortcuts, the table of actions.
#include "testing.h"

#include "motion/frame.h"
#include "quaver/file.h"
#include "ui/actions/action.h"
#include "ui/editor/settings.h"
#include "ui/panels/browser.h"
#include "ui/panels/numbers.h"
#include "ui/panels/turn.h"
#include "ui/render/camera.h"
#include "ui/viewport/whole_turns.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Where a point lands in the picture, x and y in [-1, 1].
static void Project(const qvuiCamera* camera, double aspect, qvVec3 point, double* x, double* y)
{
    qvuiMatrix view, projection;
    qvBox box = { { -1, -1, -1 }, { 1, 1, 1 } };
    qvuiCamera_Matrices(camera, aspect, box, &view, &projection);
    qvuiMatrix both = qvuiMatrix_Multiply(&projection, &view);
    double clip[4];
    for (int row = 0; row < 4; row++)
        clip[row] = both.m[row] * point.x + both.m[4 + row] * point.y + both.m[8 + row] * point.z + both.m[12 + row];
    *x = clip[0] / clip[3];
    *y = clip[1] / clip[3];
}

static qvVec3 AlongRay(qvRay ray, double t)
{
    return qvMulAdd(ray.origin, t, ray.direction);
}

// Rays and matrices are two descriptions of one camera.
static void TestRaysMatchMatrices(void** state)
{
    (void)state;
    uint64_t random = 3;
    for (int i = 0; i < 200; i++)
    {
        qvuiCamera camera = qvuiDefaultCamera();
        camera.yaw = 6.0 * RandomUnit(&random) - 3.0;
        camera.pitch = 3.0 * RandomUnit(&random) - 1.5;
        camera.distance = 3.0 + 5.0 * RandomUnit(&random);
        camera.target = qvMakeVec3(RandomUnit(&random), RandomUnit(&random), RandomUnit(&random));
        camera.orthographic = i % 2;
        double x = 2.0 * RandomUnit(&random) - 1.0, y = 2.0 * RandomUnit(&random) - 1.0, aspect = 1.6, px, py;
        qvRay ray = qvuiCamera_Ray(&camera, x, y, aspect);
        Project(&camera, aspect, AlongRay(ray, 0.5 + RandomUnit(&random)), &px, &py);
        ASSERT_NEAR(px, x, 1e-4);
        ASSERT_NEAR(py, y, 1e-4);
    }
}

static void TestZoomKeepsThePlaceUnderTheMouse(void** state)
{
    (void)state;
    for (int orthographic = 0; orthographic < 2; orthographic++)
    {
        qvuiCamera camera = qvuiDefaultCamera();
        camera.orthographic = orthographic;
        double x, y;
        qvVec3 point = AlongRay(qvuiCamera_Ray(&camera, 0.6, -0.3, 1.5), 1.0);
        qvuiCamera_Zoom(&camera, 2.0, 0.6, -0.3, 1.5);
        ASSERT_NEAR(camera.distance, 2.5, 1e-12);
        Project(&camera, 1.5, point, &x, &y);
        ASSERT_NEAR(x, 0.6, 1e-5);
        ASSERT_NEAR(y, -0.3, 1e-5);
    }
}

// What the view turns about stays under the mouse, and as far away as it was.
static void TestOrbitAboutAPlace(void** state)
{
    (void)state;
    for (int orthographic = 0; orthographic < 2; orthographic++)
    {
        qvuiCamera camera = qvuiDefaultCamera();
        camera.orthographic = orthographic;
        double x, y;
        qvVec3 point = AlongRay(qvuiCamera_Ray(&camera, -0.4, 0.5, 1.5), 0.8);
        double before = qvDistance(qvuiCamera_Frame(&camera).eye, point);
        qvVec3 target = camera.target;
        qvuiCamera_OrbitAbout(&camera, point, 0.7, -0.3);
        Project(&camera, 1.5, point, &x, &y);
        ASSERT_NEAR(x, -0.4, 1e-5);
        ASSERT_NEAR(y, 0.5, 1e-5);
        ASSERT_NEAR(qvDistance(qvuiCamera_Frame(&camera).eye, point), before, 1e-9);
        assert_true(qvDistance(camera.target, target) > 0.1);
    }
}

static void TestPanMovesByTheDrag(void** state)
{
    (void)state;
    qvuiCamera camera = qvuiDefaultCamera();
    qvVec3 before = camera.target;
    double x, y;
    qvuiCamera_Pan(&camera, 0.25, 0.1); // right and down by fractions of the height
    Project(&camera, 2.0, before, &x, &y);
    ASSERT_NEAR(x, 0.25, 1e-5);
    ASSERT_NEAR(y, -0.2, 1e-5);
}

static void TestFocusShowsTheBox(void** state)
{
    (void)state;
    qvBox box = { { -3, 0, -1 }, { 5, 2, 1 } };
    static const double aspects[] = { 0.4, 1.0, 2.5 };
    for (int a = 0; a < 3; a++)
    {
        qvuiCamera camera = qvuiDefaultCamera();
        double widest = 0.0;
        qvuiCamera_Focus(&camera, box, aspects[a]);
        for (int corner = 0; corner < 8; corner++)
        {
            qvVec3 p = { corner & 1 ? 5 : -3, corner & 2 ? 2 : 0, corner & 4 ? 1 : -1 };
            double x, y;
            Project(&camera, aspects[a], p, &x, &y);
            assert_true(fabs(x) < 1.0 && fabs(y) < 1.0);
            widest = fmax(widest, fmax(fabs(x), fabs(y)));
        }
        assert_true(widest > 0.5);
    }
    qvuiCamera camera = qvuiDefaultCamera();
    qvuiCamera_Focus(&camera, (qvBox){ { 1, 1, 1 }, { 1, 1, 1 } }, 1.0); // a point
    assert_true(camera.distance > 0.0 && isfinite(camera.distance));
}

static void TestAxisViews(void** state)
{
    (void)state;
    static const double backs[6][3] = {
        { 0, 0, 1 }, { 0, 0, -1 }, { 1, 0, 0 }, { -1, 0, 0 }, { 0, 1, 0 }, { 0, -1, 0 }
    };
    for (int view = 0; view < 6; view++)
    {
        qvuiCamera camera = qvuiDefaultCamera();
        qvuiCamera_SetAxisView(&camera, (qvuiAxisView)view);
        qvVec3 back = qvuiCamera_Frame(&camera).back;
        ASSERT_NEAR(back.x, backs[view][0], 1e-12);
        ASSERT_NEAR(back.y, backs[view][1], 1e-12);
        ASSERT_NEAR(back.z, backs[view][2], 1e-12);
    }
}

static void TestShortcuts(void** state)
{
    (void)state;
    qvuiShortcut a, b;
    assert_true(qvuiShortcut_Parse("Ctrl+Shift+S", &a));
    assert_true(a.key == 's' && a.control && a.shift && !a.alt);
    assert_true(qvuiShortcut_Parse("Shift+Ctrl+s", &b));
    assert_true(qvuiShortcut_Equal(&a, &b));
    assert_true(qvuiShortcut_Parse("Alt+Numpad 5", &a) && a.key == qvui_keyNumpad0 + 5 && a.alt);
    assert_true(qvuiShortcut_Parse("F12", &a) && a.key == qvui_keyF12);
    assert_true(qvuiShortcut_Parse("Ctrl++", &a) && a.key == '+' && a.control);
    // A keymap divides keys by bars, and a minus alone stands for none: both keys have names there.
    char text[64];
    assert_true(qvuiShortcut_Parse("-", &a) && a.key == '-');
    assert_string_equal(qvuiShortcut_Print(&a, text, sizeof(text)), "Minus");
    assert_string_equal(qvuiShortcut_Print(&(qvuiShortcut){ .key = '|' }, text, sizeof(text)), "Bar");
    assert_true(qvuiShortcut_Parse("Bar", &a) && a.key == '|');
    assert_false(qvuiShortcut_Parse("", &a));
    assert_false(qvuiShortcut_Parse("F13", &a));
    assert_false(qvuiShortcut_Parse("Ctrl+Nonsense", &a));
    assert_false(qvuiShortcut_Equal(&a, &b));
}

// A file of shortcuts with a mistake in it stays as it is, whatever is changed meanwhile; one that can be read is
// replaced.
static void TestUnreadKeymap(void** state)
{
    (void)state;
    static const char bad[] = "{\"no.such\": \"Ctrl+J\"}";
    char path[512];
    qvError error;
    qvBytes bytes;
    qvuiKeymap keymap = { 0 };
    OutputPath(path, sizeof(path), "own_keys.json");
    for (int isGood = 0; isGood < 2; isGood++)
    {
        FILE* file = fopen(path, "w");
        assert_non_null(file);
        fputs(isGood ? "{}" : bad, file);
        assert_int_equal(fclose(file), 0);
        assert_int_equal(qvuiKeymap_Load(&keymap, path, &error), isGood ? qv_ok : qv_badInput);
        assert_true(qvuiKeymap_Set(&keymap, qvuiFindAction("edit.undo"), "Ctrl+J"));
        assert_int_equal(qvuiKeymap_SaveOwn(&keymap, path, &error), isGood ? qv_ok : qv_badInput);
        ASSERT_OK(qvReadFile(path, 1000, &bytes, &error), error);
        assert_int_equal(strcmp(bytes.data, bad) == 0, !isGood);
        qvFreeBytes(&bytes);
    }
    qvuiKeymap_Free(&keymap);
}

// Ids and shortcuts are unique, and every shortcut means a key.
// The n-th of an action's shortcuts; false when there are fewer.
static bool GetShortcut(const qvuiAction* action, int n, qvuiShortcut* shortcut)
{
    const char* text = action->shortcut;
    char one[64];
    for (; n > 0 && text != NULL; n--)
    {
        text = strchr(text, '|');
        text = text != NULL ? text + 1 : NULL;
    }
    if (text == NULL || text[0] == 0)
        return false;
    snprintf(one, sizeof(one), "%.*s", (int)strcspn(text, "|"), text);
    assert_true(qvuiShortcut_Parse(one, shortcut));
    return true;
}

// Over one area a key means one thing.
static void CheckDifferent(const qvuiAction* a, const qvuiAction* b)
{
    qvuiShortcut own, other;
    for (int i = 0; a->where == b->where && GetShortcut(a, i, &own); i++)
        for (int j = 0; GetShortcut(b, j, &other); j++)
            if (qvuiShortcut_Equal(&own, &other))
                fail_msg("%s and %s share %s", a->id, b->id, a->shortcut);
}

static void TestActionTable(void** state)
{
    (void)state;
    assert_true(qvuiActionCount() > 10);
    for (int i = 0; i < qvuiActionCount(); i++)
    {
        const qvuiAction* action = qvuiGetAction(i);
        assert_ptr_equal(qvuiFindAction(action->id), action);
        assert_true(action->label[0] != 0 && (action->run != NULL || action->toggle > 0));
        for (int j = 0; j < i; j++)
            CheckDifferent(action, qvuiGetAction(j));
    }
    for (int i = 0; i < qvui_toolCount; i++)
        assert_non_null(qvuiFindAction(qvuiGetTool((qvuiToolKind)i)->action));
    assert_null(qvuiFindAction("nonsense"));
}

static void TestCounts(void** state)
{
    (void)state;
    char text[32];
    assert_string_equal(qvuiFormatCount(0, text, sizeof(text)), "0");
    assert_string_equal(qvuiFormatCount(999, text, sizeof(text)), "999");
    assert_string_equal(qvuiFormatCount(1000, text, sizeof(text)), "1,000");
    assert_string_equal(qvuiFormatCount(1234567, text, sizeof(text)), "1,234,567");
    assert_string_equal(qvuiFormatCount(-123456, text, sizeof(text)), "-123,456");
}

static void TouchFile(const char* name)
{
    char path[512];
    FILE* file = fopen(OutputPath(path, sizeof(path), name), "w");
    assert_non_null(file);
    fclose(file);
}

static void CheckTyped(qvuiBrowser* browser, const char* typed, qvuiTyped wanted, const char* part)
{
    char path[8192];
    strcpy(browser->typed, typed);
    assert_int_equal(qvuiBrowser_Typed(browser, path, sizeof(path)), wanted);
    ASSERT_CONTAINS(path, part);
}

// Folders first, by name; only what can be opened; filters; problems are said.
// One axis after the other, by the product of their quaternions.
static void TurnAboutAxes(const double angles[3], double turn[4])
{
    double product[4] = { 0.0, 0.0, 0.0, 1.0 };
    for (int axis = 0; axis < 3; axis++)
    {
        double half = 0.5 * angles[axis] * 0.017453292519943295, a[4] = { 0.0, 0.0, 0.0, cos(half) };
        a[axis] = sin(half);
        const double* b = product;
        const double next[4] = { a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
                                 a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
                                 a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
                                 a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2] };
        memcpy(product, next, sizeof(product));
    }
    memcpy(turn, product, sizeof(product));
}

static void TestAnglesMeanTheirTurn(void** state)
{
    (void)state;
    uint64_t random = 11;
    for (int i = 0; i < 2000; i++)
    {
        // Right angles in y too, where x and z turn about one axis.
        double wanted[3], turn[4], own[4], angles[3] = { 0.0, 0.0, 0.0 };
        for (int k = 0; k < 3; k++)
            wanted[k] = 360.0 * RandomUnit(&random) - 180.0;
        wanted[1] = i % 4 == 0 ? 90.0 : i % 4 == 1 ? -90.0 : wanted[1];
        TurnAboutAxes(wanted, turn);
        qvuiAnglesToTurn(wanted, own);
        for (int k = 0; k < 4; k++)
            ASSERT_NEAR(own[k], turn[k], 1e-14);
        assert_true(qvuiAnglesMean(wanted, turn));
        // Any length, either sign.
        double scale = i % 2 == 0 ? -3.0 : 0.1;
        for (int k = 0; k < 4; k++)
            turn[k] *= scale;
        qvuiTurnToAngles(turn, angles);
        assert_true(qvuiAnglesMean(angles, turn));
        for (int k = 0; k < 3; k++)
            assert_true(angles[k] > -180.0 && angles[k] <= 180.0);
        angles[i % 3] += 0.001;
        assert_false(qvuiAnglesMean(angles, turn));
    }
}

// What is shown follows a rotation without a jump, through right angles too; what was typed stays.
static void TestAnglesFollowTheirTurn(void** state)
{
    (void)state;
    for (int axis = 0; axis < 3; axis++)
    {
        double wanted[3] = { 30.0, -20.0, 70.0 }, turn[4];
        double angles[3] = { 30.0, -20.0, 70.0 };
        for (int step = 0; step <= 720; step++)
        {
            TurnAboutAxes(wanted, turn);
            qvuiTurnToAngles(turn, angles);
            for (int k = 0; k < 3; k++)
                ASSERT_NEAR(remainder(angles[k] - wanted[k], 360.0), 0.0, 1e-6);
            wanted[axis] += 1.0;
        }
    }
    double typed[3] = { 400.0, 95.0, -720.0 }, turn[4], back[4];
    qvuiAnglesToTurn(typed, turn);
    qvuiTurnToAngles(turn, typed);
    assert_true(typed[0] == 400.0 && typed[1] == 95.0 && typed[2] == -720.0);
    const double none[4] = { 0.0, 0.0, 0.0, 2.0 };
    qvuiTurnToAngles(none, typed);
    assert_true(typed[0] == 0.0 && typed[1] == 0.0 && typed[2] == 0.0);
    const double right[3] = { 90.0, 0.0, 0.0 };
    qvuiAnglesToTurn(right, back);
    qvuiTurnToAngles(back, typed);
    assert_true(typed[0] == 90.0 && typed[1] == 0.0 && typed[2] == 0.0);
}

static void TestBrowser(void** state)
{
    (void)state;
    char folder[512], path[8192];
    mkdir(OutputPath(folder, sizeof(folder), "browser"), 0777);
    mkdir(OutputPath(path, sizeof(path), "browser/zoo"), 0777);
    TouchFile("browser/b.OBJ");
    TouchFile("browser/a.ply");
    TouchFile("browser/notes.txt");
    TouchFile("browser/.hidden.obj");
    qvuiBrowser browser = { 0 };
    qvuiBrowser_Enter(&browser, OutputPath(folder, sizeof(folder), "browser"));
    assert_int_equal(browser.count, 3);
    assert_true(browser.entries[0].isFolder);
    assert_string_equal(browser.entries[0].name, "zoo");
    assert_string_equal(browser.entries[1].name, "a.ply");
    assert_string_equal(browser.entries[2].name, "b.OBJ");
    qvuiBrowser_Path(&browser, 2, path, sizeof(path));
    ASSERT_CONTAINS(path, "browser/b.OBJ");
    strcpy(browser.typed, "B.o");
    assert_false(qvuiBrowser_Matches(&browser, 1));
    assert_true(qvuiBrowser_Matches(&browser, 2));
    CheckTyped(&browser, "B.o", qvui_typedFilter, "");
    CheckTyped(&browser, "b.OBJ", qvui_typedFile, "browser/b.OBJ");
    CheckTyped(&browser, "zoo", qvui_typedFolder, "browser/zoo");
    CheckTyped(&browser, "zoo/../a.ply", qvui_typedFile, "browser/zoo/../a.ply");
    CheckTyped(&browser, "zoo/a.ply", qvui_typedMissing, "");
    assert_false(qvuiBrowser_Matches(&browser, 1));
    CheckTyped(&browser, "/", qvui_typedFolder, "/");
    CheckTyped(&browser, "/no/such.obj", qvui_typedMissing, "");
    const char* home = getenv("HOME");
    CheckTyped(&browser, "~/no such folder/a.ply", qvui_typedMissing, home != NULL ? home : "");
    qvuiBrowser_Enter(&browser, "zoo");
    assert_int_equal(browser.count, 0);
    assert_string_equal(browser.problem, "");
    qvuiBrowser_Enter(&browser, "nowhere");
    ASSERT_CONTAINS(browser.problem, "No such file");
    qvuiBrowser_Enter(&browser, "..");
    assert_int_equal(browser.count, 3);
    assert_string_equal(browser.problem, "");
    qvuiBrowser_Free(&browser);
}

static void WriteText(const char* path, const char* text)
{
    qvError error;
    ASSERT_OK(qvWriteFile(path, text, strlen(text), &error), error);
}

// Ways to a smaller file are looked for where that is quick and worth it, and named where they save something.
static void TestSmallerExports(void** state)
{
    (void)state;
    qvExportOptions options;
    qvuiExportForm form = { .request = { .bake = qvDefaultTakeExport() }, .saving = qvui_savingCount };
    qvExportReport report = { .frames = 25, .targets = 12, .bytes = 4e5 };
    form.nextSaving = qvui_savingCount;
    qvuiExportForm_TakeEstimate(&form, &report, true, 2000);
    assert_true(form.estimated && qvuiExportForm_IsSmall(&form) && !qvuiExportForm_FindSaving(&form, &options));
    report.bytes = 9e6;
    qvuiExportForm_TakeEstimate(&form, &report, true, 50000);
    assert_true(form.isLarge && !qvuiExportForm_FindSaving(&form, &options));
    qvuiExportForm_TakeEstimate(&form, &report, false, 2000);
    assert_true(!form.estimated && !qvuiExportForm_FindSaving(&form, &options));
    qvuiExportForm_TakeEstimate(&form, &report, true, 2000);
    assert_true(!form.isLarge);

    assert_true(qvuiExportForm_FindSaving(&form, &options) && options.quantize);
    // Given up for writing, it is looked for again.
    qvuiExportForm_BeginEstimate(&form, true);
    assert_true(qvuiExportForm_FindSaving(&form, &options) && options.quantize);
    qvExportReport better = { .bytes = 5e6 };
    qvuiExportForm_TakeEstimate(&form, &better, true, 2000);
    assert_true(form.savingBytes[qvui_savingQuantize] == 5e6 && form.report.bytes == 9e6);
    assert_true(qvuiExportForm_FindSaving(&form, &options) && !options.quantize);
    ASSERT_NEAR(options.error, 0.003, 1e-15);
    better.bytes = 8.9e6;
    qvuiExportForm_TakeEstimate(&form, &better, true, 2000);
    assert_true(form.savingBytes[qvui_savingError] == 0.0 && !qvuiExportForm_FindSaving(&form, &options));
    qvuiExportForm_BeginEstimate(&form, false);
    assert_true(form.savingBytes[qvui_savingQuantize] == 0.0);

    // What a program cannot read, what is so already and what is at its end are no ways.
    qvExportPreset plain = { .label = "plain" };
    form.request.bake.options.preset = &plain;
    assert_false(qvuiExportForm_Save(&form, qvui_savingQuantize, &options));
    form.request.bake.options.preset = NULL;
    form.request.bake.options.quantize = true;
    assert_false(qvuiExportForm_Save(&form, qvui_savingQuantize, &options));
    form.request.bake.options.error = 0.02;
    assert_false(qvuiExportForm_Save(&form, qvui_savingError, &options));
    form.request.bake.options.perFrame = true;
    assert_true(qvuiExportForm_Save(&form, qvui_savingError, &options) && !options.perFrame);
}

// Settings come back as they were; a missing file is no error, a damaged one is, and wild values are tamed.
static void TestSettings(void** state)
{
    (void)state;
    qvError error;
    char path[512];
    static qvuiEditor saved, loaded;
    saved = (qvuiEditor){ .wantedScale = 1.25, .inspectorWidth = 400.0f, .showInspector = false };
    saved.viewport.look.wireframe = saved.viewport.look.splats = true;
    saved.viewport.smoothEdges = qvui_smoothAlways;
    saved.panelOpen[1] = true;
    saved.session.diskCache = 12.5;
    snprintf(saved.exportFolder, sizeof(saved.exportFolder), "/some/where");
    snprintf(saved.saveFolder, sizeof(saved.saveFolder), "/some/other");
    OutputPath(path, sizeof(path), "settings/new/settings.json");
    remove(path);
    loaded = (qvuiEditor){ .wantedScale = 1.0, .showInspector = true };
    ASSERT_OK(qvuiLoadSettings(&loaded, path, &error), error);
    assert_true(loaded.wantedScale == 1.0 && loaded.showInspector);
    qvuiKeptSettings kept = { 0 };
    ASSERT_OK(qvuiKeptSettings_Write(&kept, &saved, path, 0.0, &error), error);
    qvuiKeptSettings_Free(&kept);
    ASSERT_OK(qvuiLoadSettings(&loaded, path, &error), error);
    assert_true(loaded.wantedScale == 1.25 && loaded.inspectorWidth == 400.0f && !loaded.showInspector);
    assert_true(loaded.viewport.look.wireframe && loaded.viewport.look.splats && !loaded.viewport.look.grid);
    assert_int_equal(loaded.viewport.smoothEdges, qvui_smoothAlways);
    assert_true(loaded.panelOpen[1] && !loaded.panelOpen[0] && loaded.session.diskCache == 12.5);
    assert_string_equal(loaded.exportFolder, "/some/where");
    assert_string_equal(loaded.saveFolder, "/some/other");

    WriteText(path, "{\"disk_cache\": -3, \"scale\": 99, \"soft_edges\": -7, \"inspector\": \"yes\", \"panels\": 3}");
    ASSERT_OK(qvuiLoadSettings(&loaded, path, &error), error);
    assert_true(loaded.wantedScale == 3.0 && !loaded.showInspector && loaded.session.diskCache == 0.0);
    assert_int_equal(loaded.viewport.smoothEdges, qvui_smoothNever);
    WriteText(path, "{\"scale\": ");
    assert_int_equal(qvuiLoadSettings(&loaded, path, &error), qv_badInput);
    ASSERT_CONTAINS(error.message, "settings.json");
    WriteText(path, "[1]");
    assert_int_equal(qvuiLoadSettings(&loaded, path, &error), qv_badInput);
    ASSERT_CONTAINS(error.message, "delete the file");
}

// Settings are in the file soon after they have changed, and it is left alone otherwise.
static void TestKeptSettings(void** state)
{
    (void)state;
    qvError error;
    char path[512];
    static qvuiEditor editor, loaded;
    qvuiKeptSettings kept = { 0 };
    editor = (qvuiEditor){ .wantedScale = 1.0, .inspectorWidth = 300.0f };
    loaded = (qvuiEditor){ .wantedScale = 1.0 };
    OutputPath(path, sizeof(path), "settings/kept/settings.json");
    remove(path);
    qvuiKeptSettings_Start(&kept, &editor);
    assert_true(qvuiKeptSettings_Wait(&kept, 5.0) < 0.0);
    ASSERT_OK(qvuiKeptSettings_Write(&kept, &editor, path, 5.0, &error), error);
    assert_int_equal(access(path, F_OK), -1);
    kept.pending = true;
    assert_true(qvuiKeptSettings_Wait(&kept, 5.25) == 0.75 && qvuiKeptSettings_Wait(&kept, 9.0) == 0.0);
    editor.inspectorWidth = 444.0f;
    snprintf(editor.recent[0], sizeof(editor.recent[0]), "/a.json");
    ASSERT_OK(qvuiKeptSettings_Write(&kept, &editor, path, 9.0, &error), error);
    assert_true(qvuiKeptSettings_Wait(&kept, 9.0) < 0.0);
    ASSERT_OK(qvuiLoadSettings(&loaded, path, &error), error);
    assert_true(loaded.inspectorWidth == 444.0f);
    assert_string_equal(loaded.recent[0], "/a.json");
    remove(path);
    ASSERT_OK(qvuiKeptSettings_Write(&kept, &editor, path, 12.0, &error), error);
    assert_int_equal(access(path, F_OK), -1);
    qvuiKeptSettings_Free(&kept);
}

// Names in Latin, Greek and Cyrillic, and the signs of the interface, are there in every font and size of text.
static void TestLetters(void** state)
{
    (void)state;
    static const ImWchar letters[] = { 0xe9, 0x151, 0x3a9, 0x3c0, 0x41f, 0x44b, 0x454, 0x2026, 0x20ac, 0x2192, 0x2212 };
    static const ImWchar icons[] = { 0xf04b, 0xf04c, 0xf04d, 0xf00d };
    qvuiStyle style = { .scale = 1.0f };
    qvError error;
    ImGuiContext* context = igCreateContext(NULL);
    ASSERT_OK(qvuiStyle_Apply(&style, &error), error);
    ImFont* fonts[] = { style.body, style.strong, style.value, style.title };
    for (size_t f = 0; f < 4; f++)
        for (size_t i = 0; i < sizeof(letters) / sizeof(letters[0]); i++)
            if (ImFont_FindGlyphNoFallback(fonts[f], letters[i]) == NULL)
                fail_msg("font %zu has no letter %04x", f, (unsigned)letters[i]);
    for (size_t i = 0; i < sizeof(icons) / sizeof(icons[0]); i++)
    {
        assert_non_null(ImFont_FindGlyphNoFallback(style.body, icons[i]));
        assert_non_null(ImFont_FindGlyphNoFallback(style.value, icons[i]));
    }
    igDestroyContext(context);
}

// How far a body has gone round an axis of the world on its way between two keys, as the motion has it.
static double AngleOnTheWay(qvQuat from, qvuiTurned to, qvVec3 axis)
{
    qvKnot knots[2] = { { .time = 0.0 }, { .time = 1.0 } };
    qvFrameKnot path[2] = { { .knot = knots[0], .pose = { from, { 0, 0, 0 } } },
                            { .knot = knots[1], .pose = { to.rotation, { 0, 0, 0 } }, .turns = to.turns } };
    qvFramePathDef def = { .count = 2, .knots = path, .ringLambda = 1.0, .ringDelta = 1.0 };
    qvFramePath* frames;
    qvError error;
    ASSERT_OK(qvCreateFramePath(&def, &frames, &error), error);
    double sum = 0.0;
    qvQuat before = from;
    for (int i = 1; i <= 2000; i++)
    {
        qvQuat now = qvFramePath_Evaluate(frames, i / 2000.0).pose.rotation;
        // The small turn now before^-1, in the world.
        double sign = now.x * before.x + now.y * before.y + now.z * before.z + now.w * before.w < 0.0 ? -1.0 : 1.0;
        qvVec3 step = { before.w * now.x - now.w * before.x - now.y * before.z + now.z * before.y,
                        before.w * now.y - now.w * before.y - now.z * before.x + now.x * before.z,
                        before.w * now.z - now.w * before.z - now.x * before.y + now.y * before.x };
        sum += 2.0 * sign * qvDot(step, axis);
        before = now;
    }
    qvDestroyFramePath(frames);
    return sum;
}

static void TestTurnsGoRound(void** state)
{
    (void)state;
    const double degree = 0.017453292519943295;
    static const double angles[] = { 0, 10, -90, 180, -180, 270, 350, 360, -360, 405, 540, 720, -725, 1800 };
    qvQuat rest = { 0, 0, 0, 1 }, leaning = { 0.3, -0.2, 0.5, 0.7874007874011811 };
    for (size_t i = 0; i < sizeof(angles) / sizeof(angles[0]); i++)
        for (int axis = 0; axis < 3; axis++)
            for (int start = 0; start < 2; start++)
            {
                qvVec3 about = { axis == 0, axis == 1, axis == 2 };
                qvQuat from = start == 0 ? rest : leaning;
                qvuiTurned turned = qvuiTurnFurther(from, (qvuiTurned){ from, 0 }, about, angles[i] * degree);
                // The chords of small steps are a little shorter than their arcs.
                ASSERT_NEAR(AngleOnTheWay(from, turned, about), angles[i] * degree, 2e-3);
            }
    // On from turns that are there already, and back again.
    qvVec3 z = { 0, 0, 1 };
    qvuiTurned once = qvuiTurnFurther(rest, (qvuiTurned){ rest, 0 }, z, 400.0 * degree);
    qvuiTurned more = qvuiTurnFurther(rest, once, z, 400.0 * degree);
    ASSERT_NEAR(AngleOnTheWay(rest, more, z), 800.0 * degree, 2e-3);
    qvuiTurned back = qvuiTurnFurther(rest, more, z, -800.0 * degree);
    assert_int_equal(back.turns, 0);
    ASSERT_NEAR(fabs(back.rotation.w), 1.0, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestRaysMatchMatrices),   cmocka_unit_test(TestZoomKeepsThePlaceUnderTheMouse),
        cmocka_unit_test(TestPanMovesByTheDrag),   cmocka_unit_test(TestOrbitAboutAPlace),
        cmocka_unit_test(TestFocusShowsTheBox),    cmocka_unit_test(TestAxisViews),
        cmocka_unit_test(TestShortcuts),           cmocka_unit_test(TestUnreadKeymap),
        cmocka_unit_test(TestActionTable),         cmocka_unit_test(TestCounts),
        cmocka_unit_test(TestAnglesMeanTheirTurn), cmocka_unit_test(TestAnglesFollowTheirTurn),
        cmocka_unit_test(TestTurnsGoRound),        cmocka_unit_test(TestBrowser),
        cmocka_unit_test(TestSmallerExports),      cmocka_unit_test(TestSettings),
        cmocka_unit_test(TestKeptSettings),        cmocka_unit_test(TestLetters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
