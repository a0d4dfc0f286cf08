// SPDX-License-Identifier: GPL-3.0-or-later
// One line per action, in menu order: id, label, menu, starts a group, where its shortcut counts, shortcut, function,
// is on, is possible, what it does (for tooltips). One that only switches something names the editor's bool instead of
// function and is on.
ACTION("file.new", "New\xe2\x80\xa6", qvui_menuFile, false, qvui_whereAny, "Ctrl+N", qvuiAction_New, NULL, NULL,
       "Closes what is open and shows the demos and shapes to start from")
ACTION("file.open", "Open\xe2\x80\xa6", qvui_menuFile, false, qvui_whereAny, "Ctrl+O", qvuiAction_Open, NULL, NULL,
       "Opens a scene or a mesh file")
ACTION("file.save", "Save", qvui_menuFile, true, qvui_whereAny, "Ctrl+S", qvuiAction_Save, NULL, qvuiHasDocument,
       "Writes the scene: its keys, strokes, material and waves")
ACTION("file.saveAs", "Save as\xe2\x80\xa6", qvui_menuFile, false, qvui_whereAny, "Ctrl+Shift+S", qvuiAction_SaveAs,
       NULL, qvuiHasDocument, "Writes the scene under another name or into another folder")
ACTION("file.reload", "Reload", qvui_menuFile, false, qvui_whereAny, "", qvuiAction_Reload, NULL, qvuiHasFile,
       "Opens the scene again as it is in its file; asks first when it has changes")
ACTION("file.export", "Export\xe2\x80\xa6", qvui_menuFile, true, qvui_whereAny, "Ctrl+Shift+E", qvuiAction_Export, NULL,
       qvuiHasMesh, "Writes the motion for other programs, or as a picture or film")
ACTION("file.close", "Close", qvui_menuFile, false, qvui_whereAny, "Ctrl+W", qvuiAction_Close, NULL, qvuiHasMesh,
       "Closes the scene; asks first when it has changes")
ACTION("file.quit", "Quit", qvui_menuFile, true, qvui_whereAny, "Ctrl+Q", qvuiAction_Quit, NULL, NULL,
       "Ends the program; asks first when there are changes")
ACTION("edit.undo", "Undo", qvui_menuEdit, false, qvui_whereAny, "Ctrl+Z", qvuiAction_Undo, NULL, qvuiCanUndo,
       "Takes the last change of the scene back")
ACTION("edit.redo", "Redo", qvui_menuEdit, false, qvui_whereAny, "Ctrl+Shift+Z|Ctrl+Y", qvuiAction_Redo, NULL,
       qvuiCanRedo, "Makes the change again that was taken back")
ACTION("edit.undoAll", "Undo everything", qvui_menuEdit, false, qvui_whereAny, "", qvuiAction_UndoAll, NULL,
       qvuiCanUndo, "Goes back to the scene as it was opened")
ACTION("edit.redoAll", "Redo everything", qvui_menuEdit, false, qvui_whereAny, "", qvuiAction_RedoAll, NULL,
       qvuiCanRedo, "Makes all changes again that were taken back")
ACTION("edit.palette", "Search commands\xe2\x80\xa6", qvui_menuEdit, true, qvui_whereAny, "F3|Ctrl+Shift+P",
       qvuiAction_Palette, NULL, NULL, "Finds any command by a few letters of its name, or by a word of what it does")
ACTION("edit.preferences", "Preferences\xe2\x80\xa6", qvui_menuEdit, false, qvui_whereAny, "Ctrl+,",
       qvuiAction_Preferences, NULL, NULL, "Size of the interface, mouse and keys; the scene stays as it is")
ACTION("key.insert", "Insert key", qvui_menuEdit, true, qvui_whereAny, "I", qvuiAction_InsertKey, NULL, qvuiHasMesh,
       "Makes a key of what is shown at the playhead: the motion passes through that pose from then on")
ACTION("key.deleteHere", "Delete key at the playhead", qvui_menuEdit, false, qvui_whereAny, "Alt+I",
       qvuiAction_DeleteKeyHere, NULL, qvuiHasDocument, "The motion no longer has to pass through this pose")
