// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend.h"

#include <backends/imgui_impl_opengl3.h>
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

bool qvui_InitGl(const char* glslVersion)
{
    return ImGui_ImplOpenGL3_Init(glslVersion);
}

void qvui_ShutdownGl(void)
{
    ImGui_ImplOpenGL3_Shutdown();
}

void qvui_NewFrameGl(void)
{
    ImGui_ImplOpenGL3_NewFrame();
}

void qvui_RenderDrawDataGl(ImDrawData* data)
{
    ImGui_ImplOpenGL3_RenderDrawData(data);
}

bool qvui_RecreateFontTextureGl(void)
{
    ImGui_ImplOpenGL3_DestroyFontsTexture();
    return ImGui_ImplOpenGL3_CreateFontsTexture();
}

void qvui_UseFreeType(ImFontAtlas* atlas)
{
    atlas->FontBuilderIO = ImGuiFreeType::GetBuilderForFreeType();
    atlas->FontBuilderFlags = ImGuiFreeTypeBuilderFlags_LightHinting;
}
