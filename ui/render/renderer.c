// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/render/renderer.h"

#include "quaver/primitive.h"
#include "ui/render/extra_painter.h"
#include "ui/render/program.h"
#include "ui/render/shaders.h"
#include "ui/render/shadow.h"

#include <epoxy/gl.h>
#include <stdlib.h>
#include <string.h>

enum
{
    FINE = 20000, // triangles from which on their number is what a picture costs
    BAND = 192    // rows of smooth edges in a frame: whole tiles of llvmpipe, and some milliseconds
};

// What the picture of the ground was made from; compared bytewise.
typedef struct GroundKey
{
    qvuiCamera camera;
    double height, size, centreX, centreZ, pixelScale;
    int backdrop, grid;
    int pixels[2];
} GroundKey;

struct qvuiRenderer
{
    GLuint meshProgram, fineProgram, splatProgram, wireProgram, backdropProgram, gridProgram, shadeProgram;
    GLuint emptyArrays; // for the triangle that covers the picture
    int fineCount;      // triangles from which on a body is fine
    bool software;      // the driver draws without a graphics card
    qvuiSieve sieve;    // for such a one
    GLuint shadowTexture;
    qvuiShadow* shadow;

    qvuiExtraPainter extraPainter;

    // Backdrop and grid, which stay while the camera stands still.
    GLuint groundTexture, groundFramebuffer;
    GroundKey groundKey;
    int groundRows[2]; // that are there: the first, and the one after the last

    // What the shadow was made from.
    const qvuiSurface* shadowSurface;
    unsigned int shadowRevision;
};

// The ground under a surface, in scene units.
typedef struct Ground
{
    double height;
    double size; // diagonal of what stands on it, at rest
    double centreX, centreZ;
    double extent; // half a side of the shadow's square
} Ground;

// What a square lies in: the ground, or upright behind the body.
typedef struct Plane
{
    qvVec3 origin, axisU, axisV;
    double centreU, centreV;
    qvVec3 colorU, colorV; // of the axes
} Plane;

qvuiLook qvuiDefaultLook(void)
{
    return (qvuiLook){ .grid = true, .shadow = true, .backdrop = true, .pixelScale = 1.0 };
}

void qvuiWaitForDrawing(void)
{
    glFinish();
}

const char* qvuiDriverName(void)
{
    const GLubyte* name = glGetString(GL_RENDERER);
    return name != NULL ? (const char*)name : "unknown";
}

bool qvuiDrawsInSoftware(void)
{
    return strstr(qvuiDriverName(), "llvmpipe") != NULL || strstr(qvuiDriverName(), "softpipe") != NULL;
}

static qvResult CreatePrograms(qvuiRenderer* r, qvError* error)
{
    const struct
    {
        const char* name;
        const char* vertex;
        const char* fragment;
        GLuint* program;
    } rows[] = {
        { "mesh", qvuiMeshVertexShader, qvuiMeshFragmentShader, &r->meshProgram },
        { "fine", qvuiFineVertexShader, qvuiFineFragmentShader, &r->fineProgram },
        { "splat", qvuiSplatVertexShader, qvuiSplatFragmentShader, &r->splatProgram },
        { "wire", qvuiWireVertexShader, qvuiWireFragmentShader, &r->wireProgram },
        { "backdrop", qvuiScreenVertexShader, qvuiBackdropFragmentShader, &r->backdropProgram },
        { "grid", qvuiGroundVertexShader, qvuiGridFragmentShader, &r->gridProgram },
        { "shade", qvuiGroundVertexShader, qvuiShadeFragmentShader, &r->shadeProgram },
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
    {
        qvResult result = qvuiCreateProgram(rows[i].name, rows[i].vertex, rows[i].fragment, rows[i].program, error);
        if (result != qv_ok)
            return result;
    }
    return qv_ok;
}

static void CreateShadowTexture(qvuiRenderer* r)
{
    glGenTextures(1, &r->shadowTexture);
    glBindTexture(GL_TEXTURE_2D, r->shadowTexture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RG16, qvui_shadowSize, qvui_shadowSize, 0, GL_RG, GL_UNSIGNED_SHORT, NULL);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_BORDER);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_BORDER);
    glBindTexture(GL_TEXTURE_2D, 0);
}