ACTION("key.delete", "Delete selected", qvui_menuEdit, false, qvui_whereTimeline, "X|Del", qvuiAction_Delete, NULL,
       qvuiHasSelection, "Takes the selected keys, stroke, event, simulation or obstacle away")
ACTION("key.deleteAnywhere", "Delete selected", qvui_menuNone, false, qvui_whereAny, "Del", qvuiAction_Delete, NULL,
       qvuiHasSelection, "Takes the selected keys, stroke, event, simulation or obstacle away")
ACTION("key.duplicate", "Duplicate selected", qvui_menuEdit, false, qvui_whereAny, "Shift+D", qvuiAction_DuplicateKeys,
       NULL, qvuiCanDuplicate, "Copies the selected keys or simulation: the same comes again later")
ACTION("key.move", "Move keys in time", qvui_menuEdit, false, qvui_whereTimeline, "G", qvuiAction_MoveKeys, NULL,
       qvuiHasSelectedKeys, "Moves the selected keys in time: closer together is faster")
ACTION("key.scale", "Scale keys in time", qvui_menuEdit, false, qvui_whereTimeline, "S", qvuiAction_ScaleKeys, NULL,
       qvuiHasSelectedKeys, "Stretches or squeezes the selected keys in time: the motion gets slower or faster")
ACTION("key.reverse", "Reverse keys", qvui_menuEdit, false, qvui_whereTimeline, "", qvuiAction_ReverseKeys, NULL,
       qvuiHasSelectedKeys, "The selected poses come in the opposite order")
ACTION("key.box", "Box select keys", qvui_menuEdit, true, qvui_whereTimeline, "B", qvuiAction_BoxSelect, NULL,
       qvuiHasDocument, "Selects the keys in a rectangle; the motion stays as it is")
ACTION("key.all", "Select all keys", qvui_menuEdit, false, qvui_whereTimeline, "A", qvuiAction_SelectAll, NULL,
       qvuiHasDocument, "Selects every key; the motion stays as it is")
ACTION("key.none", "Select none", qvui_menuEdit, false, qvui_whereTimeline, "Alt+A", qvuiAction_SelectNone, NULL,
       qvuiHasDocument, "Selects nothing; the motion stays as it is")
ACTION("key.part", "Hold only the masked part", qvui_menuPose, false, qvui_whereAny, "", qvuiAction_HoldPart, NULL,
       qvuiHasSelectedKey, "The key holds only what is masked; physics moves the rest of the body")
ACTION("key.whole", "Hold the whole body", qvui_menuPose, false, qvui_whereAny, "", qvuiAction_HoldWhole, NULL,
       qvuiHasPartialKey, "The key holds the whole body again")
ACTION("pose.copy", "Copy pose", qvui_menuPose, true, qvui_whereAny, "Ctrl+C", qvuiAction_CopyPose, NULL, qvuiHasMesh,
       "Keeps the pose that is shown, to paste it at another time")
ACTION("pose.paste", "Paste pose", qvui_menuPose, false, qvui_whereAny, "Ctrl+V", qvuiAction_PastePose, NULL,
       qvuiHasCopiedPose, "The body has the copied pose at the playhead; a key is made where there is none")
ACTION("pose.pasteMirrored", "Paste pose mirrored", qvui_menuPose, false, qvui_whereAny, "Ctrl+Shift+V",
       qvuiAction_PasteMirrored, NULL, qvuiHasCopiedPose,
       "Pastes the copied pose with left and right exchanged; a key is made where there is none")
ACTION("pose.tween", "Tween\xe2\x80\xa6", qvui_menuPose, true, qvui_whereAny, "Shift+E", qvuiAction_Tween, NULL,
       qvuiHasMesh, "Gives the body a pose between the neighbouring keys")
ACTION("pose.push", "Push away from the neighbours", qvui_menuPose, false, qvui_whereAny, "Ctrl+E", qvuiAction_PushPose,
       NULL, qvuiHasMesh, "Exaggerates the pose: away from the neighbouring keys")
ACTION("pose.relax", "Relax towards the neighbours", qvui_menuPose, false, qvui_whereAny, "Alt+E", qvuiAction_RelaxPose,
       NULL, qvuiHasMesh, "Calms the pose: towards the neighbouring keys")
