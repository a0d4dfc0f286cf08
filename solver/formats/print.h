// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers to text, without the locale and several times faster than printf. Each function writes at to, without a zero
// byte, and returns the end.
#pragma once

enum
{
    qv_maxPrintedNumber = 24 ///< characters that a number takes at most
};

/// Nine significant digits, so that reading brings the same float back; trailing zeros are left out.
char* qvPrintFloat(char* to, float value);

char* qvPrintInt(char* to, int value);