qvResult qvuiCreateRenderer(qvuiRenderer** renderer, qvError* error)
{
    *renderer = NULL;
    if (epoxy_gl_version() < 33)
        return qvError_Set(error, qv_unsupported, "the graphics driver has OpenGL %d.%d; Quaver needs 3.3",
                           epoxy_gl_version() / 10, epoxy_gl_version() % 10);
    qvuiRenderer* made = calloc(1, sizeof(*made));
    if (made == NULL)
        return qvError_OutOfMemory(error, sizeof(*made));
    made->shadow = qvuiCreateShadow();
    qvResult result = made->shadow != NULL ? CreatePrograms(made, error) : qvError_OutOfMemory(error, 0.0);
    if (result == qv_ok)
        result = qvuiExtraPainter_Init(&made->extraPainter, error);
    if (result != qv_ok)
    {
        qvuiDestroyRenderer(made);
        return result;
    }
    made->fineCount = FINE;
    made->software = made->extraPainter.software = qvuiDrawsInSoftware();
    glGenVertexArrays(1, &made->emptyArrays);
    CreateShadowTexture(made);
    *renderer = made;
    return qv_ok;
}

int qvuiRenderer_BandRows(const qvuiRenderer* renderer)
{
    return renderer->software ? BAND : 0;
}

void qvuiRenderer_BeThorough(qvuiRenderer* renderer)
{
    renderer->software = renderer->extraPainter.software = false;
}

void qvuiDestroyRenderer(qvuiRenderer* renderer)
{
    if (renderer == NULL)
        return;
    const GLuint programs[] = { renderer->meshProgram, renderer->fineProgram,     renderer->splatProgram,
                                renderer->wireProgram, renderer->backdropProgram, renderer->gridProgram,
                                renderer->shadeProgram };
    for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++)
        glDeleteProgram(programs[i]);
    qvuiExtraPainter_Free(&renderer->extraPainter);
    qvuiDestroyShadow(renderer->shadow);
    qvuiSieve_Free(&renderer->sieve);
    glDeleteTextures(1, &renderer->shadowTexture);
    glDeleteFramebuffers(1, &renderer->groundFramebuffer);
    glDeleteTextures(1, &renderer->groundTexture);
    glDeleteVertexArrays(1, &renderer->emptyArrays);
    free(renderer);
}

double qvuiGroundHeight(qvBox rest)
{
    return fabs(rest.lower.y) < 0.02 * fmax(qvBox_Diagonal(rest), 1e-6) ? 0.0 : rest.lower.y;
}

// Height and scale come from the rest shape, so that the ground stays where it is when the body jumps; only the shadow
// follows.
static Ground FindGround(const qvuiSurface* surface, const qvuiLook* look)
{
    if (surface == NULL)
        return (Ground){ .size = 3.5, .extent = 1.0 };
    qvBox rest = qvuiSurface_RestBounds(surface), box = qvuiSurface_Bounds(surface);
    Ground ground;
    ground.size = fmax(qvBox_Diagonal(rest), 1e-6);
    ground.height = look->hasGround ? look->ground : qvuiGroundHeight(rest);
    ground.centreX = 0.5 * ((double)box.lower.x + box.upper.x);
    ground.centreZ = 0.5 * ((double)box.lower.z + box.upper.z);
    double halfX = 0.5 * ((double)box.upper.x - box.lower.x), halfZ = 0.5 * ((double)box.upper.z - box.lower.z);
    ground.extent = 1.2 * fmax(halfX, halfZ) + 0.18 * ground.size;
    return ground;
}

static void DrawScreenTriangle(const qvuiRenderer* r)
{
    glBindVertexArray(r->emptyArrays);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glBindVertexArray(0);
}

static void UpdateShadow(qvuiRenderer* r, const qvuiSurface* surface, const Ground* ground)
{
    if (r->shadowSurface == surface && r->shadowRevision == qvuiSurface_Revision(surface))
        return;
    r->shadowSurface = surface;
    r->shadowRevision = qvuiSurface_Revision(surface);
    qvuiShadowPlace place = { ground->centreX, ground->centreZ, ground->extent, ground->height, ground->size };
    const uint16_t* pixels = qvuiSurface_Shadow(surface, r->shadow, &place);
    glBindTexture(GL_TEXTURE_2D, r->shadowTexture);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, qvui_shadowSize, qvui_shadowSize, GL_RG, GL_UNSIGNED_SHORT, pixels);
    glBindTexture(GL_TEXTURE_2D, 0);
}

