// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/label.h"

#include <stdio.h>

qvLabel qvMakeLabel(const char* own, const char* kind, int number)
{
    qvLabel label;
    if (own != NULL)
        snprintf(label.text, sizeof(label.text), "%s", own);
    else
        snprintf(label.text, sizeof(label.text), "%s %d", kind, number);
    return label;
}
