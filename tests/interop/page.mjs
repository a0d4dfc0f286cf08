// SPDX-License-Identifier: GPL-3.0-or-later
// page.mjs FOLDER: every .html of the folder plays in Chromium as a file, without a network: vertices at the exported
// frames are where they were baked, within the reported error; it plays, can be turned, stopped and scrubbed; nothing is
// fetched. Pictures are kept beside the file. NAME.html.json has the facts (facts.mjs).
import { chromium } from 'playwright-core';
import fs from 'fs';
import path from 'path';
import { pathToFileURL } from 'url';

const folder = process.argv[2];
const VIEWER = 40 * 1024; // bytes that a page may have besides its animation
const distance = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

function nearest(p, places) {
    let best = 0;
    places.forEach((q, i) => best = distance(p, q) < distance(p, places[best]) ? i : best);
    return best;
}

const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
    args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist',
           '--disable-background-networking', '--no-first-run'],
});

async function open(file, requests, errors, options = {}) {
    const tab = await browser.newPage({ viewport: { width: 480, height: 360 }, ...options });
    tab.on('request', request => requests.push(request.url()));
    tab.on('pageerror', error => errors.push(error.message));
    tab.on('console', message => message.type() === 'error' && errors.push(message.text()));
    await tab.goto(pathToFileURL(file).href);
    return tab;
}

// Vertices of all primitives one after the other.
const vertices = (tab, time) => tab.evaluate(at => {
    const found = [];
    for (const places of window.quaver.points(at))
        for (let i = 0; i < places.length; i += 3)
            found.push([places[i], places[i + 1], places[i + 2]]);
    return found;
}, time);

async function worstError(tab, facts) {
    const duration = await tab.evaluate(() => window.quaver.duration);
    const first = await vertices(tab, 0);
    const partner = first.map(p => nearest(p, facts.frames[0].positions));
    let worst = 0;
    for (const frame of facts.frames) {
        const shown = await vertices(tab, Math.min(frame.time, duration));
        shown.forEach((p, i) => worst = Math.max(worst, distance(p, frame.positions[partner[i]])));
    }
    // None is missing.
    for (const p of facts.frames[0].positions)
        worst = Math.max(worst, distance(p, first[nearest(p, first)]));
    return { worst, count: first.length };
}

async function check(name) {
    const file = path.join(folder, name), requests = [], errors = [], faults = [];
    const facts = JSON.parse(fs.readFileSync(`${file}.json`));
    const html = fs.readFileSync(file, 'latin1');
    const data = html.match(/<script id="data"[^>]*>([^<]*)</)[1];
    const tab = await open(file, requests, errors);
    await tab.waitForFunction('window.quaver && !document.getElementById("poster")', null, { timeout: 60000 });
    const { worst, count } = await worstError(tab, facts);
    const picture = part => tab.screenshot({ path: `${file}.${part}.png` });
    const at = async part => {
        await tab.evaluate(p => window.quaver.show(p * window.quaver.duration), part);
        await tab.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))));
        return picture(Math.round(100 * part));
    };
    const still = await at(0), later = await at(0.3);
    await tab.mouse.move(240, 150);
    await tab.mouse.down();
    await tab.mouse.move(330, 130, { steps: 4 });
    await tab.mouse.up();
    const turned = await picture('turned');
    const clock = () => tab.locator('#clock').textContent();
    const stopped = await clock();
    await tab.keyboard.press(' ');
    await tab.waitForFunction(text => document.getElementById('clock').textContent !== text, stopped, { timeout: 20000 });
    await tab.keyboard.press(' ');
    await tab.locator('#time').fill('0');
    if (!(await clock()).startsWith('0.00 '))
        faults.push('the scrubber does not scrub');
    if (!(worst <= facts.error + 1e-5 * facts.diagonal))
        faults.push('points are elsewhere');
    if (still.equals(later) || later.equals(turned))
        faults.push('pictures do not change');
    if (html.length - data.length > VIEWER)
        faults.push(`the viewer has ${html.length - data.length} bytes`);
    const left = requests.filter(url => !url.startsWith('file:') && !url.startsWith('data:') && !url.startsWith('blob:'));
    if (left.length > 0 || requests.filter(url => url.startsWith('file:')).length !== 1)
        faults.push(`it asks for ${requests.join(' ')}`);
    faults.push(...errors);
    await tab.close();
    console.log(`check: page ${name}, ${count} vertices, off by ${worst.toExponential(1)}, reported ${facts.error.toExponential(1)}, ` +
        `viewer of ${html.length - data.length} bytes${faults.length ? ` FAILED: ${faults.join('; ')}` : ''}`);
    return faults.length === 0;
}

// Without WebGL, and with an animation that is cut off, the page says so.
async function checkMessages(name) {
    const broken = path.join(folder, 'broken.htm');
    const html = fs.readFileSync(path.join(folder, name), 'latin1');
    fs.writeFileSync(broken, html.replace(/(<script id="data"[^>]*>)[^<]{400}/, '$1'), 'latin1');
    const without = path.join(folder, 'without.htm');
    fs.writeFileSync(without, html.replace("getContext('webgl2'", "getContext('none'"), 'latin1');
    const texts = [];
    for (const file of [broken, without]) {
        const tab = await open(file, [], []);
        await tab.waitForFunction('!/Loading/.test(document.getElementById("message").textContent)', null, { timeout: 20000 });
        texts.push(await tab.locator('#message').textContent());
        await tab.close();
    }
    const good = /cannot be shown/.test(texts[0]) && /WebGL 2/.test(texts[1]);
    console.log(`check: a broken page says "${texts[0]}", one without WebGL "${texts[1]}"${good ? '' : ' FAILED'}`);
    return good;
}

const names = fs.readdirSync(folder).filter(file => file.endsWith('.html')).sort();
let failed = names.length === 0;
for (const name of names)
    failed = !await check(name) || failed;
failed = !await checkMessages(names[0]) || failed;
await browser.close();
process.exit(failed ? 1 : 0);
