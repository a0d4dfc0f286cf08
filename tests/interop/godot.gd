# SPDX-License-Identifier: GPL-3.0-or-later
# Plays every .glb of the project and writes where all vertices are at the times of NAME.times, as NAME.glb.played: a line of JSON per
# time. Godot draws morphs and skins on the card alone, so both are computed here from what it has imported.
extends SceneTree

func find(node, type):
    var found = []
    if node.is_class(type):
        found.append(node)
    for child in node.get_children():
        found += find(child, type)
    return found

func morphed(mesh_instance, surface):
    var mesh = mesh_instance.mesh
    var points = mesh.surface_get_arrays(surface)[Mesh.ARRAY_VERTEX]
    var shapes = mesh.surface_get_blend_shape_arrays(surface)
    var result = []
    var weights = []
    var sum = 0.0
    for i in range(shapes.size()):
        weights.append(mesh_instance.get("blend_shapes/" + mesh.get_blend_shape_name(i)))
        sum += weights[i]
    var base = 1.0 - sum if mesh.blend_shape_mode == Mesh.BLEND_SHAPE_MODE_NORMALIZED else 1.0
    for k in range(points.size()):
        result.append(points[k] * base)
    for i in range(shapes.size()):
        if weights[i] != 0.0:
            var targets = shapes[i][Mesh.ARRAY_VERTEX]
            for k in range(points.size()):
                result[k] += targets[k] * weights[i]
    return result

func placed(mesh_instance, surface):
    var points = morphed(mesh_instance, surface)
    var skin = mesh_instance.skin
    if skin == null:
        for k in range(points.size()):
            points[k] = mesh_instance.global_transform.xform(points[k])
        return points
    var skeleton = mesh_instance.get_node(mesh_instance.skeleton)
    var arrays = mesh_instance.mesh.surface_get_arrays(surface)
    var bones = arrays[Mesh.ARRAY_BONES]
    var weights = arrays[Mesh.ARRAY_WEIGHTS]
    var poses = []
    for i in range(skin.get_bind_count()):
        var bone = skin.get_bind_bone(i)
        if bone < 0:
            bone = skeleton.find_bone(skin.get_bind_name(i))
        poses.append(skeleton.global_transform * skeleton.get_bone_global_pose(bone) * skin.get_bind_pose(i))
    for k in range(points.size()):
        var place = Vector3()
        for i in range(4):
            if weights[4 * k + i] > 0.0:
                place += poses[int(bones[4 * k + i])].xform(points[k]) * weights[4 * k + i]
        points[k] = place
    return points

func play(name, times):
    var scene = load("res://" + name).instance()
    get_root().add_child(scene)
    var player = find(scene, "AnimationPlayer")[0]
    player.play(player.get_animation_list()[0])
    var out = File.new()
    out.open("res://" + name + ".played", File.WRITE)
    for time in times:
        player.seek(time, true)
        var all = []
        for mesh_instance in find(scene, "MeshInstance"):
            for surface in range(mesh_instance.mesh.get_surface_count()):
                for point in placed(mesh_instance, surface):
                    all += [point.x, point.y, point.z]
        out.store_line(to_json(all))
    out.close()
    scene.queue_free()

func _initialize():
    var list = File.new()
    list.open("res://list.json", File.READ)
    var names = parse_json(list.get_as_text())
    for name in names:
        play(name, names[name])
    print("godot: done")
    quit()
