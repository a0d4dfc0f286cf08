# SPDX-License-Identifier: GPL-3.0-or-later
# Blender plays drip.glb, whose mesh is another one from frame to frame: it shows one mesh at a time, and that is where
# the PLY and OBJ files of the frame have it, as Blender reads them.
import math
import os
import sys

import bpy
import numpy as np

np.bool = bool  # Debian's importer still uses the old name
folder, fps = sys.argv[sys.argv.index("--") + 1 :]
names = sorted(name[:-4] for name in os.listdir(os.path.join(folder, "ply")) if name.endswith(".ply"))


def meshes():
    return [o for o in bpy.data.objects if o.type == "MESH"]


def places(item):
    graph = bpy.context.evaluated_depsgraph_get()
    shown = item.evaluated_get(graph)
    mesh = shown.to_mesh()
    found = np.array([shown.matrix_world @ v.co for v in mesh.vertices])
    triangles = sum(len(p.vertices) - 2 for p in mesh.polygons)
    shown.to_mesh_clear()
    return found, triangles


# The importers reorder and merge vertices: each must be at one of the others.
def apart(a, b):
    return max(np.linalg.norm(b - p, axis=1).min() for p in a)


bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.context.scene.render.fps = int(fps)
bpy.ops.import_scene.gltf(filepath=os.path.join(folder, "drip.glb"))
played = []
for frame in range(len(names)):
    bpy.context.scene.frame_set(frame)
    bpy.context.view_layer.update()
    shown = [o for o in meshes() if abs(o.matrix_world.determinant()) > 0.5]
    if len(shown) != 1:
        raise SystemExit(f"frame {frame} shows {len(shown)} meshes")
    played.append(places(shown[0]))

worst = 0.0
for frame, name in enumerate(names):
    for kind in ("ply", "obj"):
        bpy.ops.wm.read_factory_settings(use_empty=True)
        path = os.path.join(folder, kind, f"{name}.{kind}")
        if kind == "ply":
            bpy.ops.import_mesh.ply(filepath=path)
        else:
            bpy.ops.wm.obj_import(filepath=path, forward_axis="Y", up_axis="Z")
        read, triangles = places(meshes()[0])
        here, count = played[frame]
        here = np.stack([here[:, 0], here[:, 2], -here[:, 1]], axis=1)  # y is up in files
        if triangles != count:
            raise SystemExit(f"{path}: {triangles} triangles, the animation has {count}")
        worst = max(worst, apart(read[:: len(read) // 300 + 1], here), apart(here[:: len(here) // 300 + 1], read))
if not worst < 1e-5:
    raise SystemExit(f"vertices are off by {worst:.2e}")
changes = sum(a[1] != b[1] for a, b in zip(played, played[1:]))
print(f"check: Blender plays a changing mesh, {len(names)} frames, {changes} changes, off by {worst:.1e}")
