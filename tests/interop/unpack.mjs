// SPDX-License-Identifier: GPL-3.0-or-later
// unpack.mjs PAGE FOLDER: what the viewer of pages unpacks is what the decoder of meshoptimizer does, byte for byte: every packed run
// of every .glb of the folder, and runs that are damaged end with an error or with numbers, but never hang. PAGE is page.html.
import fs from 'fs';
import path from 'path';
import { MeshoptDecoder } from 'three/examples/jsm/libs/meshopt_decoder.module.js';

const [page, folder] = process.argv.slice(2);
await MeshoptDecoder.ready;
const viewer = fs.readFileSync(page, 'utf8');
const from = viewer.indexOf('// --- Unpacking'), to = viewer.indexOf('function viewBytes');
const unpack = new Function(`${viewer.slice(from, to)} return unpack;`)();

const EXTENSION = 'EXT_meshopt_compression';
let runs = 0, wrong = 0, damaged = 0;
const kinds = {};
for (const name of fs.readdirSync(folder).filter(file => file.endsWith('.glb'))) {
    const bytes = fs.readFileSync(path.join(folder, name)), length = bytes.readUInt32LE(12);
    const json = JSON.parse(bytes.subarray(20, 20 + length)), buffer = new Uint8Array(bytes.subarray(28 + length));
    for (const view of json.bufferViews) {
        const how = view.extensions?.[EXTENSION];
        if (!how)
            continue;
        const { byteOffset: start = 0, byteLength, byteStride, count, mode, filter } = how;
        const packed = buffer.slice(start, start + byteLength), expected = new Uint8Array(count * byteStride);
        MeshoptDecoder.decodeGltfBuffer(expected, count, byteStride, packed, mode, filter);
        runs++;
        kinds[[mode, filter].join(' ').trim()] = (kinds[[mode, filter].join(' ').trim()] || 0) + 1;
        const found = unpack(packed, how);
        if (found.length !== expected.length || found.some((byte, i) => byte !== expected[i])) {
            wrong++;
            console.log(`check: ${name}, ${mode} ${count} of ${byteStride} bytes: unpacked otherwise FAILED`);
        }
        for (const size of [1, packed.length >> 1, packed.length - 1]) {
            try {
                unpack(packed.slice(0, size), how);
            } catch (error) {
                damaged += /packed bytes/.test(error.message);
            }
        }
    }
}
const told = Object.entries(kinds).map(([kind, count]) => `${count} of ${kind}`).join(', ');
console.log(`check: ${runs} packed runs (${told}) unpacked by pages as by meshoptimizer, ${damaged} of ${3 * runs} short ones refused`);
process.exit(runs > 0 && wrong === 0 && damaged > runs ? 0 : 1);
