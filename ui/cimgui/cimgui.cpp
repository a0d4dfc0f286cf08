// SPDX-License-Identifier: GPL-3.0-or-later
// The binding of cimgui.h. Each function forwards to the one of the same name; nothing else happens here.
#include <imgui.h>
#include <imgui_internal.h>

#include "cimgui.h"

// --- Context and frame
ImGuiContext* igCreateContext(ImFontAtlas* shared_font_atlas)
{
    return ImGui::CreateContext(shared_font_atlas);
}

void igDestroyContext(ImGuiContext* ctx)
{
    ImGui::DestroyContext(ctx);
}

ImGuiIO* igGetIO(void)
{
    return &ImGui::GetIO();
}

ImGuiStyle* igGetStyle(void)
{
    return &ImGui::GetStyle();
}

void igNewFrame(void)
{
    ImGui::NewFrame();
}

void igRender(void)
{
    ImGui::Render();
}

ImDrawData* igGetDrawData(void)
{
    return ImGui::GetDrawData();
}

const char* igGetVersion(void)
{
    return ImGui::GetVersion();
}

bool igDebugCheckVersionAndDataLayout(const char* version_str, size_t sz_io, size_t sz_style, size_t sz_vec2,
                                      size_t sz_vec4, size_t sz_drawvert, size_t sz_drawidx)
{
    return ImGui::DebugCheckVersionAndDataLayout(version_str, sz_io, sz_style, sz_vec2, sz_vec4, sz_drawvert,
                                                 sz_drawidx);
}

double igGetTime(void)
{
    return ImGui::GetTime();
}

ImGuiStyle* ImGuiStyle_ImGuiStyle(void)
{
    return IM_NEW(ImGuiStyle)();
}

void ImGuiStyle_destroy(ImGuiStyle* self)
{
    IM_DELETE(self);
}

void ImGuiStyle_ScaleAllSizes(ImGuiStyle* self, float scale_factor)
{
    self->ScaleAllSizes(scale_factor);
}

// --- Windows
bool igBegin(const char* name, bool* p_open, ImGuiWindowFlags flags)
{
    return ImGui::Begin(name, p_open, flags);
}

void igEnd(void)
{
    ImGui::End();
}

bool igBeginChild_Str(const char* str_id, const ImVec2 size, bool border, ImGuiWindowFlags flags)
{
    return ImGui::BeginChild(str_id, size, border, flags);
}

void igEndChild(void)
{
    ImGui::EndChild();
}

bool igIsWindowAppearing(void)
{
    return ImGui::IsWindowAppearing();
}

bool igIsWindowHovered(ImGuiHoveredFlags flags)
{
    return ImGui::IsWindowHovered(flags);
}

ImDrawList* igGetWindowDrawList(void)
{
    return ImGui::GetWindowDrawList();
}

void igSetNextWindowPos(const ImVec2 pos, ImGuiCond cond, const ImVec2 pivot)
{
    ImGui::SetNextWindowPos(pos, cond, pivot);
}

void igSetNextWindowSize(const ImVec2 size, ImGuiCond cond)
{
    ImGui::SetNextWindowSize(size, cond);
}

void igSetNextWindowSizeConstraints(const ImVec2 size_min, const ImVec2 size_max, ImGuiSizeCallback custom_callback,
                                    void* custom_callback_data)
{
    ImGui::SetNextWindowSizeConstraints(size_min, size_max, custom_callback, custom_callback_data);
}

void igGetWindowPos(ImVec2* pOut)
{
    *pOut = ImGui::GetWindowPos();
}

void igGetWindowSize(ImVec2* pOut)
{
    *pOut = ImGui::GetWindowSize();
}

void igGetContentRegionAvail(ImVec2* pOut)
{
    *pOut = ImGui::GetContentRegionAvail();
}

float igGetScrollY(void)
{
    return ImGui::GetScrollY();
}

void igSetScrollY_Float(float scroll_y)
{
    ImGui::SetScrollY(scroll_y);
}

void igSetScrollHereY(float center_y_ratio)
{
    ImGui::SetScrollHereY(center_y_ratio);
}

ImGuiWindow* igGetCurrentWindow(void)
{
    return ImGui::GetCurrentWindow();
}

void igScrollToRect(ImGuiWindow* window, const ImRect rect, ImGuiScrollFlags flags)
{
    ImGui::ScrollToRect(window, rect, flags);
}

