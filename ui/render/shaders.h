// SPDX-License-Identifier: GPL-3.0-or-later
/// GLSL 3.30 sources; program.c puts the version line before them.
#pragma once

/// Body of a mesh: hemisphere light, a key light fixed to the camera, a soft highlight.
extern const char qvuiMeshVertexShader[];
extern const char qvuiMeshFragmentShader[];

/// The same from outside and without a texture, shaded at its vertices: for triangles not much larger than pixels.
extern const char qvuiFineVertexShader[];
extern const char qvuiFineFragmentShader[];

/// Round discs on the surface, one at each vertex, lit as the body is; those that face away are seen from inside.
extern const char qvuiSplatVertexShader[];
extern const char qvuiSplatFragmentShader[];

/// Lines over the mesh in one colour.
extern const char qvuiWireVertexShader[];
extern const char qvuiWireFragmentShader[];

/// One triangle that covers the picture; passes on place in [-1, 1].
extern const char qvuiScreenVertexShader[];

/// What is behind everything.
extern const char qvuiBackdropFragmentShader[];

/// A square on the ground or upright (four vertices of a strip), spanned by two axes; passes on its two coordinates.
/// Grid and contact shadow lie on it, with colours multiplied by alpha.
extern const char qvuiGroundVertexShader[];
extern const char qvuiGridFragmentShader[];
extern const char qvuiShadeFragmentShader[];

/// Ghosts: what they cover as a mask, the mask as opacity of fill and outline, and that as a colour over the picture.
extern const char qvuiMaskVertexShader[];
extern const char qvuiMaskFragmentShader[];
extern const char qvuiTileVertexShader[], qvuiInsideFragmentShader[];
extern const char qvuiOutlineFragmentShader[];
extern const char qvuiLayerFragmentShader[];

/// Round dots of a size in pixels.
extern const char qvuiDotVertexShader[];
extern const char qvuiDotFragmentShader[];

/// Balls of a radius in the scene, lit from the camera.
extern const char qvuiBallVertexShader[];
extern const char qvuiBallFragmentShader[];

/// Solid arrows from points, made in the shader: QVUI_ARROW_VERTICES of each.
extern const char qvuiArrowVertexShader[], qvuiArrowFragmentShader[];
#define QVUI_ARROW_VERTICES 108

/// A plane with a fine edge, on the square of the ground.
extern const char qvuiPlaneFragmentShader[];
