// SPDX-License-Identifier: GPL-3.0-or-later
// Opens the window and runs it: events in, frames out. Frames are drawn after events and a few times more, so that what
// an event changed has settled; then the program sleeps until the next one.
#include "ui/ui.h"

#include "quaver/image.h"
#include "ui/cimgui/backend.h"
#include "ui/editor/clock.h"
#include "ui/editor/editor.h"
#include "ui/editor/settings.h"
#include "ui/window/compositor.h"
#include "ui/window/delays.h"
#include "ui/window/input.h"
#include "ui/window/script.h"

#include <SDL.h>
#include <langinfo.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    FRAMES_AFTER_EVENT = 3
};

// Pixels at scale 1 in which every panel can be used.
static const double LEAST_WIDTH = 640.0, LEAST_HEIGHT = 560.0;

typedef struct Window
{
    SDL_Window* handle;
    SDL_GLContext context;
    ImGuiContext* interface;
    bool backendReady;
    qvuiRenderer* renderer;
    qvuiEditor editor;
    bool editorReady;
    qvuiInput input;
    qvuiScript script;
    qvuiCompositor compositor;
    qvuiKeptSettings settings;
    char facts[256];
    char title[300];
    bool fullScreen;
    int framesLeft;
    qvuiFrameTimes* times; // or NULL
    qvuiDelays delays;     // for the times
    double frameTime;      // when the last frame started, s
    double startTime;
    int warmStep; // of the renderer that comes next; -1: none
} Window;

qvuiWindowDef qvuiDefaultWindowDef(void)
{
    return (qvuiWindowDef){ .width = 1600, .height = 900 };
}

static qvResult FailSdl(qvError* error, const char* what)
{
    return qvError_Set(error, qv_unsupported, "%s: %s", what, SDL_GetError());
}

// SDL falls back to drivers that show nothing, where no display is named or none answers; only who asks for such a
// driver gets it. Some libraries below it complain on stderr, so that it is not asked in vain.
static bool OpenDisplay(void)
{
    bool isChosen = getenv("SDL_VIDEODRIVER") != NULL;
    if (!isChosen && getenv("DISPLAY") == NULL && getenv("WAYLAND_DISPLAY") == NULL)
        return false;
    if (!isChosen && getenv("WAYLAND_DISPLAY") == NULL)
        SDL_SetHint(SDL_HINT_VIDEODRIVER, "x11");
    if (SDL_Init(SDL_INIT_VIDEO) != 0)
        return false;
    const char* driver = SDL_GetCurrentVideoDriver();
    return isChosen || (driver != NULL && strcmp(driver, "offscreen") != 0 && strcmp(driver, "dummy") != 0 &&
                        strcmp(driver, "evdev") != 0);
}

// The wanted size, or what fits on the screen beside panels and under a title bar. Scripts get what they ask for.
static void ChooseSize(const qvuiWindowDef* def, int* width, int* height)
{
    const int titleBar = 40;
    SDL_Rect room;
    *width = def->width;
    *height = def->height;
    if (def->script != NULL || SDL_GetDisplayUsableBounds(0, &room) != 0 || room.w <= 0 || room.h <= titleBar)
        return;
    *width = SDL_min(*width, room.w);
    *height = SDL_min(*height, room.h - titleBar);
}

// X11 takes a title only in the letters of the locale. In one of UTF-8 it gives the title a type that programs which
// look for windows by name cannot read, so that plain titles stay plain. Numbers stay as they are.
static void UseLettersOf(const char* title)
{
    bool plain = true;
    for (const char* c = title; *c != 0; c++)
        plain = plain && (unsigned char)*c < 0x80;
    if (plain)
        setlocale(LC_CTYPE, "C");
    else if (setlocale(LC_CTYPE, "") == NULL || strcmp(nl_langinfo(CODESET), "UTF-8") != 0)
        setlocale(LC_CTYPE, "C.UTF-8");
}

