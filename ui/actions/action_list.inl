// SPDX-License-Identifier: GPL-3.0-or-later
// One line per action, in menu order: id, label, menu, starts a group, where its shortcut counts, shortcut, function,
// is on, is possible.
ACTION("file.new", "New\xe2\x80\xa6", qvui_menuFile, false, qvui_whereAny, "Ctrl+N", qvuiAction_New, NULL, NULL)
ACTION("file.open", "Open\xe2\x80\xa6", qvui_menuFile, false, qvui_whereAny, "Ctrl+O", qvuiAction_Open, NULL, NULL)
ACTION("file.save", "Save", qvui_menuFile, true, qvui_whereAny, "Ctrl+S", qvuiAction_Save, NULL, qvuiHasDocument)
ACTION("file.saveAs", "Save as\xe2\x80\xa6", qvui_menuFile, false, qvui_whereAny, "Ctrl+Shift+S", qvuiAction_SaveAs,
       NULL, qvuiHasDocument)
ACTION("file.export", "Export\xe2\x80\xa6", qvui_menuFile, true, qvui_whereAny, "Ctrl+Shift+E", qvuiAction_Export, NULL,
       qvuiHasMesh)
ACTION("file.close", "Close", qvui_menuFile, false, qvui_whereAny, "Ctrl+W", qvuiAction_Close, NULL, qvuiHasMesh)
ACTION("file.quit", "Quit", qvui_menuFile, true, qvui_whereAny, "Ctrl+Q", qvuiAction_Quit, NULL, NULL)
ACTION("edit.undo", "Undo", qvui_menuEdit, false, qvui_whereAny, "Ctrl+Z", qvuiAction_Undo, NULL, qvuiCanUndo)
ACTION("edit.redo", "Redo", qvui_menuEdit, false, qvui_whereAny, "Ctrl+Shift+Z|Ctrl+Y", qvuiAction_Redo, NULL,
       qvuiCanRedo)
ACTION("edit.undoAll", "Undo everything", qvui_menuEdit, false, qvui_whereAny, "", qvuiAction_UndoAll, NULL,
       qvuiCanUndo)
ACTION("edit.redoAll", "Redo everything", qvui_menuEdit, false, qvui_whereAny, "", qvuiAction_RedoAll, NULL,
       qvuiCanRedo)
ACTION("edit.palette", "Search commands\xe2\x80\xa6", qvui_menuEdit, true, qvui_whereAny, "F3|Ctrl+Shift+P",
       qvuiAction_Palette, NULL, NULL)
ACTION("edit.preferences", "Preferences\xe2\x80\xa6", qvui_menuEdit, false, qvui_whereAny, "Ctrl+,",
       qvuiAction_Preferences, NULL, NULL)
ACTION("key.insert", "Insert key", qvui_menuEdit, true, qvui_whereAny, "I", qvuiAction_InsertKey, NULL, qvuiHasMesh)
ACTION("key.deleteHere", "Delete key at the playhead", qvui_menuEdit, false, qvui_whereAny, "Alt+I",
       qvuiAction_DeleteKeyHere, NULL, qvuiHasDocument)
ACTION("key.delete", "Delete selected", qvui_menuEdit, false, qvui_whereTimeline, "X|Del", qvuiAction_Delete, NULL,
       qvuiHasSelection)
ACTION("key.deleteAnywhere", "Delete selected", qvui_menuNone, false, qvui_whereAny, "Del", qvuiAction_Delete, NULL,
       qvuiHasSelection)
ACTION("key.duplicate", "Duplicate keys", qvui_menuEdit, false, qvui_whereAny, "Shift+D", qvuiAction_DuplicateKeys,
       NULL, qvuiHasSelectedKeys)
ACTION("key.move", "Move keys in time", qvui_menuEdit, false, qvui_whereTimeline, "G", qvuiAction_MoveKeys, NULL,
       qvuiHasSelectedKeys)
ACTION("key.scale", "Scale keys in time", qvui_menuEdit, false, qvui_whereTimeline, "S", qvuiAction_ScaleKeys, NULL,
       qvuiHasSelectedKeys)
ACTION("key.reverse", "Reverse keys", qvui_menuEdit, false, qvui_whereTimeline, "", qvuiAction_ReverseKeys, NULL,
       qvuiHasSelectedKeys)
ACTION("key.box", "Box select keys", qvui_menuEdit, true, qvui_whereTimeline, "B", qvuiAction_BoxSelect, NULL,
       qvuiHasDocument)
ACTION("key.all", "Select all keys", qvui_menuEdit, false, qvui_whereTimeline, "A", qvuiAction_SelectAll, NULL,
       qvuiHasDocument)
ACTION("key.none", "Select none", qvui_menuEdit, false, qvui_whereTimeline, "Alt+A", qvuiAction_SelectNone, NULL,
       qvuiHasDocument)
