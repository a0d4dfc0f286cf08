# SPDX-License-Identifier: GPL-3.0-or-later
# A film of a Quaver scene on OpenCue: see README.md beside it.
import os
import sys

import outline
import outline.cuerun
import outline.modules.shell

SCENE = "/shared/walk.json"
OUTPUT = "/shared/walk.mp4"
PARTS = "/shared/walk.parts"  # a folder that is there
FRAMES = 97
CHUNK = 24
OPTIONS = ["--size", "1280x720"]


def chunk(first):
    """The command of the chunk that begins at a frame, which may be OpenCue's #IFRAME#."""
    script = 'first=$1; shift; exec quaver render "$@" --frames "$first:$((first + %d))"' % (CHUNK - 1)
    return ["bash", "-c", script, "quaver", first, *OPTIONS, "--skip-existing", "--cache", PARTS + "/cache",
            "-o", PARTS + "/part_######.png", "--", SCENE]


def parts():
    names = []
    for first in range(0, FRAMES, CHUNK):
        names.append("%s/part_%06d-%06d.part.json" % (PARTS, first, min(first + CHUNK, FRAMES) - 1))
    return names


def main():
    job = outline.Outline("quaver_" + os.path.splitext(os.path.basename(SCENE))[0])
    first = outline.modules.shell.Shell("first", command=chunk("0"), range="0")
    join = outline.modules.shell.Shell("join", command=["quaver", "join", "-o", OUTPUT, "--", *parts()], range="0")
    job.add_layer(first)
    if FRAMES > CHUNK:
        rest = outline.modules.shell.Shell("parts", command=chunk("#IFRAME#"),
                                           range="%d-%dx%d" % (CHUNK, FRAMES - 1, CHUNK))
        rest.depend_all(first)
        join.depend_all(rest)
        job.add_layer(rest)
    join.depend_all(first)
    job.add_layer(join)
    outline.cuerun.launch(job, use_pycuerun=False)


if __name__ == "__main__":
    sys.exit(main())
