// SPDX-License-Identifier: GPL-3.0-or-later
/// Whether the key that the inspector shows is the one at the playhead, and what there is at the playhead.
#pragma once

#include "ui/editor/editor.h"

/// Whether a key is shown that is not at the playhead. False while playing, when the playhead passes all of them.
bool qvuiIsKeyElsewhere(const qvuiEditor* editor);

/// A row that says what there is at the playhead, with buttons to the neighbouring keys and for what is missing. It is
/// there in every state, so that what lies below stays in its place while the playhead moves.
void qvuiDrawHereRow(qvuiEditor* editor);

/// Dims the rows from start to here while they show a key that is elsewhere, unless the mouse is over them: they can be
/// changed all the same.
void qvuiDimElsewhere(qvuiEditor* editor, ImVec2 start);
