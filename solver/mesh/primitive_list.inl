// SPDX-License-Identifier: GPL-3.0-or-later
// One line per built-in shape, in menu order: the descriptor at the end of its file.
PRIMITIVE(qvPrimitiveSphere)
PRIMITIVE(qvPrimitiveBlock)
PRIMITIVE(qvPrimitiveSack)
PRIMITIVE(qvPrimitiveTentacle)
PRIMITIVE(qvPrimitiveSheet)
PRIMITIVE(qvPrimitiveTorus)
PRIMITIVE(qvPrimitiveImp)
