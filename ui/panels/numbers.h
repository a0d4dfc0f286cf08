// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stddef.h>

/// A count with commas between thousands: "1,762". Returns text.
char* qvuiFormatCount(int count, char* text, size_t capacity);
