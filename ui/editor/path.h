// SPDX-License-Identifier: GPL-3.0-or-later
/// Room for paths of files.
#pragma once

enum
{
    qvui_maxPath = 4096
};
