// SPDX-License-Identifier: GPL-3.0-or-later
// compare.mjs CONVERT FOLDER: our vertices of Blender's exports against those that Blender showed.
import { execFileSync } from 'child_process';
import fs from 'fs';
import path from 'path';

const [convert, folder] = process.argv.slice(2);
const distance = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

// The exporter reorders vertices; places at the first time tell which is which.
function match(ours, theirs) {
    return ours.map(p => {
        let best = 0;
        theirs.forEach((q, i) => best = distance(p, q) < distance(p, theirs[best]) ? i : best);
        return best;
    });
}

let failed = false;
for (const name of fs.readdirSync(folder).filter(file => file.endsWith('.poses.json'))) {
    const { times, poses } = JSON.parse(fs.readFileSync(path.join(folder, name)));
    const file = path.join(folder, name.replace('.poses.json', '.glb'));
    const ours = JSON.parse(execFileSync(convert, ['pose', file, '0', ...times.map(String)], { maxBuffer: 1 << 28 }));
    const all = poses.flat();
    const size = distance([0, 1, 2].map(k => Math.max(...all.map(p => p[k]))), [0, 1, 2].map(k => Math.min(...all.map(p => p[k]))));
    const partner = match(ours[0], poses[0]);
    const used = new Set(partner).size;
    let worst = 0, moved = 0;
    times.forEach((_, i) => ours[i].forEach((p, v) => {
        worst = Math.max(worst, distance(p, poses[i][partner[v]]) / size);
        moved = Math.max(moved, distance(p, ours[0][v]) / size);
    }));
    // Every vertex of Blender's must be there, and something must move, or the check says nothing.
    const good = worst < 1e-4 && used === poses[0].length && moved > 0.05;
    failed ||= !good;
    console.log(`check: ${name.replace('.poses.json', '')}, ${times.length} times, ${used} of ${poses[0].length} vertices, ` +
        `largest difference ${worst.toExponential(1)} of the size${good ? '' : ' FAILED'}`);
}
process.exit(failed ? 1 : 0);
