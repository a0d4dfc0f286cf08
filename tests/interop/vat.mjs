// SPDX-License-Identifier: GPL-3.0-or-later
// vat.mjs SHADER FOLDER NAME: a vertex animation texture plays in three.js in Chromium with the shader of the
// documentation: what it makes of every vertex at three times is where the vertex was baked, within the reported error,
// and the picture moves. NAME.json beside the folder has the facts (facts.mjs); pictures are kept there, too.
import { chromium } from 'playwright-core';
import fs from 'fs';
import path from 'path';
import { fileURLToPath } from 'url';

const [shader, folder, name] = process.argv.slice(2);
const modules = path.join(path.dirname(fileURLToPath(import.meta.url)), 'node_modules');
const facts = JSON.parse(fs.readFileSync(`${folder}.json`));
const page = `<!DOCTYPE html><link rel="icon" href="data:,"><script type="importmap">{"imports": {"three": "/three/build/three.module.js",
    "three/": "/three/"}}</script><body style="margin:0"></body>`;

const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
    args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist',
           '--disable-background-networking', '--no-first-run'],
});
const tab = await browser.newPage({ viewport: { width: 480, height: 360 } });
const errors = [];
tab.on('pageerror', error => errors.push(error.message));
tab.on('console', message => message.type() === 'error' && errors.push(message.text()));
await tab.route('**/*', route => {
    const { pathname } = new URL(route.request().url());
    const file = pathname === '/vat.mjs' ? shader
        : pathname.startsWith('/three/') ? path.join(modules, pathname) : path.join(folder, path.basename(pathname));
    if (pathname === '/')
        return route.fulfill({ contentType: 'text/html', body: page });
    return route.fulfill({ contentType: /js$/.test(file) ? 'text/javascript' : 'application/octet-stream', body: fs.readFileSync(file) });
});
await tab.goto('http://quaver.test/');

