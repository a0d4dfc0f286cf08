// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/render/headless.h"

#include <epoxy/egl.h>
#include <stdbool.h>
#include <stdlib.h>

struct qvuiHeadless
{
    EGLDisplay display;
    bool owned; // the display is not the window's, which may have this one too
    EGLContext context;
};

static qvResult Fail(qvError* error, const char* what)
{
    return qvError_Set(error, qv_unsupported,
                       "cannot draw without a window: %s (EGL error 0x%x); install Mesa's EGL driver (libegl1, "
                       "libgl1-mesa-dri)",
                       what, (unsigned)eglGetError());
}

// Mesa's surfaceless platform needs no display server; other drivers get their default display.
static EGLDisplay OpenDisplay(bool* owned)
{
    *owned = epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_MESA_platform_surfaceless");
    if (*owned)
        return eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
    return eglGetDisplay(EGL_DEFAULT_DISPLAY);
}

static qvResult CreateContext(qvuiHeadless* headless, qvError* error)
{
    static const EGLint configWanted[] = { EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_SURFACE_TYPE, 0, EGL_NONE };
    static const EGLint contextWanted[] = {
        EGL_CONTEXT_MAJOR_VERSION,           3,       EGL_CONTEXT_MINOR_VERSION, 3, EGL_CONTEXT_OPENGL_PROFILE_MASK,
        EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE
    };
    EGLConfig config;
    EGLint count = 0;
    if (!eglChooseConfig(headless->display, configWanted, &config, 1, &count) || count < 1)
        return Fail(error, "no OpenGL configuration");
    if (!eglBindAPI(EGL_OPENGL_API))
        return Fail(error, "no desktop OpenGL");
    headless->context = eglCreateContext(headless->display, config, EGL_NO_CONTEXT, contextWanted);
    if (headless->context == EGL_NO_CONTEXT)
        return Fail(error, "no OpenGL 3.3");
    if (!eglMakeCurrent(headless->display, EGL_NO_SURFACE, EGL_NO_SURFACE, headless->context))
        return Fail(error, "the context needs a surface");
    return qv_ok;
}

qvResult qvuiCreateHeadless(qvuiHeadless** headless, qvError* error)
{
    *headless = NULL;
    qvuiHeadless* made = calloc(1, sizeof(*made));
    if (made == NULL)
        return qvError_OutOfMemory(error, sizeof(*made));
    made->context = EGL_NO_CONTEXT;
    made->display = OpenDisplay(&made->owned);
    qvResult result;
    if (made->display == EGL_NO_DISPLAY || !eglInitialize(made->display, NULL, NULL))
    {
        made->display = EGL_NO_DISPLAY;
        result = Fail(error, "no EGL display");
    }
    else
    {
        result = CreateContext(made, error);
    }
    if (result != qv_ok)
    {
        qvuiDestroyHeadless(made);
        return result;
    }
    *headless = made;
    return qv_ok;
}

void qvuiDestroyHeadless(qvuiHeadless* headless)
{
    if (headless == NULL)
        return;
    if (headless->display != EGL_NO_DISPLAY)
    {
        eglMakeCurrent(headless->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        if (headless->context != EGL_NO_CONTEXT)
            eglDestroyContext(headless->display, headless->context);
        if (headless->owned)
            eglTerminate(headless->display);
    }
    eglReleaseThread();
    free(headless);
}