static qvResult OpenWindow(Window* window, const qvuiWindowDef* def, qvError* error)
{
    SDL_SetMainReady();
    SDL_SetHint(SDL_HINT_VIDEO_X11_NET_WM_BYPASS_COMPOSITOR, "0");
    SDL_SetHint(SDL_HINT_MOUSE_FOCUS_CLICKTHROUGH, "1");
    SDL_SetHint(SDL_HINT_MOUSE_DOUBLE_CLICK_RADIUS, "6");
    SDL_SetHint(SDL_HINT_QUIT_ON_LAST_WINDOW_CLOSE, "0");
    if (!OpenDisplay())
        return qvError_Set(error, qv_unsupported,
                           "no display; log in to a desktop, or use 'quaver render' to draw without a window");
    if (def->catchSignals != NULL)
        def->catchSignals();
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, SDL_GL_CONTEXT_PROFILE_CORE);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, 3);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MINOR_VERSION, 3);
    SDL_GL_SetAttribute(SDL_GL_DEPTH_SIZE, 0);
    int width, height;
    ChooseSize(def, &width, &height);
    window->handle = SDL_CreateWindow("Quaver", SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED, width, height,
                                      SDL_WINDOW_OPENGL | SDL_WINDOW_RESIZABLE);
    if (window->handle == NULL)
        return FailSdl(error, "cannot open a window");
    SDL_SetWindowMinimumSize(window->handle, 640, 400);
    window->context = SDL_GL_CreateContext(window->handle);
    if (window->context == NULL)
        return FailSdl(error, "cannot make an OpenGL 3.3 context; update the graphics driver");
    SDL_GL_SetSwapInterval(def->script == NULL ? 1 : 0);
    return qv_ok;
}

static double DisplayScale(const Window* window)
{
    float dpi = 0.0f;
    int display = SDL_GetWindowDisplayIndex(window->handle);
    if (display < 0 || SDL_GetDisplayDPI(display, NULL, &dpi, NULL) != 0 || !(dpi > 0.0f))
        return 1.0;
    return fmin(fmax(floor(dpi / 96.0 * 4.0 + 0.25) / 4.0, 1.0), 3.0);
}

// Scripts start from the defaults and leave no trace.
static bool UsesSettings(const Window* window, char* path, size_t capacity)
{
    return window->script.text == NULL && qvuiSettingsPath(path, capacity);
}

// A scale on the command line wins over the remembered one.
static void RestoreSettings(Window* window, const qvuiWindowDef* def)
{
    char path[qvui_maxPath];
    qvError error;
    if (!UsesSettings(window, path, sizeof(path)))
        return;
    if (qvuiLoadSettings(&window->editor, path, &error) != qv_ok)
        qvuiEditor_Notify(&window->editor, true, "%s", error.message);
    if (qvuiKeymapPath(path, sizeof(path)) && qvuiKeymap_Load(&window->editor.keymap, path, &error) != qv_ok)
        qvuiEditor_Notify(&window->editor, true, "%s", error.message);
    if (def->scale > 0.0)
        window->editor.wantedScale = window->editor.typedScale = def->scale;
    window->editor.kit.style.scale = (float)window->editor.wantedScale;
}

static qvResult KeepSettings(Window* window, qvError* error)
{
    char path[qvui_maxPath];
    window->settings.pending = false;
    if (!UsesSettings(window, path, sizeof(path)))
        return qv_ok;
    return qvuiKeptSettings_Write(&window->settings, &window->editor, path, qvuiWallClock(), error);
}

// Seconds until the settings are looked at: a while after an event, once the mouse has let go. Negative: never.
static double SettingsWait(const Window* window)
{
    const bool* down = window->input.down;
    return down[0] || down[1] || down[2] ? -1.0 : qvuiKeptSettings_Wait(&window->settings, qvuiWallClock());
}

static void KeepSettingsSoon(Window* window)
{
    qvError error;
    // A file that has been read becomes a recent one.
    window->settings.pending |= window->editor.loader.task.running;
    if (SettingsWait(window) != 0.0)
        return;
    if (KeepSettings(window, &error) != qv_ok)
        qvuiEditor_Notify(&window->editor, true, "%s", error.message);
}

