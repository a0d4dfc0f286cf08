#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""make_hopper.py OUT.glb: the rigged character of scenes/hopper.json, with a hop cycle. Needs nothing but Python.

A body of blended balls and capsules is turned into a mesh by surface nets, smooth weights bind it to seven joints,
and the clip hops once in 0.8 s. The ears and the tail are stiff: their swing is what Quaver adds.
"""
import math
import sys

from mesh_making import Writer, capsule, normals, surface, union

CELL = 0.082
SAMPLES = 32  # of the clip
START = 0.36  # where it begins in HOP: in the air, where the least changes from frame to frame
# One row per part: joint, ends of the capsule, radii at the ends.
PARTS = [
    ("hips", (0, 0.55, 0), (0, 0.75, 0), 0.42, 0.38),
    ("chest", (0, 0.95, 0.02), (0, 1.1, 0.05), 0.3, 0.27),
    ("head", (0, 1.5, 0.12), (0, 1.48, 0.3), 0.33, 0.24),
    ("head", (0.17, 1.74, 0.05), (0.36, 2.18, -0.42), 0.1, 0.12),
    ("head", (-0.17, 1.74, 0.05), (-0.36, 2.18, -0.42), 0.1, 0.12),
    ("hips", (0, 0.5, -0.35), (0, 0.75, -1.0), 0.14, 0.17),
    ("foot_l", (0.28, 0.14, 0.0), (0.31, 0.12, 0.4), 0.15, 0.12),
    ("foot_r", (-0.28, 0.14, 0.0), (-0.31, 0.12, 0.4), 0.15, 0.12),
    ("arm_l", (0.28, 1.05, 0.1), (0.62, 0.93, 0.3), 0.1, 0.1),
    ("arm_r", (-0.28, 1.05, 0.1), (-0.62, 0.93, 0.3), 0.1, 0.1),
]
# Joint, parent, place of the joint.
JOINTS = [
    ("hips", None, (0, 0.6, 0)),
    ("chest", "hips", (0, 0.9, 0)),
    ("head", "chest", (0, 1.25, 0.05)),
    ("arm_l", "chest", (0.28, 1.05, 0.1)),
    ("arm_r", "chest", (-0.28, 1.05, 0.1)),
    ("foot_l", None, (0.25, 0.3, 0)),
    ("foot_r", None, (-0.25, 0.3, 0)),
]
NAMES = [joint[0] for joint in JOINTS]
# Keys of the hop: time, height, pitch of hips, chest and head in degrees (forward is positive), feet's pitch, arms' lift.
HOP = [
    (0.00, -0.13, 14, 12, -14, 0, 20),
    (0.12, 0.00, -4, -4, 2, 16, -20),
    (0.22, 0.28, -8, -8, 6, 20, -45),
    (0.36, 0.50, -4, -4, 12, 10, -60),
    (0.50, 0.30, 2, 0, 8, -10, -45),
    (0.62, 0.02, 6, 4, 0, -6, -15),
    (0.80, -0.13, 14, 12, -14, 0, 20),
]


def blend(p):
    return union(p, [part[1:] for part in PARTS])


def weights(p):
    """The four nearest joints, by distance to their parts."""
    near = {}
    for joint, *part in PARTS:
        d = max(0.0, capsule(p, *part))
        near[joint] = max(near.get(joint, 0.0), math.exp(-d / 0.05))
    best = sorted(near.items(), key=lambda item: -item[1])[:4]
    total = sum(weight for _, weight in best)
    best += [("hips", 0.0)] * (4 - len(best))
    return [NAMES.index(name) for name, _ in best], [weight / total for _, weight in best]


def pitch(degrees):
    half = math.radians(degrees) / 2
    return (math.sin(half), 0, 0, math.cos(half))


def lowest(foot, degrees):
    """Height of the lowest point of a foot that is pitched where it stands."""
    turn, height = math.radians(degrees), {name: at for name, _, at in JOINTS}[foot][1]
    ends = [end for joint, a, b, ra, rb in PARTS if joint == foot for end in ((a, ra), (b, rb))]
    return min(height + (at[1] - height) * math.cos(turn) - at[2] * math.sin(turn) - radius for at, radius in ends)


def sample(time):
    """All columns of HOP at a time: a periodic Catmull-Rom spline, so that nothing jerks."""
    knots, period = HOP[:-1], HOP[-1][0]
    at = lambda i: (knots[i % len(knots)][0] + period * (i // len(knots)), knots[i % len(knots)])
    i = max(k for k in range(len(knots)) if knots[k][0] <= time + 1e-9)
    (t0, a), (t1, b), (t2, c), (t3, d) = (at(k) for k in (i - 1, i, i + 1, i + 2))
    h = t2 - t1
    s = (time - t1) / h
    row = [time]
    for k in range(1, len(a)):
        m1, m2 = (c[k] - a[k]) / (t2 - t0) * h, (d[k] - b[k]) / (t3 - t1) * h
        row.append((2 * s**3 - 3 * s**2 + 1) * b[k] + (s**3 - 2 * s**2 + s) * m1
                   + (3 * s**2 - 2 * s**3) * c[k] + (s**3 - s**2) * m2)
    return row


def main():
    out = Writer()
    points, triangles = surface(blend, (-0.85, -0.13, -1.4), (0.85, 2.7, 0.8), CELL)
    bound = [weights(p) for p in points]
    attributes = {
        "POSITION": out.add("VEC3", "f", 5126, points, 34962, bounds=True),
        "NORMAL": out.add("VEC3", "f", 5126, normals(points, triangles), 34962),
        "JOINTS_0": out.add("VEC4", "B", 5121, [b[0] for b in bound], 34962),
        "WEIGHTS_0": out.add("VEC4", "f", 5126, [b[1] for b in bound], 34962),
    }
    indices = out.add("SCALAR", "H", 5123, [i for t in triangles for i in t], 34963)
    place = {name: at for name, _, at in JOINTS}
    inverse = [(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -x, -y, -z, 1) for _, _, (x, y, z) in JOINTS]
    nodes, local = [], {}
    for name, parent, at in JOINTS:
        origin = place[parent] if parent else (0, 0, 0)
        local[name] = [round(at[i] - origin[i], 6) for i in range(3)]
        children = [2 + NAMES.index(n) for n, p, _ in JOINTS if p == name]
        nodes.append({"name": name, "translation": local[name], **({"children": children} if children else {})})
    roots = [2 + i for i, joint in enumerate(JOINTS) if joint[1] is None]
    period = HOP[-1][0]
    times = out.add("SCALAR", "f", 5126, [period * i / SAMPLES for i in range(SAMPLES + 1)], bounds=True)
    samplers, channels = [], []

    def animate(joint, path, value):
        """A smooth curve: each sample with its slopes before and after, the last one equal to the first."""
        kind = "VEC3" if path == "translation" else "VEC4"
        step, rows = 1e-4, []
        for i in range(SAMPLES + 1):
            time = START + period * (i % SAMPLES) / SAMPLES
            before, here, after = (value(sample(t % period)) for t in (time - step, time, time + step))
            slope = [(b - a) / (2 * step) for a, b in zip(before, after)]
            rows += [slope, here, slope]
        output = out.add(kind, "f", 5126, rows)
        samplers.append({"input": times, "output": output, "interpolation": "CUBICSPLINE"})
        channels.append({"sampler": len(samplers) - 1, "target": {"node": 2 + NAMES.index(joint), "path": path}})

    def raised(joint, height):
        x, y, z = local[joint]
        return (x, y + height, z)

    animate("hips", "translation", lambda key: raised("hips", key[1]))
    for foot in ("foot_l", "foot_r"):
        animate(foot, "translation", lambda key: raised(foot, max(0.0, key[1], -lowest(foot, key[5]))))
        animate(foot, "rotation", lambda key: pitch(key[5]))
    for column, joint in ((2, "hips"), (3, "chest"), (4, "head")):
        animate(joint, "rotation", lambda key: pitch(key[column]))
    for arm in ("arm_l", "arm_r"):
        animate(arm, "rotation", lambda key: pitch(key[6]))
    out.save(sys.argv[1], {
        "asset": {"version": "2.0", "generator": "Quaver's make_hopper.py"},
        "scene": 0,
        "scenes": [{"nodes": [0, 1]}],
        "nodes": [{"name": "hopper", "mesh": 0, "skin": 0}, {"name": "rig", "children": roots}] + nodes,
        "meshes": [{"name": "hopper", "primitives": [{"attributes": attributes, "indices": indices, "material": 0}]}],
        "materials": [{"name": "fur", "pbrMetallicRoughness": {"baseColorFactor": [0.72, 0.5, 0.36, 1],
                                                               "metallicFactor": 0, "roughnessFactor": 0.8}}],
        "skins": [{"joints": list(range(2, 2 + len(JOINTS))),
                   "inverseBindMatrices": out.add("MAT4", "f", 5126, inverse)}],
        "animations": [{"name": "hop", "samplers": samplers, "channels": channels}],
    })


main()