ACTION("pose.ease", "Ease the strain", qvui_menuPose, false, qvui_whereAny, "", qvuiAction_EasePose, NULL, qvuiHasMesh,
       "Takes a part of the strain out of the pose, bumps first; pinned and masked points stay. How much is a slider "
       "under Strokes")
ACTION("pose.contact", "Contact keys\xe2\x80\xa6", qvui_menuPose, true, qvui_whereAny, "", qvuiAction_ContactKeys,
       qvuiHasContactBox, qvuiHasMesh,
       "Collisions: finds where the motion goes through the ground (the floor), a sphere or obstacles, and adds keys "
       "that keep it out")
ACTION(
    "pose.stand", "Stand on the ground", qvui_menuPose, false, qvui_whereAny, "", qvuiAction_Stand, NULL, qvuiHasMesh,
    "Moves the body at the selected keys, or at the playhead, so that its lowest point touches the ground (the floor)")
ACTION("pose.lift", "Lift out of the ground", qvui_menuPose, false, qvui_whereAny, "", qvuiAction_LiftOut, NULL,
       qvuiHasMesh, "Lifts the body at the selected keys, or at the playhead, where it is below the ground (the floor)")
TOGGLE("pose.stick", "Stick to the ground", qvui_menuPose, false, qvui_whereAny, "", viewport.tools.sticks, qvuiHasMesh,
       "While the transform tool moves or turns the body, it goes on standing on the ground (the floor)")
ACTION("obstacle.sphere", "Add sphere", qvui_menuPose, true, qvui_whereAny, "", qvuiAction_AddSphere, NULL, qvuiHasMesh,
       "Puts a sphere beside the body that it may not go through")
ACTION("obstacle.box", "Add box", qvui_menuPose, false, qvui_whereAny, "", qvuiAction_AddBox, NULL, qvuiHasMesh,
       "Puts a box beside the body that it may not go through")
ACTION("obstacle.key", "Key or unkey obstacle", qvui_menuPose, false, qvui_whereAny, "", qvuiAction_ObstacleKey, NULL,
       qvuiHasObstacle, "Makes a key of where the chosen obstacle is at the playhead, or takes the key there away")
ACTION("obstacle.duplicate", "Duplicate obstacle", qvui_menuPose, false, qvui_whereAny, "",
       qvuiAction_DuplicateObstacle, NULL, qvuiHasObstacle, "Makes another obstacle like the chosen one beside it")
ACTION("obstacle.delete", "Delete obstacle", qvui_menuPose, false, qvui_whereAny, "", qvuiAction_DeleteObstacle, NULL,
       qvuiHasObstacle, "Takes the chosen obstacle out of the scene")
ACTION("pose.reset", "Reset to rest", qvui_menuPose, true, qvui_whereAny, "Alt+G", qvuiAction_ResetPose, NULL,
       qvuiHasMesh, "The body has its rest shape at the playhead; a key is made where there is none")
ACTION("tool.select", "Select and look", qvui_menuTools, false, qvui_whereViewport, "Q", qvuiAction_ToolSelect, NULL,
       qvuiHasMesh, "Looks around and takes handles; the pose stays as it is")
#define ELASTIC_BRUSH(name, tag, label, action, key, help)                                                   \
    ACTION("tool." tag, action, qvui_menuTools, false, qvui_whereViewport, key, qvuiAction_Tool##name, NULL, \
           qvuiHasMesh, help)
#define OTHER_BRUSH ELASTIC_BRUSH
#include "quaver/brush_list.inl"
ACTION("tool.pin", "Pin, mask, weight", qvui_menuTools, false, qvui_whereViewport, "M", qvuiAction_ToolPin, NULL,
       qvuiHasMesh, "Paints points that the motion holds where the keys have them; again for mask and weight")
ACTION("tool.mask", "Mask", qvui_menuNone, false, qvui_whereViewport, "", qvuiAction_ToolMask, NULL, qvuiHasMesh,
       "Paints what strokes leave alone, and what a partial key holds")
ACTION("tool.weight", "Secondary motion weight", qvui_menuNone, false, qvui_whereViewport, "", qvuiAction_ToolWeight,
       NULL, qvuiHasMesh, "Paints how much each place swings along in secondary motion")
