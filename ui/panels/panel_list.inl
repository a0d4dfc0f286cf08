// SPDX-License-Identifier: GPL-3.0-or-later
// One line per section of the inspector, from top to bottom.
PANEL(qvuiPanelKey)
PANEL(qvuiPanelKeyMore)
PANEL(qvuiPanelEvent)
PANEL(qvuiPanelMaterial)
PANEL(qvuiPanelStrokes)
PANEL(qvuiPanelMixer)
PANEL(qvuiPanelSecondary)
PANEL(qvuiPanelScene)
PANEL(qvuiPanelMesh)
PANEL(qvuiPanelHealth)
PANEL(qvuiPanelDisplay)
PANEL(qvuiPanelCamera)