// A power of ten near a tenth of the size of what stands there.
static double GridSpacing(double size)
{
    return pow(10.0, floor(log10(size / 2.0)));
}

static void DrawBackdrop(const qvuiRenderer* r, double aspect)
{
    glUseProgram(r->backdropProgram);
    qvuiSetFloat(r->backdropProgram, "aspect", aspect);
    DrawScreenTriangle(r);
}

static Plane GroundPlane(const Ground* ground)
{
    return (Plane){ .origin = { 0.0, ground->height, 0.0 },
                    .axisU = { 1.0, 0.0, 0.0 },
                    .axisV = { 0.0, 0.0, 1.0 },
                    .centreU = ground->centreX,
                    .centreV = ground->centreZ,
                    .colorU = { 0.55, 0.25, 0.25 },
                    .colorV = { 0.22, 0.36, 0.58 } };
}

// In an orthographic view along x or z the ground is a line; the grid stands upright behind the body instead.
static Plane GridPlane(const qvuiCamera* camera, const Ground* ground)
{
    Plane plane = GroundPlane(ground);
    qvVec3 back = qvuiCamera_Frame(camera).back;
    bool alongX = fabs(back.x) > 0.9999, alongZ = fabs(back.z) > 0.9999;
    if (!camera->orthographic || (!alongX && !alongZ))
        return plane;
    plane.origin = qvMakeVec3(0.0, 0.0, 0.0);
    plane.axisU = alongX ? qvMakeVec3(0.0, 0.0, 1.0) : qvMakeVec3(1.0, 0.0, 0.0);
    plane.axisV = qvMakeVec3(0.0, 1.0, 0.0);
    plane.centreU = alongX ? ground->centreZ : ground->centreX;
    plane.centreV = ground->height + 0.3 * ground->size;
    plane.colorU = alongX ? plane.colorV : plane.colorU;
    plane.colorV = qvMakeVec3(0.27, 0.42, 0.18);
    return plane;
}

// A square in a plane with a program that is in use.
static void DrawSquare(const qvuiRenderer* r, GLuint program, const qvuiMatrices* matrices, const Plane* plane,
                       double extent)
{
    qvuiSetMatrix(program, "view", &matrices->view);
    qvuiSetMatrix(program, "projection", &matrices->projection);
    qvuiSetVec3(program, "origin", plane->origin);
    qvuiSetVec3(program, "axisU", plane->axisU);
    qvuiSetVec3(program, "axisV", plane->axisV);
    qvuiSetVec2(program, "centre", plane->centreU, plane->centreV);
    qvuiSetFloat(program, "extent", extent);
    glBindVertexArray(r->emptyArrays);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glBindVertexArray(0);
}

static void DrawGrid(const qvuiRenderer* r, const qvuiCamera* camera, const qvuiLook* look, const Ground* ground,
                     const qvuiMatrices* matrices)
{
    GLuint program = r->gridProgram;
    qvuiCameraFrame frame = qvuiCamera_Frame(camera);
    Plane plane = GridPlane(camera, ground);
    double reach = fmax(2.2 * ground->size, 1.2 * camera->distance);
    glUseProgram(program);
    // How steeply a ray meets the plane: as the sine, or times the length of the ray, which is the height of the eye.
    qvVec3 normal = qvCross(plane.axisU, plane.axisV);
    double height = qvDot(qvSub(frame.eye, plane.origin), normal), sine = qvDot(frame.back, normal);
    qvuiSetVec3(program, "eye", frame.eye);
    qvuiSetFloat(program, "tilt", fabs(camera->orthographic ? sine : height));
    qvuiSetVec3(program, "colorU", plane.colorU);
    qvuiSetVec3(program, "colorV", plane.colorV);
    qvuiSetInt(program, "orthographic", camera->orthographic);
    qvuiSetFloat(program, "spacing", GridSpacing(ground->size));
    qvuiSetFloat(program, "perSpacing", 1.0 / GridSpacing(ground->size));
    qvuiSetFloat(program, "perReach", 1.0 / reach);
    qvuiSetFloat(program, "lineWidth", look->pixelScale);
    // Beyond twice the reach less than 2 % is left of a line.
    DrawSquare(r, program, matrices, &plane, 2.0 * reach);
}

