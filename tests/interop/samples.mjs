// SPDX-License-Identifier: GPL-3.0-or-later
// samples.mjs FOLDER: what run_samples has baked keeps the weights of shapes that were there, of which its clips say as many at every
// key as the mesh has shapes; what nothing moves has no clip.
import fs from 'fs';
import path from 'path';

const folder = process.argv[2];
let bad = 0, clips = 0, still = 0;
for (const name of fs.readdirSync(folder).filter(file => file.endsWith('.gltf'))) {
    const { animations = [], accessors, meshes, nodes } = JSON.parse(fs.readFileSync(path.join(folder, name)));
    for (const { channels, samplers } of animations)
        for (const { sampler, target } of channels.filter(channel => channel.target.path === 'weights')) {
            const { input, output, interpolation } = samplers[sampler];
            const shapes = meshes[nodes[target.node].mesh].primitives[0].targets.length * (interpolation === 'CUBICSPLINE' ? 3 : 1);
            clips++;
            if (accessors[output].count !== shapes * accessors[input].count) {
                console.log(`check: ${name}: ${accessors[output].count} weights for ${shapes} shapes FAILED`);
                bad++;
            }
        }
    if (name.includes('.still.')) {
        still += animations.length === 0;
        bad += animations.length > 0;
    }
    else if (animations.length === 0) {
        console.log(`check: ${name}: has no clip FAILED`);
        bad++;
    }
}
console.log(`check: weights of ${clips} clips, ${still} bodies at rest without one`);
process.exit(bad === 0 && clips > 0 && still > 0 ? 0 : 1);