// --- Style and fonts
void igPushFont(ImFont* font)
{
    ImGui::PushFont(font);
}

void igPopFont(void)
{
    ImGui::PopFont();
}

void igPushStyleColor_U32(ImGuiCol idx, ImU32 col)
{
    ImGui::PushStyleColor(idx, col);
}

void igPopStyleColor(int count)
{
    ImGui::PopStyleColor(count);
}

void igPushStyleVar_Float(ImGuiStyleVar idx, float val)
{
    ImGui::PushStyleVar(idx, val);
}

void igPushStyleVar_Vec2(ImGuiStyleVar idx, const ImVec2 val)
{
    ImGui::PushStyleVar(idx, val);
}

void igPopStyleVar(int count)
{
    ImGui::PopStyleVar(count);
}

void igSetNextItemWidth(float item_width)
{
    ImGui::SetNextItemWidth(item_width);
}

void igPushTextWrapPos(float wrap_local_pos_x)
{
    ImGui::PushTextWrapPos(wrap_local_pos_x);
}

void igPopTextWrapPos(void)
{
    ImGui::PopTextWrapPos();
}

float igGetFontSize(void)
{
    return ImGui::GetFontSize();
}

ImU32 igGetColorU32_U32(ImU32 col)
{
    return ImGui::GetColorU32(col);
}

void igCalcTextSize(ImVec2* pOut, const char* text, const char* text_end, bool hide_text_after_double_hash,
                    float wrap_width)
{
    *pOut = ImGui::CalcTextSize(text, text_end, hide_text_after_double_hash, wrap_width);
}

ImFontConfig* ImFontConfig_ImFontConfig(void)
{
    return IM_NEW(ImFontConfig)();
}

void ImFontConfig_destroy(ImFontConfig* self)
{
    IM_DELETE(self);
}

ImFont* ImFontAtlas_AddFontFromFileTTF(ImFontAtlas* self, const char* filename, float size_pixels,
                                       const ImFontConfig* font_cfg, const ImWchar* glyph_ranges)
{
    return self->AddFontFromFileTTF(filename, size_pixels, font_cfg, glyph_ranges);
}

bool ImFontAtlas_Build(ImFontAtlas* self)
{
    return self->Build();
}

void ImFontAtlas_Clear(ImFontAtlas* self)
{
    self->Clear();
}

void ImFontAtlas_GetTexDataAsAlpha8(ImFontAtlas* self, unsigned char** out_pixels, int* out_width, int* out_height,
                                    int* out_bytes_per_pixel)
{
    self->GetTexDataAsAlpha8(out_pixels, out_width, out_height, out_bytes_per_pixel);
}

void ImFontAtlas_SetTexID(ImFontAtlas* self, ImTextureID id)
{
    self->SetTexID(id);
}

void igGetFontTexUvWhitePixel(ImVec2* pOut)
{
    *pOut = ImGui::GetFontTexUvWhitePixel();
}

void ImFont_CalcTextSizeA(ImVec2* pOut, ImFont* self, float size, float max_width, float wrap_width,
                          const char* text_begin, const char* text_end, const char** remaining)
{
    *pOut = self->CalcTextSizeA(size, max_width, wrap_width, text_begin, text_end, remaining);
}

const ImFontGlyph* ImFont_FindGlyphNoFallback(const ImFont* self, ImWchar c)
{
    return self->FindGlyphNoFallback(c);
}

// --- Layout and identity
void igSeparator(void)
{
    ImGui::Separator();
}

void igSameLine(float offset_from_start_x, float spacing)
{
    ImGui::SameLine(offset_from_start_x, spacing);
}

void igSpacing(void)
{
    ImGui::Spacing();
}

void igDummy(const ImVec2 size)
{
    ImGui::Dummy(size);
}

float igGetCursorPosX(void)
{
    return ImGui::GetCursorPosX();
}

void igSetCursorPosX(float local_x)
{
    ImGui::SetCursorPosX(local_x);
}

void igGetCursorScreenPos(ImVec2* pOut)
{
    *pOut = ImGui::GetCursorScreenPos();
}

void igSetCursorScreenPos(const ImVec2 pos)
{
    ImGui::SetCursorScreenPos(pos);
}

void igAlignTextToFramePadding(void)
{
    ImGui::AlignTextToFramePadding();
}

void igPushID_Str(const char* str_id)
{
    ImGui::PushID(str_id);
}

