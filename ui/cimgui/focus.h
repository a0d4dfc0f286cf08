// SPDX-License-Identifier: GPL-3.0-or-later
/// Tab in dialogs. Dear ImGui 1.86 stops at text fields only, and starts anew after anything else; between these two
/// calls it stops at every item that is not disabled.
#pragma once

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/// arrows: the arrow keys go from item to item too; false leaves them to a list.
void qvui_BeginTabStops(bool arrows);
void qvui_EndTabStops(void);

/// What follows is no stop of Tab: entries of a list.
void qvui_SkipTabStops(void);

/// Whether Enter was pressed with the keyboard's focus, seen by its ring, on the last item.
bool qvui_IsItemEntered(void);

/// Closes the menus above a number of popups, if there still are any.
void qvui_ClosePopups(int remaining);

#ifdef __cplusplus
}
#endif