ACTION("tool.wave", "Wave", qvui_menuTools, false, qvui_whereViewport, "W", qvuiAction_ToolWave, NULL, qvuiHasMesh,
       "Strikes the body at the playhead: a wave runs through it")
ACTION("tool.transform", "Move and turn the body", qvui_menuTools, false, qvui_whereViewport, "T",
       qvuiAction_ToolTransform, NULL, qvuiHasMesh,
       "Keys where the whole body is and how it is turned: hops, steps, somersaults")
ACTION("tool.joint", "Join parts", qvui_menuTools, false, qvui_whereViewport, "", qvuiAction_ToolJoint, NULL,
       qvuiHasMesh, "Joins points of two parts while physics moves the body: drag from one to the other")
ACTION("tool.trail", "Pick trails", qvui_menuTools, false, qvui_whereViewport, "J", qvuiAction_ToolTrail, NULL,
       qvuiHasMesh, "Picks points whose path is drawn; changes only the picture")
ACTION("tool.clearMask", "Clear the mask", qvui_menuTools, true, qvui_whereViewport, "Alt+M", qvuiAction_ClearMask,
       NULL, qvuiHasMask, "Strokes reach the whole body again")
ACTION("mask.fill", "Mask everything", qvui_menuTools, false, qvui_whereAny, "", qvuiAction_FillMask, NULL, qvuiHasMesh,
       "Masks the whole body; with the weight tool, takes secondary motion from all of it")
ACTION("mask.invert", "Invert the mask", qvui_menuTools, false, qvui_whereAny, "", qvuiAction_InvertMask, NULL,
       qvuiHasMesh, "What is masked gets free, and the rest is masked; weights with the weight tool")
ACTION("mask.smooth", "Smooth the mask", qvui_menuTools, false, qvui_whereAny, "", qvuiAction_SmoothMask, NULL,
       qvuiHasPainted, "Makes the edge of the mask softer; of the weights with the weight tool")
ACTION("mask.grow", "Grow the mask", qvui_menuTools, false, qvui_whereAny, "", qvuiAction_GrowMask, NULL,
       qvuiHasPainted, "The mask takes in what is next to it; weights with the weight tool")
ACTION("mask.shrink", "Shrink the mask", qvui_menuTools, false, qvui_whereAny, "", qvuiAction_ShrinkMask, NULL,
       qvuiHasPainted, "The mask gives up its edge; weights with the weight tool")
ACTION("mask.mirror", "Mirror the mask", qvui_menuTools, false, qvui_whereAny, "", qvuiAction_MirrorMask, NULL,
       qvuiHasPainted, "Masks the same on the other side of x, left and right; weights with the weight tool")
ACTION("tool.clearPins", "Remove all pins", qvui_menuTools, false, qvui_whereAny, "", qvuiAction_ClearPins, NULL,
       qvuiHasPins, "Lets all points go that the motion holds")
ACTION("tool.symmetryX", "Symmetry left and right", qvui_menuTools, true, qvui_whereViewport, "X", qvuiAction_SymmetryX,
       qvuiIsSymmetricX, NULL, "Strokes do the same on the left and on the right")
ACTION("tool.symmetryY", "Symmetry up and down", qvui_menuTools, false, qvui_whereViewport, "Y", qvuiAction_SymmetryY,
       qvuiIsSymmetricY, NULL, "Strokes do the same above and below")
ACTION("tool.symmetryZ", "Symmetry front and back", qvui_menuTools, false, qvui_whereViewport, "Z",
       qvuiAction_SymmetryZ, qvuiIsSymmetricZ, NULL, "Strokes do the same in front and at the back")
ACTION("tool.radius", "Brush radius", qvui_menuNone, false, qvui_whereViewport, "F", qvuiAction_Radius, NULL,
       qvuiHasMesh, "How much of the body the next strokes move: follow with the mouse, click to take it")
ACTION("tool.strength", "Brush strength", qvui_menuNone, false, qvui_whereViewport, "Shift+F", qvuiAction_Strength,
       NULL, qvuiHasMesh, "How much of a drag the next strokes do: follow with the mouse, click to take it")
ACTION("tool.smaller", "Smaller brush", qvui_menuNone, false, qvui_whereViewport, "[", qvuiAction_SmallerBrush, NULL,
       qvuiHasMesh, "The next strokes move less of the body")
