// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/style.h"

#include "ui/cimgui/backend.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

float qvuiPixels(const qvuiStyle* style, double pixels)
{
    return (float)floor(pixels * style->scale + 0.5);
}

static ImVec4 Unpack(ImU32 color)
{
    return (ImVec4){ (float)(color & 0xff) / 255.0f, (float)(color >> 8 & 0xff) / 255.0f,
                     (float)(color >> 16 & 0xff) / 255.0f, (float)(color >> 24) / 255.0f };
}

static void ApplyColors(ImGuiStyle* s)
{
    const struct
    {
        ImGuiCol index;
        ImU32 color;
    } rows[] = {
        { ImGuiCol_Text, QVUI_TEXT },
        { ImGuiCol_TextDisabled, QVUI_MUTED },
        { ImGuiCol_WindowBg, QVUI_PANEL },
        { ImGuiCol_ChildBg, QVUI_RGBA(0, 0) },
        { ImGuiCol_PopupBg, QVUI_HEADER },
        { ImGuiCol_Border, QVUI_LINE },
        { ImGuiCol_FrameBg, QVUI_CONTROL },
        { ImGuiCol_FrameBgHovered, QVUI_HOVER },
        { ImGuiCol_FrameBgActive, QVUI_HEADER },
        { ImGuiCol_MenuBarBg, QVUI_PANEL },
        { ImGuiCol_ScrollbarBg, QVUI_RGBA(0, 0) },
        { ImGuiCol_ScrollbarGrab, QVUI_CONTROL },
        { ImGuiCol_ScrollbarGrabHovered, QVUI_HOVER },
        { ImGuiCol_ScrollbarGrabActive, QVUI_HOVER },
        { ImGuiCol_CheckMark, QVUI_BLUE },
        { ImGuiCol_Button, QVUI_CONTROL },
        { ImGuiCol_ButtonHovered, QVUI_HOVER },
        { ImGuiCol_ButtonActive, QVUI_HEADER },
        { ImGuiCol_Header, QVUI_RGBA(0x5b9dff, 56) },
        { ImGuiCol_HeaderHovered, QVUI_HOVER },
        { ImGuiCol_HeaderActive, QVUI_CONTROL },
        { ImGuiCol_Separator, QVUI_RGB(0x373c44) },
        { ImGuiCol_TextSelectedBg, QVUI_RGBA(0x5b9dff, 110) },
        { ImGuiCol_NavHighlight, QVUI_BLUE },
        { ImGuiCol_ModalWindowDimBg, QVUI_RGBA(0x0b0c0e, 150) },
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        s->Colors[rows[i].index] = Unpack(rows[i].color);
}

static void ApplySizes(ImGuiStyle* s)
{
    s->DisabledAlpha = 0.4f;
    s->WindowPadding = (ImVec2){ 12, 12 };
    s->WindowRounding = 0;
    s->WindowBorderSize = 0;
    s->WindowMinSize = (ImVec2){ 1, 1 };
    s->ChildRounding = 6;
    s->PopupRounding = 7;
    s->PopupBorderSize = 1;
    s->FramePadding = (ImVec2){ 9, 4 };
    s->FrameRounding = 5;
    s->ItemSpacing = (ImVec2){ 8, 6 };
    s->ItemInnerSpacing = (ImVec2){ 6, 4 };
    s->ScrollbarSize = 10;
    s->ScrollbarRounding = 5;
    s->GrabRounding = 5;
    s->CircleTessellationMaxError = 0.2f;
}

// The first of the paths that can be read, or NULL.
static const char* FindFont(const char* const* paths)
{
    for (int i = 0; paths[i] != NULL; i++)
        if (access(paths[i], R_OK) == 0)
            return paths[i];
    return NULL;
}

static const char* const RegularPaths[] = { "/usr/share/fonts/opentype/inter/Inter-Regular.otf",
                                            "/usr/share/fonts/truetype/inter/Inter-Regular.ttf",
                                            "/usr/share/fonts/inter/Inter-Regular.otf",
                                            "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf", NULL };
static const char* const SemiBoldPaths[] = { "/usr/share/fonts/opentype/inter/Inter-SemiBold.otf",
                                             "/usr/share/fonts/truetype/inter/Inter-SemiBold.ttf",
                                             "/usr/share/fonts/inter/Inter-SemiBold.otf",
                                             "/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf", NULL };
static const char* const IconPaths[] = { "/usr/share/fonts/opentype/font-awesome/FontAwesome.otf",
                                         "/usr/share/fonts/truetype/font-awesome/fontawesome-webfont.ttf",
                                         "/usr/share/fonts/fontawesome/FontAwesome.otf", NULL };

// ImGui takes the height from ascender to descender; Inter's is 1.21 of the em that designers count in.
static const double LINE_TO_EM = 1.21;
// Inter's widest digit, in em.
static const double DIGIT_WIDTH = 0.64;

// Latin with its extensions, Greek, Cyrillic, general punctuation, arrows and a few signs; all that names and messages
// hold.
static const ImWchar TextRanges[] = { 0x20,   0x24f,  0x370,  0x52f,  0x2010, 0x205e, 0x20a0, 0x20bf,
                                      0x2190, 0x21ff, 0x2200, 0x22ff, 0x25a0, 0x25ff, 0 };
static const ImWchar DigitRanges[] = { '0', '9', 0 };
static const ImWchar NoDigitRanges[] = { 0x20,   '0' - 1, '9' + 1, 0x24f,  0x370,  0x52f,  0x2010, 0x205e, 0x20a0,
                                         0x20bf, 0x2190,  0x21ff,  0x2200, 0x22ff, 0x25a0, 0x25ff, 0 };
static const ImWchar IconRanges[] = { 0xf000, 0xf2e0, 0 };

typedef struct FontDef
{
    const char* path;
    double em; // pixels
    bool tabular;
    const char* icons; // NULL: none
} FontDef;

static ImFont* AddFont(ImFontAtlas* atlas, ImFontConfig* config, const FontDef* def)
{
    float size = (float)floor(def->em * LINE_TO_EM + 0.5);
    *config = (ImFontConfig){ .FontDataOwnedByAtlas = true,
                              .OversampleH = 1,
                              .OversampleV = 1,
                              .PixelSnapH = true,
                              .GlyphMaxAdvanceX = 3.4e38f,
                              .RasterizerMultiply = 1.0f,
                              .EllipsisChar = (ImWchar)-1 };
    ImFont* font =
        ImFontAtlas_AddFontFromFileTTF(atlas, def->path, size, config, def->tabular ? NoDigitRanges : TextRanges);
    config->MergeMode = true;
    if (def->tabular)
    {
        config->GlyphMinAdvanceX = config->GlyphMaxAdvanceX = (float)floor(def->em * DIGIT_WIDTH + 0.5);
        ImFontAtlas_AddFontFromFileTTF(atlas, def->path, size, config, DigitRanges);
        config->GlyphMinAdvanceX = 0.0f;
        config->GlyphMaxAdvanceX = 3.4e38f;
    }
    if (def->icons != NULL)
    {
        config->GlyphOffset.y = (float)floor(0.06 * def->em + 0.5);
        ImFontAtlas_AddFontFromFileTTF(atlas, def->icons, (float)floor(1.05 * def->em + 0.5), config, IconRanges);
    }
    return font;
}

static qvResult LoadFonts(qvuiStyle* style, ImFontAtlas* atlas, qvError* error)
{
    const char *regular = FindFont(RegularPaths), *strong = FindFont(SemiBoldPaths), *icons = FindFont(IconPaths);
    if (regular == NULL || icons == NULL)
        return qvError_Set(error, qv_notFound, "no %s font below /usr/share/fonts; install the package %s",
                           regular == NULL ? "interface" : "icon",
                           regular == NULL ? "fonts-inter" : "fonts-font-awesome");
    if (strong == NULL)
        strong = regular;
    ImFontConfig* config = ImFontConfig_ImFontConfig();
    ImFontAtlas_Clear(atlas);
    qvui_UseFreeType(atlas);
    double scale = style->scale;
    style->body = AddFont(atlas, config, &(FontDef){ regular, 13.0 * scale, false, icons });
    style->strong = AddFont(atlas, config, &(FontDef){ strong, 13.0 * scale, false, NULL });
    style->value = AddFont(atlas, config, &(FontDef){ regular, 12.0 * scale, true, icons });
    style->title = AddFont(atlas, config, &(FontDef){ strong, 22.0 * scale, false, NULL });
    bool built = ImFontAtlas_Build(atlas);
    config->FontData = NULL;
    ImFontConfig_destroy(config);
    if (!built)
        return qvError_Set(error, qv_badInput, "%s: cannot be read as a font; reinstall the package fonts-inter",
                           regular);
    return qv_ok;
}

qvResult qvuiStyle_Apply(qvuiStyle* style, qvError* error)
{
    qvResult result = LoadFonts(style, igGetIO()->Fonts, error);
    if (result != qv_ok)
        return result;
    ImGuiStyle* fresh = ImGuiStyle_ImGuiStyle();
    ApplySizes(fresh);
    ApplyColors(fresh);
    ImGuiStyle_ScaleAllSizes(fresh, style->scale);
    // Scaling rounds down, and ImGui insists on a pixel.
    fresh->PopupBorderSize = 1;
    fresh->WindowMinSize = (ImVec2){ 1, 1 };
    memcpy(igGetStyle(), fresh, sizeof(*fresh));
    ImGuiStyle_destroy(fresh);
    return qv_ok;
}