static qvResult StartInterface(Window* window, const qvuiWindowDef* def, qvError* error)
{
    window->interface = igCreateContext(NULL);
    if (!igDebugCheckVersionAndDataLayout(igGetVersion(), sizeof(ImGuiIO), sizeof(ImGuiStyle), sizeof(ImVec2),
                                          sizeof(ImVec4), sizeof(ImDrawVert), sizeof(ImDrawIdx)))
        return qvError_Set(error, qv_unsupported, "this build does not fit the installed Dear ImGui %s; build it again",
                           igGetVersion());
    ImGuiIO* io = igGetIO();
    io->IniFilename = NULL;
    io->LogFilename = NULL;
    io->ConfigInputTextCursorBlink = false;
    io->ConfigWindowsMoveFromTitleBarOnly = true;
    window->backendReady = qvui_InitSdl(window->handle, window->context);
    if (!window->backendReady)
        return qvError_Set(error, qv_unsupported, "cannot draw the interface; update the graphics driver");
    qvResult result = qvuiCompositor_Init(&window->compositor, error);
    if (result == qv_ok)
        result = qvuiCreateRenderer(&window->renderer, error);
    if (result != qv_ok)
        return result;
    window->editorReady = true;
    result =
        qvuiEditor_Init(&window->editor, window->renderer, def->scale > 0.0 ? def->scale : DisplayScale(window), error);
    if (result != qv_ok)
        return result;
    window->editor.keepsJournal = window->script.text == NULL;
    // While fonts and shaders are made ready.
    if (def->path == NULL)
        qvuiDemos_Start(&window->editor.demos);
    SDL_version version;
    SDL_GetVersion(&version);
    snprintf(window->facts, sizeof(window->facts), "SDL %d.%d.%d, %s driver\n%s", version.major, version.minor,
             version.patch, SDL_GetCurrentVideoDriver(), qvuiDriverName());
    window->editor.windowFacts = window->facts;
    RestoreSettings(window, def);
    qvuiKeptSettings_Start(&window->settings, &window->editor);
    result = qvuiStyle_Apply(&window->editor.kit.style, error);
    if (result == qv_ok)
        result = qvuiCompositor_TakeFonts(&window->compositor, error);
    int width, height;
    SDL_GetWindowSize(window->handle, &width, &height);
    if (result == qv_ok)
        result = qvuiCanvas_WarmUp(&window->compositor.canvas, width, height, error);
    qvuiDemos_Finish(&window->editor.demos);
    SDL_GL_SwapWindow(window->handle);
    return result;
}

static void Close(Window* window)
{
    qvuiDelays_Free(&window->delays);
    qvuiKeptSettings_Free(&window->settings);
    if (window->editorReady)
        qvuiEditor_Free(&window->editor);
    qvuiCompositor_Free(&window->compositor);
    qvuiDestroyRenderer(window->renderer);
    if (window->backendReady)
        qvui_ShutdownSdl();
    if (window->interface != NULL)
        igDestroyContext(window->interface);
    if (window->context != NULL)
        SDL_GL_DeleteContext(window->context);
    if (window->handle != NULL)
        SDL_DestroyWindow(window->handle);
    SDL_Quit();
    qvuiScript_Free(&window->script);
}

// Keys that go on while they are held: steps in time and in the history, the size of the brush.
static bool Repeats(const qvuiShortcut* shortcut)
{
    bool steps = shortcut->key >= qvui_keyLeft && shortcut->key <= qvui_keyDown;
    bool undoes = shortcut->control && (shortcut->key == 'z' || shortcut->key == 'y');
    return steps || undoes || shortcut->key == '[' || shortcut->key == ']';
}

static void HandleKey(Window* window, const SDL_KeyboardEvent* event)
{
    qvuiShortcut shortcut;
    if (qvuiInput_ToShortcut(event, &shortcut) && (event->repeat == 0 || Repeats(&shortcut)))
        qvuiEditor_Key(&window->editor, &shortcut);
}

static void HandleEvent(Window* window, const SDL_Event* event)
{
    qvui_ProcessEventSdl(event);
    switch (event->type)
    {
    case SDL_QUIT: // a signal: its sender waits, and cannot answer
        qvuiEditor_Yield(&window->editor);
        break;
    case SDL_DROPFILE:
        qvuiEditor_Request(&window->editor, qvui_pendingFile, event->drop.file);
        SDL_free(event->drop.file);
        break;
    case SDL_WINDOWEVENT:
        if (event->window.event == SDL_WINDOWEVENT_FOCUS_GAINED)
            qvuiEditor_LookAtFile(&window->editor);
        if (event->window.event == SDL_WINDOWEVENT_CLOSE)
            qvuiEditor_Request(&window->editor, qvui_pendingQuit, NULL);
        break;
    case SDL_KEYDOWN:
        HandleKey(window, &event->key);
        break;
    default:
        break;
    }
}

// Takes the events of one frame, sleeping first when there is nothing to draw.
static void TakeEvents(Window* window)
{
    double seconds = 0.0;
    bool sleeps = window->framesLeft == 0 && window->script.text == NULL;
    if (sleeps)
    {
        double settings = SettingsWait(window);
        seconds = qvuiEditor_NextWake(&window->editor);
        seconds = seconds < 0.0 || (settings >= 0.0 && settings < seconds) ? settings : seconds;
    }
    // What the clock brings needs frames to settle too: ImGui hides the first of a tooltip. Progress comes often
    // anyway.
    if (sleeps && !window->editor.loader.task.running)
        window->framesLeft = FRAMES_AFTER_EVENT;
    SDL_Event event;
    while (qvuiInput_Next(&window->input, &event, seconds))
    {
        seconds = 0.0;
        window->framesLeft = FRAMES_AFTER_EVENT;
        window->settings.pending = true;
        HandleEvent(window, &event);
        // Scripts send a user event to end a frame.
        if (qvuiInput_Take(&window->input, &event) || event.type == SDL_USEREVENT)
            break;
    }
}

