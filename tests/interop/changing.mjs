// SPDX-License-Identifier: GPL-3.0-or-later
// changing.mjs FOLDER FPS: the triangles of every frame of drip.glb as three.js and Babylon.js play it, of drip.usda as
// tinyusdz reads it, and of the OBJ files as three.js reads them, against those of the PLY files.
import fs from 'fs';
import path from 'path';

globalThis.self = globalThis;
const THREE = await import('three');
const { GLTFLoader } = await import('three/examples/jsm/loaders/GLTFLoader.js');
const { PLYLoader } = await import('three/examples/jsm/loaders/PLYLoader.js');
const { OBJLoader } = await import('three/examples/jsm/loaders/OBJLoader.js');

const [folder, rate] = process.argv.slice(2);
const fps = Number(rate);

function bytes(name) {
    const read = fs.readFileSync(path.join(folder, name));
    return read.buffer.slice(read.byteOffset, read.byteOffset + read.length);
}

// A frame is a flat list of the corners' places, triangle by triangle.
function corners(positions, index) {
    if (!index)
        return Array.from(positions);
    const found = [];
    for (const i of index)
        found.push(positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]);
    return found;
}

function compare(who, frames, exact) {
    if (frames.length !== exact.length)
        throw new Error(`${who}: ${frames.length} frames against ${exact.length}`);
    let worst = 0;
    frames.forEach((frame, k) => {
        if (frame.length !== exact[k].length)
            throw new Error(`${who}: frame ${k} has ${frame.length / 9} triangles, not ${exact[k].length / 9}`);
        frame.forEach((x, i) => worst = Math.max(worst, Math.abs(x - exact[k][i])));
    });
    if (!(worst < 1e-5))
        throw new Error(`${who}: corners are off by ${worst}`);
    console.log(`check: ${who}, ${frames.length} frames, off by ${worst.toExponential(1)}`);
}

// What an instance of a scene shows at the moment: exactly one mesh that is not shrunk to nothing.
function only(who, k, shown) {
    if (shown.length !== 1)
        throw new Error(`${who}: frame ${k} shows ${shown.length} meshes`);
    return shown[0];
}

// --- The files of single frames
const names = fs.readdirSync(path.join(folder, 'ply')).filter(name => name.endsWith('.ply')).sort();
const exact = names.map(name => {
    const geometry = new PLYLoader().parse(bytes(path.join('ply', name)));
    return corners(geometry.attributes.position.array, geometry.index?.array);
});
const changes = exact.filter((frame, k) => k > 0 && frame.length !== exact[k - 1].length).length;
if (changes < 3)
    throw new Error(`only ${changes} frames have another mesh than the one before`);
compare('OBJ files', names.map(name => {
    const text = fs.readFileSync(path.join(folder, 'obj', name.replace('.ply', '.obj')), 'utf8');
    return corners(new OBJLoader().parse(text).children[0].geometry.attributes.position.array);
}), exact);

// --- three.js
{
    const gltf = await new GLTFLoader().parseAsync(bytes('drip.glb'), '');
    const mixer = new THREE.AnimationMixer(gltf.scene);
    const action = mixer.clipAction(gltf.animations[0]);
    action.setLoop(THREE.LoopOnce);
    action.clampWhenFinished = true;
    action.play();
    compare('three.js', exact.map((_, k) => {
        mixer.setTime(k / fps + 1e-4);
        gltf.scene.updateMatrixWorld(true);
        const shown = [];
        gltf.scene.traverse(object => {
            if (!object.isMesh || !(Math.abs(object.matrixWorld.determinant()) > 0.5))
                return;
            const geometry = object.geometry.clone().applyMatrix4(object.matrixWorld);
            shown.push(corners(geometry.attributes.position.array, geometry.index.array));
        });
        return only('three.js', k, shown);
    }), exact);
}

// --- Babylon.js
{
    const { NullEngine, Scene, SceneLoader, Vector3, FreeCamera } = await import('@babylonjs/core/index.js');
    await import('@babylonjs/loaders/glTF/index.js');
    const scene = new Scene(new NullEngine());
    scene.useRightHandedSystem = true;
    new FreeCamera('eye', new Vector3(0, 0, 10), scene);
    await SceneLoader.AppendAsync('', new Uint8Array(bytes('drip.glb')), scene, undefined, '.glb');
    const group = scene.animationGroups[0];
    group.start(false);
    group.pause();
    const perSecond = group.to / ((exact.length - 1) / fps);
    compare('Babylon.js', exact.map((_, k) => {
        group.goToFrame(Math.min((k / fps + 1e-4) * perSecond, group.to));
        scene.render();
        const shown = [];
        for (const mesh of scene.meshes) {
            const positions = mesh.getVerticesData('position'), matrix = mesh.computeWorldMatrix(true);
            if (!positions || !(Math.abs(matrix.determinant()) > 0.5))
                continue;
            const moved = new Float32Array(positions.length);
            for (let i = 0; i < positions.length; i += 3)
                Vector3.TransformCoordinates(Vector3.FromArray(positions, i), matrix).toArray(moved, i);
            shown.push(corners(moved, mesh.getIndices()));
        }
        return only('Babylon.js', k, shown);
    }), exact);
}

// --- tinyusdz: the samples of the layer as it has read them
{
    const home = new URL('./node_modules/tinyusdz/', import.meta.url), node = globalThis.process;
    const program = fs.readFileSync(new URL('tinyusdz.wasm', home));
    globalThis.window = globalThis; // it is built for browsers
    globalThis.process = undefined;
    const { default: start } = await import(new URL('tinyusdz.js', home));
    const usd = await start({
        instantiateWasm: (imports, done) => {
            WebAssembly.instantiate(program, imports).then(made => done(made.instance, made.module));
            return {};
        },
    });
    globalThis.process = node;
    const loader = new usd.TinyUSDZLoaderNative();
    const file = new Uint8Array(bytes('drip.usda'));
    if (!loader.loadAsLayerFromBinary(file, 'drip.usda'))
        throw new Error(`tinyusdz: ${loader.error()}`);
    const text = loader.layerToString();
    // The value at a frame is that of the last sample before it.
    const samples = attribute => {
        const block = text.match(new RegExp(`${attribute}\\.timeSamples = \\{\\n([^}]*)\\}`))[1];
        const given = new Map(block.trim().split('\n').map(line => {
            const [, time, list] = line.match(/^\s*([0-9.]+): \[(.*)\],?$/);
            return [Number(time), list.replace(/[()]/g, '').split(', ').map(Number)];
        }));
        let last;
        return exact.map((_, k) => last = given.get(k) ?? last);
    };
    const points = samples('point3f\\[\\] points'), index = samples('int\\[\\] faceVertexIndices');
    samples('int\\[\\] faceVertexCounts').forEach((counts, k) => {
        if (counts.some(count => count !== 3) || 3 * counts.length !== index[k].length)
            throw new Error(`tinyusdz: frame ${k} is not of triangles`);
    });
    compare('tinyusdz', points.map((frame, k) => corners(frame, index[k])), exact);
    if (!new usd.TinyUSDZLoaderNative().loadFromBinary(file, 'drip.usda'))
        throw new Error('tinyusdz: the layer makes no scene');
}
process.exit(0);
