// SPDX-License-Identifier: GPL-3.0-or-later
// Large arrays that are seldom read, in a file without a name. Reading brings their pages into memory; they need none
// when they rest.
#pragma once

#include <stddef.h>

/// A copy of the bytes, to be read only, in a file of that folder that nobody else sees. NULL when they are too few to
/// be worth a file or the folder cannot take it.
void* qvPark(const char* folder, const void* bytes, size_t size);

/// Gives back the memory that reading took, of all of it or of a part. At any time: others may be reading.
void qvRestParked(const void* parked, size_t size);

void qvUnpark(void* parked, size_t size);
