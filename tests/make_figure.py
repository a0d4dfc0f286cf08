#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""make_figure.py FOLDER [QUAVER]: figure.glb, striped_ball.glb, funnel.obj and mould.obj, of the demos of soft bodies; with
a program, striped_sack.glb and striped_imp.glb too, which are its own shapes. Needs nothing else but Python.

The figure is a body of blended balls and capsules with stripes all around, so that one sees where its surface goes. Funnel
and mould are closed bodies that are turned on a lathe; the mould's hollow is a star whose walls lean outwards, so that what
has set in it comes out.
"""
import json
import math
import os
import struct
import subprocess
import sys
import tempfile
import zlib

from mesh_making import Writer, normals, surface, union

CELL = 0.052
HEIGHT = 1.8
STRIPES = 9
TEXTURE = 256  # pixels along the height
COLORS = ((238, 150, 58), (52, 108, 178))
# Ends of the capsule, radii at the ends.
FIGURE = [
    ((0, 0.16, 0), (0, 0.18, 0), 0.17, 0.3),
    ((0, 0.38, 0), (0, 0.62, 0), 0.37, 0.3),
    ((0, 0.8, 0), (0, 1.05, 0), 0.21, 0.19),
    ((0, 1.3, 0), (0, 1.38, 0), 0.31, 0.29),
    ((0.2, 1.55, 0), (0.32, 1.72, -0.02), 0.09, 0.08),
    ((-0.2, 1.55, 0), (-0.32, 1.72, -0.02), 0.09, 0.08),
    ((0, 1.26, 0.28), (0, 1.25, 0.36), 0.09, 0.07),
    ((0.3, 0.68, 0.05), (0.5, 0.52, 0.14), 0.1, 0.1),
    ((-0.3, 0.68, 0.05), (-0.5, 0.52, 0.14), 0.1, 0.1),
    ((0.19, 0.11, 0.05), (0.2, 0.1, 0.28), 0.13, 0.12),
    ((-0.19, 0.11, 0.05), (-0.2, 0.1, 0.28), 0.13, 0.12),
]
BALL = [((0, 0.999, 0), (0, 1.001, 0), 1.0, 1.0)]
SEGMENTS = 60  # of the lathe
# Radius and height of each ring, closed: the last is joined to the first.
FUNNEL = [(0.52, 0.0), (0.54, 0.3), (1.4, 1.2), (1.26, 1.32), (0.4, 0.42), (0.36, 0.0)]
MOULD = [(1.05, 0.0), (1.05, 0.7), (0.97, 0.76), ("star", 0.85, 0.76), ("star", 0.66, 0.16)]


def png(rows):
    """A PNG file of rows of RGB pixels."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    raw = b"".join(b"\0" + bytes(x for pixel in row for x in pixel) for row in rows)
    header = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(raw, 9)) + chunk(b"IEND", b"")


def write_blended(path, name, shape, lower, upper, cell, height):
    """A body of blended balls and capsules."""
    write_striped(path, name, *surface(lambda p: union(p, shape), lower, upper, cell), height)


def write_shape(path, name, resolution, program):
    """A shape of the program, point by point: what it is simulated as stays the same."""
    with tempfile.TemporaryDirectory() as folder:
        scene, frame = os.path.join(folder, "scene.json"), os.path.join(folder, "frame.obj")
        with open(scene, "w", encoding="ascii") as out:
            json.dump({"quaver": 2, "mesh": {"primitive": name, "resolution": resolution}, "range": [0, 0.01],
                       "keys": [{"time": 0}]}, out)
        subprocess.run([program, "bake", scene, "-o", frame, "--frames", "0:0"], check=True, stdout=subprocess.DEVNULL)
        points, triangles = [], []
        (written,) = [f for f in os.listdir(folder) if f.endswith(".obj")]
        with open(os.path.join(folder, written), encoding="ascii") as lines:
            for line in lines:
                words = line.split()
                if words[:1] == ["v"]:
                    points.append([float(x) for x in words[1:4]])
                elif words[:1] == ["f"]:
                    face = [int(word.split("/")[0]) - 1 for word in words[1:]]
                    triangles += [(face[0], face[k], face[k + 1]) for k in range(1, len(face) - 1)]
    write_striped(path, name, points, triangles, 2.0)