ACTION("tool.larger", "Larger brush", qvui_menuNone, false, qvui_whereViewport, "]", qvuiAction_LargerBrush, NULL,
       qvuiHasMesh, "The next strokes move more of the body")
ACTION("time.play", "Play", qvui_menuMotion, false, qvui_whereAny, "Space", qvuiAction_Play, qvuiIsPlaying,
       qvuiHasDocument, "Plays the motion, or stops where it is")
ACTION("time.start", "To the start", qvui_menuMotion, false, qvui_whereAny, "Shift+Left", qvuiAction_Start, NULL,
       qvuiHasDocument, "Shows the start of the motion")
ACTION("time.end", "To the end", qvui_menuMotion, false, qvui_whereAny, "Shift+Right", qvuiAction_End, NULL,
       qvuiHasDocument, "Shows the end of the motion")
ACTION("time.previousFrame", "Previous frame", qvui_menuMotion, false, qvui_whereAny, "Left", qvuiAction_PreviousFrame,
       NULL, qvuiHasDocument, "Shows the frame before")
ACTION("time.nextFrame", "Next frame", qvui_menuMotion, false, qvui_whereAny, "Right", qvuiAction_NextFrame, NULL,
       qvuiHasDocument, "Shows the next frame")
ACTION("time.previousKey", "Previous key", qvui_menuMotion, false, qvui_whereAny, "Down", qvuiAction_PreviousKey, NULL,
       qvuiHasDocument, "Shows the key before and selects it")
ACTION("time.nextKey", "Next key", qvui_menuMotion, false, qvui_whereAny, "Up", qvuiAction_NextKey, NULL,
       qvuiHasDocument, "Shows the next key and selects it")
ACTION("time.loop", "Loop the motion", qvui_menuMotion, true, qvui_whereAny, "L", qvuiAction_Loop, qvuiIsLoop,
       qvuiHasDocument, "The end of the motion flows into its start: after the last key it comes back to the first")
ACTION("key.interpolation", "Next interpolation", qvui_menuMotion, true, qvui_whereTimeline, "T",
       qvuiAction_Interpolation, NULL, qvuiHasSelectedKeys,
       "How the motion arrives at the selected keys: wiggly swings, smooth does not, linear, hold jumps, wave spreads")
ACTION("key.velocity", "Next velocity mode", qvui_menuMotion, false, qvui_whereTimeline, "V", qvuiAction_Velocity, NULL,
       qvuiHasSelectedKeys, "How fast the selected keys are passed: free, zero, at a set speed, or broken by an impact")
ACTION("simulation.add", "Add simulation", qvui_menuMotion, true, qvui_whereAny, "", qvuiAction_AddSimulation, NULL,
       qvuiHasMesh,
       "Lets the body go at the playhead: it falls, bounces and wobbles by itself until the end of the span")
ACTION("simulation.capture", "Capture as key", qvui_menuMotion, false, qvui_whereAny, "", qvuiAction_CaptureKey, NULL,
       qvuiCanCapture, "Makes an ordinary key of the simulated pose at the playhead, with the speed of every point")
ACTION("simulation.mute", "Mute simulation", qvui_menuMotion, false, qvui_whereAny, "", qvuiAction_MuteSimulation,
       qvuiIsSimulationMuted, qvuiHasSimulation, "Leaves the selected simulation out: the keys move the body again")
ACTION("simulation.duplicate", "Duplicate simulation", qvui_menuMotion, false, qvui_whereAny, "",
       qvuiAction_DuplicateSimulation, NULL, qvuiHasSimulation,
       "The body is let go once more in the same way, after the selected simulation")
ACTION("simulation.delete", "Delete simulation", qvui_menuMotion, false, qvui_whereAny, "", qvuiAction_DeleteSimulation,
       NULL, qvuiHasSimulation, "Takes the selected simulation away: the keys move the body again")
ACTION("time.marker", "Add a marker", qvui_menuMotion, true, qvui_whereTimeline, "M", qvuiAction_Marker, NULL,
       qvuiHasDocument, "Names a moment on the timeline; the motion stays as it is")
ACTION("time.preview", "Preview range", qvui_menuMotion, false, qvui_whereTimeline, "P", qvuiAction_Preview, NULL,
       qvuiHasDocument, "Plays and exports only the span of the selected keys, or from the playhead on")
