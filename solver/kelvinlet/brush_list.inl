// SPDX-License-Identifier: GPL-3.0-or-later
// One line per brush, in palette order: the descriptor at the end of its file, its tag in files and its label. Brushes
// that are elastic can be sent as waves too.
ELASTIC_BRUSH(qvBrushGrab, "grab", "Grab")
ELASTIC_BRUSH(qvBrushTwist, "twist", "Twist")
ELASTIC_BRUSH(qvBrushScale, "scale", "Scale")
ELASTIC_BRUSH(qvBrushPinch, "pinch", "Pinch")
OTHER_BRUSH(qvBrushSmooth, "smooth", "Smooth")
#undef ELASTIC_BRUSH
#undef OTHER_BRUSH
