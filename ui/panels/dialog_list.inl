// SPDX-License-Identifier: GPL-3.0-or-later
// One line per dialog: the name in qvuiDialogKind and the descriptor.
DIALOG(Open, qvuiDialogOpen)
DIALOG(Shortcuts, qvuiDialogShortcuts)
DIALOG(About, qvuiDialogAbout)
DIALOG(Save, qvuiDialogSave)
DIALOG(Unsaved, qvuiDialogUnsaved)
DIALOG(Changed, qvuiDialogChanged)
DIALOG(Export, qvuiDialogExport)
DIALOG(Place, qvuiDialogPlace)
DIALOG(Palette, qvuiDialogPalette)
DIALOG(Restore, qvuiDialogRestore)
DIALOG(Preferences, qvuiDialogPreferences)
DIALOG(Manual, qvuiDialogManual)
