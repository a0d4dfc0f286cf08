#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# run_story.sh QUAVER STORY FOLDER: plays a story in a fresh folder with a few mesh files in it. The story's pictures
# are left there. A story with "# without caches" solves everything anew, one with "# without other programs" finds none
# on its path. A story that starts with "# fails: TEXT" must fail with exactly one line that contains TEXT.
set -uo pipefail
quaver=$1 story=$2 folder=$3
data=$(cd "$(dirname "${BASH_SOURCE[0]}")/../data" && pwd)
rm -rf "$folder"
mkdir -p "$folder/more" && cd "$folder" || exit 1

cat >cube.obj <<'OBJ'
v -1 0 -1
v 1 0 -1
v 1 0 1
v -1 0 1
v -1 2 -1
v 1 2 -1
v 1 2 1
v -1 2 1
v 9 9 9
f 1 2 3 4
f 8 7 6 5
f 1 5 6 2
f 2 6 7 3
f 3 7 8 4
f 4 8 5 1
f 1 1 2
OBJ
# A sack that is solved in a moment.
echo '{"quaver": 1, "mesh": {"primitive": "sack", "resolution": 8}, "material": {"modes": 6}, "keys": [{"time": 0}]}' >sack.json
# One that is struck at its second key.
sed 's/{"time": 0}/{"time": 0}, {"time": 1, "velocity": {"mode": "broken", "out": {"strokes": [{"brush": "grab", "at": [0, 1, 0.3], "drag": [3, 0, 0]}]}}}/' sack.json >hit.json
# One that is squashed and stretched a moment later.
sed 's/{"time": 0}/{"time": 0}, {"time": 0.8, "strokes": [{"brush": "grab", "at": [0, 1.8, 0], "drag": [0, -0.6, 0], "radius": 0.8}]}, {"time": 0.95, "strokes": [{"brush": "grab", "at": [0, 1.8, 0], "drag": [0, 0.4, 0], "radius": 0.8}]}, {"time": 2}/' sack.json >squash.json
# One that lies on its side and is thrown to the right from there.
sed 's/{"time": 0}/{"time": 0}, {"time": 1, "velocity": {"mode": "broken", "out": [2, 0, 0]}, "transform": {"rotate": [0, 0, 0.7071, 0.7071]}}/' sack.json >more/lying.json
# The same with waves that its motion sets off.
sed 's/"material"/"secondary": {"enabled": true, "threshold": 0}, "material"/' hit.json >swing.json
# One that takes its time, and a sheet that is long to read.
sed 's/"resolution": 8/"resolution": 11/; s/"modes": 6/"modes": 12/; s/{"time": 0}/{"time": 0}, {"time": 3, "strokes": [{"brush": "twist", "angle": 1}]}/' sack.json >slow.json
for i in 1 2 3; do sed "s/11/$((11 + i))/" slow.json >slow$i.json; done
awk 'BEGIN { n = 60; for (i = 0; i < n; i++) for (j = 0; j < n; j++) print "v", i / n, 0.1 * sin(0.2 * i), j / n
    for (i = 1; i < n; i++) for (j = 1; j < n; j++) { a = (i - 1) * n + j; print "f", a, a + 1, a + n + 1, a + n } }' >sheet.obj
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n' >more/broken.obj
# A film of two seconds, of which half a second is looked at.
sed 's/{"time": 0}/{"time": 0}, {"time": 1, "strokes": [{"brush": "twist", "angle": 1}]}/; s/"mesh"/"fps": 12, "range": [0, 2], "preview": [0.5, 1], "mesh"/' sack.json >more/film.json
printf 'v 0 0 0\nv 3 0 0\nv 0 2 0\nf 1 2 3\n' >more/triangle.obj

