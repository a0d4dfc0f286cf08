// SPDX-License-Identifier: GPL-3.0-or-later
// What messages call an item of a list.
#pragma once

typedef struct qvLabel
{
    char text[96];
} qvLabel;

/// Its own label ("key "a" at 1 s"), or its kind and number where it has none.
qvLabel qvMakeLabel(const char* own, const char* kind, int number);
