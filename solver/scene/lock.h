// SPDX-License-Identifier: GPL-3.0-or-later
// Locks beside files, which tell other programs that a document is open. The system drops them with the program, so
// that a crash leaves none; the file's text says who has it.
#pragma once

#include <stddef.h>

typedef struct qvLock qvLock;

/// Takes the lock of a file. NULL when another has it, or when something else is in its place, a symbolic link for one,
/// which is left alone: remark then says so in a line. NULL without a remark when none can be made, as in a folder that
/// cannot be written.
qvLock* qvAcquireLock(const char* path, char* remark, size_t capacity);
/// NULL is allowed.
void qvReleaseLock(qvLock* lock);
