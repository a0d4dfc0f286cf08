// SPDX-License-Identifier: GPL-3.0-or-later
// Export: what for, how exact, and what that comes to before it is written.
#include "ui/editor/editor.h"

#include "quaver/path.h"
#include "ui/panels/buttons.h"
#include "ui/panels/numbers.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/row.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    MAX_CHOICES = 16
};

static void Opened(qvuiEditor* editor)
{
    qvuiExportForm* form = &editor->exportForm;
    // Back from the choice of a place, all else is as it was.
    if (editor->dialogBefore == qvui_dialogPlace)
        form->wantsEstimate = true;
    else
        qvuiExportForm_Open(form, &editor->session, editor->exportFolder);
}

static qvuiExportFormat Format(const qvuiExportForm* form)
{
    return qvuiGetExportFormat(form->request.format);
}

static bool PresetRow(qvuiEditor* editor)
{
    qvuiExportForm* form = &editor->exportForm;
    qvExportOptions* options = &form->request.bake.options;
    const char* presets[MAX_CHOICES] = { "Any program" };
    int count = 1;
    for (; count <= qvExportPresetCount() && count < MAX_CHOICES; count++)
        presets[count] = qvGetExportPreset(count - 1)->label;
    bool changed = qvuiChoiceRow(&editor->kit, "For", presets, count, &form->preset,
                                 "Keeps to what that program can play, with the closest motion that it can");
    if (changed)
        options->preset = form->preset > 0 ? qvGetExportPreset(form->preset - 1) : NULL;
    if (options->preset != NULL && options->preset->note[0] != 0)
        qvuiMessageRow(&editor->kit, QVUI_ICON_INFO, QVUI_MUTED, options->preset->note);
    return changed;
}

static bool FormatRow(qvuiEditor* editor)
{
    qvuiExportForm* form = &editor->exportForm;
    const char *labels[MAX_CHOICES], *whyNot[MAX_CHOICES];
    int count = 0, format = form->request.format;
    for (; count < qvuiExportFormatCount() && count < MAX_CHOICES; count++)
    {
        labels[count] = qvuiGetExportFormat(count).label;
        whyNot[count] = qvuiExportForm_WhyNot(form, count);
    }
    bool changed = qvuiSomeChoicesRow(
        &editor->kit, "Format", labels, whyNot, count, &format,
        "glTF plays anywhere, with a few shapes; vertex caches and OBJ hold every vertex of every frame; pictures and "
        "films are drawn");
    if (changed)
        qvuiExportForm_SetFormat(form, &editor->session, format);
    return changed;
}

static bool ErrorRow(qvuiEditor* editor)
{
    qvExportOptions* options = &editor->exportForm.request.bake.options;
    const qvuiSliderDef def = { .label = "Largest error",
                                .format = "%.3f %% of the size",
                                .minimum = 0.001,
                                .maximum = 2.0,
                                .standard = options->bones > 0 ? 100.0 * QV_BONES_ERROR : 0.1,
                                .color = QVUI_SOLVED,
                                .power = 3.0,
                                .tooltip = "How far the exported motion may be off at most; smaller takes more shapes "
                                           "or bones" };
    double percent = 100.0 * options->error;
    bool changed = qvuiSliderRow(&editor->kit, &def, &percent);
    options->error = 0.01 * percent;
    return changed;
}

static bool TargetRow(qvuiEditor* editor)
{
    qvExportOptions* options = &editor->exportForm.request.bake.options;
    // A program's own limit counts where none is given.
    int limit = options->preset != NULL ? options->preset->maxTargets : 0;
    char limited[48];
    snprintf(limited, sizeof(limited), "%d shapes, as it takes", limit);
    const qvuiSliderDef def = {
        .label = "At most",
        .format = options->maxTargets > 0 ? "%.0f shapes"
                  : limit > 0             ? limited
                                          : "no limit",
        .minimum = 0.0,
        .maximum = 256.0,
        .standard = 0.0,
        .color = QVUI_SOLVED,
        .whole = true,
        .power = 2.0,
        .tooltip = "How many shapes the motion is mixed from; many viewers take only so many, and fewer are less exact"
    };
    double targets = options->maxTargets;
    bool changed = qvuiSliderRow(&editor->kit, &def, &targets);
    options->maxTargets = (int)targets;
    return changed;
}

