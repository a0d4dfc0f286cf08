// SPDX-License-Identifier: GPL-3.0-or-later
// chromium.mjs FOLDER: three.js in Chromium plays every .glb of the folder. Vertices at the exported frames are where
// they were baked, within the reported error; pictures at three times differ and are kept beside the file.
import { chromium } from 'playwright-core';
import fs from 'fs';
import http from 'http';
import path from 'path';

const here = path.dirname(new URL(import.meta.url).pathname);
const folder = process.argv[2];
const SIZE = 320;
const types = { '.js': 'text/javascript', '.mjs': 'text/javascript', '.html': 'text/html', '.glb': 'model/gltf-binary' };

const page = `<!doctype html><meta charset="utf-8"><style>body { margin: 0 }</style>
<script type="importmap">{"imports": {"three": "/modules/three/build/three.module.js",
"three/addons/": "/modules/three/examples/jsm/"}}</script>
<script type="module">
import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';

const renderer = new THREE.WebGLRenderer({ antialias: true, preserveDrawingBuffer: true });
renderer.setSize(${SIZE}, ${SIZE});
document.body.appendChild(renderer.domElement);
let scene, mixer, action, camera, gltf;

window.open3d = async (file, center, size) => {
    gltf = await new GLTFLoader().loadAsync(file);
    scene = new THREE.Scene();
    scene.background = new THREE.Color(0x20242c);
    scene.add(gltf.scene, new THREE.HemisphereLight(0xffffff, 0x405070, 1));
    const sun = new THREE.DirectionalLight(0xfff0dd, 2);
    sun.position.set(-2, 2, 1);
    scene.add(sun);
    camera = new THREE.PerspectiveCamera(40, 1, size / 100, size * 10);
    camera.position.set(center[0] + size * 0.2, center[1] + size * 0.25, center[2] + size * 1.3);
    camera.lookAt(...center);
    mixer = new THREE.AnimationMixer(gltf.scene);
    action = mixer.clipAction(gltf.animations[0]);
    action.setLoop(THREE.LoopOnce);
    action.clampWhenFinished = true;
    action.play();
    return gltf.animations[0].duration;
};

// A clip that has reached its end pauses.
function pose(time) {
    action.reset();
    mixer.setTime(time);
}

window.show = time => {
    pose(time);
    renderer.render(scene, camera);
};

window.vertices = time => {
    pose(time);
    gltf.scene.updateMatrixWorld(true);
    const found = [], p = new THREE.Vector3();
    gltf.scene.traverse(object => {
        for (let i = 0; object.isMesh && i < object.geometry.attributes.position.count; i++)
            found.push(object.getVertexPosition(i, p).applyMatrix4(object.matrixWorld).toArray());
    });
    return found;
};
window.ready = true;
</script>`;

const server = http.createServer((request, response) => {
    const url = decodeURIComponent(request.url.split('?')[0]);
    if (url === '/')
        return response.writeHead(200, { 'Content-Type': 'text/html' }).end(page);
    const file = url.startsWith('/modules/') ? path.join(here, 'node_modules', url.slice(9)) : path.join(folder, url.slice(1));
    if (!fs.existsSync(file))
        return response.writeHead(404).end();
    response.writeHead(200, { 'Content-Type': types[path.extname(file)] || 'application/octet-stream' });
    response.end(fs.readFileSync(file));
});
await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));

const distance = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
function nearest(p, places) {
    let best = 0;
    places.forEach((q, i) => best = distance(p, q) < distance(p, places[best]) ? i : best);
    return best;
}

function bounds(points) {
    const low = [0, 1, 2].map(k => Math.min(...points.map(p => p[k])));
    const high = [0, 1, 2].map(k => Math.max(...points.map(p => p[k])));
    return { center: low.map((x, k) => (x + high[k]) / 2), size: distance(low, high) };
}

// Fraction of the pixels of two screenshots that differ, decoded by the browser.
async function difference(tab, a, b) {
    return tab.evaluate(async urls => {
        const pixels = [];
        for (const url of urls) {
            const bitmap = await createImageBitmap(await (await fetch(url)).blob());
            const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
            const context = canvas.getContext('2d');
            context.drawImage(bitmap, 0, 0);
            pixels.push(context.getImageData(0, 0, bitmap.width, bitmap.height).data);
        }
        let count = 0;
        for (let i = 0; i < pixels[0].length; i += 4)
            count += Math.abs(pixels[0][i] - pixels[1][i]) + Math.abs(pixels[0][i + 1] - pixels[1][i + 1]) > 24;
        return count / (pixels[0].length / 4);
    }, [a, b].map(bytes => `data:image/png;base64,${bytes.toString('base64')}`));
}

async function check(tab, name) {
    const facts = JSON.parse(fs.readFileSync(path.join(folder, `${name}.json`)));
    const { center, size } = bounds(facts.frames.flatMap(frame => frame.positions));
    const duration = await tab.evaluate(([file, c, s]) => window.open3d(file, c, s), [`/${name}`, center, size]);
    const first = await tab.evaluate(time => window.vertices(time), 0);
    const partner = first.map(p => nearest(p, facts.frames[0].positions));
    let worst = 0;
    for (const frame of facts.frames) {
        const shown = await tab.evaluate(time => window.vertices(time), Math.min(frame.time, duration));
        shown.forEach((p, i) => worst = Math.max(worst, distance(p, frame.positions[partner[i]])));
    }
    const last = await tab.evaluate(time => window.vertices(time), duration);
    const seam = Math.max(...last.map((p, i) => distance(p, first[i])));
    const pictures = [];
    for (const part of [0, 0.25, 0.6]) {
        await tab.evaluate(time => window.show(time), part * duration);
        pictures.push(await tab.locator('canvas').screenshot({
            path: path.join(folder, `${name}.${Math.round(100 * part)}.png`),
        }));
    }
    const changes = [await difference(tab, pictures[0], pictures[1]), await difference(tab, pictures[1], pictures[2])];
    await tab.evaluate(time => window.show(time), duration);
    const closing = await difference(tab, pictures[0], await tab.locator('canvas').screenshot());
    const closes = JSON.stringify(facts.frames[0].positions) === JSON.stringify(facts.frames.at(-1).positions);
    const good = worst <= facts.error + 1e-5 * facts.diagonal && changes.every(change => change > 0.003) &&
        (!closes || (seam <= 2e-6 * facts.diagonal && closing < 0.001));
    console.log(`check: Chromium plays ${name}, ${first.length} vertices, off by ${worst.toExponential(1)}, reported ` +
        `${facts.error.toExponential(1)}, ${closes ? `seam ${seam.toExponential(0)}, ` : ''}pictures change by ` +
        `${changes.map(change => `${(100 * change).toFixed(0)} %`).join(' and ')}${good ? '' : ' FAILED'}`);
    return good;
}

const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
    args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'],
});
const tab = await browser.newPage({ viewport: { width: SIZE, height: SIZE } });
tab.on('pageerror', error => console.log(`page: ${error.message}`));
await tab.goto(`http://127.0.0.1:${server.address().port}/`);
await tab.waitForFunction('window.ready', null, { timeout: 60000 });
let failed = 0, count = 0;
for (const name of fs.readdirSync(folder).filter(file => file.endsWith('.glb')).sort()) {
    failed += !await check(tab, name);
    count++;
}
await browser.close();
server.close();
process.exit(failed > 0 || count === 0 ? 1 : 0);
