# SPDX-License-Identifier: GPL-3.0-or-later
# Blender plays what Quaver exported: the vertices of every tenth frame are where they were baked, within the error that
# the export reported, and a loop closes.
import json
import math
import os
import sys

import bpy
import numpy as np

np.bool = bool  # Debian's importer still uses the old name
folder = sys.argv[sys.argv.index("--") + 1]


def start(fps):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.render.fps = round(fps)
    assert abs(fps - round(fps)) < 1e-6


def vertices(frame, y_up):
    bpy.context.scene.frame_set(math.floor(frame + 1e-6), subframe=max(0.0, frame - math.floor(frame + 1e-6)))
    graph = bpy.context.evaluated_depsgraph_get()
    found = []
    for item in sorted((o for o in bpy.data.objects if o.type == "MESH"), key=lambda o: o.name):
        shown = item.evaluated_get(graph)
        mesh = shown.to_mesh()
        found += [shown.matrix_world @ v.co for v in mesh.vertices]
        shown.to_mesh_clear()
    found = np.array(found)
    return np.stack([found[:, 0], found[:, 2], -found[:, 1]], axis=1) if y_up else found


def nearest(points, places):
    return np.array([np.linalg.norm(places - p, axis=1).argmin() for p in points])


def check_weights(name):
    for item in (o for o in bpy.data.objects if o.type == "MESH" and o.data.shape_keys):
        for key in item.data.shape_keys.key_blocks:
            if not (-1e-6 <= key.value <= 1 + 1e-6):
                raise SystemExit(f"{name}: weight {key.name} is {key.value}")


def compare(name, facts, y_up, by_order, slack):
    frames = facts["frames"]
    # A cache counts samples; a clip has times, and its last one may lie between two frames.
    shown = [vertices(frame["time"] * facts["fps"] if y_up else frame["frame"], y_up) for frame in frames]
    exact = [np.array(frame["positions"]) for frame in frames]
    # The importer drops and reorders vertices; places at the first frame tell which is which.
    partner = np.arange(len(shown[0])) if by_order else nearest(shown[0], exact[0])
    allowed = facts["error"] + slack * facts["diagonal"]
    worst = max(np.linalg.norm(a - b[partner], axis=1).max() for a, b in zip(shown, exact))
    if not worst <= allowed:
        raise SystemExit(f"{name}: vertices are off by {worst:.2e}, allowed {allowed:.2e}")
    moved = max(np.linalg.norm(a - shown[0], axis=1).max() for a in shown)
    if not moved > 0.05 * facts["diagonal"]:
        raise SystemExit(f"{name}: nothing moves")
    seam = np.abs(shown[0] - shown[-1]).max()
    closes = np.array_equal(exact[0], exact[-1])
    if closes and not seam <= 2e-6 * facts["diagonal"]:
        raise SystemExit(f"{name}: the loop does not close by {seam:.2e}")
    print(f"check: Blender plays {name}, {len(partner)} vertices, {len(frames)} frames, off by {worst:.1e}, "
          f"reported {facts['error']:.1e}" + (f", seam {seam:.0e}" if closes else ""))


# What the README says to set: the importer leaves Blender's range as it was, and the motion lasts from frame 0 to its
# seconds times the frame rate.
def check_range(name, facts):
    scene = bpy.context.scene
    if (scene.frame_start, scene.frame_end) != (1, 250):
        raise SystemExit(f"{name}: the import sets the range to {scene.frame_start} to {scene.frame_end}")
    last = facts["frames"][-1]["time"] * facts["fps"]
    ends = [action.frame_range[1] for action in bpy.data.actions]
    if not ends or abs(max(ends) - last) > 1e-3:
        raise SystemExit(f"{name}: the motion ends at frames {ends}, not {last}")


def check_gltf(path, name, facts):
    start(facts["fps"])
    bpy.ops.import_scene.gltf(filepath=path)
    check_range(name, facts)
    roots = [o for o in bpy.data.objects if o.animation_data and (o.animation_data.action or o.animation_data.nla_tracks)]
    if name.startswith("whole") and not roots:
        raise SystemExit(f"{name}: no object is animated")
    compare(name, facts, True, False, 3e-6)
    check_weights(name)


def check_cache(path, name, facts):
    start(facts["fps"])
    bpy.ops.wm.obj_import(filepath=os.path.splitext(path)[0] + ".obj", forward_axis="Y", up_axis="Z")
    item = next(o for o in bpy.data.objects if o.type == "MESH")
    cache = item.modifiers.new("cache", "MESH_CACHE")
    cache.cache_format = os.path.splitext(path)[1][1:].upper()
    cache.filepath = path
    cache.interpolation = "NONE"
    cache.frame_start = 0
    compare(name, facts, False, True, 1e-7)


for name in sorted(os.listdir(folder)):
    path = os.path.join(folder, name)
    extension = os.path.splitext(name)[1]
    if extension not in (".glb", ".gltf", ".pc2", ".mdd"):
        continue
    with open(path + ".json") as stream:
        facts = json.load(stream)
    (check_gltf if extension in (".glb", ".gltf") else check_cache)(path, name, facts)
