// SPDX-License-Identifier: GPL-3.0-or-later
// One line per table of operations: EVAL(qvEvalStatic)
EVAL(qvEvalWiggly)
EVAL(qvEvalShell)
EVAL(qvEvalStatic)
EVAL(qvEvalDynamic)
EVAL(qvEvalPhyxel)
EVAL(qvEvalPhyxelSim)
EVAL(qvEvalPhyxelSurface)
