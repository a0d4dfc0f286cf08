// SPDX-License-Identifier: GPL-3.0-or-later
// One line per brush, in palette order: the descriptor at the end of its file.
BRUSH(qvBrushGrab)
BRUSH(qvBrushTwist)
BRUSH(qvBrushScale)
BRUSH(qvBrushPinch)
BRUSH(qvBrushSmooth)
