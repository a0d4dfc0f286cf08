// SPDX-License-Identifier: GPL-3.0-or-later
/// A folder and what in it can be opened or replaced; the state behind the file dialogs.
#pragma once

#include "quaver/result.h"
#include "ui/editor/path.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct qvuiEntry
{
    char* name;
    bool isFolder;
    int64_t size; ///< bytes, files only
} qvuiEntry;

/// What the typed text means.
typedef enum qvuiTyped
{
    qvui_typedFilter,  ///< part of a name; also when nothing was typed
    qvui_typedFile,    ///< a file that is there, by name or path
    qvui_typedFolder,  ///< a folder that is there, by name or path
    qvui_typedMissing, ///< a path to nothing
} qvuiTyped;

typedef struct qvuiBrowser
{
    char folder[qvui_maxPath]; ///< absolute; "" before the first use
    char typed[qvui_maxPath];  ///< what the user types: a filter or a path
    const char* kind;          ///< ending of the files that are listed; NULL: all that can be opened
    bool names;                ///< what is typed names a file to write, and filters nothing
    int field;                 ///< grows when the typed text comes from the list, so that the text field takes it over
    int count, capacity;
    qvuiEntry* entries; ///< folders first, by name
    int selected;       ///< index, or -1
    bool wantsKeyboard; ///< the text field takes the keyboard in the next frame
    char problem[256];  ///< why the folder cannot be read; "" when it can
} qvuiBrowser;

/// Reads a folder (relative to the current one; ".." goes up). A folder that cannot be read becomes the problem.
void qvuiBrowser_Enter(qvuiBrowser* browser, const char* folder);

/// Reads the current folder again; the first time, that of the program's start.
void qvuiBrowser_Refresh(qvuiBrowser* browser);

/// Goes to the folder that is selected. False: none is.
bool qvuiBrowser_EnterSelected(qvuiBrowser* browser);

/// The path of an entry.
void qvuiBrowser_Path(const qvuiBrowser* browser, int index, char* path, size_t capacity);

/// Selects an entry. Where a file is to be written, its name becomes what is typed.
void qvuiBrowser_Select(qvuiBrowser* browser, int index);

/// Whether the name contains what was typed, ignoring case. No name contains a path.
bool qvuiBrowser_Matches(const qvuiBrowser* browser, int index);

/// What the typed text means, and the absolute path it stands for: names and relative paths start at the folder, "~" is
/// the home folder.
qvuiTyped qvuiBrowser_Typed(const qvuiBrowser* browser, char* path, size_t capacity);

void qvuiBrowser_Free(qvuiBrowser* browser);
