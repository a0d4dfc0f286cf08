// SPDX-License-Identifier: GPL-3.0-or-later
// Plays a vertex animation texture (quaver bake scene.json -o sack.vat) in three.js:
//
//     const gltf = await new GLTFLoader().loadAsync('sack.vat/sack.glb');
//     const vat = await loadVat('sack.vat/sack');
//     const clock = playVat(gltf.scene, vat);
//     // in every frame:
//     clock.value = performance.now() / 1000;
//
// Many copies cost next to nothing: the graphics card moves the vertices. Browsers read PNG files with 8 bits, so that
// the texture is unpacked here.
import * as THREE from 'three';

const signed = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

function paeth(left, up, corner) {
    const toLeft = Math.abs(up - corner), toUp = Math.abs(left - corner), toCorner = Math.abs(left + up - 2 * corner);
    return toLeft <= toUp && toLeft <= toCorner ? left : toUp <= toCorner ? up : corner;
}

// The numbers of a PNG file with three channels of 16 bits, from 0 to 1, four a pixel.
async function readPng(bytes) {
    const view = new DataView(bytes), parts = [];
    if (signed.some((byte, i) => view.getUint8(i) !== byte) || view.getUint8(24) !== 16 || view.getUint8(25) !== 2)
        throw new Error('no PNG file with three channels of 16 bits');
    const width = view.getUint32(16), height = view.getUint32(20), size = 6 * width;
    for (let at = 8; at < view.byteLength; at += 12 + view.getUint32(at))
        if (view.getUint32(at + 4) === 0x49444154) // IDAT
            parts.push(new Uint8Array(bytes, at + 8, view.getUint32(at)));
    const plain = new Blob(parts).stream().pipeThrough(new DecompressionStream('deflate'));
    const rows = new Uint8Array(await new Response(plain).arrayBuffer());
    const data = new Float32Array(4 * width * height).fill(1);
    let above = new Uint8Array(size);
    for (let y = 0; y < height; y++) {
        const row = rows.subarray(y * (size + 1) + 1, (y + 1) * (size + 1)), filter = rows[y * (size + 1)];
        for (let i = 0; i < size; i++) {
            const left = i < 6 ? 0 : row[i - 6], up = above[i], corner = i < 6 ? 0 : above[i - 6];
            row[i] += [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter];
        }
        for (let i = 0; i < 3 * width; i++)
            data[4 * (y * width + (i - i % 3) / 3) + i % 3] = (row[2 * i] * 256 + row[2 * i + 1]) / 65535;
        above = row;
    }
    return { width, height, data };
}

// path: of the files without "_vat.png" and "-remap_info.json".
export async function loadVat(path) {
    const facts = await (await fetch(`${path}-remap_info.json`)).json();
    const image = await readPng(await (await fetch(`${path}_vat.png`)).arrayBuffer());
    const texture = new THREE.DataTexture(image.data, image.width, image.height, THREE.RGBAFormat, THREE.FloatType);
    texture.needsUpdate = true;
    const remap = facts['os-remap'];
    return {
        texture, min: new THREE.Vector3(...remap.Min), max: new THREE.Vector3(...remap.Max), frames: remap.Frames,
        fps: facts.fps, loop: facts.loop,
    };
}

// What the shader adds: the displacement and the normal of a vertex at a time. Numbers are in Blender's axes.
export const vatShader = `
attribute vec2 vatSlot;
uniform highp sampler2D vatTexture;
uniform vec3 vatMin, vatMax;
uniform float vatFrames, vatRate, vatTime;
uniform bool vatLoop;

vec3 vatFetch(float frame, float part) {
    vec2 size = vec2(textureSize(vatTexture, 0));
    return texelFetch(vatTexture, ivec2((vatSlot + vec2(0.0, frame / size.y + part)) * size), 0).rgb;
}

// part 0: places in the upper half of the texture, 0.5: normals in the lower one.
vec3 vatNow(float part) {
    float frame = vatTime * vatRate, last = vatFrames - 1.0;
    frame = vatLoop ? mod(frame, vatFrames) : clamp(frame, 0.0, last);
    float now = min(floor(frame), last), next = now < last ? now + 1.0 : vatLoop ? 0.0 : last;
    return mix(vatFetch(now, part), vatFetch(next, part), frame - now);
}

vec3 vatTurn(vec3 v) {
    return vec3(v.x, v.z, -v.y);
}

vec3 vatPlace() {
    return vatTurn(vatMin + vatNow(0.0) * (vatMax - vatMin));
}

vec3 vatNormal() {
    return normalize(vatTurn(2.0 * vatNow(0.5) - 1.0));
}
`;

// Gives all meshes below an object the shader, and returns the clock: { value: seconds }.
export function playVat(object, vat) {
    const clock = { value: 0 };
    const uniforms = {
        vatTexture: { value: vat.texture }, vatMin: { value: vat.min }, vatMax: { value: vat.max },
        vatFrames: { value: vat.frames }, vatRate: { value: vat.fps }, vatLoop: { value: vat.loop }, vatTime: clock,
    };
    object.traverse(mesh => {
        if (!mesh.isMesh)
            return;
        mesh.frustumCulled = false; // its bounds are those of the rest shape
        mesh.geometry.setAttribute('vatSlot', mesh.geometry.attributes.uv1);
        mesh.material = mesh.material.clone();
        mesh.material.onBeforeCompile = shader => {
            Object.assign(shader.uniforms, uniforms);
            shader.vertexShader = vatShader + shader.vertexShader
                .replace('#include <beginnormal_vertex>', '#include <beginnormal_vertex>\nobjectNormal = vatNormal();')
                .replace('#include <begin_vertex>', '#include <begin_vertex>\ntransformed += vatPlace();');
        };
    });
    return clock;
}
