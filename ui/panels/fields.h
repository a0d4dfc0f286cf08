// SPDX-License-Identifier: GPL-3.0-or-later
/// Rows for the fields of an object, made from the scene's field tables: drag, type, reset, live, one undo step each.
#pragma once

#include "ui/editor/editor.h"

/// A row for one field by its tag; nothing when the object or the field is not there or does not apply.
void qvuiFieldRow(qvuiEditor* editor, qvRef object, const char* tag, ImU32 color);

/// Rows for all fields that a row can show, but those listed (NULL-ended; may be NULL).
void qvuiFieldRows(qvuiEditor* editor, qvRef object, const char* const* without, ImU32 color);
