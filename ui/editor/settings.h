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

/// Applies a settings file. A missing file changes nothing; a damaged one is an error, and values out of range are
/// brought into it.
QV_CHECKED qvResult qvuiLoadSettings(qvuiEditor* editor, const char* path, qvError* error);

/// Writes the settings, making the folder.
QV_CHECKED qvResult qvuiSaveSettings(const qvuiEditor* editor, const char* path, qvError* error);
