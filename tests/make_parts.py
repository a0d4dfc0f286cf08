#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""make_parts.py: writes the meshes of several parts that demo scenes have, and an obstacle, into scenes/.

fish.obj: 25 fish in five layers; bowl.obj: what they fall into; ball_and_cube.obj: a ball above a cube; chain.obj: nine
links in a row and a ball; beam.obj: one of 5 x 1 x 1.
"""
import math
import os

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "scenes")


class Mesh:
    def __init__(self):
        self.points, self.faces = [], []

    def add(self, points, faces, place=lambda p: p):
        first = len(self.points)
        self.points += [place(p) for p in points]
        self.faces += [[first + i for i in face] for face in faces]

    def save(self, name):
        with open(os.path.join(FOLDER, name), "w") as file:
            file.write("# SPDX-License-Identifier: GPL-3.0-or-later\n")
            for p in self.points:
                file.write("v %.6f %.6f %.6f\n" % tuple(p))
            for face in self.faces:
                file.write("f " + " ".join(str(i + 1) for i in face) + "\n")


def tube(rings, size, first, last):
    """A closed tube: rings of points (functions of the number of a ring and of an angle) between two tips."""
    points = [first]
    for r in range(rings):
        points += [size(r, 2 * math.pi * k / AROUND) for k in range(AROUND)]
    points.append(last)
    at = lambda r, k: 1 + r * AROUND + k % AROUND
    faces = [[0, at(0, k + 1), at(0, k)] for k in range(AROUND)]
    for r in range(rings - 1):
        for k in range(AROUND):
            faces.append([at(r, k), at(r, k + 1), at(r + 1, k + 1)])
            faces.append([at(r, k), at(r + 1, k + 1), at(r + 1, k)])
    faces += [[len(points) - 1, at(rings - 1, k), at(rings - 1, k + 1)] for k in range(AROUND)]
    return points, faces


AROUND = 10
# Along a fish of length 1: half its height and half its width.
OUTLINE = [(0.06, 0.06, 0.05), (0.16, 0.12, 0.09), (0.30, 0.16, 0.11), (0.45, 0.16, 0.11), (0.60, 0.12, 0.09),
           (0.72, 0.08, 0.065), (0.82, 0.075, 0.05), (0.92, 0.13, 0.05)]


def fish():
    ring = lambda r, a: (OUTLINE[r][0] - 0.5, OUTLINE[r][1] * math.cos(a), OUTLINE[r][2] * math.sin(a))
    return tube(len(OUTLINE), ring, (-0.5, 0, 0), (0.5, 0, 0))


def shoal():
    mesh, (points, faces) = Mesh(), fish()
    for n in range(25):
        layer, place = divmod(n, 5)
        angle = 2 * math.pi * place / 5 + 0.6 * layer
        turn = angle + 0.9 * n
        far = 0.62 if place else 0.6
        c, s, cx, cz = math.cos(turn), math.sin(turn), far * math.cos(angle), far * math.sin(angle)
        height = 1.0 + 0.5 * layer + 0.05 * place
        mesh.add(points, faces, lambda p: (c * p[0] + s * p[2] + cx, p[1] + height, c * p[2] - s * p[0] + cz))
    mesh.save("fish.obj")


def bowl():
    """A thick bowl, open upwards, standing on y = 0."""
    global AROUND
    AROUND, steps, inner, outer = 32, 8, 1.3, 1.5
    profile = [(outer * math.sin(a), outer - outer * math.cos(a))
               for a in (math.pi / 2 * (i + 1) / steps for i in range(steps))]
    profile += [(inner * math.sin(a), outer - inner * math.cos(a))
                for a in (math.pi / 2 * (steps - i) / steps for i in range(steps))]
    mesh = Mesh()
    points, faces = tube(len(profile), lambda r, a: (profile[r][0] * math.cos(a), profile[r][1],
                                                     profile[r][0] * math.sin(a)), (0, 0, 0), (0, outer - inner, 0))
    mesh.add(points, [face[::-1] for face in faces])
    mesh.save("bowl.obj")


def ball(around, rings, radius):
    """Its poles are the first and the last point."""
    global AROUND
    AROUND = around
    angle = lambda r: math.pi * (r + 1) / (rings + 1)
    return tube(rings, lambda r, a: (radius * math.sin(angle(r)) * math.cos(a), radius * math.cos(angle(r)),
                                     radius * math.sin(angle(r)) * math.sin(a)), (0, radius, 0), (0, -radius, 0))


def chain():
    """Links along x, each of 82 points whose first and last are its tips; then a ball of which these are the poles."""
    global AROUND
    AROUND = 10
    half, radius, gap, mesh = 0.26, 0.11, 0.04, Mesh()
    outline = [(-half + 0.035, 0.068), (-half + 0.085, 0.1), (-half + 0.15, radius), (-0.04, radius), (0.04, radius),
               (half - 0.15, radius), (half - 0.085, 0.1), (half - 0.035, 0.068)]
    link = lambda r, a: (outline[r][0], outline[r][1] * math.cos(a), outline[r][1] * math.sin(a))
    points, faces = tube(len(outline), link, (-half, 0, 0), (half, 0, 0))
    for n in range(9):
        mesh.add(points, faces, lambda p: (p[0] + n * (2 * half + gap), p[1] + 5.2, p[2]))
    end, radius = 8 * (2 * half + gap) + half + gap, 0.27
    points, faces = ball(14, 9, radius)
    mesh.add(points, faces, lambda p: (end + radius - p[1], p[0] + 5.2, p[2]))
    mesh.save("chain.obj")


def block(cells, place):
    """Of so many cells along each axis; corners are given to place in parts of the whole."""
    index, points, faces = {}, [], []

    def corner(*at):
        if at not in index:
            index[at] = len(points)
            points.append(place([a / n for a, n in zip(at, cells)]))
        return index[at]

    for a in range(max(cells)):
        for b in range(max(cells)):
            for axis in range(3):
                if a >= cells[(axis + 1) % 3] or b >= cells[(axis + 2) % 3]:
                    continue
                for side in (0, cells[axis]):
                    spots = [(a, b), (a + 1, b), (a + 1, b + 1), (a, b + 1)]
                    quad = [corner(*[side if k == axis else s[(k - axis - 1) % 3] for k in range(3)]) for s in spots]
                    faces.append(quad if side else quad[::-1])
    return points, faces


def beam():
    mesh = Mesh()
    mesh.add(*block((24, 5, 5), lambda p: (5 * p[0] - 2.5, p[1] + 1, p[2] - 0.5)))
    mesh.save("beam.obj")


def ball_and_cube():
    mesh = Mesh()
    points, faces = ball(24, 15, 0.5)
    mesh.add(points, faces, lambda p: (p[0] + 0.1, p[1] + 1.8, p[2] + 0.05))
    points, faces = block((6, 6, 6), lambda p: (p[0] - 0.5, p[1], p[2] - 0.5))
    mesh.add(points, faces)
    mesh.save("ball_and_cube.obj")


shoal()
bowl()
ball_and_cube()
chain()
beam()
