// SPDX-License-Identifier: GPL-3.0-or-later
// intact.mjs SOURCE EXPORTED: what an animation does not touch is in the exported file as it was in the source:
// materials, textures and the bytes of images, cameras, lights, nodes, texture coordinates and triangles.
import fs from 'fs';
import path from 'path';

function load(file) {
    const bytes = fs.readFileSync(file);
    if (bytes.toString('latin1', 0, 4) !== 'glTF')
        return { file, json: JSON.parse(bytes), binary: null };
    const length = bytes.readUInt32LE(12);
    return { file, json: JSON.parse(bytes.toString('utf8', 20, 20 + length)), binary: bytes.subarray(28 + length) };
}

function fromUri(model, uri) {
    if (uri.startsWith('data:'))
        return Buffer.from(uri.slice(uri.indexOf(',') + 1), 'base64');
    const file = path.join(path.dirname(model.file), decodeURIComponent(uri));
    return fs.existsSync(file) ? fs.readFileSync(file) : Buffer.from(`reference to ${uri}`);
}

function view(model, index) {
    const item = model.json.bufferViews[index];
    const buffer = model.json.buffers[item.buffer];
    const bytes = buffer.uri === undefined ? model.binary : fromUri(model, buffer.uri);
    const start = item.byteOffset || 0;
    return { bytes: bytes.subarray(start, start + item.byteLength), stride: item.byteStride };
}

function elements(model, index) {
    const accessor = model.json.accessors[index];
    const size = { 5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4 }[accessor.componentType];
    const width = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4 }[accessor.type];
    const { bytes, stride } = view(model, accessor.bufferView);
    const values = [];
    for (let i = 0; i < accessor.count; i++) {
        const at = (accessor.byteOffset || 0) + i * (stride || size * width);
        values.push(bytes.subarray(at, at + size * width).toString('hex'));
    }
    return values.join(' ');
}

function describe(model) {
    const { json } = model;
    const facts = {};
    for (const list of ['materials', 'textures', 'samplers', 'cameras', 'extensions'])
        facts[list] = json[list] || [];
    facts.images = (json.images || []).map(image => (image.uri === undefined ? view(model, image.bufferView).bytes
        : fromUri(model, image.uri)).toString('base64'));
    facts.nodes = {};
    facts.meshes = {};
    for (const node of json.nodes) {
        if (node.mesh === undefined)
            continue;
        facts.meshes[node.name] = json.meshes[node.mesh].primitives.map(primitive => ({
            material: primitive.material,
            mode: primitive.mode,
            indices: primitive.indices === undefined ? '' : elements(model, primitive.indices),
            ...Object.fromEntries(Object.entries(primitive.attributes).map(([name, index]) => [name, elements(model, index)])),
        }));
    }
    for (const { children, mesh, weights, ...node } of json.nodes)
        facts.nodes[node.name] = node;
    return facts;
}

const [source, exported] = process.argv.slice(2).map(load).map(describe);
let bad = 0, count = 0;
for (const [list, items] of Object.entries(source)) {
    for (const [name, item] of Object.entries(items)) {
        count++;
        if (JSON.stringify(item) !== JSON.stringify(exported[list][name])) {
            console.log(`${process.argv[3]}: ${list} ${name} differs`);
            bad++;
        }
    }
}
console.log(`check: intact ${path.basename(process.argv[3])}, ${count} items of the source, ${bad} differ`);
process.exit(bad > 0 || count === 0 ? 1 : 0);
