// SPDX-License-Identifier: GPL-3.0-or-later
// Export: what for, how exact, and what that comes to before it is written.
#include "ui/editor/editor.h"

#include "quaver/path.h"
#include "ui/panels/numbers.h"
#include "ui/widgets/icons.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum
{
    MAX_CHOICES = 16
};

static void Opened(qvuiEditor* editor)
{
    qvuiExportForm* form = &editor->exportForm;
    if (!form->ready)
    {
        form->def = qvDefaultTakeExport();
        form->def.bake.usePreview = true;
        form->ready = true;
    }
    char* folder = realpath(qvDocument_Folder(editor->session.document), NULL);
    char name[256];
    qvuiSession_FileStem(&editor->session, name, sizeof(name));
    snprintf(form->folder, sizeof(form->folder), "%s", folder != NULL ? folder : ".");
    snprintf(form->name, sizeof(form->name), "%s.%s", name, qvGetExporter(form->format).tag);
    free(folder);
    form->estimated = form->done = false;
    form->problem[0] = 0;
    form->wantsEstimate = true;
}

// The ending follows the format.
static void SetFormat(qvuiExportForm* form, int format)
{
    form->format = format;
    const char* extension = qvPath_Extension(form->name);
    size_t stem = strlen(form->name) - (extension[0] != 0 ? strlen(extension) + 1 : 0);
    snprintf(form->name + stem, sizeof(form->name) - stem, ".%s", qvGetExporter(format).tag);
}

// The whole path of what was typed: a name in the scene's folder, or a path of its own.
static void TargetPath(const qvuiExportForm* form, char* path, size_t capacity)
{
    const char* home = getenv("HOME");
    if (strncmp(form->name, "~/", 2) == 0 && home != NULL)
        snprintf(path, capacity, "%s/%s", home, form->name + 2);
    else if (form->name[0] == '/')
        snprintf(path, capacity, "%s", form->name);
    else
        snprintf(path, capacity, "%s/%s", form->folder, form->name);
    qvPath_Simplify(path);
}

static bool FormatRows(qvuiEditor* editor)
{
    qvuiExportForm* form = &editor->exportForm;
    const char* formats[MAX_CHOICES];
    const char* presets[MAX_CHOICES] = { "Any program" };
    int formatCount = 0, presetCount = 1, format = form->format;
    for (; formatCount < qvExporterCount() && formatCount < MAX_CHOICES; formatCount++)
        formats[formatCount] = qvGetExporter(formatCount).label;
    for (; presetCount <= qvExportPresetCount() && presetCount < MAX_CHOICES; presetCount++)
        presets[presetCount] = qvGetExportPreset(presetCount - 1)->label;
    bool changed =
        qvuiChoiceRow(&editor->kit, "Format", formats, formatCount, &format,
                      "glTF plays anywhere, with a few shapes; vertex caches and OBJ hold every vertex of every frame");
    if (changed)
        SetFormat(form, format);
    if (!qvGetExporter(form->format).usesOptions)
        return changed;
    if (qvuiChoiceRow(&editor->kit, "For", presets, presetCount, &form->preset,
                      "Keeps to what that program can play, with the closest motion that it can"))
    {
        form->def.options.preset = form->preset > 0 ? qvGetExportPreset(form->preset - 1) : NULL;
        changed = true;
    }
    if (form->def.options.preset != NULL && form->def.options.preset->note[0] != 0)
        qvuiMessageRow(&editor->kit, QVUI_ICON_INFO, QVUI_MUTED, form->def.options.preset->note);
    return changed;
}

static bool OptionRows(qvuiEditor* editor)
{
    qvuiExportForm* form = &editor->exportForm;
    qvExportOptions* options = &form->def.options;
    qvuiKit* kit = &editor->kit;
    static const qvuiSliderDef errorDef = {
        .label = "Largest error",
        .format = "%.3f %% of the size",
        .minimum = 0.001,
        .maximum = 2.0,
        .standard = 0.1,
        .color = QVUI_SOLVED,
        .power = 3.0,
        .tooltip = "How far the exported motion may be off at most; smaller takes more shapes"
    };
    static const qvuiSliderDef targetDef = {
        .label = "At most",
        .format = "%.0f shapes (0: any)",
        .minimum = 0.0,
        .maximum = 256.0,
        .standard = 0.0,
        .color = QVUI_SOLVED,
        .whole = true,
        .power = 2.0,
        .tooltip = "How many shapes the motion is mixed from; many viewers take only so many, and fewer are less exact"
    };
    double percent = 100.0 * options->error, targets = options->maxTargets;
    bool changed = qvuiSliderRow(kit, &errorDef, &percent);
    options->error = 0.01 * percent;
    changed |= qvuiSliderRow(kit, &targetDef, &targets);
    options->maxTargets = (int)targets;
    changed |= qvuiSwitchRow(kit, "Normals", &options->normals,
                             "The light follows the shape as it moves; without, files are smaller");
    changed |= qvuiSwitchRow(kit, "Quantize", &options->quantize,
                             "Rounds the shapes: half the file; not every program reads it");
    changed |= qvuiSwitchRow(kit, "One shape per frame", &options->perFrame,
                             "Every frame exactly as here, in a large file, for the simplest viewers");
    changed |= qvuiSwitchRow(
        kit, "Cubic curves", &options->cubic,
        "Curves instead of straight lines between samples of the motion: fewer samples for the same error");
    changed |= qvuiSwitchRow(kit, "Embed the scene", &form->def.embedScene,
                             "Quaver can open the file again with its keys and strokes; the motion stays as it is");
    return changed;
}