static bool BoneRow(qvuiEditor* editor)
{
    qvuiExportForm* form = &editor->exportForm;
    static const qvuiSliderDef def = { .label = "At most",
                                       .format = "%.0f bones",
                                       .minimum = 1.0,
                                       .maximum = qv_maxBones,
                                       .standard = 64.0,
                                       .color = QVUI_SOLVED,
                                       .whole = true,
                                       .power = 2.0,
                                       .tooltip = "Bones are added until the error holds, but not more than these" };
    double bones = form->bones;
    bool changed = qvuiSliderRow(&editor->kit, &def, &bones);
    form->bones = (int)bones;
    return changed;
}

// Shapes or bones, and how many.
static bool KindRows(qvuiEditor* editor)
{
    qvuiExportForm* form = &editor->exportForm;
    static const char* const kinds[] = { "Shapes", "Bones" };
    int kind = form->wantsBones;
    bool hasBones = Format(form).bones, changed = false;
    if (hasBones)
        changed = qvuiSegmentedRow(&editor->kit, "Motion as", kinds, 2, &kind, QVUI_CHOSEN,
                                   "Shapes (morph targets) are exact; a skeleton of bones is smaller and what game "
                                   "engines play for many bodies at once, good for half a percent of the size");
    form->wantsBones = kind == 1;
    qvuiExportForm_UpdateBones(form);
    changed |= ErrorRow(editor);
    changed |= form->request.bake.options.bones > 0 ? BoneRow(editor) : TargetRow(editor);
    qvuiExportForm_UpdateBones(form);
    return changed;
}

static bool OptionRows(qvuiEditor* editor)
{
    qvuiExportForm* form = &editor->exportForm;
    qvExportOptions* options = &form->request.bake.options;
    qvuiKit* kit = &editor->kit;
    bool changed = KindRows(editor);
    changed |= qvuiSwitchRow(kit, "Normals", &options->normals,
                             "The light follows the shape as it moves; without, files are smaller");
    if (Format(form).packs) // a page is packed anyway
    {
        changed |= qvuiSwitchRow(kit, "Quantize", &options->quantize,
                                 "Rounds the shapes: the file is about 40 % smaller; not every program reads it");
        changed |= qvuiSwitchRow(kit, "Compress", &options->compress,
                                 "Packs everything, rounded as much as the error allows: a third of the size or less, "
                                 "for three.js, Babylon.js and Unity with glTFast; Blender and Godot do not read it");
    }
    if (options->bones == 0)
    {
        changed |= qvuiSwitchRow(kit, "One shape per frame", &options->perFrame,
                                 "Every frame exactly as here, in a large file, for the simplest viewers");
        changed |= qvuiSwitchRow(
            kit, "Cubic curves", &options->cubic,
            "Curves instead of straight lines between samples of the motion: fewer samples for the same error");
    }
    changed |= qvuiSwitchRow(kit, "Embed the scene", &form->request.bake.embedScene,
                             "Quaver can open the file again with its keys and strokes; the motion stays as it is");
    return changed;
}

// What a film and a bake sample; the frames per second are the scene's until told.
static bool MomentRows(qvuiEditor* editor)
{
    qvBakeDef* bake = &editor->exportForm.request.bake.bake;
    const qvScene* scene = qvuiSession_Scene(&editor->session);
    bool reset = false;
    const qvuiSliderDef def = { .label = "Frames per second",
                                .format = "%.4g",
                                .minimum = 1.0,
                                .maximum = 240.0,
                                .standard = scene->fps,
                                .color = QVUI_SOLVED,
                                .power = 2.0,
                                .whole = true,
                                .reset = &reset,
                                .tooltip = "How often the motion is sampled; the motion keeps its time" };
    double fps = bake->fps > 0.0 ? bake->fps : scene->fps;
    bool changed = qvuiSliderRow(&editor->kit, &def, &fps);
    if (changed)
        bake->fps = fps;
    if (reset)
        bake->fps = 0.0;
    if (scene->hasPreview)
        changed |= qvuiSwitchRow(&editor->kit, "Preview range only", &bake->usePreview,
                                 "Leaves out what lies outside the preview range on the ruler");
    return changed || reset;
}

