# SPDX-License-Identifier: GPL-3.0-or-later
# Blender makes a skinned bar, an object with shape keys and a moving object, exports each as .glb, and writes the
# vertices that it shows at some frames.
import json
import math
import os
import sys

import bmesh
import bpy
import numpy as np
from mathutils import Euler, Vector

np.bool = bool
folder = sys.argv[sys.argv.index("--") + 1]
FRAMES = [0, 3, 7, 12, 18, 24]
FPS = 24


def start():
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.fps = FPS
    scene.frame_start, scene.frame_end = 0, 24
    return scene


def grid_bar(name, rings):
    """A square bar along z from 0 to 2, uneven so that every vertex has a place of its own."""
    mesh = bpy.data.meshes.new(name)
    bm = bmesh.new()
    loops = []
    for i in range(rings):
        z = 2.0 * i / (rings - 1)
        loops.append([bm.verts.new((x * (1 + 0.1 * z), y, z)) for x, y in ((-0.2, -0.2), (0.25, -0.2), (0.2, 0.3), (-0.2, 0.2))])
    for a, b in zip(loops, loops[1:]):
        for k in range(4):
            bm.faces.new((a[k], a[(k + 1) % 4], b[(k + 1) % 4], b[k]))
    bm.faces.new(list(reversed(loops[0])))
    bm.faces.new(loops[-1])
    bm.to_mesh(mesh)
    bm.free()
    item = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(item)
    return item


def skinned():
    scene = start()
    bar = grid_bar("bar", 9)
    data = bpy.data.armatures.new("bones")
    rig = bpy.data.objects.new("rig", data)
    scene.collection.objects.link(rig)
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    parent = None
    for i in range(3):
        bone = data.edit_bones.new(f"bone{i}")
        bone.head, bone.tail, bone.roll = (0, 0.02 * i, 0.66 * i), (0, 0.02 * (i + 1), 0.66 * (i + 1)), 0.3 * i
        bone.parent = parent
        parent = bone
    bpy.ops.object.mode_set(mode="OBJECT")
    for i in range(3):
        group = bar.vertex_groups.new(name=f"bone{i}")
        for v in bar.data.vertices:
            weight = max(0.0, 1.0 - abs(v.co.z - 0.66 * i - 0.33) / 0.8)
            if weight > 0:
                group.add([v.index], weight, "REPLACE")
    bpy.context.view_layer.objects.active = bar
    bar.select_set(True)
    bpy.ops.object.vertex_group_normalize_all(lock_active=False)
    bar.parent = rig
    bar.modifiers.new("rig", "ARMATURE").object = rig
    rig.location, rig.rotation_euler, rig.scale = (1, 2, 0.5), (0.2, 0.4, -0.3), (1.5, 1.5, 1.5)
    for frame, angle in ((0, 0.0), (12, 0.9), (24, -0.5)):
        for i, bone in enumerate(rig.pose.bones):
            bone.rotation_mode = "QUATERNION"
            bone.rotation_quaternion = Euler((angle * (i + 1) / 2, 0.3 * angle, -0.2 * angle)).to_quaternion()
            bone.keyframe_insert("rotation_quaternion", frame=frame)
        rig.pose.bones[0].location = (0.2 * angle, 0.1, 0)
        rig.pose.bones[0].keyframe_insert("location", frame=frame)
        rig.pose.bones[2].scale = (1 + 0.3 * angle,) * 3
        rig.pose.bones[2].keyframe_insert("scale", frame=frame)
    return bar


def shape_keys():
    start()
    bar = grid_bar("shapes", 6)
    bar.shape_key_add(name="Basis")
    for number, name in enumerate(("wide", "lean")):
        key = bar.shape_key_add(name=name, from_mix=False)
        for point in key.data:
            point.co += Vector((0.5 * point.co.x, 0, 0)) if number == 0 else Vector((0, 0.4 * point.co.z, 0.1))
        for frame, value in ((0, 0.1), (10, 0.9 - 0.4 * number), (24, 0.3)):
            key.value = value
            key.keyframe_insert("value", frame=frame)
    bar.location, bar.rotation_euler = (0, -1, 0.3), (0.1, 0, 0.7)
    return bar


def moving():
    start()
    parent = bpy.data.objects.new("parent", None)
    bpy.context.scene.collection.objects.link(parent)
    bar = grid_bar("moving", 4)
    bar.parent = parent
    parent.scale = (1, 2, 0.7)
    for frame, value in ((0, 0.0), (9, 1.0), (24, -0.4)):
        bar.location = (value, 0.3, -value)
        bar.rotation_euler = (value, 2 * value, 0.1)
        bar.scale = (1 + 0.2 * value, 1, 1)
        parent.rotation_euler = (0, 0, math.pi * value / 2)
        for path in ("location", "rotation_euler", "scale"):
            bar.keyframe_insert(path, frame=frame)
        parent.keyframe_insert("rotation_euler", frame=frame)
    return bar


def record(item):
    scene, poses = bpy.context.scene, []
    for frame in FRAMES:
        scene.frame_set(frame)
        shown = item.evaluated_get(bpy.context.evaluated_depsgraph_get())
        mesh = shown.to_mesh()
        world = [shown.matrix_world @ v.co for v in mesh.vertices]
        poses.append([(p.x, p.z, -p.y) for p in world])
        shown.to_mesh_clear()
    return poses


for make in (skinned, shape_keys, moving):
    item = make()
    poses = record(item)
    bpy.context.scene.frame_set(0)
    path = os.path.join(folder, f"made_{make.__name__}.glb")
    bpy.ops.export_scene.gltf(filepath=path, export_format="GLB", export_normals=False, export_texcoords=False,
                              export_nla_strips=False)
    with open(os.path.join(folder, f"made_{make.__name__}.poses.json"), "w") as stream:
        json.dump({"times": [frame / FPS for frame in FRAMES], "poses": poses}, stream)
    print(f"check: Blender made {os.path.basename(path)}")
