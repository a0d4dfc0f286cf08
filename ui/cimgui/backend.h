// SPDX-License-Identifier: GPL-3.0-or-later
/// Dear ImGui's SDL2 backend and its FreeType font builder for C: they have C++ linkage in the library. What ImGui
/// draws is put on the screen by ui/window/compositor.h.
#pragma once

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

struct ImFontAtlas;
union SDL_Event;
struct SDL_Window;

bool qvui_InitSdl(struct SDL_Window* window, void* glContext);
void qvui_ShutdownSdl(void);
void qvui_NewFrameSdl(void);
bool qvui_ProcessEventSdl(const union SDL_Event* event);

/// Makes the atlas rasterize with FreeType, hinted vertically only.
void qvui_UseFreeType(struct ImFontAtlas* atlas);

#ifdef __cplusplus
}
#endif
