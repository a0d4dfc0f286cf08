// SPDX-License-Identifier: GPL-3.0-or-later
// One line per tool, in the order of the strip: the descriptor qvuiTool… at the end of its file.
TOOL(Select)
TOOL(Grab)
TOOL(Twist)
TOOL(Scale)
TOOL(Pinch)
TOOL(Smooth)
TOOL(Pin)
TOOL(Mask)
TOOL(Weight)
TOOL(Wave)
TOOL(Transform)
TOOL(Trail)
