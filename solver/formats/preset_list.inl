// SPDX-License-Identifier: GPL-3.0-or-later
// One line per reader of glTF: tag, label, most morph targets, sparse accessors, KHR_mesh_quantization,
// EXT_meshopt_compression, CUBICSPLINE weights, CUBICSPLINE clips, wants morph normals, note. Counts are those at which
// playback stays smooth on ordinary machines.
PRESET("three", "three.js", 200, true, true, true, true, true, true,
       "Keeps 60 frames a second up to about 200 shapes. Compressed files need its MeshoptDecoder.")
PRESET("babylon", "Babylon.js", 100, true, true, true, true, true, true, "Slows down above about 100 shapes.")
PRESET("blender", "Blender", 0, true, true, false, false, true, false,
       "Set Blender's frame rate before the import and its range after it, which stays at 1 to 250; cubic tangents of "
       "weights are not read.")
PRESET("godot", "Godot", 100, false, false, false, false, false, true,
       "On import set the animation's FPS to the scene's and switch its optimizer off; switch Loop on for loops. Blend "
       "shapes are kept uncompressed in memory.")
PRESET("unity", "Unity", 100, false, true, true, true, true, true,
       "Older importers misread sparse blend shapes; none are written. Compressed files need glTFast with the package "
       "com.unity.meshopt.decompress.")
PRESET("any8", "Old viewers, 8 shapes", 8, false, false, false, false, true, true,
       "The oldest viewers blend eight shapes at once.")
