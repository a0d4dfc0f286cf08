// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend.h"

#include <backends/imgui_impl_sdl.h>
#include <imgui.h>
#include <imgui_freetype.h>

bool qvui_InitSdl(SDL_Window* window, void* glContext)
{
    return ImGui_ImplSDL2_InitForOpenGL(window, glContext);
}

void qvui_ShutdownSdl(void)
{
    ImGui_ImplSDL2_Shutdown();
}

void qvui_NewFrameSdl(void)
{
    ImGui_ImplSDL2_NewFrame();
}

bool qvui_ProcessEventSdl(const SDL_Event* event)
{
    return ImGui_ImplSDL2_ProcessEvent(event);
}

void qvui_UseFreeType(ImFontAtlas* atlas)
{
    atlas->FontBuilderIO = ImGuiFreeType::GetBuilderForFreeType();
    atlas->FontBuilderFlags = ImGuiFreeTypeBuilderFlags_LightHinting;
}
