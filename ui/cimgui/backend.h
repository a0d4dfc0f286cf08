// SPDX-License-Identifier: GPL-3.0-or-later
/// Dear ImGui's SDL2 and OpenGL 3 backends and its FreeType font builder for C: they have C++ linkage in the library.
#pragma once

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

struct ImDrawData;
struct ImFontAtlas;
union SDL_Event;
struct SDL_Window;

bool qvui_InitSdl(struct SDL_Window* window, void* glContext);
void qvui_ShutdownSdl(void);
void qvui_NewFrameSdl(void);
bool qvui_ProcessEventSdl(const union SDL_Event* event);

bool qvui_InitGl(const char* glslVersion);
void qvui_ShutdownGl(void);
void qvui_NewFrameGl(void);
void qvui_RenderDrawDataGl(struct ImDrawData* data);

/// Uploads the font atlas again after it was rebuilt.
bool qvui_RecreateFontTextureGl(void);

/// Makes the atlas rasterize with FreeType, hinted vertically only.
void qvui_UseFreeType(struct ImFontAtlas* atlas);

#ifdef __cplusplus
}
#endif