ACTION("key.part", "Hold only the masked part", qvui_menuPose, false, qvui_whereAny, "", qvuiAction_HoldPart, NULL,
       qvuiHasSelectedKey)
ACTION("key.whole", "Hold the whole body", qvui_menuPose, false, qvui_whereAny, "", qvuiAction_HoldWhole, NULL,
       qvuiHasPartialKey)
ACTION("pose.copy", "Copy pose", qvui_menuPose, true, qvui_whereAny, "Ctrl+C", qvuiAction_CopyPose, NULL, qvuiHasMesh)
ACTION("pose.paste", "Paste pose", qvui_menuPose, false, qvui_whereAny, "Ctrl+V", qvuiAction_PastePose, NULL,
       qvuiHasCopiedPose)
ACTION("pose.pasteMirrored", "Paste pose mirrored", qvui_menuPose, false, qvui_whereAny, "Ctrl+Shift+V",
       qvuiAction_PasteMirrored, NULL, qvuiHasCopiedPose)
ACTION("pose.tween", "Tween\xe2\x80\xa6", qvui_menuPose, true, qvui_whereAny, "Shift+E", qvuiAction_Tween, NULL,
       qvuiHasMesh)
ACTION("pose.push", "Push away from the neighbours", qvui_menuPose, false, qvui_whereAny, "Ctrl+E", qvuiAction_PushPose,
       NULL, qvuiHasMesh)
ACTION("pose.relax", "Relax towards the neighbours", qvui_menuPose, false, qvui_whereAny, "Alt+E", qvuiAction_RelaxPose,
       NULL, qvuiHasMesh)
ACTION("pose.reset", "Reset to rest", qvui_menuPose, true, qvui_whereAny, "Alt+G", qvuiAction_ResetPose, NULL,
       qvuiHasMesh)
ACTION("tool.select", "Select and look", qvui_menuPose, true, qvui_whereViewport, "Q", qvuiAction_ToolSelect, NULL,
       qvuiHasMesh)
ACTION("tool.grab", "Grab, bi-scale, tri-scale", qvui_menuPose, false, qvui_whereViewport, "G", qvuiAction_ToolGrab,
       NULL, qvuiHasMesh)
ACTION("tool.twist", "Twist", qvui_menuPose, false, qvui_whereViewport, "R", qvuiAction_ToolTwist, NULL, qvuiHasMesh)
ACTION("tool.scale", "Scale", qvui_menuPose, false, qvui_whereViewport, "S", qvuiAction_ToolScale, NULL, qvuiHasMesh)
ACTION("tool.pinch", "Pinch", qvui_menuPose, false, qvui_whereViewport, "P", qvuiAction_ToolPinch, NULL, qvuiHasMesh)
ACTION("tool.smooth", "Smooth", qvui_menuPose, false, qvui_whereViewport, "Shift+S", qvuiAction_ToolSmooth, NULL,
       qvuiHasMesh)
ACTION("tool.pin", "Pin, mask, weight", qvui_menuPose, false, qvui_whereViewport, "M", qvuiAction_ToolPin, NULL,
       qvuiHasMesh)
ACTION("tool.mask", "Mask", qvui_menuNone, false, qvui_whereViewport, "", qvuiAction_ToolMask, NULL, qvuiHasMesh)
ACTION("tool.weight", "Secondary motion weight", qvui_menuNone, false, qvui_whereViewport, "", qvuiAction_ToolWeight,
       NULL, qvuiHasMesh)
ACTION("tool.wave", "Wave", qvui_menuPose, false, qvui_whereViewport, "W", qvuiAction_ToolWave, NULL, qvuiHasMesh)
ACTION("tool.transform", "Move and turn the body", qvui_menuPose, false, qvui_whereViewport, "T",
       qvuiAction_ToolTransform, NULL, qvuiHasMesh)
ACTION("tool.trail", "Pick trails", qvui_menuPose, false, qvui_whereViewport, "J", qvuiAction_ToolTrail, NULL,
       qvuiHasMesh)
ACTION("tool.clearMask", "Clear the mask", qvui_menuPose, true, qvui_whereViewport, "Alt+M", qvuiAction_ClearMask, NULL,
       qvuiHasMask)
ACTION("tool.clearPins", "Remove all pins", qvui_menuPose, false, qvui_whereAny, "", qvuiAction_ClearPins, NULL,
       qvuiHasPins)
ACTION("tool.symmetryX", "Symmetry left and right", qvui_menuPose, true, qvui_whereViewport, "X", qvuiAction_SymmetryX,
       qvuiIsSymmetricX, NULL)
ACTION("tool.symmetryY", "Symmetry up and down", qvui_menuPose, false, qvui_whereViewport, "Y", qvuiAction_SymmetryY,
       qvuiIsSymmetricY, NULL)
