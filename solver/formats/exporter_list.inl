// SPDX-License-Identifier: GPL-3.0-or-later
// One line per way out for baked motion, in the order of dialogs: the descriptor ends its file.
EXPORTER(qvExporterGlb)
EXPORTER(qvExporterGltf)
EXPORTER(qvExporterPc2)
EXPORTER(qvExporterMdd)
EXPORTER(qvExporterObj)
EXPORTER(qvExporterPly)
EXPORTER(qvExporterUsd)
EXPORTER(qvExporterVat)
EXPORTER(qvExporterPage)