static bool SizeRow(qvuiKit* kit, qvuiPainterDef* look)
{
    const qvuiNumbersDef def = {
        .label = "Size in pixels", .unit = "", .count = 2, .speed = 4.0, .tooltip = "Width and height of what is drawn"
    };
    double size[2] = { look->width, look->height };
    bool changed = qvuiNumbersRow(kit, &def, size);
    look->width = (int)fmin(fmax(round(size[0]), 1.0), qv_maxImageSize);
    look->height = (int)fmin(fmax(round(size[1]), 1.0), qv_maxImageSize);
    return changed;
}

// What is drawn, as quaver render has it.
static bool FilmRows(qvuiEditor* editor)
{
    qvuiExportForm* form = &editor->exportForm;
    qvuiFilmDef* film = &form->request.film;
    qvuiKit* kit = &editor->kit;
    bool hasCamera = qvuiSession_Scene(&editor->session)->hasCamera;
    const char* const cameras[] = { "this view", hasCamera ? "scene camera" : "whole motion" };
    int camera = form->fromScene;
    bool changed = SizeRow(kit, &film->look);
    changed |= qvuiSegmentedRow(kit, "Camera", cameras, 2, &camera, QVUI_CHOSEN,
                                "As the window shows it now, or the scene's own camera; without one, all of the motion "
                                "is in the picture");
    form->fromScene = camera == 1;
    if (Format(form).isStill)
        changed |= qvuiSwitchRow(kit, "Transparent", &film->look.transparent, "Leaves the backdrop out");
    else
    {
        static const qvuiSliderDef blur = { .label = "Motion blur",
                                            .format = "%.2f",
                                            .maximum = 1.0,
                                            .standard = 0.0,
                                            .color = QVUI_CHOSEN,
                                            .tooltip =
                                                "How much of a frame's time each picture shows at once: 0.5 as a "
                                                "film camera; drawing takes twelve times as long" };
        changed |= qvuiSliderRow(kit, &blur, &film->blur);
        changed |= qvuiSwitchRow(kit, "Turntable", &film->turntable, "The camera goes round once during the film");
    }
    changed |= qvuiSwitchRow(kit, "Ghosts", &film->ghosts, "Shows the keys before and after as silhouettes");
    changed |= qvuiSwitchRow(kit, "Waves in colour", &film->wavefronts, "Colours the body by the waves in it");
    return changed;
}

static void FormatBytes(double bytes, char* text, size_t capacity)
{
    if (bytes < 1e6)
        snprintf(text, capacity, "%.0f kB", bytes / 1e3);
    else
        snprintf(text, capacity, "%.1f MB", bytes / 1e6);
}

static bool LacksEncoder(const qvuiExportForm* form)
{
    return !form->hasEncoder && qvPath_HasExtension(form->name, "mp4");
}

// What a drawn format comes to needs no bake.
static void EstimateFilm(qvuiEditor* editor)
{
    qvuiExportForm* form = &editor->exportForm;
    qvMoments moments;
    qvError error;
    qvuiTask_Cancel(&editor->exporter.task); // an estimate of another format
    form->problem[0] = 0;
    form->failed = false;
    form->report = (qvExportReport){ .frames = 1 };
    form->estimated = true;
    if (Format(form).isStill)
        return;
    const qvBakeDef* def = &form->request.bake.bake;
    const qvScene* scene = qvuiSession_Scene(&editor->session);
    bool isGif = strcmp(Format(form).tag, "gif") == 0;
    const char* remark = qvuiFilmRemark(def, scene, isGif);
    if (remark != NULL)
        snprintf(form->report.warning, sizeof(form->report.warning), "%s", remark);
    if (qvuiFilmMoments(def, scene, isGif, &moments, &error) != qv_ok)
        snprintf(form->problem, sizeof(form->problem), "%s", error.message);
    else if (LacksEncoder(form))
        snprintf(form->problem, sizeof(form->problem),
                 "MP4 films need ffmpeg, which is not here: install the package ffmpeg, or choose GIF.");
    form->report.frames = qvuiFilmFrames(&moments);
}

