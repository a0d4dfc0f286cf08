// SPDX-License-Identifier: GPL-3.0-or-later
// One line per tool, in the order of the strip: the descriptor qvuiTool… at the end of its file. Brushes are
// in quaver/brush_list.inl.
TOOL(Select)
#define ELASTIC_BRUSH(name, ...) TOOL(name)
#define OTHER_BRUSH              ELASTIC_BRUSH
#include "quaver/brush_list.inl"
TOOL(Pin)
TOOL(Mask)
TOOL(Weight)
TOOL(Wave)
TOOL(Transform)
TOOL(Joint)
TOOL(Trail)
