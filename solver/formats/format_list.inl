// SPDX-License-Identifier: GPL-3.0-or-later
// One line per file format, in the order of dialogs and of recognition by content: the descriptor ends its file.
FORMAT(qvFormatGlb)
FORMAT(qvFormatGltf)
FORMAT(qvFormatObj)
FORMAT(qvFormatPly)
FORMAT(qvFormatStl)