static void DescribeFilm(const qvuiEditor* editor, char* text, size_t capacity)
{
    const qvuiExportForm* form = &editor->exportForm;
    const qvuiPainterDef* look = &form->request.film.look;
    char bytes[48] = "";
    int length;
    if (Format(form).isStill)
        length = snprintf(text, capacity, "the moment %.3f s", editor->session.playback.time);
    else
        length = snprintf(text, capacity, "%d frame%s", form->report.frames, form->report.frames == 1 ? "" : "s");
    if (form->done)
        FormatBytes(form->report.bytes, bytes, sizeof(bytes));
    int size[2] = { look->width, look->height };
    qvuiFilmSize(form->name, size);
    snprintf(text + length, capacity - (size_t)length, ", %d \xc3\x97 %d pixels%s%s", size[0], size[1],
             form->done ? ", " : "", bytes);
}

static void DescribeBake(const qvExportReport* report, char* text, size_t capacity)
{
    char bytes[48];
    double percent = 100.0 * report->maxError / fmax(report->diagonal, 1e-30);
    FormatBytes(report->bytes, bytes, sizeof(bytes));
    const char* s = report->frames == 1 ? "" : "s";
    int count = report->bones > 0 ? report->bones : report->targets;
    const char* kind = report->bones > 0 ? "bone" : "shape";
    if (count > 0)
        snprintf(text, capacity, "%d frame%s, %d %s%s, error %.3f %%, %s", report->frames, s, count, kind,
                 count == 1 ? "" : "s", percent, bytes);
    else if (report->maxError > 0.0) // a texture rounds much finer than shapes do
        snprintf(text, capacity, "%d frame%s, error %.5f %%, %s", report->frames, s, percent, bytes);
    else
        snprintf(text, capacity, "%d frame%s, %s", report->frames, s, bytes);
}

static bool IsWriting(const qvuiEditor* editor)
{
    return qvuiExporter_IsWriting(&editor->exporter);
}

static const char* SavingTooltip(const qvuiExportForm* form, qvuiSaving saving)
{
    if (saving == qvui_savingQuantize)
        return "Switches Quantize on: the shapes are rounded, and not every program reads them";
    return form->request.bake.options.perFrame ? "Switches One shape per frame off: mixes the motion from a few shapes"
                                               : "Allows three times the error, for which fewer shapes do";
}

static void DescribeSaving(const qvuiExportForm* form, qvuiSaving saving, const qvExportOptions* options, char* text,
                           size_t capacity)
{
    char bytes[48], what[48] = "Quantize";
    FormatBytes(form->savingBytes[saving], bytes, sizeof(bytes));
    if (saving == qvui_savingError && form->request.bake.options.perFrame)
        snprintf(what, sizeof(what), "Fewer shapes");
    else if (saving == qvui_savingError)
        snprintf(what, sizeof(what), "Error %.3g %%", 100.0 * options->error);
    snprintf(text, capacity, "%s: %s", what, bytes);
}

// A button that ends at *right, which moves on to the left. Returns whether it was pressed.
static bool SavingButton(qvuiEditor* editor, qvuiSaving saving, const qvExportOptions* options, float y, float* right)
{
    const qvuiExportForm* form = &editor->exportForm;
    const qvuiStyle* style = &editor->kit.style;
    char text[96];
    DescribeSaving(form, saving, options, text, sizeof(text));
    float width = qvuiTextWidth(style->body, text) + qvuiPixels(style, 22);
    igSetCursorScreenPos((ImVec2){ *right - width, y });
    *right -= width + qvuiPixels(style, 8);
    bool pressed = qvuiPill(&editor->kit, text, width, SavingTooltip(form, saving));
    qvuiNames_AddArea(&editor->kit.names, saving == qvui_savingQuantize ? "Smaller rounded" : "Smaller and coarser");
    return pressed;
}