ACTION("tool.symmetryZ", "Symmetry front and back", qvui_menuPose, false, qvui_whereViewport, "Z", qvuiAction_SymmetryZ,
       qvuiIsSymmetricZ, NULL)
ACTION("tool.radius", "Brush radius", qvui_menuNone, false, qvui_whereViewport, "F", qvuiAction_Radius, NULL,
       qvuiHasMesh)
ACTION("tool.strength", "Brush strength", qvui_menuNone, false, qvui_whereViewport, "Shift+F", qvuiAction_Strength,
       NULL, qvuiHasMesh)
ACTION("tool.smaller", "Smaller brush", qvui_menuNone, false, qvui_whereViewport, "[", qvuiAction_SmallerBrush, NULL,
       qvuiHasMesh)
ACTION("tool.larger", "Larger brush", qvui_menuNone, false, qvui_whereViewport, "]", qvuiAction_LargerBrush, NULL,
       qvuiHasMesh)
ACTION("time.play", "Play", qvui_menuMotion, false, qvui_whereAny, "Space", qvuiAction_Play, qvuiIsPlaying,
       qvuiHasDocument)
ACTION("time.start", "To the start", qvui_menuMotion, false, qvui_whereAny, "Shift+Left", qvuiAction_Start, NULL,
       qvuiHasDocument)
ACTION("time.end", "To the end", qvui_menuMotion, false, qvui_whereAny, "Shift+Right", qvuiAction_End, NULL,
       qvuiHasDocument)
ACTION("time.previousFrame", "Previous frame", qvui_menuMotion, false, qvui_whereAny, "Left", qvuiAction_PreviousFrame,
       NULL, qvuiHasDocument)
ACTION("time.nextFrame", "Next frame", qvui_menuMotion, false, qvui_whereAny, "Right", qvuiAction_NextFrame, NULL,
       qvuiHasDocument)
ACTION("time.previousKey", "Previous key", qvui_menuMotion, false, qvui_whereAny, "Down", qvuiAction_PreviousKey, NULL,
       qvuiHasDocument)
ACTION("time.nextKey", "Next key", qvui_menuMotion, false, qvui_whereAny, "Up", qvuiAction_NextKey, NULL,
       qvuiHasDocument)
ACTION("time.loop", "Loop the motion", qvui_menuMotion, true, qvui_whereAny, "L", qvuiAction_Loop, qvuiIsLoop,
       qvuiHasDocument)
ACTION("key.interpolation", "Next interpolation", qvui_menuMotion, true, qvui_whereTimeline, "T",
       qvuiAction_Interpolation, NULL, qvuiHasSelectedKeys)
ACTION("key.velocity", "Next velocity mode", qvui_menuMotion, false, qvui_whereTimeline, "V", qvuiAction_Velocity, NULL,
       qvuiHasSelectedKeys)
ACTION("time.marker", "Add a marker", qvui_menuMotion, true, qvui_whereTimeline, "M", qvuiAction_Marker, NULL,
       qvuiHasDocument)
ACTION("time.preview", "Preview range", qvui_menuMotion, false, qvui_whereTimeline, "P", qvuiAction_Preview, NULL,
       qvuiHasDocument)
ACTION("time.clearPreview", "Clear preview range", qvui_menuMotion, false, qvui_whereAny, "Alt+P",
       qvuiAction_ClearPreview, NULL, qvuiHasDocument)
ACTION("time.frames", "Frames on the ruler", qvui_menuMotion, false, qvui_whereAny, "Ctrl+T", qvuiAction_Frames,
       qvuiShowsFrames, NULL)
ACTION("time.fit", "Fit the timeline", qvui_menuMotion, false, qvui_whereTimeline, "Home", qvuiAction_FitTime, NULL,
       qvuiHasDocument)
ACTION("view.focus", "Focus", qvui_menuView, false, qvui_whereAny, "Period", qvuiAction_Focus, NULL, qvuiHasMesh)
ACTION("view.all", "Show all", qvui_menuView, false, qvui_whereAny, "Home", qvuiAction_ShowAll, NULL, NULL)
ACTION("view.front", "Front", qvui_menuView, true, qvui_whereAny, "Numpad 1|1", qvuiAction_Front, NULL, NULL)
ACTION("view.back", "Back", qvui_menuView, false, qvui_whereAny, "Ctrl+Numpad 1|Ctrl+1", qvuiAction_Back, NULL, NULL)
ACTION("view.right", "Right", qvui_menuView, false, qvui_whereAny, "Numpad 3|3", qvuiAction_Right, NULL, NULL)
ACTION("view.left", "Left", qvui_menuView, false, qvui_whereAny, "Ctrl+Numpad 3|Ctrl+3", qvuiAction_Left, NULL, NULL)
ACTION("view.top", "Top", qvui_menuView, false, qvui_whereAny, "Numpad 7|7", qvuiAction_Top, NULL, NULL)
ACTION("view.bottom", "Bottom", qvui_menuView, false, qvui_whereAny, "Ctrl+Numpad 7|Ctrl+7", qvuiAction_Bottom, NULL,
       NULL)