void igPushID_Int(int int_id)
{
    ImGui::PushID(int_id);
}

void igPopID(void)
{
    ImGui::PopID();
}

ImGuiID igGetID_Str(const char* str_id)
{
    return ImGui::GetID(str_id);
}

// --- Widgets
void igTextUnformatted(const char* text, const char* text_end)
{
    ImGui::TextUnformatted(text, text_end);
}

void igText(const char* fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    ImGui::TextV(fmt, args);
    va_end(args);
}

bool igInvisibleButton(const char* str_id, const ImVec2 size, ImGuiButtonFlags flags)
{
    return ImGui::InvisibleButton(str_id, size, flags);
}

bool igSelectable_Bool(const char* label, bool selected, ImGuiSelectableFlags flags, const ImVec2 size)
{
    return ImGui::Selectable(label, selected, flags, size);
}

bool igInputText(const char* label, char* buf, size_t buf_size, ImGuiInputTextFlags flags,
                 ImGuiInputTextCallback callback, void* user_data)
{
    return ImGui::InputText(label, buf, buf_size, flags, callback, user_data);
}

bool igInputTextWithHint(const char* label, const char* hint, char* buf, size_t buf_size, ImGuiInputTextFlags flags,
                         ImGuiInputTextCallback callback, void* user_data)
{
    return ImGui::InputTextWithHint(label, hint, buf, buf_size, flags, callback, user_data);
}

bool igBeginMenuBar(void)
{
    return ImGui::BeginMenuBar();
}

void igEndMenuBar(void)
{
    ImGui::EndMenuBar();
}

bool igBeginMenu(const char* label, bool enabled)
{
    return ImGui::BeginMenu(label, enabled);
}

void igEndMenu(void)
{
    ImGui::EndMenu();
}

bool igMenuItem_Bool(const char* label, const char* shortcut, bool selected, bool enabled)
{
    return ImGui::MenuItem(label, shortcut, selected, enabled);
}

void igBeginTooltip(void)
{
    ImGui::BeginTooltip();
}

void igEndTooltip(void)
{
    ImGui::EndTooltip();
}

bool igBeginPopup(const char* str_id, ImGuiWindowFlags flags)
{
    return ImGui::BeginPopup(str_id, flags);
}

bool igBeginPopupModal(const char* name, bool* p_open, ImGuiWindowFlags flags)
{
    return ImGui::BeginPopupModal(name, p_open, flags);
}

void igEndPopup(void)
{
    ImGui::EndPopup();
}

void igOpenPopup_Str(const char* str_id, ImGuiPopupFlags popup_flags)
{
    ImGui::OpenPopup(str_id, popup_flags);
}

void igCloseCurrentPopup(void)
{
    ImGui::CloseCurrentPopup();
}

void igSetItemDefaultFocus(void)
{
    ImGui::SetItemDefaultFocus();
}

bool igIsPopupOpen_Str(const char* str_id, ImGuiPopupFlags flags)
{
    return ImGui::IsPopupOpen(str_id, flags);
}

void igBeginDisabled(bool disabled)
{
    ImGui::BeginDisabled(disabled);
}

void igEndDisabled(void)
{
    ImGui::EndDisabled();
}

// --- Items, mouse and keys
void igSetKeyboardFocusHere(int offset)
{
    ImGui::SetKeyboardFocusHere(offset);
}

bool igIsItemHovered(ImGuiHoveredFlags flags)
{
    return ImGui::IsItemHovered(flags);
}

bool igIsItemActive(void)
{
    return ImGui::IsItemActive();
}

bool igIsItemActivated(void)
{
    return ImGui::IsItemActivated();
}

bool igIsItemDeactivated(void)
{
    return ImGui::IsItemDeactivated();
}

bool igIsItemFocused(void)
{
    return ImGui::IsItemFocused();
}

void igGetItemRectMin(ImVec2* pOut)
{
    *pOut = ImGui::GetItemRectMin();
}

void igGetItemRectMax(ImVec2* pOut)
{
    *pOut = ImGui::GetItemRectMax();
}

void igSetItemAllowOverlap(void)
{
    ImGui::SetItemAllowOverlap();
}

bool igIsRectVisible_Nil(const ImVec2 size)
{
    return ImGui::IsRectVisible(size);
}

bool igIsRectVisible_Vec2(const ImVec2 rect_min, const ImVec2 rect_max)
{
    return ImGui::IsRectVisible(rect_min, rect_max);
}