// What makes the file smaller, with the size that comes of it; a click does it. The row is there whatever it says, so
// that the buttons below stay where they are.
static bool SavingRow(qvuiEditor* editor)
{
    qvuiExportForm* form = &editor->exportForm;
    const qvuiStyle* style = &editor->kit.style;
    bool estimates = editor->exporter.task.running && !editor->exporter.writes, changed = false;
    const char* text = form->failed                    ? "not known"
                       : form->isLarge                 ? "Quantize, a larger error"
                       : estimates || !form->estimated ? "\xe2\x80\xa6"
                       : qvuiExportForm_IsSmall(form)  ? "not needed"
                                                       : "nothing here would";
    qvuiRow row = qvuiBeginRow(&editor->kit, "To make it smaller", 0.0f);
    float end = row.control.x + row.width, right = end;
    for (int i = qvui_savingCount - 1; i >= 0; i--)
    {
        qvExportOptions options;
        if (form->savingBytes[i] <= 0.0 || !qvuiExportForm_Save(form, (qvuiSaving)i, &options) ||
            !SavingButton(editor, (qvuiSaving)i, &options, row.place.y + qvuiPixels(style, 1), &right))
            continue;
        form->request.bake.options = options;
        changed = true;
    }
    if (right == end)
        qvuiDrawText(igGetWindowDrawList(), style->value,
                     (ImVec2){ right - qvuiTextWidth(style->value, text), row.control.y }, row.height, QVUI_MUTED,
                     text);
    qvuiEndRow(&row);
    return changed;
}

static void WrittenRow(qvuiEditor* editor)
{
    char text[qvui_maxPath + 16];
    snprintf(text, sizeof(text), "Written: %s", editor->exportForm.name);
    qvuiMessageRow(&editor->kit, QVUI_ICON_CHECK, QVUI_TEAL, text);
}

// Returns whether an option was changed.
static bool EstimateRows(qvuiEditor* editor)
{
    qvuiExportForm* form = &editor->exportForm;
    char text[200] = "\xe2\x80\xa6", stage[64];
    double fraction;
    bool writing = IsWriting(editor) && qvuiTask_Progress(&editor->exporter.task, &fraction, stage);
    if (writing)
        snprintf(text, sizeof(text), "%s %.0f %%", stage, 100.0 * fraction);
    else if (Format(form).isDrawn)
        DescribeFilm(editor, text, sizeof(text));
    else if (form->failed)
        snprintf(text, sizeof(text), "not known");
    else if (form->estimated)
        DescribeBake(&form->report, text, sizeof(text));
    qvuiTextRow(&editor->kit, writing ? "Writing" : "Comes to", text);
    bool changed = Format(form).usesOptions && SavingRow(editor);
    if (form->problem[0] != 0)
        qvuiMessageRow(&editor->kit, QVUI_ICON_WARNING, QVUI_CORAL, form->problem);
    else if (form->estimated && form->report.warning[0] != 0)
        qvuiMessageRow(&editor->kit, QVUI_ICON_WARNING, QVUI_AMBER, form->report.warning);
    if (form->done)
        WrittenRow(editor);
    return changed;
}

static void Start(qvuiEditor* editor, const qvExportOptions* options, bool writes)
{
    qvuiExportForm* form = &editor->exportForm;
    const qvuiLook* shown = &editor->viewport.look;
    qvuiExportRequest request = form->request;
    qvuiPainterDef* look = &request.film.look;
    request.bake.options = *options;
    qvSceneCamera camera = qvuiCamera_ForScene(&editor->viewport.camera);
    look->camera = form->fromScene ? NULL : &camera;
    look->flat = shown->flat, look->wireframe = shown->wireframe, look->splats = shown->splats;
    look->grid = shown->grid, look->shadow = shown->shadow;
    request.film.time = editor->session.playback.time;
    char path[2 * qvui_maxPath];
    qvError error;
    qvuiExportForm_Path(form, path, sizeof(path));
    if (qvuiExporter_Start(&editor->exporter, editor->session.take, &request, path, writes, &error) == qv_ok)
        return;
    form->failed = true;
    snprintf(form->problem, sizeof(form->problem), "%s", error.message);
}

