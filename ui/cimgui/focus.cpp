// SPDX-License-Identifier: GPL-3.0-or-later
#include "focus.h"

#include <imgui.h>
#include <imgui_internal.h>

void qvui_BeginTabStops(bool arrows)
{
    ImGuiContext& g = *ImGui::GetCurrentContext();
    bool tabbing = (g.NavMoveFlags & ImGuiNavMoveFlags_Tabbing) != 0;
    ImGui::PushItemFlag(ImGuiItemFlags_Inputable, true);
    if (g.NavMoveSubmitted && tabbing)
    {
        // ImGui goes on from an item that is active only, where the ring is says it as well.
        if (g.NavTabbingDir == 0 && g.NavId != 0 && !g.NavDisableHighlight)
            g.NavTabbingDir = 1;
        g.NavDisableHighlight = false;
    }
    else if (g.NavMoveSubmitted && !arrows)
        ImGui::NavMoveRequestCancel();
}

void qvui_EndTabStops(void)
{
    ImGui::PopItemFlag();
}

void qvui_SkipTabStops(void)
{
    ImGui::PushItemFlag(ImGuiItemFlags_NoTabStop, true);
}

bool qvui_IsItemEntered(void)
{
    const ImGuiContext& g = *ImGui::GetCurrentContext();
    bool focused = ImGui::IsItemFocused() && g.IO.NavVisible;
    bool disabled = (g.LastItemData.InFlags & ImGuiItemFlags_Disabled) != 0;
    return focused && !disabled && ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Enter), false);
}

void qvui_ClosePopups(int remaining)
{
    // With the keyboard's navigation on ImGui has closed one by itself when Esc was pressed.
    if (ImGui::GetCurrentContext()->OpenPopupStack.Size > remaining)
        ImGui::ClosePopupToLevel(remaining, true);
}
