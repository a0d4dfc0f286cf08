// SPDX-License-Identifier: GPL-3.0-or-later
// Vertices as PlayCanvas shows them, with no graphics device: what its shaders do is done here with its own numbers.
class Nothing {
    constructor() { this.style = {}; }
    addEventListener() {}
    removeEventListener() {}
    getContext() { return null; }
}
globalThis.window ??= globalThis;
globalThis.navigator ??= { userAgent: '' };
globalThis.document ??= Object.assign(new Nothing(), { createElement: () => new Nothing(), body: new Nothing() });
for (const name of ['HTMLCanvasElement', 'HTMLImageElement', 'HTMLVideoElement', 'ImageBitmap', 'ImageData'])
    globalThis[name] ??= class extends Nothing {};
// Pictures are of no interest here: each is there at once, a single pixel.
globalThis.Image ??= class extends HTMLImageElement {
    width = 1;
    height = 1;
    set src(url) { queueMicrotask(() => this.onload?.()); }
};
globalThis.addEventListener ??= () => {};
globalThis.removeEventListener ??= () => {};
globalThis.requestAnimationFrame ??= () => 0;
const pc = await import('playcanvas');

const canvas = Object.assign(new HTMLCanvasElement(), { width: 16, height: 16 });
const app = new pc.AppBase(canvas);
const options = new pc.AppOptions();
options.graphicsDevice = new pc.NullGraphicsDevice(canvas);
options.componentSystems = [pc.RenderComponentSystem, pc.AnimComponentSystem];
options.resourceHandlers = [pc.ContainerHandler, pc.RenderHandler, pc.AnimClipHandler, pc.MaterialHandler, pc.TextureHandler];
app.init(options);

let loaded = 0;
function load(bytes) {
    return new Promise((resolve, reject) => {
        const contents = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
        const url = `baked${loaded++}.glb`; // by which it is remembered
        const asset = new pc.Asset(url, 'container', { url, filename: url, contents });
        asset.ready(() => resolve(asset.resource));
        asset.on('error', reject);
        app.assets.add(asset);
        app.assets.load(asset);
    });
}

// The numbers of an attribute, as shaders see them.
function read(buffer, semantic) {
    const element = buffer.format.elements.find(item => item.name === semantic);
    if (!element)
        return null;
    const view = new DataView(buffer.lock()), reads = ['getInt8', 'getUint8', 'getInt16', 'getUint16', 'getInt32', 'getUint32', 'getFloat32'];
    const size = [1, 1, 2, 2, 4, 4, 4][element.dataType], range = [127, 255, 32767, 65535][element.dataType];
    return Array.from({ length: buffer.numVertices * element.numComponents }, (_, i) => {
        const row = Math.floor(i / element.numComponents), at = row * element.stride + element.offset + size * (i % element.numComponents);
        const value = view[reads[element.dataType]](at, true);
        return element.normalize ? Math.max(value / range, -1) : value;
    });
}

function morphed(instance) {
    const positions = read(instance.mesh.vertexBuffer, pc.SEMANTIC_POSITION).slice();
    const morph = instance.morphInstance;
    for (let t = 0; morph && t < morph.morph._targets.length; t++) {
        const deltas = morph.morph._targets[t].deltaPositions, weight = morph.getWeight(t);
        for (let i = 0; deltas && weight !== 0 && i < positions.length; i++)
            positions[i] += weight * deltas[i];
    }
    return positions;
}

function place(instance, positions) {
    const found = [], p = new pc.Vec3(), q = new pc.Vec3(), skin = instance.mesh.skin;
    const joints = skin ? read(instance.mesh.vertexBuffer, pc.SEMANTIC_BLENDINDICES) : null;
    const weights = skin ? read(instance.mesh.vertexBuffer, pc.SEMANTIC_BLENDWEIGHT) : null;
    const maps = skin ? skin.inverseBindPose.map((bind, i) => new pc.Mat4().mul2(instance.skinInstance.bones[i].getWorldTransform(), bind))
                      : [instance.node.getWorldTransform()];
    for (let i = 0; i < positions.length; i += 3) {
        const sum = new pc.Vec3();
        p.set(positions[i], positions[i + 1], positions[i + 2]);
        for (let k = 0; k < (skin ? 4 : 1); k++) {
            const at = i / 3 * 4 + k;
            maps[skin ? joints[at] : 0].transformPoint(p, q);
            sum.add(q.mulScalar(skin ? weights[at] : 1));
        }
        found.push(sum.x, sum.y, sum.z);
    }
    return found;
}

function vertices(entity) {
    const found = [], seen = new Set();
    for (const instance of entity.findComponents('render').flatMap(render => render.meshInstances)) {
        if (seen.has(instance.mesh.vertexBuffer))
            continue;
        seen.add(instance.mesh.vertexBuffer); // the primitives of a mesh may share their vertices
        found.push(...place(instance, morphed(instance)));
    }
    return found;
}

// Numbers of all vertices, one list for each time.
export async function play(bytes, times) {
    const resource = await load(bytes), entity = resource.instantiateRenderEntity();
    app.root.addChild(entity);
    entity.addComponent('anim', { activate: true });
    entity.anim.assignAnimation('clip', resource.animations[0].resource, undefined, 1, false);
    app.systems.fire('animationUpdate', 0); // the first one starts it
    const { duration } = resource.animations[0].resource; // at which it begins anew
    const shown = times.map(time => {
        entity.anim.baseLayer.activeStateCurrentTime = Math.min(time, duration * (1 - 1e-6));
        app.systems.fire('animationUpdate', 0);
        return vertices(entity);
    });
    entity.destroy();
    return shown;
}

export const reads = name => !name.includes('compress'); // it has no decoder
