// SPDX-License-Identifier: GPL-3.0-or-later
// One line per tab at the foot of the window, from left to right.
TAB(qvuiTabTimeline)
TAB(qvuiTabGraph)
TAB(qvuiTabHistory)
