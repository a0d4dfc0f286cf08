// SPDX-License-Identifier: GPL-3.0-or-later
// Locks beside files, which tell other programs that a document is open. The system drops them with the program, so
// that a crash leaves none; the file's text says who has it.
#pragma once

#include <stddef.h>

typedef struct qvLock qvLock;

/// Takes the lock of a file. NULL when another has it (owner says who: "program 123 on host") or when none can be made
/// (owner is "": a folder that cannot be written).
qvLock* qvAcquireLock(const char* path, char* owner, size_t capacity);
/// NULL is allowed.
void qvReleaseLock(qvLock* lock);
