// SPDX-License-Identifier: GPL-3.0-or-later
// Vertices as three.js shows them.
import * as THREE from 'three';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';

function vertices(scene) {
    const found = [], p = new THREE.Vector3(), seen = new Set();
    scene.updateMatrixWorld(true);
    scene.traverse(object => {
        const positions = object.isMesh ? object.geometry.attributes.position : null;
        if (!positions || seen.has(positions))
            return;
        seen.add(positions); // the primitives of a mesh may share their vertices
        for (let i = 0; i < positions.count; i++)
            found.push(...object.getVertexPosition(i, p).applyMatrix4(object.matrixWorld).toArray());
    });
    return found;
}

// Numbers of all vertices, one list for each time.
export async function play(bytes, times, decoder) {
    const loader = new GLTFLoader().setMeshoptDecoder(decoder);
    const gltf = await loader.parseAsync(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length), '');
    const mixer = new THREE.AnimationMixer(gltf.scene);
    const action = mixer.clipAction(gltf.animations[0]);
    action.setLoop(THREE.LoopOnce);
    action.clampWhenFinished = true;
    action.play();
    return times.map(time => {
        mixer.setTime(time);
        return vertices(gltf.scene);
    });
}
