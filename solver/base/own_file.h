// SPDX-License-Identifier: GPL-3.0-or-later
// Files that the program keeps for itself, in folders that others may have filled: a link at such a name may lead to
// anything of the user's, a pipe would make the program wait.
#pragma once

#include "quaver/file.h"

#include <sys/types.h>

/// Opens a file with flags of open, O_CREAT among them. Its name is no symbolic link and it is a regular file, else -1
/// with errno; never waits, never truncates.
int qvOpenOwn(const char* path, int flags, mode_t mode);

/// What is written under another name first: ".quaver-HOST-" and six random characters, in a folder that other
/// computers may share. host NULL: this computer's. To be freed; NULL when memory runs out.
char* qvTemporaryPath(const char* folder, const char* host);

/// A new file whose path ends in six random characters, found anew if there is one of that name; -1 with errno on
/// failure. It is locked while it is open, which says that its writer lives.
int qvCreateTemporary(char* path, int flags, mode_t mode);

/// Removes the temporaries of a folder that this user wrote on this computer (host NULL, else on that one), that nobody
/// has locked and that are a day old: a set of many files waits unlocked for its last one.
void qvSweepTemporaries(const char* folder, const char* host);

/// qvFileWriter_Open without looking for what others left: for many files in one place.
QV_CHECKED qvResult qvFileWriter_OpenAmong(qvFileWriter* writer, const char* path, qvError* error);
