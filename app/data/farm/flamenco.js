// SPDX-License-Identifier: GPL-3.0-or-later
// Job type of Flamenco 3: a film of a Quaver scene. See README.md beside it.
const JOB_TYPE = {
    label: "Quaver",
    settings: [
        { key: "scene", type: "string", required: true, description: "scene file on shared storage" },
        { key: "output", type: "string", required: true, description: "film to write: .mp4 or .gif" },
        { key: "parts", type: "string", required: true, description: "folder for parts and cache, which is there" },
        { key: "frames", type: "int32", required: true, description: "number of frames of the scene" },
        { key: "chunk_size", type: "int32", default: 24, description: "frames of a task" },
        { key: "size", type: "string", default: "1280x720", description: "of the pictures, in pixels" },
    ],
};

function command(args) {
    return author.Command("exec", { exe: "quaver", args: args });
}

function chunk(settings, first, last) {
    const task = author.Task("frames " + first + "-" + last, "misc");
    task.addCommand(command([
        "render", "--size", settings.size, "--frames", first + ":" + last, "--skip-existing",
        "--cache", settings.parts + "/cache", "-o", settings.parts + "/part_######.png", "--", settings.scene,
    ]));
    return task;
}

function sixDigits(number) {
    return ("000000" + number).slice(-6);
}

function compileJob(job) {
    const settings = job.settings;
    const join = author.Task("join", "misc");
    const parts = [];
    let solve = null;
    for (let first = 0; first < settings.frames; first += settings.chunk_size) {
        const last = Math.min(first + settings.chunk_size, settings.frames) - 1;
        const task = chunk(settings, first, last);
        if (solve === null)
            solve = task;
        else
            task.addDependency(solve);
        join.addDependency(task);
        job.addTask(task);
        parts.push(settings.parts + "/part_" + sixDigits(first) + "-" + sixDigits(last) + ".part.json");
    }
    join.addCommand(command(["join", "-o", settings.output, "--"].concat(parts)));
    job.addTask(join);
}
