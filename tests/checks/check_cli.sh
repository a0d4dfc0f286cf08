#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The command line's contract: exit statuses, one line on stderr, JSON on stdout.
set -uo pipefail
quaver=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
bad=0
export XDG_CACHE_HOME=$folder/cache

# expect STATUS PART ARGS…: exit status, and a part of what was printed.
expect() {
    local status=$1 part=$2
    shift 2
    "$quaver" "$@" >"$folder/out" 2>"$folder/err"
    local got=$?
    if [ $got -ne "$status" ] || ! grep -qF -- "$part" "$folder/out" "$folder/err"; then
        echo "quaver $*: status $got (wanted $status), printed:"
        head -c 600 "$folder/out" "$folder/err"
        bad=1
    fi
    # Slow work also says how far it is; the error is the last line.
    if [ "$status" -ne 0 ] && { [ "$(grep -cvE '^Progress: [0-9]+%$' "$folder/err")" -ne 1 ] || tail -n 1 "$folder/err" | grep -q ^Progress; }; then
        echo "quaver $*: wanted one line on stderr:"
        head -c 600 "$folder/err"
        bad=1
    fi
}

expect 0 "usage:" --help
expect 0 "quaver 0." --version
expect 2 "nonsense" --nonsense

expect 0 "closed" info --primitive sack
expect 0 '"repairs": []' info --primitive imp --json
expect 2 "whole number from 1 to 200" info --primitive sack --resolution 0
expect 1 "sack" info --primitive teapot
expect 2 "needs a file" info
expect 2 "--resolution needs --primitive" info a.obj --resolution 4
expect 2 "not both" info a.obj --primitive sack
expect 0 "nothing had to be repaired" info --primitive torus
expect 1 "no such file, and no command" "$folder/none.obj"
expect 1 "no such file, and no command" frob
expect 2 "unknown option" info --nonsense
expect 2 "unexpected argument" info a b
expect 1 "No such file" info "$folder/none.obj"
expect 1 "is a folder" info "$folder"
: >"$folder/empty.obj"
expect 1 "empty.obj" info "$folder/empty.obj"
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n' >"$folder/bad.obj"
expect 1 "bad.obj: line 4" info "$folder/bad.obj"
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' >"$folder/-good.obj"
expect 0 "triangles  1" info -- "$folder/-good.obj"


