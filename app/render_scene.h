// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures and films of a scene, drawn without a window.
#pragma once

#include "quaver/result.h"
#include "ui/render_entry.h"

typedef struct SceneRender
{
    const char *input, *output;
    double time;     // s, of a still; not a number: the scene's start
    double fps;      // of a film; 0: the scene's
    bool turntable;  // one turn of the camera about its target over the film
    bool ghosts;     // the keys before and after, as silhouettes
    bool wavefronts; // coloured by the waves
} SceneRender;

/// A still for .png, a film for .gif and .mp4. def holds size and look; its camera is set here: the scene's, or
/// one that holds the whole motion.
QV_CHECKED qvResult RenderScene(const SceneRender* render, const qvuiPainterDef* def, qvError* error);
