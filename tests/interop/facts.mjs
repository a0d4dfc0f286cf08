// SPDX-License-Identifier: GPL-3.0-or-later
// facts.mjs CACHE FPS REPORT OUT: what the players compare with, for a scene that was baked: the exact frames from its
// vertex cache (.pc2, with the mesh as .obj beside it), and the error from the report of bake --json.
import fs from 'fs';

const [cache, fps, report, out] = process.argv.slice(2);
const bytes = fs.readFileSync(cache);
const count = bytes.readInt32LE(16), samples = bytes.readInt32LE(28);
const last = Number(process.argv[6] || (samples - 1) / fps);

const rest = fs.readFileSync(cache.replace(/pc2$/, 'obj'), 'utf8').split('\n').filter(line => line.startsWith('v '))
    .map(line => line.split(' ').slice(1, 4).map(Number));
const diagonal = Math.hypot(...[0, 1, 2].map(k => Math.max(...rest.map(p => p[k])) - Math.min(...rest.map(p => p[k]))));

const frames = [];
for (let frame = 0; frame < samples; frame++) {
    if (frame % 10 !== 0 && frame !== samples - 1)
        continue;
    const positions = [];
    for (let i = 0; i < count; i++)
        positions.push([0, 1, 2].map(k => bytes.readFloatLE(32 + 12 * (frame * count + i) + 4 * k)));
    frames.push({ frame, time: frame === samples - 1 ? last : frame / fps, positions });
}
const { max_error: error, targets } = JSON.parse(fs.readFileSync(report));
fs.writeFileSync(out, JSON.stringify({ fps: Number(fps), targets, error: error * diagonal, diagonal, frames }));
