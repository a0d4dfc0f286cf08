// SPDX-License-Identifier: GPL-3.0-or-later
// One line per built-in shape, in menu order: the descriptor at the end of its file, its tag in files and its label.
PRIMITIVE(qvPrimitiveSphere, "sphere", "Sphere")
PRIMITIVE(qvPrimitiveBlock, "block", "Block")
PRIMITIVE(qvPrimitiveSack, "sack", "Flour sack")
PRIMITIVE(qvPrimitiveTentacle, "tentacle", "Tentacle")
PRIMITIVE(qvPrimitiveSheet, "sheet", "Sheet")
PRIMITIVE(qvPrimitiveTorus, "torus", "Torus")
PRIMITIVE(qvPrimitiveImp, "imp", "Imp")