def write_striped(path, name, points, triangles, height):
    """With stripes all around from y = 0 to a height."""
    out = Writer()
    attributes = {
        "POSITION": out.add("VEC3", "f", 5126, points, 34962, bounds=True),
        "NORMAL": out.add("VEC3", "f", 5126, normals(points, triangles), 34962),
        "TEXCOORD_0": out.add("VEC2", "f", 5126, [(0.5, min(p[1] / height, 1.0)) for p in points], 34962),
    }
    indices = out.add("SCALAR", "H", 5123, [i for t in triangles for i in t], 34963)
    picture = png([[COLORS[STRIPES * row // TEXTURE % 2]] * 2 for row in range(TEXTURE)])
    out.views.append({"buffer": 0, "byteOffset": len(out.data), "byteLength": len(picture)})
    out.data += picture + b"\0" * (-len(picture) % 4)
    out.save(path, {
        "asset": {"version": "2.0", "generator": "Quaver's make_figure.py"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"name": name, "mesh": 0}],
        "meshes": [{"name": name, "primitives": [{"attributes": attributes, "indices": indices, "material": 0}]}],
        "materials": [{"name": "striped", "pbrMetallicRoughness": {"baseColorTexture": {"index": 0}, "metallicFactor": 0,
                                                                   "roughnessFactor": 0.6}}],
        "textures": [{"source": 0, "sampler": 0}],
        "samplers": [{"magFilter": 9729, "minFilter": 9987, "wrapS": 33071, "wrapT": 33071}],
        "images": [{"name": "stripes", "mimeType": "image/png", "bufferView": len(out.views) - 1}],
    })


def star(angle):
    """Five rounded points."""
    return 0.8 + 0.2 * math.cos(5 * angle)


def turned(rings, capped):
    """Rings of points around the y axis; capped: the first and the last are closed by a disc, else joined."""
    points, faces, n = [], [], SEGMENTS
    for ring in rings:
        radius, height = ring[-2:]
        for k in range(n):
            angle = 2 * math.pi * k / n
            r = radius * (star(angle) if ring[0] == "star" else 1.0)
            points.append((r * math.sin(angle), height, r * math.cos(angle)))
    for i in range(len(rings) if not capped else len(rings) - 1):
        a, b = i * n, (i + 1) % len(rings) * n
        for k in range(n):
            faces.append((a + k, a + (k + 1) % n, b + (k + 1) % n, b + k))
    if capped:
        for ring, turn in ((0, -1), (len(rings) - 1, 1)):
            middle = len(points)
            points.append((0.0, rings[ring][-1], 0.0))
            faces += [(ring * n + k, ring * n + (k + 1) % n, middle)[::turn] for k in range(n)]
    return points, faces


def write_obj(path, name, points, faces):
    with open(path, "w", encoding="ascii", newline="\n") as out:
        out.write("# Quaver's make_figure.py\no %s\n" % name)
        out.writelines("v %.5g %.5g %.5g\n" % p for p in points)
        out.writelines("f %s\n" % " ".join(str(i + 1) for i in face) for face in faces)


def main():
    folder = sys.argv[1]
    write_blended(os.path.join(folder, "figure.glb"), "figure", FIGURE, (-0.75, -0.13, -0.55), (0.75, 2.0, 0.75), CELL, HEIGHT)
    write_blended(os.path.join(folder, "striped_ball.glb"), "ball", BALL, (-1.2, -0.2, -1.2), (1.2, 2.2, 1.2), 0.09, 2.0)
    if len(sys.argv) > 2:
        write_shape(os.path.join(folder, "striped_sack.glb"), "sack", 16, sys.argv[2])
        write_shape(os.path.join(folder, "striped_imp.glb"), "imp", 20, sys.argv[2])
    write_obj(os.path.join(folder, "funnel.obj"), "funnel", *turned(FUNNEL, False))
    write_obj(os.path.join(folder, "mould.obj"), "mould", *turned(MOULD, True))


main()