// The renderer, and the same shader as a program that gives back what it makes of the vertices.
await tab.evaluate(async stem => {
    const THREE = await import('three');
    const { GLTFLoader } = await import('three/examples/jsm/loaders/GLTFLoader.js');
    const { loadVat, playVat, vatShader } = await import('/vat.mjs');
    const gltf = await new GLTFLoader().loadAsync(`/${stem}.glb`), vat = await loadVat(`/${stem}`);
    const clock = playVat(gltf.scene, vat);
    const renderer = new THREE.WebGLRenderer({ antialias: true, preserveDrawingBuffer: true });
    renderer.setSize(480, 360);
    document.body.append(renderer.domElement);
    const scene = new THREE.Scene(), camera = new THREE.PerspectiveCamera(35, 4 / 3, 0.01, 1000);
    scene.background = new THREE.Color(0x30343c);
    scene.add(gltf.scene, new THREE.HemisphereLight(0xffffff, 0x404040, 2), new THREE.DirectionalLight(0xffffff, 2));
    const box = new THREE.Box3().setFromObject(gltf.scene), size = box.getSize(new THREE.Vector3()).length();
    const middle = box.getCenter(new THREE.Vector3());
    camera.position.set(0.8, 0.5, 1.5).multiplyScalar(size).add(middle);
    camera.lookAt(middle);

    let mesh = null;
    gltf.scene.traverse(object => mesh ??= object.isMesh ? object : null);
    const gl = document.createElement('canvas').getContext('webgl2'), program = gl.createProgram();
    const add = (type, text) => {
        const made = gl.createShader(type);
        gl.shaderSource(made, `#version 300 es\nprecision highp float;\n${text}`);
        gl.compileShader(made);
        if (!gl.getShaderParameter(made, gl.COMPILE_STATUS))
            throw new Error(gl.getShaderInfoLog(made));
        gl.attachShader(program, made);
    };
    add(gl.VERTEX_SHADER, `#define attribute in\n${vatShader}\nin vec3 position;\nout vec3 place;\n
        out vec3 normal;\nvoid main() { place = position + vatPlace(); normal = vatNormal(); }`);
    add(gl.FRAGMENT_SHADER, 'void main() {}');
    gl.transformFeedbackVaryings(program, ['place', 'normal'], gl.INTERLEAVED_ATTRIBS);
    gl.linkProgram(program);
    gl.useProgram(program);
    const count = mesh.geometry.attributes.position.count, buffer = data => {
        const made = gl.createBuffer();
        gl.bindBuffer(gl.ARRAY_BUFFER, made);
        gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
        return made;
    };
    for (const [attribute, from, width] of [['position', 'position', 3], ['vatSlot', 'uv1', 2]]) {
        const at = gl.getAttribLocation(program, attribute);
        buffer(mesh.geometry.attributes[from].array);
        gl.enableVertexAttribArray(at);
        gl.vertexAttribPointer(at, width, gl.FLOAT, false, 0, 0);
    }
    const { width, height, data } = vat.texture.image;
    gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA32F, width, height, 0, gl.RGBA, gl.FLOAT, data);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
    const uniform = key => gl.getUniformLocation(program, key);
    gl.uniform3fv(uniform('vatMin'), vat.min.toArray());
    gl.uniform3fv(uniform('vatMax'), vat.max.toArray());
    gl.uniform1f(uniform('vatFrames'), vat.frames);
    gl.uniform1f(uniform('vatRate'), vat.fps);
    gl.uniform1i(uniform('vatLoop'), vat.loop);
    const out = buffer(new Float32Array(6 * count)), made = new Float32Array(6 * count);
    gl.bindBuffer(gl.ARRAY_BUFFER, null);
    window.shown = time => {
        gl.uniform1f(uniform('vatTime'), time);
        gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 0, out);
        gl.enable(gl.RASTERIZER_DISCARD);
        gl.beginTransformFeedback(gl.POINTS);
        gl.drawArrays(gl.POINTS, 0, count);
        gl.endTransformFeedback();
        gl.getBufferSubData(gl.TRANSFORM_FEEDBACK_BUFFER, 0, made);
        return Array.from(made);
    };
    window.draw = time => {
        clock.value = time;
        renderer.render(scene, camera);
    };
}, name);

const pick = [1, Math.floor(facts.frames.length / 2), facts.frames.length - 1].map(i => facts.frames[i]);
const shown = [];
for (const frame of pick)
    shown.push(await tab.evaluate(time => window.shown(time), frame.time));
let worst = 0, unit = 0;
for (let i = 0; i < shown[0].length; i += 6) {
    const off = v => pick.map((frame, k) => Math.hypot(...[0, 1, 2].map(c => shown[k][i + c] - frame.positions[v][c])));
    let best = Infinity;
    for (let v = 0; v < pick[0].positions.length; v++)
        best = Math.min(best, Math.max(...off(v)));
    worst = Math.max(worst, best);
    unit = Math.max(unit, ...shown.map(all => Math.abs(Math.hypot(all[i + 3], all[i + 4], all[i + 5]) - 1)));
}
const pictures = [];
for (const frame of pick) {
    await tab.evaluate(time => window.draw(time), frame.time);
    pictures.push(await tab.screenshot({ path: `${folder}.${pictures.length}.png` }));
}
await browser.close();
// Frames are found from a time in 32 bits.
const good = worst <= facts.error + 2e-5 * facts.diagonal && unit < 1e-3 && !pictures[0].equals(pictures[1]) && errors.length === 0;
console.log(`check: vertex animation texture ${name}, ${shown[0].length / 6} vertices, off by ` +
    `${(worst / facts.diagonal).toExponential(1)} of the diagonal, reported ${(facts.error / facts.diagonal).toExponential(1)}` +
    `${good ? '' : ` FAILED ${errors.join('; ')}`}`);
process.exit(good ? 0 : 1);
