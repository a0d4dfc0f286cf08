# SPDX-License-Identifier: GPL-3.0-or-later
# Blender imports what Quaver wrote: the same triangles at the same places.
import json
import os
import sys

import bpy
import numpy as np

np.bool = bool  # Debian's importer still uses the old name
folder = sys.argv[sys.argv.index("--") + 1]


def y_up(p):
    return (p[0], p[2], -p[1])


def as_is(p):
    return (p[0], p[1], p[2])


READERS = {
    ".glb": (lambda path: bpy.ops.import_scene.gltf(filepath=path), y_up),
    ".gltf": (lambda path: bpy.ops.import_scene.gltf(filepath=path), y_up),
    ".obj": (lambda path: bpy.ops.wm.obj_import(filepath=path), y_up),
    ".ply": (lambda path: bpy.ops.import_mesh.ply(filepath=path), as_is),
    ".stl": (lambda path: bpy.ops.import_mesh.stl(filepath=path), as_is),
}


def corners(turn):
    """Positions of the corners of all triangles, by object name and triangle."""
    found = []
    for item in sorted((o for o in bpy.data.objects if o.type == "MESH"), key=lambda o: o.name):
        item.data.calc_loop_triangles()
        world = [turn(item.matrix_world @ v.co) for v in item.data.vertices]
        found += [[world[v] for v in t.vertices] for t in item.data.loop_triangles]
    return np.array(found)


def rotations(triangles):
    return np.stack([triangles, np.roll(triangles, 1, axis=1), np.roll(triangles, 2, axis=1)])


def check(path):
    with open(path + ".json") as stream:
        mesh = json.load(stream)
    ours = np.array(mesh["positions"])[np.array(mesh["triangles"])]
    bpy.ops.wm.read_factory_settings(use_empty=True)
    read, turn = READERS[os.path.splitext(path)[1]]
    read(path)
    theirs = corners(turn)
    if ours.shape != theirs.shape:
        raise SystemExit(f"{path}: {len(ours)} triangles written, Blender finds {len(theirs)}")
    size = np.linalg.norm(ours.reshape(-1, 3).max(axis=0) - ours.reshape(-1, 3).min(axis=0))
    # Objects may come in another order, and a triangle may start at another corner, but none is turned round.
    if np.abs(rotations(ours) - theirs).max(axis=(2, 3)).min(axis=0).max() > 1e-5 * size:
        distance = np.linalg.norm(ours.mean(axis=1)[:, None] - theirs.mean(axis=1)[None], axis=2)
        theirs = theirs[distance.argmin(axis=1)]
    worst = np.abs(rotations(ours) - theirs).max(axis=(2, 3)).min(axis=0).max() / size
    if worst > 1e-5:
        raise SystemExit(f"{path}: triangles differ by {worst:.1e} of the size")
    print(f"check: Blender reads {os.path.basename(path)}, {len(ours)} triangles, difference {worst:.0e} of the size")


for name in sorted(os.listdir(folder)):
    if os.path.splitext(name)[1] in READERS:
        check(os.path.join(folder, name))
