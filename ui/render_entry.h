// SPDX-License-Identifier: GPL-3.0-or-later
/// Pictures of a mesh without a window, for the command line.
///
///     qvuiPainterDef def = qvuiDefaultPainterDef();
///     def.width = 1280, def.height = 720;
///     qvuiPainter* painter;
///     qvResult result = qvuiCreatePainter(mesh, &def, &painter, &error);
///     result = qvuiPainter_Draw(painter, NULL, 0.0, &image, &error);
///     qvuiDestroyPainter(painter);
#pragma once

#include "quaver/image.h"
#include "quaver/job.h"
#include "quaver/mesh.h"
#include "quaver/scene.h"

#include <stdbool.h>

typedef struct qvuiPainterDef
{
    int width, height;  ///< pixels, 1 to qv_maxImageSize; default 1600 x 900
    int samples;        ///< per pixel for smooth edges, lowered to what the driver has; default 8
    double yaw, pitch;  ///< where the camera stands, radians; default three quarters from the right
    bool orthographic;  ///< default false
    bool transparent;   ///< no backdrop; default false
    bool grid;          ///< lines on the ground; default true
    bool shadow;        ///< contact shadow; default true
    bool flat;          ///< one shade per triangle; default false
    bool wireframe;     ///< default false
    bool splats;        ///< round discs at the vertices instead of triangles; default false
    const char* folder; ///< where textures in files of their own are; default NULL: no textures
    const qvJob* job;   ///< asked while textures are read and large pictures are drawn, told which textures have fewer
                        ///< pixels there; stays as long as the painter; default NULL: nobody
    qvBox frame;        ///< what to put into the picture; default empty: the mesh's bounds
    bool hasGround;     ///< the ground is at `ground`, along y; default false: where the mesh stands
    double ground;      ///< y
    bool turns;         ///< it stays in the picture from every side; default false

    const qvSceneCamera* camera; ///< as it is, instead of yaw, pitch, orthographic and frame; default NULL: those
} qvuiPainterDef;

qvuiPainterDef qvuiDefaultPainterDef(void);

/// One mesh, one camera, any number of pictures. One per thread at a time: it holds an OpenGL context.
typedef struct qvuiPainter qvuiPainter;

/// The mesh may go afterwards. Fails when this machine cannot draw without a window.
QV_CHECKED qvResult qvuiCreatePainter(const qvMesh* mesh, const qvuiPainterDef* def, qvuiPainter** painter,
                                      qvError* error);

/// NULL is allowed.
void qvuiDestroyPainter(qvuiPainter* painter);

/// Draws the vertices at positions (NULL: the rest shape), with the camera turned by yaw radians. image is made by the
/// caller with the size of the definition. Fails only when the job refuses.
QV_CHECKED qvResult qvuiPainter_Draw(qvuiPainter* painter, const qvVec3f* positions, double yaw, qvImage* image,
                                     qvError* error);

/// The next pictures show another mesh where it is, whatever positions they are given; NULL: the painter's own again.
QV_CHECKED qvResult qvuiPainter_SetMesh(qvuiPainter* painter, const qvMesh* mesh, qvError* error);

/// Something that stands beside the body; NULL: nothing. Afterwards its vertices may be moved.
QV_CHECKED qvResult qvuiPainter_SetScenery(qvuiPainter* painter, const qvMesh* mesh, qvError* error);
void qvuiPainter_MoveScenery(qvuiPainter* painter, const qvVec3f* positions);

/// Silhouettes behind and over the next pictures: where the body was (blue) and where it will be (amber dashes).
/// Vertices as for qvuiPainter_Draw; NULL: none.
QV_CHECKED qvResult qvuiPainter_SetGhosts(qvuiPainter* painter, const qvVec3f* before, const qvVec3f* after,
                                          qvError* error);

/// Colours the next pictures by a value of 0 to 1 per point of the mesh (NULL: by its own colours again). waves: the
/// body keeps its colour at 0 and is coral at 1; else a scale from dark blue to straw.
void qvuiPainter_SetHeat(qvuiPainter* painter, const float* values, bool waves);

/// The next pictures show these points instead of the mesh, coloured by a value of 0 to 1 each, and their arrows;
/// without points: the mesh again. Arrays stay the caller's until the picture is drawn.
void qvuiPainter_SetBalls(qvuiPainter* painter, const qvShownPoints* shown);

/// One picture of the rest shape; the caller frees it with qvDestroyImage.
QV_CHECKED qvResult qvuiRenderStill(const qvMesh* mesh, const qvuiPainterDef* def, qvImage* image, qvError* error);