# Names that a terminal would obey, and that are no UTF-8.
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl a\033[31m\377\nf 1 2 3\n' >"$folder/name.obj"
expect 0 "a?[31m" info "$folder/name.obj"
expect 0 'a\u001b[31m\ufffd' info --json "$folder/name.obj"

# A full disk.
if [ -c /dev/full ]; then
    for arguments in --help --version "info --primitive sack" "info --primitive sack --json"; do
        # shellcheck disable=SC2086
        "$quaver" $arguments >/dev/full 2>"$folder/err"
        if [ $? -ne 1 ] || ! grep -q "cannot write" "$folder/err"; then
            echo "quaver $arguments: a full disk went unnoticed"
            bad=1
        fi
    done
fi

# Scenes: baked, described, drawn; what is wrong is one line, and nothing is half-written.
scenes=tests/data/scenes
expect 0 "97 frames" bake "$scenes/lean.json" -o "$folder/lean.pc2"
for format in glb gltf mdd; do
    expect 0 '"targets"' bake "$scenes/lean.json" -o "$folder/lean.$format" --range 0:0.5 --fps 12 --json
    [ -s "$folder/lean.$format" ] || { echo "bake wrote no lean.$format"; bad=1; }
done
for name in frames targets max_error rms_error bytes ms; do
    grep -q "\"$name\"" "$folder/out" || { echo "bake --json has no $name"; bad=1; }
done
expect 0 "7 frames" bake "$scenes/lean.json" -o "$folder/step.obj" --range 0:0.5 --fps 12
expect 0 "5 targets" bake "$scenes/lean.json" -o "$folder/few.glb" --max-targets 5 --range 0:1 --for three --quantize --no-normals
grep -q "warning" "$folder/err" || { echo "bake: too few targets went without a warning"; bad=1; }
expect 0 "frames" bake "$scenes/lean.json" -o "$folder/packed.glb" --compress --range 0:1
grep -q EXT_meshopt_compression "$folder/packed.glb" || { echo "bake --compress did not compress"; bad=1; }
expect 0 "triangles" info "$folder/packed.glb"
for option in "" --compress --bones; do
    # shellcheck disable=SC2086
    expect 0 "error at most" bake "$scenes/lean.json" -o "$folder/packed.html" $option --for blender --range 0:1
    ! grep -q warning "$folder/err" || { echo "bake $option of a page warns: $(cat "$folder/err")"; bad=1; }
done
expect 0 "Blender does not read compressed meshes" bake "$scenes/lean.json" -o "$folder/packed.glb" --compress --range 0:1 \
    --for blender
expect 0 "error at most" bake "$scenes/lean.json" -o "$folder/lean.vat" --range 0:1
for file in lean.glb lean_vat.png lean-remap_info.json; do
    [ -s "$folder/lean.vat/$file" ] || { echo "bake wrote no lean.vat/$file"; bad=1; }
done
expect 0 "frames" bake "$scenes/lean.json" -o "$folder/lean.vat" --range 0:1
echo text >"$folder/taken.vat"
expect 1 "is a file, and a folder of this name is to be written" bake "$scenes/lean.json" -o "$folder/taken.vat"
mkdir "$folder/others" && echo others >"$folder/others/lean.glb" && ln -s others "$folder/linked.vat"
expect 1 "linked.vat: is a symbolic link" bake "$scenes/lean.json" -o "$folder/linked.vat" --range 0:1
[ "$(ls "$folder/others")" = lean.glb ] || { echo "bake wrote into the folder that linked.vat leads to"; bad=1; }
expect 0 ", 1 shape, error" bake "$scenes/lean.json" -o "$folder/few.glb" --max-targets 1 --range 0:1
expect 0 "scene" bake "$scenes/lean.json" -o "$folder/scene.glb" --embed-scene --cubic --range 0:1
expect 0 '"bones":' bake "$scenes/lean.json" -o "$folder/bones.glb" --bones --range 0:1 --fps 12 --json
expect 0 "1 bone, error" bake "$scenes/lean.json" -o "$folder/bone.glb" --bones 1 --range 0:1 --fps 12
grep -q "warning: 1 bone reaches" "$folder/err" || { echo "bake: too few bones went without a warning"; bad=1; }
expect 0 "lean right" info "$folder/scene.glb"
expect 0 "frames" bake "$scenes/clip.json" -o "$folder/clip.glb" --embed-scene
# Clips: another one than the scene's, and those of a mesh file.
clips=$folder/clips
mkdir "$clips"
clip() { # FILE OPTION…: bakes it to $clips/FILE.pc2
    expect 0 "frames" bake "$2" -o "$clips/$1.pc2" "${@:3}"
}
echo '{"quaver": 2, "range": [0, 1], "mesh": {"file": "walker.glb"}, "clip": null}' >"$clips/still.json"
cp tests/data/glb/skin.glb "$clips/walker.glb"
clip none "$clips/still.json"
clip first "$clips/walker.glb"
clip bend "$clips/still.json" --clip bend
clip slide "$clips/walker.glb" --clip slide
clip second "$clips/still.json" --clip 2
clip off "$clips/walker.glb" --clip none
for pair in "first bend" "slide second" "none off"; do
    cmp "$clips/${pair% *}.pc2" "$clips/${pair#* }.pc2" || bad=1
done
for pair in "none bend" "bend slide"; do
    ! cmp -s "$clips/${pair% *}.pc2" "$clips/${pair#* }.pc2" || { echo "$pair: the same clip"; bad=1; }
done
expect 0 "49 frames" bake "$clips/walker.glb" -o "$clips/slow.pc2" --clip-speed 0.5
expect 1 'clip.name: there is no clip "hop"; the file has 1 "bend", 2 "slide"' bake "$clips/still.json" -o "$clips/x.pc2" --clip hop
expect 2 "--clip-speed must be a number from 0.01 to 100" bake "$clips/walker.glb" -o "$clips/x.pc2" --clip-speed 0
expect 2 "--clip-repeat must be on or off" bake "$clips/walker.glb" -o "$clips/x.pc2" --clip-repeat 2
expect 2 "--clip needs a scene or a .glb or .gltf file" bake "$clips/x.obj" -o "$clips/x.pc2" --clip 1
# Frames that are there already stay, but not for another clip.
for name in bend bend slide; do
    expect 0 "" bake "$clips/still.json" -o "$clips/s_##.ply" --frames 0:2 --skip-existing --clip $name
    cp "$folder/out" "$clips/said_$name"
done
grep -q "exist already" "$clips/said_bend" || { echo "bake made frames of a clip twice"; bad=1; }
! grep -q "exist already" "$clips/said_slide" || { echo "bake took frames of another clip"; bad=1; }
# What is read is not written over, under whatever name.
cp "$folder/scene.glb" "$folder/kept.glb"
ln -s scene.glb "$folder/alias.glb"
expect 1 "is the file that is read" bake "$folder/scene.glb" -o "$folder/scene.glb"
expect 1 "is the file that is read" bake "$folder/scene.glb" -o "$folder/alias.glb"
cmp "$folder/scene.glb" "$folder/kept.glb" || bad=1
expect 0 "found from the motion" info "$folder/clip.glb" # its mesh is found from there
expect 0 "lean right, wiggly, 2 strokes" info "$scenes/lean.json"
expect 0 '"closes"' info --json "$scenes/loop.json"
expect 0 'seam       closes' info "$scenes/loop.json"
expect 0 "found from the motion" info "$scenes/clip.json"

echo '{"quaver": 1, "mesh": {"primitive": "block", "resolution": 1}, "range": [0, 4], "preview": [1, 2], "keys": [{"time": 0}]}' \
    >"$folder/preview.json"
expect 0 "97 frames" bake "$folder/preview.json" -o "$folder/preview.pc2"
expect 0 "25 frames" bake "$folder/preview.json" -o "$folder/preview.pc2" --preview
expect 0 "frames" bake "$folder/preview.json" -o "$folder/still.block.glb"
grep -qaE '"name": ?"still.block"' "$folder/still.block.glb" || { echo "a nameless scene is not called like its file"; bad=1; }
expect 0 "13 frames" bake "$folder/preview.json" -o "$folder/preview.pc2" --range 0:0.5

empty() { # NAME…: none of these was left behind
    for name in "$@"; do
        [ -z "$(find "$folder" -name "*$name*")" ] || { echo "a failure left $name"; bad=1; }
    done
}
expect 2 "needs a SCENE" bake
expect 2 "needs a SCENE" bake "$scenes/lean.json"
expect 2 "two numbers of seconds" bake "$scenes/lean.json" -o "$folder/no.glb" --range 3
expect 2 "number from 1 to 240" bake "$scenes/lean.json" -o "$folder/no.glb" --fps 1000
for number in 0 -1 256 2.5; do
    expect 2 "bones must be a whole number from 1 to 255" bake "$scenes/lean.json" -o "$folder/no.glb" --bones "$number"
done
expect 0 "warning: $folder/some.pc2: --bones is for glTF" bake "$scenes/lean.json" -o "$folder/some.pc2" --range 0:0.1 --bones 8
expect 0 "cubic does nothing with --bones" bake "$scenes/lean.json" -o "$folder/no.glb" --range 0:0.1 --bones 8 --cubic
rm -f "$folder/no.glb"
expect 2 "number above 0" bake "$scenes/lean.json" -o "$folder/no.glb" --error 0
expect 2 "not one of three" bake "$scenes/lean.json" -o "$folder/no.glb" --for maya
# What would be left unheard is wrong usage or said.
expect 2 "--preview and --range exclude each other" bake "$folder/preview.json" -o "$folder/no.glb" --preview --range 0:0.5
for option in "--error 0.001" "--max-targets 5" --per-frame --no-normals --quantize --compress --cubic --embed-scene "--for three"; do
    for format in pc2 mdd obj; do
        # shellcheck disable=SC2086
        expect 0 "warning: $folder/some.$format: ${option% *} is for glTF" \
            bake "$scenes/lean.json" -o "$folder/some.$format" --range 0:0.1 $option
    done
done
for option in "--max-targets 5" --cubic; do
    # shellcheck disable=SC2086
    expect 0 "${option% *} does nothing with --per-frame" bake "$scenes/lean.json" -o "$folder/frames.glb" --range 0:0.1 \
        --per-frame $option
done
expect 1 "has no length" bake "$scenes/lean.json" -o "$folder/no.glb" --range 1:1
expect 1 "frames from 0 s to 1e+06 s are more" bake "$scenes/lean.json" -o "$folder/no.glb" --range 0:1e6
expect 1 "folder does not exist" bake "$scenes/lean.json" -o "$folder/none/no.glb"
expect 1 "not a format" bake "$scenes/lean.json" -o "$folder/no.fbx"
expect 1 "a mesh does not move" bake "$folder/-good.obj" -o "$folder/no.glb"
cp "$(dirname "$0")/../../scenes/hopper.json" "$(dirname "$0")/../../scenes/hopper.glb" "$folder"
expect 1 "hopper.glb is a file of the mesh itself" bake "$folder/hopper.json" -o "$folder/hopper.glb"
cmp -s "$(dirname "$0")/../../scenes/hopper.glb" "$folder/hopper.glb" || { echo "bake: the scene's mesh was replaced"; bad=1; }
expect 1 "No such file" bake "$folder/none.json" -o "$folder/no.glb"
echo '{"quaver": 1, "mesh": {"file": "none.obj"}, "keys": [{"time": 0}]}' >"$folder/missing.json"
expect 1 "none.obj" bake "$folder/missing.json" -o "$folder/no.pc2"
expect 1 "none.obj" info "$folder/missing.json"
# What can be told before the work is told before it: here, before the mesh is missed.
expect 1 "from 3 s to 1 s has no length" bake "$folder/missing.json" -o "$folder/no.glb" --range 3:1
expect 1 "the frames from -1e+300 s to 1e+300 s are more than 100000" bake "$folder/missing.json" -o "$folder/no.glb" \
    --range -1e300:1e300
mkdir "$folder/folder.glb"
expect 1 "folder.glb: is a folder" bake "$folder/missing.json" -o "$folder/folder.glb"
printf '{"quaver": 1,\n "keys": [,]}' >"$folder/typo.json"
expect 1 "typo.json: line 2, column 11" bake "$folder/typo.json" -o "$folder/no.glb"
expect 1 "typo.json: line 2, column 11" info "$folder/typo.json"
printf '\357\273\277{"quaver": 1, "mesh": {"primitive": "block", "resolution": 1}, "keys": [{"time": 0}]}' >"$folder/mark.json"
expect 0 "triangles" info "$folder/mark.json"
echo '{"quaver": 1, "mesh": {"primitive": "block", "resolution": 2}, "pins": [{"vertices": [3, 5000]}], "keys": [{"time": 0}]}' \
    >"$folder/pins.json"
expect 1 "pins[0].vertices[1]: there is no vertex 5000" bake "$folder/pins.json" -o "$folder/no.mdd"
echo '{"quaver": 1, "mesh": {"primitive": "block"}, "keys": [{"time": 0, "strokes": [{"brush": "grab", "radius": -1}]}]}' \
    >"$folder/radius.json"
expect 1 "keys[0].strokes[0].radius" bake "$folder/radius.json" -o "$folder/no.gltf"
# A key is named such that it is found in the file, where keys may stand in any order.
offsets=$({ printf '\050\153\156\116%.0s' 1 2 3; head -c 36 /dev/zero; } | base64 -w 0) # 1e9 for the first of 4 vertices
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n' >"$folder/four.obj"
echo '{"quaver": 1, "mesh": {"file": "four.obj"}, "keys": [{"id": "far", "time": 1, "base": {"offsets": "'"$offsets"'"}}, {"time": 0}]}' \
    >"$folder/far.json"
expect 1 'key "far" at 1 s: its pose is more than a million times larger than the rest shape' bake "$folder/far.json" -o "$folder/no.glb"
# What is wrong with radii that nobody gave is the size of the mesh.
for unit in 1e30 1e-30; do
    sed "s/ 1\\b/ $unit/g; /^f/d" "$folder/four.obj" >"$folder/unit.obj"
    grep ^f "$folder/four.obj" >>"$folder/unit.obj"
    for what in '"keys": [{"time": 0}, {"time": 1, "strokes": [{"brush": "scale", "amount": 0.5}]}]' \
        '"keys": [], "range": [0, 1], "events": [{"time": 0, "shape": "scale", "amount": 0.1}]'; do
        echo '{"quaver": 1, "mesh": {"file": "unit.obj"}, '"$what"'}' >"$folder/unit.json"
        [ $unit = 1e30 ] && size=large || size=small
        expect 1 "units across, too $size for brushes and waves" bake "$folder/unit.json" -o "$folder/no.glb"
    done
done
empty no.glb no.gltf no.pc2 no.mdd no.bin no.obj

echo '{"quaver": 1, "mesh": {"primitive": "sack", "resolution": 32}, "material": {"modes": 4}, "range": [0, 0.1], "keys": [{"time": 0}]}' \
    >"$folder/worth.json"
# Parts: numbered as in the whole, described beside, and not made again where that is not wanted.
expect 0 "31 frames" bake "$scenes/lean.json" -o "$folder/a.mdd" --frames -3:30 --cache "$folder/shared"
expect 0 "66 frames" bake "$scenes/lean.json" -o "$folder/b.mdd" --frames 31:1000 --cache "$folder/shared"
for line in '"total": 97' '"first": 31' '"last": 96'; do
    grep -qF "$line" "$folder/b.part.json" || { echo "b.part.json has no $line"; bad=1; }
done
expect 0 "97 frames" bake "$scenes/lean.json" -o "$folder/ab.mdd"
size=$(stat -c %s "$folder/b.mdd")
cmp <(tail -c $((size - 8 - 4 * 66)) "$folder/b.mdd") <(tail -c $((size - 8 - 4 * 66)) "$folder/ab.mdd") || bad=1
cmp <(head -c $((8 + 4 * 66)) "$folder/b.mdd" | tail -c $((4 * 66))) <(head -c $((8 + 4 * 97)) "$folder/ab.mdd" | tail -c $((4 * 66))) || bad=1
expect 0 "97 frames of 2 parts" join "$folder/b.part.json" "$folder/a.part.json" -o "$folder/joined.mdd"
cmp "$folder/joined.mdd" "$folder/ab.mdd" && cmp "$folder/joined.obj" "$folder/ab.obj" || bad=1
expect 0 '"parts": 2' join --json "$folder/b.part.json" -o "$folder/joined.mdd" "$folder/a.part.json"
expect 1 "frames 31 to 96 are missing" join "$folder/a.part.json" -o "$folder/no.mdd"
expect 1 "which a.part.json has already" join "$folder/a.part.json" "$folder/b.part.json" "$folder/a.part.json" -o "$folder/no.mdd"
expect 1 "is one of the parts and stays" join "$folder/a.part.json" "$folder/b.part.json" -o "$folder/a.mdd"
expect 1 "is the file that is read" join "$folder/a.part.json" -o "$folder/a.part.json"
expect 1 "the parts are .mdd files" join "$folder/a.part.json" "$folder/b.part.json" -o "$folder/no.pc2"
expect 1 "ab.mdd" join "$folder/a.part.json" "$folder/ab.mdd" -o "$folder/no.mdd"
expect 1 "No such file" join "$folder/none.part.json" -o "$folder/no.mdd"
expect 1 "folder does not exist" join "$folder/a.part.json" "$folder/b.part.json" -o "$folder/none/no.mdd"
expect 2 "join needs" join "$folder/a.part.json"
expect 2 "join needs" join -o "$folder/no.mdd"
cp "$scenes/../../../scenes/hopper".{json,glb} "$folder" # with a material library
expect 0 "bytes" bake "$folder/hopper.json" -o "$folder/hop_####.obj" --range 0:0.2
# Godot misreads sparse targets and cubic clips of skeletons.
for target in godot three; do
    expect 0 frames bake "$folder/hopper.json" -o "$folder/for_$target.gltf" --for $target
done
! grep -qE 'sparse|CUBICSPLINE' "$folder/for_godot.gltf" || { echo "--for godot writes sparse targets or cubic clips"; bad=1; }
grep -q sparse "$folder/for_three.gltf" && grep -q CUBICSPLINE "$folder/for_three.gltf" || { echo "--for three resamples"; bad=1; }
expect 0 "2 frames" bake "$folder/hopper.json" -o "$folder/piece_####.obj" --range 0:0.2 --frames 0:1
expect 0 "bytes" bake "$folder/hopper.json" -o "$folder/piece_####.obj" --range 0:0.2 --frames 2:99
expect 0 "of 2 parts" join "$folder"/piece_*.part.json -o "$folder/hopped_####.obj"
for file in "$folder"/hopped_*; do
    whole=$folder/hop_${file##*_}
    cmp <(sed 's/hopped/hop/' "$file") "$whole" || bad=1
done
cmp "$folder/hopped.mtl" "$folder/hop.mtl" || bad=1
echo >>"$folder/b.mdd"
expect 1 "b.mdd: is truncated or was changed after b.part.json was written" join "$folder/a.part.json" "$folder/b.part.json" -o "$folder/no.mdd"
expect 0 "bytes" bake "$scenes/lean.json" -o "$folder/b.mdd" --frames 31:1000 --skip-existing # it was changed
expect 0 "66 frames exist already and stay" bake "$scenes/lean.json" -o "$folder/b.mdd" --frames 31:1000 --skip-existing
expect 0 '"skipped": true' bake "$scenes/lean.json" -o "$folder/ab.mdd" --skip-existing --json
expect 0 "bytes" bake "$folder/preview.json" -o "$folder/b.mdd" --frames 31:1000 --skip-existing # of another scene
expect 0 "3 frames" bake "$folder/preview.json" -o "$folder/part.%03d.ply" --frames 5:7
# Frames that nothing vouches for do not become those of this scene; without --frames files stay whatever they hold.
echo mine >"$folder/part.006.ply"
expect 0 "3 frames" bake "$folder/preview.json" -o "$folder/part.%03d.ply" --frames 5:7 --skip-existing
grep -q '^ply' "$folder/part.006.ply" && grep -q '"frames": 3' <("$quaver" bake --json "$folder/preview.json" -o "$folder/part.%03d.ply" --frames 5:7 --skip-existing) ||
    { echo "--skip-existing: a frame of another scene is described as this one's"; bad=1; }
echo mine >"$folder/all.006.ply"
expect 0 "97 frames" bake "$folder/preview.json" -o "$folder/all.%03d.ply" --skip-existing
[ "$(cat "$folder/all.006.ply")" = mine ] && [ -s "$folder/all.007.ply" ] ||
    { echo "--skip-existing: not what was missing, and that alone"; bad=1; }
for format in glb usda; do
    expect 2 "--frames is for .pc2, .mdd, .obj and .ply" bake "$scenes/lean.json" -o "$folder/no.$format" --frames 0:9
done
expect 2 "as in 0:23" bake "$scenes/lean.json" -o "$folder/no.pc2" --frames 1:2:3
expect 2 "as in 0:23" bake "$scenes/lean.json" -o "$folder/no.pc2" --frames :
expect 1 "none of the frames 97 to 98 exists; choose some from 0 to 96" bake "$scenes/lean.json" -o "$folder/no.pc2" --frames 97:98
expect 1 "none of the frames 9 to 8 exists" bake "$scenes/lean.json" -o "$folder/no.pc2" --frames 9:8
expect 1 "several number fields" bake "$scenes/lean.json" -o "$folder/no_##_##.obj"
expect 1 '"%4d" is no number field' bake "$scenes/lean.json" -o "$folder/no_%4d.obj"
expect 1 "mark.json: is no folder" bake "$scenes/lean.json" -o "$folder/no.pc2" --cache "$folder/mark.json"
expect 1 "cannot make the folder of the cache" bake "$scenes/lean.json" -o "$folder/no.pc2" --cache "$folder/none/none"
empty no.pc2 no.usda no_
XDG_CACHE_HOME=/dev/null expect 0 "" bake "$folder/worth.json" -o "$folder/worth.pc2" --cache "$folder/shared"
[ -n "$(find "$folder/shared" -type f)" ] || { echo "bake --cache keeps nothing"; bad=1; }

# What is protected or a link stays, and this is told before the work.
echo mine >"$folder/mine.glb"
ln -s mine.glb "$folder/linked.glb"
expect 1 "linked.glb: is a symbolic link" bake "$folder/missing.json" -o "$folder/linked.glb"
chmod 444 "$folder/mine.glb"
expect 1 "mine.glb: is write-protected" bake "$folder/missing.json" -o "$folder/mine.glb"
ln -s mine.glb "$folder/pair.bin"
expect 1 "pair.bin: is a symbolic link" bake "$scenes/lean.json" -o "$folder/pair.gltf" --range 0:0.1
[ "$(cat "$folder/mine.glb")" = mine ] && [ ! -e "$folder/pair.gltf" ] || { echo "a protected file was replaced"; bad=1; }
# What may be kept on disk, of a body that is worth it.
for size in 512 4g G -1M 1Mx nan 1e30T ""; do
    expect 2 "--cache-size \"$size\" is not a size with its unit, as in 512M or 4G, nor 0" \
        bake "$scenes/lean.json" -o "$folder/no.glb" --cache-size "$size"
done
for size in 0 0K 1.5GB; do
    XDG_CACHE_HOME=$folder/sizes expect 0 "" info "$folder/worth.json" --cache-size $size
    kept=$(find "$folder/sizes" -type f 2>/dev/null | wc -l)
    [ $((kept > 0)) = $((${#size} > 2)) ] || { echo "with --cache-size $size, $kept files are kept"; bad=1; }
done
# Pipes at the names of kept modes do not make it wait.
for file in $(find "$folder/sizes" -type f); do rm "$file" && mkfifo "$file"; done
XDG_CACHE_HOME=$folder/sizes expect 0 frames bake "$folder/worth.json" -o "$folder/piped.pc2"
# Nor does one at the name of the mesh beside a vertex cache.
mkfifo "$folder/fifo.obj"
expect 0 "the mesh is in fifo_mesh.obj" bake "$scenes/lean.json" -o "$folder/fifo.pc2" --range 0:0.1
# What a killed program left goes with the next file in its place, once it is old.
host=$(hostname)
host=${host:0:32}
touch "$folder/.quaver-$host-abcdef"
touch -d "2 days ago" "$folder/.quaver-$host-ghijkl" "$folder/.quaver-another-ghijkl"
expect 0 frames bake "$scenes/lean.json" -o "$folder/swept.pc2" --range 0:0.1
[ -e "$folder/.quaver-$host-abcdef" ] && [ ! -e "$folder/.quaver-$host-ghijkl" ] && [ -e "$folder/.quaver-another-ghijkl" ] || { echo "bake leaves old leftovers, or removes young ones"; bad=1; }

# Interrupted while it writes (961 files, so that there is time): it says so and leaves nothing.
mkdir "$folder/stop"
"$quaver" bake "$scenes/lean.json" -o "$folder/stop/step.obj" --fps 240 2>"$folder/err" &
bake=$!
while kill -0 $bake 2>/dev/null && [ -z "$(ls -A "$folder/stop")" ]; do :; done
kill -TERM $bake
wait $bake
status=$?
if [ $status -ne 143 ] || ! grep -q "stopped on request" "$folder/err" || [ -n "$(ls -A "$folder/stop")" ]; then
    echo "bake, interrupted: status $status, left $(ls -A "$folder/stop" | wc -l) files, printed:"
    cat "$folder/err"
    bad=1
fi

# METIS, which orders the unknowns of large bodies, gets no hold of the signals meanwhile.
LD_BIND_NOW=1 LD_DEBUG=bindings "$quaver" --version >"$folder/out" 2>&1
grep -q 'libmetis.* to .*/quaver .*__sysv_signal' "$folder/out" ||
    { echo "METIS takes SIGTERM for itself"; bad=1; }

expect 0 "hash" bench
expect 2 "no benchmark" bench nonsense
expect 2 "not both" bench hash --all
expect 2 "not both" bench --all hash --json
expect 0 "where there is something to compare with" bench --help
expect 0 '"ratio"' bench hash --json
[ "$(head -n 1 "$folder/out")$(tail -n 1 "$folder/out")" = "{}" ] || { echo "bench --json prints more than one object"; bad=1; }
expect 0 "baseline: FNV-1a" bench hash
expect 0 "grows with the bytes" bench hash
[ -s "$folder/err" ] && { echo "bench writes to stderr where that is no terminal"; bad=1; }

# await FILE PATTERN…: what is started last prints lines with all of them while it still runs.
await() {
    local file=$1 pattern
    shift
    for pattern; do
        until grep -qE -- "$pattern" "$file"; do
            kill -0 $! 2>/dev/null || return 1
            sleep 0.02
        done
    done
    kill -0 $! 2>/dev/null
}

# Every benchmark says at once under its own name what it compares with and how its costs grow.
for name in $("$quaver" bench | sed -nE 's/^  ([a-z-]+) .*/\1/p'); do
    : >"$folder/out"
    TMPDIR=$folder "$quaver" bench "$name" >"$folder/out" 2>&1 &
    await "$folder/out" "^$name: " "^  baseline: [a-zA-Z0-9]" "^  grows [a-z]" ||
        { echo "bench $name begins with:"; head -c 600 "$folder/out"; bad=1; }
    kill -KILL $! 2>/dev/null
    wait $! 2>/dev/null
done
# A signal ends it and leaves nothing. A program without a window has no benchmark of it.
mkdir "$folder/place"
for name in $("$quaver" bench | sed -nE 's/^  (export|ui) .*/\1/p'); do
    : >"$folder/out"
    TMPDIR=$folder/place "$quaver" bench $name >"$folder/out" 2>&1 &
    await "$folder/out" "^  grows" && kill $!
    wait $!
    status=$?
    [ $status -eq 143 ] && [ -z "$(ls -A "$folder/place")" ] ||
        { echo "bench $name, interrupted: status $status, left $(ls -A "$folder/place")"; bad=1; }
done
# Figures are printed as they come, also into a pipe.
"$quaver" bench bvh > >(cat >"$folder/out") &
await "$folder/out" "^  bvh/build" || { echo "bench bvh prints nothing while it runs"; bad=1; }
wait $!
# How far it is, on a terminal.
script -qec "'$quaver' bench bvh" /dev/null >"$folder/out" </dev/null
grep -qE $'\rbvh, [0-9]+ s' "$folder/out" || { echo "bench on a terminal does not say how far it is"; bad=1; }

expect 2 "needs a file" eval
expect 1 "No such file" eval "$folder/none.json"
echo '{"cases": [{"id": "X1", "op": "nonsense", "in": {}}]}' >"$folder/cases.json"
expect 1 "cases that could not be evaluated: 1" eval "$folder/cases.json" -o "$folder/results.json"
grep -q 'unknown operation' "$folder/results.json" || { echo "eval wrote no error"; bad=1; }
# Numbers whose results are no numbers are an error of their case, and the other cases are evaluated.
echo '{"cases": [{"id": "X1", "op": "affine", "in": {"mu": 1, "nu": 0.2, "eps": [1], "r": [0.1, 0, 0], "F": [[1e308, 0, 0], [0, 0, 0], [0, 0, 0]]}},
    {"id": "X2", "op": "affine", "in": {"mu": 1, "nu": 0.2, "eps": [1], "r": [0.1, 0, 0], "F": [[1, 0, 0], [0, 0, 0], [0, 0, 0]]}}]}' \
    >"$folder/cases.json"
expect 1 "cases that could not be evaluated: 1" eval "$folder/cases.json" -o "$folder/results.json"
[ "$(grep -c '"error"' "$folder/results.json")" -eq 1 ] || { echo "eval of huge numbers:"; cat "$folder/results.json"; bad=1; }
echo '{"cases": 3}' >"$folder/cases.json"
expect 1 "must be a list" eval "$folder/cases.json"
echo '{"cases": [' >"$folder/cases.json"
expect 1 "line 1, column 12" eval "$folder/cases.json"

exit $bad