ACTION("time.clearPreview", "Clear preview range", qvui_menuMotion, false, qvui_whereAny, "Alt+P",
       qvuiAction_ClearPreview, NULL, qvuiHasDocument, "Plays and exports the whole motion again")
TOGGLE("time.frames", "Frames on the ruler", qvui_menuMotion, false, qvui_whereAny, "Ctrl+T", timeline.showFrames, NULL,
       "Counts frames or seconds on the ruler; the motion stays as it is")
ACTION("time.fit", "Fit the timeline", qvui_menuMotion, false, qvui_whereTimeline, "Home", qvuiAction_FitTime, NULL,
       qvuiHasDocument, "Shows all of the time in the timeline; the motion stays as it is")
ACTION("view.focus", "Focus", qvui_menuView, false, qvui_whereAny, "Period", qvuiAction_Focus, NULL, qvuiHasMesh,
       "Looks at what is under the mouse, or at the last stroke; changes only the picture")
ACTION("view.all", "Show all", qvui_menuView, false, qvui_whereAny, "Home", qvuiAction_ShowAll, NULL, NULL,
       "Looks at the whole motion of the body; changes only the picture")
ACTION("view.front", "Front", qvui_menuView, true, qvui_whereAny, "Numpad 1|1", qvuiAction_Front, NULL, NULL,
       "Looks from the front; changes only the picture")
ACTION("view.back", "Back", qvui_menuView, false, qvui_whereAny, "Ctrl+Numpad 1|Ctrl+1", qvuiAction_Back, NULL, NULL,
       "Looks from behind; changes only the picture")
ACTION("view.right", "Right", qvui_menuView, false, qvui_whereAny, "Numpad 3|3", qvuiAction_Right, NULL, NULL,
       "Looks from the right; changes only the picture")
ACTION("view.left", "Left", qvui_menuView, false, qvui_whereAny, "Ctrl+Numpad 3|Ctrl+3", qvuiAction_Left, NULL, NULL,
       "Looks from the left; changes only the picture")
ACTION("view.top", "Top", qvui_menuView, false, qvui_whereAny, "Numpad 7|7", qvuiAction_Top, NULL, NULL,
       "Looks from above; changes only the picture")
ACTION("view.bottom", "Bottom", qvui_menuView, false, qvui_whereAny, "Ctrl+Numpad 7|Ctrl+7", qvuiAction_Bottom, NULL,
       NULL, "Looks from below; changes only the picture")
TOGGLE("view.ortho", "Orthographic", qvui_menuView, true, qvui_whereAny, "Numpad 5|5", viewport.camera.orthographic,
       NULL, "Shows far things as large as near ones; changes only the picture")
ACTION("view.keep", "Keep view in scene", qvui_menuView, true, qvui_whereAny, "", qvuiAction_KeepView, NULL,
       qvuiHasDocument, "Stores this view in the scene: films and whoever opens it begin with it")
ACTION("view.scene", "Look through scene camera", qvui_menuView, false, qvui_whereAny, "", qvuiAction_SceneView,
       qvuiIsSceneView, qvuiHasSceneCamera, "Shows what pictures and films of the scene show")
ACTION("view.forget", "Forget scene camera", qvui_menuView, false, qvui_whereAny, "", qvuiAction_ForgetView, NULL,
       qvuiHasSceneCamera, "Pictures and films show the whole motion again")
TOGGLE("view.flat", "Flat shading", qvui_menuView, true, qvui_whereAny, "Alt+F", viewport.look.flat, NULL,
       "One shade per triangle; changes only the picture")
TOGGLE("view.wireframe", "Wireframe", qvui_menuView, false, qvui_whereAny, "Alt+W", viewport.look.wireframe, NULL,
       "Draws the edges of the triangles; changes only the picture")
TOGGLE("view.splats", "Surface as splats", qvui_menuView, false, qvui_whereAny, "Alt+5", viewport.look.splats, NULL,
       "Draws the surface as round discs at its vertices, as points carry it; changes only the picture")
TOGGLE("view.grid", "Ground grid", qvui_menuView, false, qvui_whereAny, "Alt+R", viewport.look.grid, NULL,
       "Draws lines on the ground; changes only the picture")