static void DrawShade(const qvuiRenderer* r, const Ground* ground, const qvuiMatrices* matrices)
{
    Plane plane = GroundPlane(ground);
    glUseProgram(r->shadeProgram);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, r->shadowTexture);
    qvuiSetInt(r->shadeProgram, "shadowMap", 0);
    DrawSquare(r, r->shadeProgram, matrices, &plane, ground->extent);
}

// Where a grid fades with the distance, it need not follow each step of the body: no shade changes by such a part.
static double Coarse(double place, double size)
{
    double step = 0.1 * size;
    return step * floor(place / step + 0.5);
}

static GroundKey MakeGroundKey(const qvuiTarget* target, const qvuiCamera* camera, const qvuiLook* look,
                               const Ground* ground)
{
    GroundKey key;
    memset(&key, 0, sizeof(key)); // padding compares too
    memcpy(&key.camera, camera, sizeof(key.camera));
    key.height = ground->height;
    key.size = ground->size;
    key.centreX = ground->centreX;
    key.centreZ = ground->centreZ;
    key.pixelScale = look->pixelScale;
    key.backdrop = look->backdrop;
    key.grid = look->grid;
    key.pixels[0] = target->width;
    key.pixels[1] = target->height;
    return key;
}

static void ResizeGround(qvuiRenderer* r, int width, int height)
{
    if (r->groundTexture != 0 && r->groundKey.pixels[0] == width && r->groundKey.pixels[1] == height)
        return;
    if (r->groundFramebuffer == 0)
        glGenFramebuffers(1, &r->groundFramebuffer);
    glDeleteTextures(1, &r->groundTexture);
    r->groundTexture = qvuiCreateScreenTexture(width, height);
    glBindFramebuffer(GL_FRAMEBUFFER, r->groundFramebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, r->groundTexture, 0);
}

// Grid and shadow lie behind the mesh; they may reach beyond the depth range that the mesh needs.
static void BeginGround(void)
{
    glEnable(GL_DEPTH_CLAMP);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
}

static void EndGround(void)
{
    glDisable(GL_BLEND);
    glDisable(GL_DEPTH_CLAMP);
}

// Notes that rows of the ground are drawn; false: they are there already. isSame: those that are there still hold.
static bool AddGroundRows(qvuiRenderer* r, const int rows[2], bool isSame)
{
    int* known = r->groundRows;
    if (isSame && known[0] <= rows[0] && rows[1] <= known[1])
        return false;
    bool follows = isSame && known[1] == rows[0];
    known[0] = follows ? known[0] : rows[0];
    known[1] = rows[1];
    return true;
}

static void UpdateGround(qvuiRenderer* r, const qvuiTarget* target, const qvuiCamera* camera, const qvuiLook* look,
                         const Ground* ground, const qvuiMatrices* matrices)
{
    Ground coarse = *ground;
    coarse.centreX = Coarse(ground->centreX, ground->size);
    coarse.centreZ = Coarse(ground->centreZ, ground->size);
    GroundKey key = MakeGroundKey(target, camera, look, &coarse);
    int rows[2];
    qvuiTarget_FindRows(target, rows);
    if (!AddGroundRows(r, rows, memcmp(&key, &r->groundKey, sizeof(key)) == 0))
        return;
    ResizeGround(r, target->width, target->height);
    memcpy(&r->groundKey, &key, sizeof(key));
    glBindFramebuffer(GL_FRAMEBUFFER, r->groundFramebuffer);
    glViewport(0, 0, target->width, target->height);
    glEnable(GL_SCISSOR_TEST);
    glScissor(0, rows[0], target->width, rows[1] - rows[0]);
    glDisable(GL_DEPTH_TEST);
    glClearColor(0, 0, 0, 0);
    if (look->backdrop)
        DrawBackdrop(r, (double)target->width / target->height);
    else
        glClear(GL_COLOR_BUFFER_BIT);
    BeginGround();
    if (look->grid)
        DrawGrid(r, camera, look, &coarse, matrices);
    EndGround();
    glDisable(GL_SCISSOR_TEST);
}

// Into the target, which is bound for drawing.
static void CopyGround(const qvuiRenderer* r, const qvuiTarget* target)
{
    int width = target->width, rows[2], first = qvuiTarget_FirstRow(target);
    qvuiTarget_FindRows(target, rows);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, r->groundFramebuffer);
    glBlitFramebuffer(0, rows[0], width, rows[1], 0, rows[0] - first, width, rows[1] - first, GL_COLOR_BUFFER_BIT,
                      GL_NEAREST);
}

