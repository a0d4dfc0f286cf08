// SPDX-License-Identifier: GPL-3.0-or-later
// godot.mjs list FOLDER: writes list.json for godot.gd from the facts (NAME.glb.json, see facts.mjs) in a folder.
// godot.mjs check FOLDER: compares what Godot played with them: every vertex of the cache has one of Godot's at its place, and the
// other way round, within the error that the bake reported.
import fs from 'fs';
import path from 'path';

const [mode, folder] = process.argv.slice(2);
const names = fs.readdirSync(folder).filter(name => name.endsWith('.glb'));
const facts = name => JSON.parse(fs.readFileSync(path.join(folder, name + '.json')));
const chosen = frames => [0, Math.floor(frames.length / 2), frames.length - 1].map(i => frames[i]);

// The farthest that a point of a is from all of b.
function farthest(a, b) {
    let largest = 0;
    for (const p of a) {
        let nearest = Infinity;
        for (const q of b)
            nearest = Math.min(nearest, (p[0] - q[0]) ** 2 + (p[1] - q[1]) ** 2 + (p[2] - q[2]) ** 2);
        largest = Math.max(largest, nearest);
    }
    return Math.sqrt(largest);
}

if (mode === 'list') {
    const list = {};
    for (const name of names)
        list[name] = chosen(facts(name).frames).map(frame => frame.time);
    fs.writeFileSync(path.join(folder, 'list.json'), JSON.stringify(list));
} else {
    let bad = 0;
    for (const name of names) {
        const { frames, error, diagonal } = facts(name);
        const lines = fs.readFileSync(path.join(folder, name + '.played'), 'utf8').trim().split('\n').map(JSON.parse);
        let worst = 0;
        chosen(frames).forEach((frame, i) => {
            const played = [];
            for (let k = 0; k < lines[i].length; k += 3)
                played.push(lines[i].slice(k, k + 3));
            worst = Math.max(worst, farthest(frame.positions, played), farthest(played, frame.positions));
        });
        const allowed = error;
        const ok = worst <= allowed;
        bad += !ok;
        console.log(`check: ${name} in Godot: off by ${(worst / diagonal).toExponential(2)} of the diagonal ` +
            `(reported ${(error / diagonal).toExponential(2)})${ok ? '' : ' TOO MUCH'}`);
    }
    process.exit(bad || names.length === 0 ? 1 : 0);
}