# The home folder is the story's own, and hidden from its file lists; what is cached is shared.
export XDG_CACHE_HOME=${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}
grep -q '^# without caches' "$story" && export XDG_CACHE_HOME=$folder/cache
mkdir -p .home/Documents
# A sack that lands and goes on through the ground.
sed 's/{"time": 0}/{"time": 0}, {"time": 0.5, "transform": {"translate": [0, 1, 0]}}, {"time": 1, "name": "land", "transform": {"translate": [0, 0.1, 0]}}, {"time": 1.5, "transform": {"translate": [0, 0.1, 0]}}/' sack.json >.home/landing.json
# Links in a row of which two are joined, looked at from the front.
cp "$data/../../scenes/chain.obj" .home
echo '{"quaver": 2, "mesh": {"file": "chain.obj"}, "range": [0, 1], "material": {"modes": 4, "frequency": 0}, "camera": {"target": [1.2, 5, 0], "yaw": 0, "pitch": 0, "distance": 5, "lens": 35}, "ground": {"on": false}, "keys": [{"time": 0}], "simulations": [{"engine": "surface", "time": 0.95, "until": 1, "after": "hold", "detail": 100, "wobble": 4, "joints": [{"a": 81, "b": 82}]}]}' >.home/chain.json
# One that leans and steps aside.
sed 's/{"time": 0}/{"time": 0, "transform": {"translate": [0, 0, 0]}}, {"time": 1, "transform": {"translate": [1, 0, 0]}, "strokes": [{"brush": "grab", "at": [0, 1.8, 0], "drag": [0.4, 0, 0], "radius": 0.6}]}/' sack.json >.home/step.json
# One that is more than a bake takes at 240 frames per second, and that ends a hair above a frame.
sed 's/"mesh"/"fps": 2, "range": [0, 500.0000001], "mesh"/' sack.json >.home/long.json
# A tetrahedron with a red picture on it.
cat >.home/textured.gltf <<'GLTF'
{"asset":{"version":"2.0"},"nodes":[{"mesh":0}],"scenes":[{"nodes":[0]}],"scene":0,"meshes":[{"primitives":[{"attributes":{"POSITION":0,"TEXCOORD_0":1},"indices":2,"material":0}]}],
"materials":[{"pbrMetallicRoughness":{"baseColorTexture":{"index":0}}}],"textures":[{"source":0}],"images":[{"uri":"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEElEQVR42mP4ryAARAwQCgAk7gS9co7cAwAAAABJRU5ErkJggg=="}],
"accessors":[{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3","min":[0,0,0],"max":[1,1,1]},{"bufferView":1,"componentType":5126,"count":4,"type":"VEC2"},{"bufferView":2,"componentType":5123,"count":12,"type":"SCALAR"}],"bufferViews":[{"buffer":0,"byteLength":48},{"buffer":0,"byteOffset":48,"byteLength":32},{"buffer":0,"byteOffset":80,"byteLength":24}],
"buffers":[{"byteLength":104,"uri":"data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAAAAAAAAAAAAIA/AAAAAAAAAAAAAIA/AAAAAAAAAAAAAIA/AACAPwAAgD8AAAIAAQAAAAEAAwAAAAMAAgABAAIAAwA="}]}
GLTF
# The same with a picture of 9000 x 1 pixels.
sed 's|base64,iVBO[^"]*|base64,iVBORw0KGgoAAAANSUhEUgAAIygAAAABAQAAAACbWDjoAAAAEklEQVR42mP4PwpGwSgYBbQEAAm2YNgjb9qFAAAAAElFTkSuQmCC|; s|{"uri":"data:image|{"name":"wide","uri":"data:image|' .home/textured.gltf >.home/wide.gltf
# A body with two animations, and one of a tenth of a unit.
cp "$data/glb/skin.glb" .home/skin.glb
printf 'v 0 0 0\nv 0.1 0 0\nv 0 0.1 0\nv 0 0 0.1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n' >.home/tiny.obj
# One that leans by a wave.
sed 's/{"time": 0}/{"time": 0}, {"time": 1, "interp": "wave", "strokes": [{"brush": "grab", "at": [0, 1.8, 0], "drag": [0.5, 0, 0], "radius": 0.8}]}, {"time": 2}/' sack.json >.home/wave.json
# The one that lands, with more to solve.
sed 's/"resolution": 8/"resolution": 16/; s/"modes": 6/"modes": 16/' .home/landing.json >.home/plunge.json
# A ball that melts over an edge.
echo '{"quaver": 2, "fps": 12, "range": [0, 1], "mesh": {"primitive": "sphere", "resolution": 6}, "material": {"modes": 1}, "keys": [{"time": 0}], "obstacles": [{"shape": "box", "size": [0.3, 0.8, 3], "at": [0, 0.4, 0]}], "simulations": [{"id": "s1", "engine": "points", "time": 0.1, "melt": 1, "flow": true, "after": "hold", "detail": 100}]}' >.home/torn.json
# A ring of rubber that falls to the ground.
echo '{"quaver": 2, "fps": 12, "range": [0, 1], "mesh": {"primitive": "torus", "resolution": 6}, "material": {"modes": 1}, "keys": [{"time": 0, "transform": {"translate": [0, 0.5, 0]}}], "simulations": [{"id": "s1", "engine": "surface", "time": 0, "settle": 0.2, "wobble": 6, "after": "hold", "detail": 200}]}' >.home/ring.json
path=$PATH
grep -q '^# without other programs' "$story" && path=$folder/more
HOME=$folder/.home PATH=$path "$quaver" --ui-script "$story" 2>stderr.txt
status=$?
wanted=$(sed -n '1s/^# fails: //p' "$story")
if [ -n "$wanted" ]; then
    [ $status -eq 1 ] && [ "$(wc -l <stderr.txt)" -eq 1 ] && grep -qF -- "$wanted" stderr.txt && exit 0
    echo "wanted status 1 and one line with \"$wanted\", got status $status:"
    cat stderr.txt
    exit 1
fi
cat stderr.txt
[ $status -eq 0 ] || exit 1
# Every picture that the story takes is there and is no single colour.
while read -r _ picture; do
    size=$(stat -c %s "$picture" 2>/dev/null || echo 0)
    [ "$size" -gt 20000 ] || { echo "$picture has only $size bytes"; exit 1; }
done < <(grep -E '^screenshot ' "$story")