static bool IsWithin(qvBox box, qvVec3 p)
{
    return p.x >= box.lower.x && p.x <= box.upper.x && p.y >= box.lower.y && p.y <= box.upper.y && p.z >= box.lower.z &&
           p.z <= box.upper.z;
}

// The inside of a body only shows where a stroke turned it inside out.
static bool ShowsFrontOnly(const qvuiRenderer* r, const qvuiCamera* camera, const qvuiLook* look,
                           const qvuiSurface* surface)
{
    return look->hasty && qvuiSurface_IsSolid(surface) && qvuiSurface_TriangleCount(surface) >= r->fineCount &&
           !IsWithin(qvuiSurface_Bounds(surface), qvuiCamera_Frame(camera).eye);
}

static void DrawSurface(qvuiRenderer* r, const qvuiTarget* target, const qvuiCamera* camera, const qvuiLook* look,
                        const Ground* ground, const qvuiMatrices* matrices, const qvuiSurface* surface)
{
    // Without a graphics card every triangle is work.
    bool sifts = r->software && target->samples == 0;
    qvuiSieveView view = { .matrix = qvuiMatrix_Multiply(&matrices->projection, &matrices->view),
                           .width = target->width,
                           .height = target->height,
                           .frontOnly = sifts && ShowsFrontOnly(r, camera, look, surface) };
    bool fine = view.frontOnly && !look->flat && !qvuiSurface_HasTextures(surface);
    GLuint program = look->splats ? r->splatProgram : fine ? r->fineProgram : r->meshProgram;
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LEQUAL);
    glFrontFace(GL_CW); // because rows count downwards
    glUseProgram(program);
    qvuiSetMatrix(program, "view", &matrices->view);
    qvuiSetMatrix(program, "projection", &matrices->projection);
    qvuiSetInt(program, "flatShading", look->flat);
    qvuiSetInt(program, "orthographic", camera->orthographic);
    qvuiSetFloat(program, "groundHeight", ground->height);
    qvuiSetFloat(program, "occlusionHeight", 0.16 * ground->size);
    qvuiSetInt(program, "heatRamp", qvuiSurface_HasHeat(surface) ? (int)look->heat : 0);
    qvuiSetInt(program, "picture", 0);
    qvuiSetFloat(program, "pixelRows", target->height);
    if (!look->hidden && look->splats)
        qvuiSurface_DrawSplats(surface);
    else if (!look->hidden)
        qvuiSurface_DrawParts(surface, sifts ? &r->sieve : NULL, &view);
    if (look->wireframe)
    {
        glEnable(GL_BLEND);
        glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
        glUseProgram(r->wireProgram);
        qvuiSetMatrix(r->wireProgram, "view", &matrices->view);
        qvuiSetMatrix(r->wireProgram, "projection", &matrices->projection);
        qvuiSetColor(r->wireProgram, "lineColor", (qvColor){ 0.06f, 0.065f, 0.08f, 0.55f });
        qvuiSurface_DrawEdges(surface);
        glDisable(GL_BLEND);
    }
    glFrontFace(GL_CCW);
    glDisable(GL_DEPTH_TEST);
}

// Targets have their top row first, as windows have; OpenGL counts from the bottom.
static void FlipRows(qvuiMatrix* projection)
{
    for (int column = 0; column < 4; column++)
        projection->m[4 * column + 1] = -projection->m[4 * column + 1];
}

// The box around both; one that is empty does not count.
static qvBox Unite(qvBox a, qvBox b)
{
    if (a.lower.x > a.upper.x)
        return b;
    return (qvBox){ { fminf(a.lower.x, b.lower.x), fminf(a.lower.y, b.lower.y), fminf(a.lower.z, b.lower.z) },
                    { fmaxf(a.upper.x, b.upper.x), fmaxf(a.upper.y, b.upper.y), fmaxf(a.upper.z, b.upper.z) } };
}