// The form as it is: what it comes to, or the file itself.
static void StartForm(qvuiEditor* editor, bool writes)
{
    qvuiExportForm* form = &editor->exportForm;
    form->problem[0] = 0;
    form->failed = form->done = false;
    qvuiExportForm_BeginEstimate(form, writes);
    Start(editor, &form->request.bake.options, writes);
}

// In which folder that is, and a way to another one.
static void FolderRow(qvuiEditor* editor)
{
    qvuiKit* kit = &editor->kit;
    const qvuiStyle* style = &kit->style;
    char path[2 * qvui_maxPath], buffer[qvui_maxPath];
    qvuiExportForm_Path(&editor->exportForm, path, sizeof(path));
    char* folder = qvPath_Folder(path);
    const char* text = folder != NULL ? folder : path;
    static const char browse[] = "Browse\xe2\x80\xa6";
    float width = qvuiTextWidth(style->body, browse) + qvuiPixels(style, 26), gap = qvuiPixels(style, 8);
    qvuiRow row = qvuiBeginRow(kit, "In the folder", 0.0f);
    igSetCursorScreenPos(row.control);
    igDummy((ImVec2){ row.width - width - gap, row.height });
    qvuiTooltip(kit, text, NULL);
    qvuiDrawText(igGetWindowDrawList(), style->value, row.control, row.height, QVUI_MUTED,
                 qvuiShorten(style->value, text, row.width - width - gap, true, buffer, sizeof(buffer)));
    igSetCursorScreenPos((ImVec2){ row.control.x + row.width - width, row.place.y + qvuiPixels(style, 1) });
    igBeginDisabled(IsWriting(editor));
    if (qvuiPill(kit, browse, width, "Chooses a folder and a name on the disk"))
        qvuiEditor_SetDialog(editor, qvui_dialogPlace);
    igEndDisabled();
    qvuiEndRow(&row);
    free(folder);
}

static bool FileRows(qvuiEditor* editor)
{
    qvuiExportForm* form = &editor->exportForm;
    bool entered = qvuiTextFieldRow(&editor->kit, "File name", form->name, sizeof(form->name),
                                    "Name of the file that is written, or a whole path: /tmp/film.glb, ~/film.glb");
    if (entered)
        qvuiExportForm_FollowName(form);
    FolderRow(editor);
    return entered;
}

// What the scene is made from stays.
static void CheckSource(qvuiEditor* editor)
{
    qvuiExportForm* form = &editor->exportForm;
    char path[2 * qvui_maxPath];
    qvError error;
    qvuiExportForm_Path(form, path, sizeof(path));
    form->isSource = qvuiSession_CheckTarget(&editor->session, path, &error) != qv_ok;
    if (form->isSource)
        snprintf(form->problem, sizeof(form->problem), "%s", error.message);
}

static void ShowFolder(qvuiEditor* editor)
{
    char* folder = qvPath_Folder(editor->exporter.path);
    if (folder != NULL && !qvuiOpener_Show(&editor->opener, folder, igGetTime()))
        qvuiEditor_ReportOpener(editor);
    free(folder);
}

