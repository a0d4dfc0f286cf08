// SPDX-License-Identifier: GPL-3.0-or-later
// Vertices as Babylon.js shows them, on its engine without a screen.
import * as BABYLON from '@babylonjs/core/index.js';
import '@babylonjs/loaders/glTF/index.js';

function vertices(scene) {
    const found = [], p = new BABYLON.Vector3();
    for (const mesh of scene.meshes) {
        if (mesh.getTotalVertices() === 0)
            continue;
        mesh.computeWorldMatrix(true);
        const positions = mesh.getPositionData(true, true), world = mesh.getWorldMatrix();
        for (let i = 0; i < positions.length; i += 3) {
            BABYLON.Vector3.TransformCoordinatesFromFloatsToRef(positions[i], positions[i + 1], positions[i + 2], world, p);
            found.push(p.x, p.y, p.z);
        }
    }
    return found;
}

BABYLON.Logger.LogLevels = BABYLON.Logger.NoneLogLevel;

// Numbers of all vertices, one list for each time.
export async function play(bytes, times, decoder) {
    // Its own decoder comes from the network.
    BABYLON.MeshoptCompression._Default = {
        decodeGltfBufferAsync: async (source, count, stride, mode, filter) => {
            const result = new Uint8Array(count * stride);
            decoder.decodeGltfBuffer(result, count, stride, source, mode, filter);
            return result;
        },
        dispose() {},
    };
    const engine = new BABYLON.NullEngine();
    const scene = new BABYLON.Scene(engine);
    scene.useRightHandedSystem = true;
    new BABYLON.FreeCamera('camera', BABYLON.Vector3.Zero(), scene);
    await BABYLON.SceneLoader.AppendAsync('', bytes, scene, undefined, '.glb');
    for (const mesh of scene.meshes)
        mesh.alwaysSelectAsActiveMesh = true; // the camera may look elsewhere, and what it does not see has no bones
    const group = scene.animationGroups[0];
    group.start(false);
    group.pause();
    const rate = group.targetedAnimations[0].animation.framePerSecond;
    const shown = times.map(time => {
        group.goToFrame(time * rate);
        scene.render();
        return vertices(scene);
    });
    engine.dispose();
    return shown;
}