void qvuiRenderer_Draw(qvuiRenderer* renderer, const qvuiTarget* target, const qvuiCamera* camera, const qvuiLook* look,
                       const qvuiSurface* surface, const qvuiExtra* extras, int extraCount)
{
    Ground ground = FindGround(surface, look);
    double aspect = (double)target->width / target->height;
    // From below the ground is glass.
    bool hasShadow = surface != NULL && look->shadow && qvuiCamera_Frame(camera).eye.y >= ground.height;
    qvBox bounds = { { 1, 1, 1 }, { -1, -1, -1 } };
    if (surface != NULL)
        bounds = qvuiSurface_Bounds(surface);
    if (look->scenery != NULL)
        bounds = Unite(bounds, qvuiSurface_Bounds(look->scenery));
    qvuiMatrices matrices;
    qvuiCamera_Matrices(camera, aspect, bounds, &matrices.view, &matrices.projection);
    FlipRows(&matrices.projection);
    glDisable(GL_SCISSOR_TEST);
    glDisable(GL_CULL_FACE);
    glDisable(GL_BLEND);
    if (hasShadow)
        UpdateShadow(renderer, surface, &ground);
    UpdateGround(renderer, target, camera, look, &ground, &matrices);
    qvuiTarget_Begin(target);
    glDisable(GL_DEPTH_TEST);
    glClear(GL_DEPTH_BUFFER_BIT);
    CopyGround(renderer, target);
    BeginGround();
    if (hasShadow)
        DrawShade(renderer, &ground, &matrices);
    EndGround();
    qvuiExtraScene scene = { target, &matrices, look->pixelScale };
    qvuiExtraPainter_DrawBehind(&renderer->extraPainter, &scene, extras, extraCount);
    if (surface != NULL)
        DrawSurface(renderer, target, camera, look, &ground, &matrices, surface);
    if (look->scenery != NULL)
    {
        const qvuiLook plain = { .pixelScale = look->pixelScale };
        DrawSurface(renderer, target, camera, &plain, &ground, &matrices, look->scenery);
    }
    qvuiExtraPainter_DrawBefore(&renderer->extraPainter, &scene, extras, extraCount);
    qvuiTarget_End(target);
}

// What a first picture may need, the usual first.
static const struct
{
    int samples;
    bool fine, wireframe, ghost;
} warmSteps[] = { { .samples = 0 },
                  { .samples = 4 },
                  { .samples = 0, .fine = true },
                  { .samples = 0, .ghost = true },
                  { .samples = 4, .ghost = true },
                  { .samples = 0, .wireframe = true },
                  { .samples = 4, .wireframe = true } };

static void DrawWarm(qvuiRenderer* r, int step, const qvuiTarget* target, const qvuiSurface* surface)
{
    qvuiCamera camera = qvuiDefaultCamera();
    qvuiLook look = qvuiDefaultLook();
    look.hasty = warmSteps[step].fine;
    look.wireframe = warmSteps[step].wireframe;
    qvuiGhost* ghost = NULL;
    qvError ignored;
    bool ghosts = warmSteps[step].ghost && qvuiCreateGhost(surface, &ghost, &ignored) == qv_ok;
    qvuiExtra extra = qvuiGhostBefore(ghost);
    qvuiCamera_Focus(&camera, qvuiSurface_Bounds(surface), 1.0);
    r->fineCount = 0;
    qvuiRenderer_Draw(r, target, &camera, &look, surface, &extra, ghosts);
    r->fineCount = FINE;
    qvuiWaitForDrawing();
    qvuiDestroyGhost(ghost);
}

bool qvuiRenderer_WarmUp(qvuiRenderer* renderer, int step)
{
    int count = sizeof(warmSteps) / sizeof(warmSteps[0]);
    if (step >= count)
        return false;
    qvMesh* mesh = NULL;
    qvuiSurface* surface = NULL;
    qvuiTarget target = { 0 };
    int size = warmSteps[step].ghost ? 95 : 15; // a ghost has an inside only where it is large
    qvError ignored;                            // a picture that cannot be drawn says so when it is wanted
    if (qvCreatePrimitive("block", 1, &mesh, &ignored) == qv_ok &&
        qvuiCreateSurface(mesh, &surface, &ignored) == qv_ok &&
        qvuiTarget_Resize(&target, size, size, warmSteps[step].samples, &ignored) == qv_ok)
        DrawWarm(renderer, step, &target, surface);
    qvuiTarget_Free(&target);
    qvuiDestroySurface(surface);
    qvDestroyMesh(mesh);
    return step + 1 < count;
}
