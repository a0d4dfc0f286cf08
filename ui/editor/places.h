// SPDX-License-Identifier: GPL-3.0-or-later
/// Where a user's files go.
#pragma once

#include "quaver/document.h"

#include <stdbool.h>
#include <stddef.h>

/// The absolute folder of a document that the user may write beside: not one of the program's own demos. False when
/// there is none.
bool qvuiDocumentFolder(const qvDocument* document, char* folder, size_t capacity);

/// Whether a document is one of the demos, which are the program's and have their pictures beside them: it is saved
/// elsewhere. A new scene among them is its author's.
bool qvuiIsDemo(const qvDocument* document);

/// Where files of a document without a folder go: to the last such folder ("": none yet), else to Documents in the home
/// folder, else to that itself, else to the folder in which the program was started.
void qvuiStartFolder(const char* last, char* folder, size_t capacity);

/// Whether a folder is there and can be written to.
bool qvuiCanWriteTo(const char* folder);