ACTION("view.ortho", "Orthographic", qvui_menuView, true, qvui_whereAny, "Numpad 5|5", qvuiAction_Orthographic,
       qvuiIsOrthographic, NULL)
ACTION("view.keep", "Keep view in scene", qvui_menuView, true, qvui_whereAny, "", qvuiAction_KeepView, NULL,
       qvuiHasDocument)
ACTION("view.scene", "Look through scene camera", qvui_menuView, false, qvui_whereAny, "", qvuiAction_SceneView,
       qvuiIsSceneView, qvuiHasSceneCamera)
ACTION("view.forget", "Forget scene camera", qvui_menuView, false, qvui_whereAny, "", qvuiAction_ForgetView, NULL,
       qvuiHasSceneCamera)
ACTION("view.flat", "Flat shading", qvui_menuView, true, qvui_whereAny, "Alt+F", qvuiAction_Flat, qvuiIsFlat, NULL)
ACTION("view.wireframe", "Wireframe", qvui_menuView, false, qvui_whereAny, "Alt+W", qvuiAction_Wireframe,
       qvuiIsWireframe, NULL)
ACTION("view.grid", "Ground grid", qvui_menuView, false, qvui_whereAny, "Alt+R", qvuiAction_Grid, qvuiIsGrid, NULL)
ACTION("view.ghosts", "Ghosts", qvui_menuView, true, qvui_whereAny, "O", qvuiAction_Ghosts, qvuiShowsGhosts,
       qvuiHasMesh)
ACTION("view.trails", "Trails", qvui_menuView, false, qvui_whereAny, "Shift+O", qvuiAction_Trails, qvuiShowsTrails,
       qvuiHasMesh)
ACTION("view.plain", "Plain motion beside it", qvui_menuView, false, qvui_whereAny, "Alt+O", qvuiAction_Plain,
       qvuiShowsPlain, qvuiHasMesh)
ACTION("view.colors", "Own colours", qvui_menuView, true, qvui_whereAny, "", qvuiAction_OwnColors, qvuiHasOwnColors,
       NULL)
ACTION("view.displacement", "Colours by displacement", qvui_menuView, false, qvui_whereAny, "Alt+1",
       qvuiAction_DisplacementColors, qvuiHasDisplacementColors, NULL)
ACTION("view.strain", "Colours by strain", qvui_menuView, false, qvui_whereAny, "Alt+2", qvuiAction_StrainColors,
       qvuiHasStrainColors, NULL)
ACTION("view.waves", "Colours by waves", qvui_menuView, false, qvui_whereAny, "Alt+3", qvuiAction_WaveColors,
       qvuiHasWaveColors, NULL)
ACTION("window.inspector", "Inspector", qvui_menuWindow, false, qvui_whereAny, "N", qvuiAction_Inspector,
       qvuiIsInspector, NULL)
ACTION("window.timeline", "Timeline", qvui_menuWindow, false, qvui_whereAny, "", qvuiAction_Timeline, qvuiIsTimeline,
       NULL)
ACTION("window.fullScreen", "Full screen", qvui_menuWindow, false, qvui_whereAny, "F11", qvuiAction_FullScreen,
       qvuiIsFullScreen, NULL)
ACTION("window.larger", "Larger interface", qvui_menuWindow, true, qvui_whereAny, "Ctrl+=", qvuiAction_Larger, NULL,
       NULL)
ACTION("window.smaller", "Smaller interface", qvui_menuWindow, false, qvui_whereAny, "Ctrl+-", qvuiAction_Smaller, NULL,
       NULL)
ACTION("window.reset", "Reset layout", qvui_menuWindow, true, qvui_whereAny, "", qvuiAction_ResetLayout, NULL, NULL)
ACTION("help.manual", "Manual", qvui_menuHelp, false, qvui_whereAny, "Shift+F1", qvuiAction_Manual, NULL, NULL)
ACTION("help.shortcuts", "Shortcuts", qvui_menuHelp, false, qvui_whereAny, "F1", qvuiAction_Shortcuts, NULL, NULL)
ACTION("help.about", "About Quaver", qvui_menuHelp, false, qvui_whereAny, "", qvuiAction_About, NULL, NULL)
ACTION("cancel", "Cancel, close", qvui_menuNone, false, qvui_whereAny, "Esc", qvuiAction_Cancel, NULL, NULL)
