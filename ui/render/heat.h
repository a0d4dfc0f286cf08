// SPDX-License-Identifier: GPL-3.0-or-later
/// The colours of quantities on a surface.
#pragma once

/// Red, green and blue in even steps from 0 to 1, linear: night blue, violet, teal, amber, straw. Lightness grows
/// evenly, so that equal steps look equal. STOP(r, g, b) makes one of them, AND stands between two.
#define QVUI_HEAT_STOPS(STOP, AND) \
    STOP(0.016, 0.023, 0.075)      \
    AND STOP(0.085, 0.055, 0.30) AND STOP(0.03, 0.31, 0.36) AND STOP(0.78, 0.38, 0.045) AND STOP(0.98, 0.90, 0.52)