static void DrawButtons(qvuiEditor* editor)
{
    qvuiExportForm* form = &editor->exportForm;
    bool busy = IsWriting(editor), possible = editor->session.take != NULL && !LacksEncoder(form) && !form->isSource;
    possible = possible && qvuiExportForm_WhyNot(form, form->request.format) == NULL;
    char file[2 * qvui_maxPath];
    qvuiExportForm_FirstFile(form, file, sizeof(file));
    const qvuiButton buttons[] = {
        { "Open folder", "Shows the file in the desktop's file manager", false },
        { busy ? "Cancel" : "Close",
          busy ? "Stops writing; a file that was there stays" : "Closes this box without writing", false },
        { "Export",
          Format(form).isStill ? "Draws the picture into the file"
                               : "Writes the motion into the file, as exactly as the line above says",
          busy || !possible },
    };
    int first = form->done ? 0 : 1;
    bool replaces = !busy && !form->isSource && qvuiReplaces(file, form->written);
    int pressed = first + qvuiDrawWriteButtons(&editor->kit, buttons + first, 3 - first, replaces, 12);
    if (pressed < first)
        return;
    if (pressed == 0)
        ShowFolder(editor);
    else if (pressed == 2)
        StartForm(editor, true);
    else if (busy)
        qvuiTask_Cancel(&editor->exporter.task);
    else
        qvuiEditor_LeaveDialog(editor);
}

static void DrawBar(qvuiEditor* editor)
{
    double fraction;
    char stage[64];
    ImVec2 place, room;
    igGetCursorScreenPos(&place);
    igGetContentRegionAvail(&room);
    float height = qvuiPixels(&editor->kit.style, 3);
    if (qvuiTask_Progress(&editor->exporter.task, &fraction, stage))
        ImDrawList_AddRectFilled(
            igGetWindowDrawList(), place,
            (ImVec2){ place.x + room.x * (float)fmin(fmax(fraction, 0.02), 1.0), place.y + height }, QVUI_TEAL, 0, 0);
    igDummy((ImVec2){ 1, 3 * height });
}

static bool Rows(qvuiEditor* editor)
{
    qvuiExportForm* form = &editor->exportForm;
    bool changed = FormatRow(editor);
    if (Format(form).usesOptions)
    {
        changed |= PresetRow(editor);
        changed |= OptionRows(editor);
    }
    if (Format(form).isDrawn)
        changed |= FilmRows(editor);
    if (!Format(form).isStill)
        changed |= MomentRows(editor);
    changed |= FileRows(editor);
    return changed;
}

static void Draw(qvuiEditor* editor)
{
    qvuiExportForm* form = &editor->exportForm;
    const char* unsolved = editor->session.problem;
    if (editor->session.take == NULL && unsolved[0] != 0)
        qvuiMessageRow(&editor->kit, QVUI_ICON_WARNING, QVUI_CORAL, unsolved);
    else if (editor->session.take == NULL)
        qvuiMessageRow(&editor->kit, QVUI_ICON_INFO, QVUI_MUTED, "The motion is being solved; a moment.");
    igPushStyleVar_Vec2(ImGuiStyleVar_ItemSpacing, (ImVec2){ 0, 0 });
    // In a small window the rows scroll; the buttons stay in sight.
    float room = igGetIO()->DisplaySize.y - qvuiPixels(&editor->kit.style, 160);
    bool scrolls = form->rowsHeight > room;
    if (scrolls)
        igBeginChild_Str("rows", (ImVec2){ 0, fmaxf(room, 1.0f) }, false, ImGuiWindowFlags_NavFlattened);
    ImVec2 start, end;
    igGetCursorScreenPos(&start);
    bool changed = Rows(editor);
    changed |= EstimateRows(editor);
    if (changed && !IsWriting(editor))
        form->done = false;
    igGetCursorScreenPos(&end);
    form->rowsHeight = end.y - start.y;
    if (scrolls)
        igEndChild();
    DrawBar(editor);
    igPopStyleVar(1);
    DrawButtons(editor);
    form->wantsEstimate |= changed;
    // One estimate at a time, with what the options are when the last one is through.
    if (form->wantsEstimate && !IsWriting(editor) && editor->session.take != NULL)
    {
        form->wantsEstimate = false;
        if (Format(form).isDrawn)
            EstimateFilm(editor);
        else
            StartForm(editor, false);
        CheckSource(editor);
    }
    qvExportOptions options;
    if (!editor->exporter.task.running && editor->session.take != NULL && Format(form).usesOptions &&
        qvuiExportForm_FindSaving(form, &options))
        Start(editor, &options, false);
}

const qvuiDialog qvuiDialogExport = { "export", "Export", 560, 0, Opened, Draw, true, true };
