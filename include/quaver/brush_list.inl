// SPDX-License-Identifier: GPL-3.0-or-later
// One line per brush, in palette order: the name of its descriptor (qvBrush… at the end of brush_x.c) and of its tool
// in the window (qvuiTool… at the end of tool_x.c), its tag in files, its label; what its action is called, its key and
// its help. Brushes that are elastic can be sent as waves too.
ELASTIC_BRUSH(Grab, "grab", "Grab", "Grab, bi-scale, tri-scale", "G",
              "Poses by pulling; again for bi-scale and tri-scale, which move less of the body")
OTHER_BRUSH(Bend, "bend", "Bend", "Bend a limb", "B",
            "Poses limbs: what is touched turns about its joint; again for more segments, which follow like a chain")
ELASTIC_BRUSH(Twist, "twist", "Twist", "Twist", "R", "Poses by turning what is under the brush")
ELASTIC_BRUSH(Scale, "scale", "Scale", "Scale", "S", "Poses by swelling and shrinking what is under the brush")
ELASTIC_BRUSH(Pinch, "pinch", "Pinch", "Pinch", "P", "Poses by stretching along the drag and narrowing across it")
OTHER_BRUSH(Smooth, "smooth", "Smooth", "Smooth", "Shift+S", "Evens out bumps of the pose")
#undef ELASTIC_BRUSH
#undef OTHER_BRUSH
