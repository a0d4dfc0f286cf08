// SPDX-License-Identifier: GPL-3.0-or-later
/// What the window remembers from one start to the next: interface size, inspector, folded panels, display.
#pragma once

#include "ui/editor/editor.h"

/// Where settings are kept: quaver/settings.json below XDG_CONFIG_HOME or ~/.config. False when there is no such place.
bool qvuiSettingsPath(char* path, size_t capacity);

/// Applies a settings file. A missing file changes nothing; a damaged one is an error, and values out of range are
/// brought into it.
QV_CHECKED qvResult qvuiLoadSettings(qvuiEditor* editor, const char* path, qvError* error);

/// Writes the settings, making the folder.
QV_CHECKED qvResult qvuiSaveSettings(const qvuiEditor* editor, const char* path, qvError* error);