TOGGLE("view.safe", "Title-safe guides", qvui_menuView, false, qvui_whereAny, "", viewport.showSafe, NULL,
       "Draws the frame of a film, and where action and titles are safe in it; changes only the picture")
TOGGLE("view.ghosts", "Ghosts", qvui_menuView, true, qvui_whereAny, "O", viewport.overlay.showGhosts, qvuiHasMesh,
       "Draws the keys before and after as silhouettes; changes only the picture")
TOGGLE("view.trails", "Trails", qvui_menuView, false, qvui_whereAny, "Shift+O", viewport.overlay.showTrails,
       qvuiHasMesh, "Draws the paths of picked points; changes only the picture")
TOGGLE("view.plain", "Outline of plain motion", qvui_menuView, false, qvui_whereAny, "Alt+O",
       viewport.overlay.showPlain, qvuiHasMesh,
       "Draws the plain spline as a grey outline, to see what physics adds; changes only the picture")
ACTION("view.colors", "Own colours", qvui_menuView, true, qvui_whereAny, "", qvuiAction_OwnColors, qvuiHasOwnColors,
       NULL, "The colours of the file; changes only the picture")
ACTION("view.displacement", "Colours by displacement", qvui_menuView, false, qvui_whereAny, "Alt+1",
       qvuiAction_DisplacementColors, qvuiHasDisplacementColors, NULL,
       "Colours how far each place has moved from rest; changes only the picture")
ACTION("view.strain", "Colours by strain", qvui_menuView, false, qvui_whereAny, "Alt+2", qvuiAction_StrainColors,
       qvuiHasStrainColors, NULL, "Colours how much the surface is stretched; changes only the picture")
ACTION("view.waves", "Colours by waves", qvui_menuView, false, qvui_whereAny, "Alt+3", qvuiAction_WaveColors,
       qvuiHasWaveColors, NULL, "Colours where waves run; changes only the picture")
ACTION("view.points", "Simulated points", qvui_menuView, false, qvui_whereAny, "Alt+4", qvuiAction_SimulatedPoints,
       qvuiShowsSimulatedPoints, NULL,
       "Shows the points that a simulation moves instead of the body, coloured; changes only the picture")
TOGGLE("window.inspector", "Inspector", qvui_menuWindow, false, qvui_whereAny, "N", showInspector, NULL,
       "Shows or hides the numbers at the right")
TOGGLE("window.timeline", "Timeline", qvui_menuWindow, false, qvui_whereAny, "", showBottom, NULL,
       "Shows or hides the area at the foot")
TOGGLE("window.fullScreen", "Full screen", qvui_menuWindow, false, qvui_whereAny, "F11", wantsFullScreen, NULL,
       "Fills the screen with the window, or gives it back")
ACTION("window.larger", "Larger interface", qvui_menuWindow, true, qvui_whereAny, "Ctrl+=", qvuiAction_Larger, NULL,
       NULL, "Makes text and controls larger")
ACTION("window.smaller", "Smaller interface", qvui_menuWindow, false, qvui_whereAny, "Ctrl+-", qvuiAction_Smaller, NULL,
       NULL, "Makes text and controls smaller")
ACTION("window.reset", "Reset layout", qvui_menuWindow, true, qvui_whereAny, "", qvuiAction_ResetLayout, NULL, NULL,
       "Gives all areas and sections their first sizes")
ACTION("help.manual", "Manual", qvui_menuHelp, false, qvui_whereAny, "Shift+F1", qvuiAction_Manual, NULL, NULL,
       "How to pose, time, wobble, send waves and export")
ACTION("help.shortcuts", "Shortcuts", qvui_menuHelp, false, qvui_whereAny, "F1", qvuiAction_Shortcuts, NULL, NULL,
       "Every key and what it does")
ACTION("help.about", "About Quaver", qvui_menuHelp, false, qvui_whereAny, "", qvuiAction_About, NULL, NULL,
       "Version, licence and libraries of the program")
ACTION("cancel", "Cancel, close", qvui_menuNone, false, qvui_whereAny, "Esc", qvuiAction_Cancel, NULL, NULL,
       "Gives up a drag, closes a menu or a box, stops playing")
