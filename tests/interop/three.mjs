// SPDX-License-Identifier: GPL-3.0-or-later
// three.mjs CONVERT FILE…: vertices as three.js poses them, against ours, at several times of every clip.
import { execFileSync } from 'child_process';
import fs from 'fs';

globalThis.self = globalThis;
const THREE = await import('three');
const { GLTFLoader } = await import('three/examples/jsm/loaders/GLTFLoader.js');

const [convert, ...files] = process.argv.slice(2);
const times = [0, 0.3, 0.75, 1];

function ours(...args) {
    return JSON.parse(execFileSync(convert, args, { maxBuffer: 1 << 28 }));
}

// All vertices, in the order of the scene's tree, which is that of the nodes in these files.
function vertices(gltf) {
    gltf.scene.updateMatrixWorld(true);
    const positions = [];
    let last;
    gltf.scene.traverse(object => {
        if (!object.isMesh)
            return;
        const attribute = object.geometry.attributes.position;
        // Several primitives of a mesh are children of one group, and may share their vertices.
        const group = gltf.parser.associations.get(object.parent)?.meshes === undefined ? null : object.parent;
        if (group && last && last.group === group && last.attribute === attribute)
            return;
        last = { group, attribute };
        for (let i = 0; i < attribute.count; i++) {
            const p = new THREE.Vector3();
            object.getVertexPosition(i, p);
            positions.push(p.applyMatrix4(object.matrixWorld).toArray());
        }
    });
    return positions;
}

function compare(file, a, b) {
    if (a.length !== b.length)
        throw new Error(`${file}: ${a.length} vertices against ${b.length}`);
    let worst = 0;
    a.forEach((p, i) => p.forEach((x, k) => worst = Math.max(worst, Math.abs(x - b[i][k]))));
    if (!(worst < 1e-5))
        throw new Error(`${file}: vertices differ by ${worst}`);
    return worst;
}

let worst = 0, count = 0;
for (const file of files) {
    const bytes = fs.readFileSync(file);
    const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
    const gltf = await new GLTFLoader().parseAsync(buffer, '');
    worst = Math.max(worst, compare(file, ours('mesh', file).positions, vertices(gltf)));
    count++;
    for (let clip = 0; clip < gltf.animations.length; clip++) {
        const mixer = new THREE.AnimationMixer(gltf.scene);
        const action = mixer.clipAction(gltf.animations[clip]);
        action.setLoop(THREE.LoopOnce);
        action.clampWhenFinished = true;
        action.play();
        const poses = ours('pose', file, String(clip), ...times.map(String));
        times.forEach((time, i) => {
            mixer.setTime(time);
            worst = Math.max(worst, compare(`${file} clip ${clip} time ${time}`, poses[i], vertices(gltf)));
            count++;
        });
        mixer.stopAllAction();
    }
}
console.log(`check: three.js, ${count} poses, largest difference ${worst.toExponential(1)}`);
