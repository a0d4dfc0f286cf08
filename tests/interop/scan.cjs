// SPDX-License-Identifier: GPL-3.0-or-later
// node scan.cjs write PACKAGE FOLDER NAME: a scan of a node package as FOLDER/NAME.obj, and FOLDER/NAME.json in which it
// drops by a third of its size, as a body that is simulated from its surface.
// node scan.cjs check FOLDER NAME: the scan fell, lies on the ground, and is as large as it was.
'use strict'
const fs = require('fs')

const DROP = 0.3, SECONDS = 1.5, DETAIL = 400

function bounds(points) {
    const lower = [Infinity, Infinity, Infinity], upper = [-Infinity, -Infinity, -Infinity]
    for (let i = 0; i < points.length; i++) {
        lower[i % 3] = Math.min(lower[i % 3], points[i])
        upper[i % 3] = Math.max(upper[i % 3], points[i])
    }
    return { lower, upper, diagonal: Math.hypot(...upper.map((u, k) => u - lower[k])) }
}

function write(name, folder, to) {
    const mesh = require(name), box = bounds(mesh.positions.flat())
    const lines = mesh.positions.map(p => `v ${p.join(' ')}`).concat(mesh.cells.map(c => `f ${c.map(i => i + 1).join(' ')}`))
    fs.writeFileSync(`${folder}/${to}.obj`, lines.join('\n') + '\n')
    fs.writeFileSync(`${folder}/${to}.json`, JSON.stringify({
        quaver: 2, fps: 24, range: [0, SECONDS], unit: 2 / box.diagonal, mesh: { file: `${to}.obj` },
        material: { frequency: 0, modes: 1 }, ground: { height: box.lower[1] - DROP * box.diagonal }, keys: [{ time: 0 }],
        simulations: [{ engine: 'surface', time: 0, detail: DETAIL, wobble: 5, settle: 0.3, after: 'hold' }]
    }))
    console.log(`scan: ${name}, ${mesh.positions.length} vertices`)
}

function check(folder, name) {
    const scene = JSON.parse(fs.readFileSync(`${folder}/${name}.json`)), data = fs.readFileSync(`${folder}/${name}.pc2`)
    const count = data.readInt32LE(16), frames = data.readInt32LE(28), height = scene.ground.height
    let first
    for (let f = 0; f < frames; f++) {
        const points = new Float32Array(3 * count)
        for (let i = 0; i < points.length; i++)
            points[i] = data.readFloatLE(32 + 4 * (3 * count * f + i))
        const box = bounds(points), size = box.diagonal / (first = first || box.diagonal)
        const low = (box.lower[1] - height) / first
        if (!(size > 0.7 && size < 1.3 && low > -1e-3 && low < DROP + 1e-3))
            throw new Error(`${name}: frame ${f} is ${size} times as large, its lowest point ${low} above the ground`)
        if (f === frames - 1 && !(low < 0.02))
            throw new Error(`${name}: is ${low} above the ground in the end`)
    }
    console.log(`scan: ${name} fell and lies, ${frames} frames`)
}

const [, , what, ...rest] = process.argv
what === 'write' ? write(...rest) : check(...rest)
