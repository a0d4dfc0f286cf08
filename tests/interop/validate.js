// SPDX-License-Identifier: GPL-3.0-or-later
// validate.js FILE…: the Khronos glTF validator; any error or warning is a failure.
const fs = require('fs');
const path = require('path');
const validator = require('gltf-validator');

async function check(file) {
    const bytes = new Uint8Array(fs.readFileSync(file));
    const report = await validator.validateBytes(bytes, {
        uri: file,
        maxIssues: 20,
        externalResourceFunction: uri => {
            const found = path.join(path.dirname(file), decodeURIComponent(uri));
            // Textures of the corpus exist by name only.
            return uri.endsWith('.png') ? Promise.reject(new Error('not here'))
                                        : Promise.resolve(new Uint8Array(fs.readFileSync(found)));
        },
        // Skinned nodes of the corpus have a place of their own, to see that it has no effect.
        ignoredIssues: ['IO_ERROR', 'NODE_SKINNED_MESH_LOCAL_TRANSFORMS'],
    });
    const bad = report.issues.messages.filter(message => message.severity <= 1);
    for (const message of bad)
        console.log(`${file}: ${message.code} ${message.pointer || ''}: ${message.message}`);
    return bad.length;
}

(async () => {
    let bad = 0;
    const files = process.argv.slice(2);
    for (const file of files)
        bad += await check(file);
    console.log(`check: validator, ${files.length} files, ${bad} errors and warnings`);
    process.exit(bad > 0 || files.length === 0 ? 1 : 0);
})();