// The wanted scale, or the largest that leaves the panels room in the window; in steps, because fonts are made anew.
static double FittingScale(const Window* window)
{
    int width, height;
    SDL_GetWindowSize(window->handle, &width, &height);
    double most = floor(4.0 * fmin(width / LEAST_WIDTH, height / LEAST_HEIGHT)) / 4.0;
    return fmin(window->editor.wantedScale, fmax(most, 1.0));
}

static qvResult ApplyScale(Window* window, qvError* error)
{
    qvuiStyle* style = &window->editor.kit.style;
    double scale = FittingScale(window);
    if (fabs(style->scale - scale) < 1e-6)
        return qv_ok;
    style->scale = (float)scale;
    qvResult result = qvuiStyle_Apply(style, error);
    if (result == qv_ok)
        result = qvuiCompositor_TakeFonts(&window->compositor, error);
    window->framesLeft = FRAMES_AFTER_EVENT;
    return result;
}

static void ApplyWindowState(Window* window)
{
    qvuiEditor* editor = &window->editor;
    if (editor->wantsFullScreen != window->fullScreen)
    {
        window->fullScreen = editor->wantsFullScreen;
        SDL_SetWindowFullscreen(window->handle, window->fullScreen ? SDL_WINDOW_FULLSCREEN_DESKTOP : 0);
    }
    char title[300];
    qvuiSession_Title(&editor->session, title, sizeof(title));
    if (strcmp(title, window->title) != 0)
    {
        memcpy(window->title, title, sizeof(title));
        UseLettersOf(title);
        SDL_SetWindowTitle(window->handle, title);
    }
}

static qvResult TakeScreenshot(Window* window, qvError* error)
{
    const qvuiCanvas* canvas = &window->compositor.canvas;
    qvImage image;
    qvResult result = qvCreateImage(canvas->width, canvas->height, &image, error);
    if (result == qv_ok)
    {
        qvuiCanvas_Read(canvas, &image);
        result = qvuiScript_TakePicture(&window->script, &image, error);
    }
    qvDestroyImage(&image);
    return result;
}

static void BuildInterface(Window* window, int width, int height)
{
    qvui_NewFrameSdl();
    qvuiInput_WriteTo(&window->input, igGetIO());
    // A script's clock counts frames, so that it plays the same on a busy machine.
    if (window->script.text != NULL)
        igGetIO()->DeltaTime = 1.0f / 60.0f;
    igNewFrame();
    qvuiEditor_Draw(&window->editor, (float)width, (float)height);
    igRender();
}

static qvResult DrawInterface(Window* window, int width, int height, qvError* error)
{
    const qvuiViewport* viewport = &window->editor.viewport;
    qvuiBackground background = { .picture = &viewport->target,
                                  .revision = viewport->pictureRevision,
                                  .x = (int)viewport->place.x,
                                  .y = (int)viewport->place.y };
    window->compositor.whole = window->compositor.whole || (window->times != NULL && window->times->thorough);
    qvResult result = qvuiCompositor_Draw(&window->compositor, igGetDrawData(), &background, width, height, error);
    if (result == qv_ok && qvuiScript_WantsPicture(&window->script))
        result = qvuiCompositor_CatchUp(&window->compositor, igGetDrawData(), &background, error);
    if (window->compositor.isBehind)
        window->framesLeft = SDL_max(window->framesLeft, 2);
    if (result != qv_ok || !window->script.verifies)
        return result;
    result = qvuiCompositor_Verify(&window->compositor, igGetDrawData(), &background, error);
    if (result != qv_ok)
        qvError_Prefix(error, "%s: line %d", window->script.path, window->script.line);
    return result;
}

// Since the frame's events were taken, which it does without waiting when a script plays.
static void KeepTime(Window* window)
{
    qvuiFrameTimes* times = window->times;
    qvuiWaitForDrawing();
    double now = qvuiWallClock();
    if (times->start == 0.0)
        times->start = now - window->startTime;
    if (times->gauge != NULL)
        times->gauged = times->gauge();
    bool posing = window->editor.viewport.tools.active != NULL && window->editor.viewport.pictureSeconds > 0.0;
    if (times->count == times->capacity || (times->strokesOnly && !posing))
        return;
    times->total[times->count] = now - window->frameTime;
    times->interface[times->count++] = now - window->frameTime - window->editor.meshSeconds;
    qvuiDelays_Count(&window->delays, &window->editor.session, window->input.down[0], times);
}

