// SPDX-License-Identifier: GPL-3.0-or-later
/// What the window remembers from one start to the next: interface size, inspector, folded panels, display.
#pragma once

#include "ui/editor/editor.h"

/// Where settings are kept: quaver/settings.json below XDG_CONFIG_HOME or ~/.config. False when there is no such place.
bool qvuiSettingsPath(char* path, size_t capacity);

/// The user's own shortcuts: keymap.json beside the settings.
bool qvuiKeymapPath(char* path, size_t capacity);

/// Makes the folders above a file; what already exists is fine, and what fails shows when the file is written.
void qvuiMakeFolders(const char* path);

/// Writes settings or shortcuts. A symbolic link, as people have who keep their settings elsewhere, is followed only to
/// a file with an object in it.
QV_CHECKED qvResult qvuiWriteConfig(const char* path, const char* text, qvError* error);

/// Applies a settings file. A missing file changes nothing; a damaged one is an error, and values out of range are
/// brought into it.
QV_CHECKED qvResult qvuiLoadSettings(qvuiEditor* editor, const char* path, qvError* error);

/// Settings that are written soon after they have changed, so that a crash does not lose them.
typedef struct qvuiKeptSettings
{
    char* text;   ///< what the file is known to hold
    bool pending; ///< something may have changed since it was last looked at
    double time;  ///< when that was, s
} qvuiKeptSettings;

/// What the editor has now is taken for what the file holds.
void qvuiKeptSettings_Start(qvuiKeptSettings* kept, const qvuiEditor* editor);
void qvuiKeptSettings_Free(qvuiKeptSettings* kept);
/// Seconds until qvuiKeptSettings_Write has something to do; negative: it has not.
double qvuiKeptSettings_Wait(const qvuiKeptSettings* kept, double now);
/// Writes the settings if they are others than those in the file. What cannot be written is not tried again until it
/// changes.
QV_CHECKED qvResult qvuiKeptSettings_Write(qvuiKeptSettings* kept, const qvuiEditor* editor, const char* path,
                                           double now, qvError* error);