bool igIsKeyPressed(int user_key_index, bool repeat)
{
    return ImGui::IsKeyPressed(user_key_index, repeat);
}

int igGetKeyIndex(ImGuiKey imgui_key)
{
    return ImGui::GetKeyIndex(imgui_key);
}

bool igIsMouseDown(ImGuiMouseButton button)
{
    return ImGui::IsMouseDown(button);
}

bool igIsMouseClicked(ImGuiMouseButton button, bool repeat)
{
    return ImGui::IsMouseClicked(button, repeat);
}

bool igIsMouseDoubleClicked(ImGuiMouseButton button)
{
    return ImGui::IsMouseDoubleClicked(button);
}

void igSetMouseCursor(ImGuiMouseCursor cursor_type)
{
    ImGui::SetMouseCursor(cursor_type);
}

// --- Drawing
void ImDrawList_PushClipRect(ImDrawList* self, const ImVec2 clip_rect_min, const ImVec2 clip_rect_max,
                             bool intersect_with_current_clip_rect)
{
    self->PushClipRect(clip_rect_min, clip_rect_max, intersect_with_current_clip_rect);
}

void ImDrawList_PopClipRect(ImDrawList* self)
{
    self->PopClipRect();
}

void ImDrawList_AddLine(ImDrawList* self, const ImVec2 p1, const ImVec2 p2, ImU32 col, float thickness)
{
    self->AddLine(p1, p2, col, thickness);
}

void ImDrawList_AddRect(ImDrawList* self, const ImVec2 p_min, const ImVec2 p_max, ImU32 col, float rounding,
                        ImDrawFlags flags, float thickness)
{
    self->AddRect(p_min, p_max, col, rounding, flags, thickness);
}

void ImDrawList_AddRectFilled(ImDrawList* self, const ImVec2 p_min, const ImVec2 p_max, ImU32 col, float rounding,
                              ImDrawFlags flags)
{
    self->AddRectFilled(p_min, p_max, col, rounding, flags);
}

CIMGUI_API void ImDrawList_AddQuadFilled(ImDrawList* self, const ImVec2 p1, const ImVec2 p2, const ImVec2 p3,
                                         const ImVec2 p4, ImU32 col)
{
    self->AddQuadFilled(p1, p2, p3, p4, col);
}
CIMGUI_API void ImDrawList_AddPolyline(ImDrawList* self, const ImVec2* points, int num_points, ImU32 col,
                                       ImDrawFlags flags, float thickness)
{
    self->AddPolyline(points, num_points, col, flags, thickness);
}
CIMGUI_API void ImDrawList_AddConvexPolyFilled(ImDrawList* self, const ImVec2* points, int num_points, ImU32 col)
{
    self->AddConvexPolyFilled(points, num_points, col);
}
void ImDrawList_AddTriangleFilled(ImDrawList* self, const ImVec2 p1, const ImVec2 p2, const ImVec2 p3, ImU32 col)
{
    self->AddTriangleFilled(p1, p2, p3, col);
}

void ImDrawList_AddCircle(ImDrawList* self, const ImVec2 center, float radius, ImU32 col, int num_segments,
                          float thickness)
{
    self->AddCircle(center, radius, col, num_segments, thickness);
}

void ImDrawList_AddCircleFilled(ImDrawList* self, const ImVec2 center, float radius, ImU32 col, int num_segments)
{
    self->AddCircleFilled(center, radius, col, num_segments);
}

void ImDrawList_AddText_Vec2(ImDrawList* self, const ImVec2 pos, ImU32 col, const char* text_begin,
                             const char* text_end)
{
    self->AddText(pos, col, text_begin, text_end);
}

void ImDrawList_AddText_FontPtr(ImDrawList* self, const ImFont* font, float font_size, const ImVec2 pos, ImU32 col,
                                const char* text_begin, const char* text_end, float wrap_width,
                                const ImVec4* cpu_fine_clip_rect)
{
    self->AddText(font, font_size, pos, col, text_begin, text_end, wrap_width, cpu_fine_clip_rect);
}

void ImDrawList_AddImage(ImDrawList* self, ImTextureID user_texture_id, const ImVec2 p_min, const ImVec2 p_max,
                         const ImVec2 uv_min, const ImVec2 uv_max, ImU32 col)
{
    self->AddImage(user_texture_id, p_min, p_max, uv_min, uv_max, col);
}
