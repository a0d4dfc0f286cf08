# SPDX-License-Identifier: GPL-3.0-or-later
"""What the scripts share that make meshes for the demos: surfaces of rounded parts, and files. Needs nothing but Python."""
import json
import math
import struct


def capsule(p, a, b, ra, rb):
    ab = [b[i] - a[i] for i in range(3)]
    ap = [p[i] - a[i] for i in range(3)]
    s = max(0.0, min(1.0, sum(x * y for x, y in zip(ab, ap)) / sum(x * x for x in ab)))
    return math.dist(p, [a[i] + s * ab[i] for i in range(3)]) - ((1 - s) * ra + s * rb)


def union(p, capsules):
    """Distance to the union of capsules, smoothed over 0.1 (log-sum-exp)."""
    return -0.035 * math.log(sum(math.exp(-capsule(p, *part) / 0.035) for part in capsules))


def surface(distance, low, high, step):
    """Surface nets: one vertex per cell that the surface crosses, one quad per crossed edge of the grid."""
    size = [int((high[i] - low[i]) / step) + 2 for i in range(3)]
    corner = lambda i: [low[k] + step * i[k] for k in range(3)]
    value = {}
    for x in range(size[0]):
        for y in range(size[1]):
            for z in range(size[2]):
                value[x, y, z] = distance(corner((x, y, z)))
    cells, points = {}, []
    offsets = [(i & 1, i >> 1 & 1, i >> 2) for i in range(8)]
    for x in range(size[0] - 1):
        for y in range(size[1] - 1):
            for z in range(size[2] - 1):
                crossings = []
                for i, a in enumerate(offsets):
                    for axis in range(3):
                        if i >> axis & 1:
                            continue
                        b = offsets[i | 1 << axis]
                        va, vb = value[x + a[0], y + a[1], z + a[2]], value[x + b[0], y + b[1], z + b[2]]
                        if (va < 0) != (vb < 0):
                            s = va / (va - vb)
                            crossings.append([a[k] + s * (b[k] - a[k]) for k in range(3)])
                if crossings:
                    mean = [sum(c[k] for c in crossings) / len(crossings) for k in range(3)]
                    cells[x, y, z] = len(points)
                    points.append([low[k] + step * ((x, y, z)[k] + mean[k]) for k in range(3)])
    triangles = []
    for (x, y, z), here in value.items():
        for axis in range(3):
            along = [0, 0, 0]
            along[axis] = 1
            there = value.get((x + along[0], y + along[1], z + along[2]))
            if there is None or (here < 0) == (there < 0):
                continue
            u, v = (axis + 1) % 3, (axis + 2) % 3
            ring = []
            for du, dv in ((0, 0), (-1, 0), (-1, -1), (0, -1)):
                cell = [x, y, z]
                cell[u] += du
                cell[v] += dv
                ring.append(cells[tuple(cell)])
            if here > 0:
                ring.reverse()
            triangles += [(ring[0], ring[1], ring[2]), (ring[0], ring[2], ring[3])]
    # The ground is flat: what is below it is lifted onto it.
    return [(p[0], max(p[1], 0.0), p[2]) for p in points], triangles


def normals(points, triangles):
    sums = [[0.0] * 3 for _ in points]
    for a, b, c in triangles:
        u = [points[b][i] - points[a][i] for i in range(3)]
        v = [points[c][i] - points[a][i] for i in range(3)]
        n = (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])
        for corner in (a, b, c):
            for i in range(3):
                sums[corner][i] += n[i]
    return [[x / (math.hypot(*n) or 1.0) for x in n] for n in sums]


class Writer:
    def __init__(self):
        self.data, self.views, self.accessors = b"", [], []

    def add(self, kind, code, component, rows, target=None, bounds=False):
        flat = [x for row in rows for x in (row if isinstance(row, (list, tuple)) else (row,))]
        raw = struct.pack("<%d%s" % (len(flat), code), *flat)
        view = {"buffer": 0, "byteOffset": len(self.data), "byteLength": len(raw)}
        if target:
            view["target"] = target
        self.data += raw + b"\0" * (-len(raw) % 4)
        self.views.append(view)
        accessor = {"bufferView": len(self.views) - 1, "componentType": component, "count": len(rows), "type": kind}
        if bounds:
            exact = [struct.unpack("<f", struct.pack("<f", x))[0] for x in flat]
            n = len(exact) // len(rows)
            accessor["min"] = [min(exact[i::n]) for i in range(n)]
            accessor["max"] = [max(exact[i::n]) for i in range(n)]
        self.accessors.append(accessor)
        return len(self.accessors) - 1

    def save(self, path, document):
        document.update(bufferViews=self.views, accessors=self.accessors, buffers=[{"byteLength": len(self.data)}])
        text = json.dumps(document, separators=(",", ":")).encode()
        text += b" " * (-len(text) % 4)
        with open(path, "wb") as out:
            out.write(struct.pack("<4sII", b"glTF", 2, 28 + len(text) + len(self.data)))
            out.write(struct.pack("<I4s", len(text), b"JSON") + text)
            out.write(struct.pack("<I4s", len(self.data), b"BIN\0") + self.data)
