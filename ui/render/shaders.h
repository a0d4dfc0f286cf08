// SPDX-License-Identifier: GPL-3.0-or-later
/// GLSL 3.30 sources; program.c puts the version line before them.
#pragma once

/// Body of a mesh: hemisphere light, a key light fixed to the camera, a soft highlight.
extern const char qvuiMeshVertexShader[];
extern const char qvuiMeshFragmentShader[];

/// Lines over the mesh in one colour.
extern const char qvuiWireVertexShader[];
extern const char qvuiWireFragmentShader[];

/// One triangle that covers the picture; passes on place in [-1, 1].
extern const char qvuiScreenVertexShader[];

/// Backdrop, ground grid and contact shadow in one pass.
extern const char qvuiGroundFragmentShader[];

/// The mesh seen from below, as how much it darkens the ground near (r) and far (g) contact.
extern const char qvuiShadowVertexShader[];
extern const char qvuiShadowFragmentShader[];

/// One direction of a Gaussian blur, narrow in r, wide in g.
extern const char qvuiBlurFragmentShader[];
