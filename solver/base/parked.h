// SPDX-License-Identifier: GPL-3.0-or-later
// Large arrays that are seldom read, in a file without a name. Reading brings their pages into memory; they need none
// when they rest.
#pragma once

#include <stdbool.h>
#include <stddef.h>

/// A copy of the bytes, to be read only, in a file of that folder that nobody else sees. NULL when they are too few to
/// be worth a file or the folder cannot take it.
void* qvPark(const char* folder, const void* bytes, size_t size);

/// Gives back the memory that reading took, of all of it or of a part. At any time: others may be reading.
void qvRestParked(const void* parked, size_t size);

void qvUnpark(void* parked, size_t size);

/// Zeroed memory, in large pages if the system can, for an array that is read over and over and may be parked where it
/// is. NULL when memory runs out. Free with qvUnpark.
void* qvMapLarge(size_t size);

/// Puts such an array into a file as qvPark does, at the same place: others may be reading, but nobody writes any more.
/// False leaves it as it is.
bool qvParkInPlace(const char* folder, void* memory, size_t size);
