// SPDX-License-Identifier: GPL-3.0-or-later
// players.mjs FOLDER: every .glb of the folder plays in three.js, Babylon.js and PlayCanvas, without a screen: vertices
// at three times are where they were baked, within the reported error. NAME.glb.json has the facts (facts.mjs).
import fs from 'fs';
import path from 'path';

const folder = process.argv[2];
globalThis.self = globalThis;
const { MeshoptDecoder } = await import('three/examples/jsm/libs/meshopt_decoder.module.js');
await MeshoptDecoder.ready;
const players = {
    'three.js': await import('./play_three.mjs'),
    'Babylon.js': await import('./play_babylon.mjs'),
    PlayCanvas: await import('./play_playcanvas.mjs'),
};

const distance2 = (a, i, b, j) => (a[i] - b[j]) ** 2 + (a[i + 1] - b[j + 1]) ** 2 + (a[i + 2] - b[j + 2]) ** 2;

// The largest distance of a shown vertex from that of the mesh which it stands for: the one that is nearest at all times.
function compare(shown, baked) {
    const count = shown[0].length, total = baked[0].length;
    let worst = 0;
    for (let i = 0; i < count; i += 3) {
        let best = Infinity, at = [];
        for (let j = 0; j < total; j += 3) {
            let sum = 0;
            for (let k = 0; k < shown.length && sum < best; k++)
                sum += distance2(shown[k], i, baked[k], j);
            if (sum < best) {
                best = sum;
                at = j;
            }
        }
        for (let k = 0; k < shown.length; k++)
            worst = Math.max(worst, Math.sqrt(distance2(shown[k], i, baked[k], at)));
    }
    return worst;
}

let failed = false;
for (const name of fs.readdirSync(folder).filter(file => file.endsWith('.glb')).sort()) {
    const file = path.join(folder, name);
    const facts = JSON.parse(fs.readFileSync(`${file}.json`));
    const pick = [1, Math.floor(facts.frames.length / 2), facts.frames.length - 1];
    const frames = pick.map(i => facts.frames[i]);
    const baked = frames.map(frame => frame.positions.flat());
    const results = [];
    for (const [player, { play, reads }] of Object.entries(players)) {
        if (reads && !reads(name))
            continue;
        const shown = await play(new Uint8Array(fs.readFileSync(file)), frames.map(frame => frame.time), MeshoptDecoder);
        const worst = compare(shown, baked);
        // Every vertex of the mesh is shown, most of them more than once only at seams.
        const good = worst <= facts.error + 1e-5 * facts.diagonal && shown[0].length >= baked[0].length;
        failed ||= !good;
        results.push(`${player} ${(worst / facts.diagonal).toExponential(1)}${good ? '' : ' FAILED'}`);
    }
    console.log(`check: ${name}, reported ${(facts.error / facts.diagonal).toExponential(1)}: ${results.join(', ')}`);
}
process.exit(failed ? 1 : 0);