static void FormatBytes(double bytes, char* text, size_t capacity)
{
    if (bytes < 1e6)
        snprintf(text, capacity, "%.0f kB", bytes / 1e3);
    else
        snprintf(text, capacity, "%.1f MB", bytes / 1e6);
}

static void EstimateRow(qvuiEditor* editor)
{
    const qvuiExportForm* form = &editor->exportForm;
    const qvExportReport* report = &form->report;
    char text[200] = "\xe2\x80\xa6", bytes[32];
    double percent = 100.0 * report->maxError / fmax(report->diagonal, 1e-30);
    FormatBytes(report->bytes, bytes, sizeof(bytes));
    if (form->estimated && report->targets > 0)
        snprintf(text, sizeof(text), "%d frames, %d shapes, error %.3f %%, %s", report->frames, report->targets,
                 percent, bytes);
    else if (form->estimated)
        snprintf(text, sizeof(text), "%d frames, %s", report->frames, bytes);
    qvuiTextRow(&editor->kit, form->done ? "Written" : "Comes to", text);
    if (form->problem[0] != 0)
        qvuiMessageRow(&editor->kit, QVUI_ICON_WARNING, QVUI_CORAL, form->problem);
    else if (form->estimated && report->warning[0] != 0)
        qvuiMessageRow(&editor->kit, QVUI_ICON_WARNING, QVUI_AMBER, report->warning);
}

static void Start(qvuiEditor* editor, bool writes)
{
    qvuiExportForm* form = &editor->exportForm;
    qvError error;
    form->problem[0] = 0;
    form->done = false;
    char path[2 * qvui_maxPath];
    TargetPath(form, path, sizeof(path));
    if (qvuiExporter_Start(&editor->exporter, editor->session.take, &form->def, path, writes, &error) != qv_ok)
        snprintf(form->problem, sizeof(form->problem), "%s", error.message);
}

// The name, and in which folder that is.
static void FileRows(qvuiEditor* editor)
{
    qvuiExportForm* form = &editor->exportForm;
    qvuiTextFieldRow(&editor->kit, "File", form->name, sizeof(form->name),
                     "Name of the file that is written, or a whole path: /tmp/film.glb, ~/film.glb");
    char path[2 * qvui_maxPath];
    TargetPath(form, path, sizeof(path));
    char* folder = qvPath_Folder(path);
    qvuiTextRow(&editor->kit, "In the folder", folder != NULL ? folder : path);
    free(folder);
}

// The desktop's file manager, in a process that nobody waits for.
static void OpenFolder(const char* path)
{
    char* folder = qvPath_Folder(path);
    pid_t child = folder != NULL ? fork() : -1;
    if (child == 0)
    {
        if (fork() == 0)
            execlp("xdg-open", "xdg-open", folder, (char*)NULL);
        _exit(0);
    }
    if (child > 0)
        waitpid(child, NULL, 0);
    free(folder);
}

static void DrawButtons(qvuiEditor* editor)
{
    qvuiKit* kit = &editor->kit;
    qvuiExportForm* form = &editor->exportForm;
    float gap = qvuiPixels(&kit->style, 8);
    bool busy = editor->exporter.task.running && editor->exporter.writes;
    igBeginDisabled(busy || editor->session.take == NULL);
    if (qvuiPill(kit, "Export", 0.0f, "Writes the motion into the file, frame by frame as it plays here"))
        Start(editor, true);
    igEndDisabled();
    igSameLine(0.0f, gap);
    if (qvuiPill(kit, busy ? "Cancel" : "Close", 0.0f,
                 busy ? "Stops writing; a file that was there stays" : "Closes this box without writing"))
    {
        qvuiExporter_Cancel(&editor->exporter);
        if (!busy)
            qvuiEditor_SetDialog(editor, qvui_dialogNone);
    }
    if (form->done)
    {
        igSameLine(0.0f, gap);
        if (qvuiPill(kit, "Open folder", 0.0f, "Shows the file in the desktop's file manager"))
            OpenFolder(editor->exporter.path);
    }
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

static void Draw(qvuiEditor* editor)
{
    qvuiExportForm* form = &editor->exportForm;
    if (editor->session.take == NULL)
        qvuiMessageRow(&editor->kit, QVUI_ICON_INFO, QVUI_MUTED, "The motion is being solved; a moment.");
    igPushStyleVar_Vec2(ImGuiStyleVar_ItemSpacing, (ImVec2){ 0, 0 });
    bool changed = FormatRows(editor);
    if (qvGetExporter(form->format).usesOptions)
        changed |= OptionRows(editor);
    FileRows(editor);
    EstimateRow(editor);
    DrawBar(editor);
    igPopStyleVar(1);
    DrawButtons(editor);
    form->wantsEstimate |= changed;
    // One estimate at a time, with what the options are when the last one is through.
    bool writing = editor->exporter.task.running && editor->exporter.writes;
    if (form->wantsEstimate && !writing && editor->session.take != NULL)
    {
        form->wantsEstimate = false;
        Start(editor, false);
    }
}

const qvuiDialog qvuiDialogExport = { "export", "Export", 560, 0, Opened, Draw, true };