static qvResult DrawFrame(Window* window, qvError* error)
{
    qvResult result = ApplyScale(window, error);
    if (result != qv_ok)
        return result;
    int width, height;
    SDL_GetWindowSize(window->handle, &width, &height);
    BuildInterface(window, width, height);
    result = DrawInterface(window, width, height, error);
    if (result != qv_ok)
        return result;
    qvuiCanvas_Show(&window->compositor.canvas);
    SDL_GL_SwapWindow(window->handle);
    if (window->times != NULL)
        KeepTime(window);
    if (qvuiScript_WantsPicture(&window->script))
        result = TakeScreenshot(window, error);
    ApplyWindowState(window);
    return result;
}

static void KeepPace(Window* window)
{
    double rest = window->times != NULL ? window->frameTime + window->times->pace - qvuiWallClock() : 0.0;
    if (rest > 0.0)
        SDL_Delay((Uint32)(1e3 * rest));
    window->frameTime = qvuiWallClock();
}

// Before the program first sleeps the renderer gets ready for the first body, a little between events; at once before
// a script goes on.
static void WarmUp(Window* window)
{
    bool scripted = window->script.text != NULL;
    while (window->warmStep >= 0 && window->framesLeft == 0 && (scripted || !SDL_PollEvent(NULL)))
    {
        bool more = qvuiRenderer_WarmUp(window->renderer, window->warmStep);
        window->warmStep = more ? window->warmStep + 1 : -1;
        window->framesLeft = scripted ? 0 : 1;
    }
}

static qvResult Run(Window* window, qvError* error)
{
    qvResult result = qv_ok;
    window->framesLeft = FRAMES_AFTER_EVENT;
    if (window->times != NULL && window->times->thorough)
    {
        window->compositor.budget = 0;
        qvuiRenderer_BeThorough(window->renderer);
    }
    while (result == qv_ok && !window->editor.wantsQuit)
    {
        WarmUp(window);
        KeepPace(window);
        TakeEvents(window);
        result = DrawFrame(window, error);
        KeepSettingsSoon(window);
        // Quitting from the menu would end the random input early.
        if (window->script.monkeySteps > 0)
            window->editor.wantsQuit = false;
        if (window->framesLeft > 0)
            window->framesLeft--;
        if (window->script.text != NULL && window->framesLeft == 0 && !qvuiInput_HasMore(&window->input))
            qvuiScript_Step(&window->script, &window->editor, &window->input, window->handle);
    }
    if (result == qv_ok && window->script.result != qv_ok)
    {
        *error = window->script.error;
        result = window->script.result;
    }
    return result == qv_ok ? KeepSettings(window, error) : result;
}

// What the command line asked for and the window has no room for is said.
static void WarnOfScale(const Window* window, const qvuiWindowDef* def)
{
    int width, height;
    double scale = FittingScale(window);
    SDL_GetWindowSize(window->handle, &width, &height);
    if (def->scale > scale)
        fprintf(stderr, "quaver: warning: --scale %g is reduced to %g: a window of %d x %d has no room for more\n",
                100.0 * def->scale, 100.0 * scale, width, height);
}

qvResult qvuiRunWindow(const qvuiWindowDef* def, qvError* error)
{
    Window* window = calloc(1, sizeof(*window));
    if (window == NULL)
        return qvError_OutOfMemory(error, sizeof(*window));
    qvResult result = qv_ok;
    window->times = def->times;
    window->startTime = qvuiWallClock();
    if (def->script != NULL)
        result = qvuiScript_Load(&window->script, def->script, error);
    if (result == qv_ok)
        result = OpenWindow(window, def, error);
    if (result == qv_ok)
        result = StartInterface(window, def, error);
    if (result == qv_ok && def->script != NULL && !qvuiNames_Enable(&window->editor.kit.names))
        result = qvError_OutOfMemory(error, 0.0);
    if (result == qv_ok)
    {
        WarnOfScale(window, def);
        if (window->script.text == NULL)
            qvuiEditor_LookForLeftovers(&window->editor);
        if (def->path != NULL)
            qvuiEditor_Request(&window->editor, qvui_pendingFile, def->path);
        result = Run(window, error);
    }
    Close(window);
    free(window);
    return result;
}
