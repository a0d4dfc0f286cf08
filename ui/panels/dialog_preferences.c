// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/editor.h"

#include "ui/editor/settings.h"
#include "ui/widgets/icons.h"

#include <math.h>
#include <stdio.h>

static void KeymapRows(qvuiEditor* editor)
{
    qvuiKit* kit = &editor->kit;
    char path[qvui_maxPath];
    qvError error;
    if (!qvuiKeymapPath(path, sizeof(path)))
        return;
    qvuiTextRow(kit, "Keymap file", path);
    igSetCursorPosX(igGetCursorPosX() + qvuiPixels(&kit->style, 12));
    if (qvuiPill(kit, "Change keys\xe2\x80\xa6", 0.0f, "Finds a command and gives it the keys that you press"))
        qvuiEditor_SetDialog(editor, qvui_dialogKeys);
    igSameLine(0.0f, qvuiPixels(&kit->style, 8));
    if (qvuiPill(kit, "Write it", 0.0f, "Writes all commands with their keys, for you to change"))
    {
        qvuiMakeFolders(path);
        if (qvuiEditor_Did(editor, qvuiKeymap_Save(&editor->keymap, path, &error), &error))
            qvuiEditor_Notify(editor, false, "Wrote %s", path);
    }
    igSameLine(0.0f, qvuiPixels(&kit->style, 8));
    if (qvuiPill(kit, "Read it again", 0.0f, "Takes over what you changed"))
        qvuiEditor_Did(editor, qvuiKeymap_Load(&editor->keymap, path, &error), &error);
}

// The window takes the largest size that leaves its panels room.
static void SizeRemark(qvuiEditor* editor)
{
    double size = 100.0 * editor->kit.style.scale, wanted = 100.0 * editor->wantedScale;
    char text[96];
    if (size > wanted - 0.5)
        return;
    snprintf(text, sizeof(text), "This window has room for %.0f %%; make it larger for %.0f %%", size, wanted);
    qvuiMessageRow(&editor->kit, QVUI_ICON_INFO, QVUI_AMBER, text);
    qvuiNames_AddArea(&editor->kit.names, "Size remark");
}

// Waits for the button: a bar that is dragged through small values must not empty the cache.
static void DiskRow(qvuiEditor* editor)
{
    static const qvuiSliderDef def = { .label = "Kept on disk",
                                       .format = "%.1f GB",
                                       .minimum = 0.0,
                                       .maximum = qvui_maxDiskCache,
                                       .standard = qvui_diskCache,
                                       .color = QVUI_CHOSEN,
                                       .tooltip = "At most so much of what takes long is kept for the next time, the "
                                                  "vibrations of bodies and the frames of simulations, in "
                                                  "~/.cache/quaver; the oldest goes first.",
                                       .power = 3.0 };
    double gigabytes = 0.1 * round(10.0 * editor->typedDiskCache);
    if (qvuiSliderRow(&editor->kit, &def, &gigabytes))
        editor->typedDiskCache = gigabytes;
    else if (!igIsMouseDown(ImGuiMouseButton_Left))
    {
        qvuiSession_SetDiskCache(&editor->session, gigabytes);
        editor->typedDiskCache = gigabytes;
    }
}

static void Open(qvuiEditor* editor)
{
    editor->typedDiskCache = editor->session.diskCache;
}

static void Draw(qvuiEditor* editor)
{
    static const char* const schools[] = { "brush", "orbit" };
    static const qvuiSliderDef scaleDef = { .label = "Interface size",
                                            .format = "%.0f %%",
                                            .minimum = 75.0,
                                            .maximum = 300.0,
                                            .standard = 100.0,
                                            .color = QVUI_CHOSEN,
                                            .tooltip = "Of text and controls; takes effect when let go." };
    qvuiKit* kit = &editor->kit;
    double percent = 100.0 * editor->typedScale;
    if (qvuiSliderRow(kit, &scaleDef, &percent))
        editor->typedScale = 0.01 * percent;
    // A new size moves the slider from under the mouse, so it waits for the button; steps of 5 % keep fonts crisp.
    if (!igIsMouseDown(ImGuiMouseButton_Left))
        editor->wantedScale = editor->typedScale = 0.05 * floor(20.0 * editor->typedScale + 0.5);
    SizeRemark(editor);
    int school = editor->viewport.leftOrbits;
    if (qvuiSegmentedRow(kit, "Left button on the body", schools, 2, &school, QVUI_CHOSEN,
                         "What the left button does while a brush is chosen. When it orbits, the right button brushes. "
                         "The middle button and Alt "
                         "always orbit"))
        editor->viewport.leftOrbits = school == 1;
    qvuiSwitchRow(kit, "Times in the viewport", &editor->viewport.showBadges,
                  "Points, modes and milliseconds per frame in the corners of the picture");
    qvuiSwitchRow(kit, "Frames on the ruler", &editor->timeline.showFrames,
                  "Frames instead of seconds; the motion stays as it is");
    qvuiSwitchRow(kit, "Auto-key", &editor->session.autoKey,
                  "A stroke where there is no key makes one; without, such strokes are refused");
    DiskRow(editor);
    KeymapRows(editor);
}

const qvuiDialog qvuiDialogPreferences = { "preferences", "Preferences", 520, 0, Open, Draw, false, true };
