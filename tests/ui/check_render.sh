#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# check_render.sh QUAVER FOLDER: the contract of "quaver render" and of the window's command line.
set -uo pipefail
quaver=$1 folder=$2
rm -rf "$folder"
mkdir -p "$folder" && cd "$folder" || exit 1
bad=0

# expect STATUS PART ARGS…: exit status, a part of what was printed, and one line on stderr where it fails.
expect() {
    local status=$1 part=$2
    shift 2
    "$quaver" "$@" >out.txt 2>err.txt
    local got=$?
    sed -i -E '/^Progress: [0-9]+%$/d' err.txt # of slow work
    if [ $got -ne "$status" ] || { [ -n "$part" ] && ! grep -qF -- "$part" out.txt err.txt; } ||
        { [ "$status" -ne 0 ] && [ "$(wc -l <err.txt)" -ne 1 ]; }; then
        echo "quaver $*: status $got (wanted $status and \"$part\"), printed:"
        head -c 600 out.txt err.txt
        bad=1
    fi
}

# size FILE WxH: a PNG of that size.
size() {
    local bytes
    bytes=$(od -An -tu1 -j16 -N8 "$1" 2>/dev/null | tr -s ' \n' ' ')
    set -- "$1" "$2" $bytes
    local found="$((($5 << 8) + $6))x$((($9 << 8) + ${10}))"
    [ "$found" = "$2" ] || { echo "$1 is $found, not $2"; bad=1; }
}

printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' >good.obj
expect 0 "320 x 200 pixels" render good.obj -o good.png --size 320x200
size good.png 320x200
expect 0 "" render --primitive sack --resolution 4 -o sack.png --size 64x300 --transparent --flat --wireframe --splats
size sack.png 64x300
# A picture that is too large is drawn smaller, and that is said.
expect 0 "" render --primitive sack --resolution 2 -o wide.png --size 9000x2
printf 'mtllib wide.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 0 1\nusemtl a\nf 1/1 2/2 3/3\n' >wide.obj
printf 'newmtl a\nmap_Kd wide.png\n' >wide.mtl
expect 0 "quaver: warning: wide.png has 9000 x 2 pixels and is shown with 4500 x 1" render wide.obj -o small.png --size 64x48
echo '{"quaver": 1, "mesh": {"file": "wide.obj"}, "range": [0, 0.1], "keys": [{"time": 0}]}' >wide.json
expect 0 "quaver: warning: wide.png has 9000 x 2 pixels and is shown with 4500 x 1" render wide.json -o small.png --size 64x48
[ "$(wc -l <err.txt)" -eq 1 ] || { echo "a smaller picture is said in more than a line"; bad=1; }
# The scene's camera: one that looks elsewhere sees nothing, whatever the shape; one that looks at the body sees it.
with_camera() {
    printf '{"quaver": 1, "mesh": {"primitive": "%s", "resolution": 4}, "material": {"modes": 4}, "keys": [{"time": 0}]%s}' \
        "$1" "$2" >scene.json
    expect 0 "" render scene.json -o "$3" --size 64x48 --transparent
}
with_camera sack '' whole.png
with_camera sack ', "camera": {"target": [0, 1, 0], "yaw": 70}' aside.png
with_camera sack ', "camera": {"target": [0, 90, 0]}' away.png
with_camera torus ', "camera": {"target": [0, 90, 0]}' away_too.png
cmp -s away.png away_too.png || { echo "a camera that looks away sees something"; bad=1; }
for picture in whole away; do
    ! cmp -s aside.png $picture.png || { echo "aside.png is the same as $picture.png"; bad=1; }
done
# A picture of a turntable is the frame of its film: the sheet is seen from the front, and edge-on a quarter later.
printf '{"quaver": 1, "range": [0, 1], "loop": true, "mesh": {"primitive": "sheet", "resolution": 4}, "keys": [{"time": 0}]}' >sheet.json
for moment in 0 0.25 1; do
    expect 0 "" render sheet.json -o turn$moment.png --size 64x48 --transparent --turntable --time $moment
done
cmp -s turn0.png turn1.png || { echo "a turntable does not come round"; bad=1; }
! cmp -s turn0.png turn0.25.png || { echo "a picture of a turntable does not turn"; bad=1; }
# The ghost of a key that arrives as a wave is its pose, as that of one that is jumped to.
for kind in wave hold; do
    printf '{"quaver": 1, "range": [0, 2], "mesh": {"primitive": "sack", "resolution": 6}, "material": {"modes": 4}, "camera": {},
        "keys": [{"time": 0}, {"time": 1, "interp": "%s", "strokes": [{"brush": "grab", "at": [0, 1.8, 0], "drag": [0.7, 0, 0]}]}]}' \
        $kind >ghosts.json
    expect 0 "" render ghosts.json -o $kind.png --size 160x120 --time 0.5 --ghosts
done
cmp -s wave.png hold.png || { echo "the ghost of a key that arrives as a wave is not its pose"; bad=1; }
expect 0 "" render ghosts.json -o plain.png --size 160x120 --time 0.5
! cmp -s plain.png hold.png || { echo "there are no ghosts"; bad=1; }
expect 0 "warning: ghosts.json has no waves to colour" render ghosts.json -o none.png --size 16x12 --wavefronts
echo '{"quaver": 1, "mesh": {"primitive": "sheet"}}' >keyless.json
expect 0 "warning: keyless.json has no keys" render keyless.json -o none.png --size 16x12 --ghosts
echo '{"quaver": 1, "mesh": {"primitive": "sack"}, "camera": {"lens": 0}}' >bad.json
expect 1 "bad.json: camera.lens: is 0, must be from 1 to 150" render bad.json -o x.png
# What can be told before the work is told before it: here, before the mesh is missed.
echo '{"quaver": 1, "mesh": {"file": "none.obj"}, "keys": [{"time": 0}]}' >missing.json
expect 1 "from 3 s to 1 s has no length" render missing.json -o x.gif --range 3:1
expect 1 "are more than 100000" render missing.json -o x.gif --range 0:1e6
mkdir folder.gif empty
expect 1 "folder.gif: is a folder" render missing.json -o folder.gif
expect 1 "x.mp4: 1 x 9 pixels are too few for an MP4 film" render missing.json -o x.mp4 --size 1x9
PATH=$PWD/empty "$quaver" render missing.json -o x.mp4 2>err.txt && bad=1
grep -q "x.mp4: an MP4 film needs ffmpeg" err.txt || { echo "a missing ffmpeg is told late:"; cat err.txt; bad=1; }
printf '{"quaver": 1,\n "keys": [,]}' >typo.json
expect 1 "typo.json: line 2, column 11" render typo.json -o x.png
printf '\357\273\277{"quaver": 1, "mesh": {"primitive": "block", "resolution": 1}, "keys": [{"time": 0}]}' >mark.json
expect 0 "16 x 16 pixels" render mark.json -o mark.png --size 16x16
expect 0 "usage:" render --help
expect 2 "needs a FILE" render
expect 2 "needs a FILE" render good.obj
expect 2 "needs a FILE" render good.obj --primitive sack -o x.png
expect 2 "WIDTHxHEIGHT" render good.obj -o x.png --size 0x10
expect 2 "WIDTHxHEIGHT" render good.obj -o x.png --size 320
expect 1 "pictures are .png" render good.obj -o x.jpg
expect 2 "--turntable needs a scene" render good.obj -o x.png --turntable
expect 2 "--fps is for films" render scene.json -o x.png --fps 12
expect 2 "--blur is for films" render scene.json -o x.png --blur 0.5
expect 2 "--blur" render scene.json -o x.gif --blur 1.5
expect 2 "--time is for pictures" render scene.json -o x.gif --time 1
expect 2 "--range is for films" render scene.json -o x.png --range 0:1
expect 2 "--preview is for films" render scene.json -o x.png --preview
expect 2 "two numbers of seconds" render scene.json -o x.gif --range 1
expect 1 "has no length" render scene.json -o x.gif --range 1:1
expect 2 "--preview and --range exclude each other" render scene.json -o x.gif --preview --range 0:1
expect 2 "--resolution needs --primitive" render good.obj -o x.png --resolution 4
expect 2 "--time needs a scene or a file with clips" render --primitive sack -o x.png --time 1
expect 2 "--transparent is for pictures" render scene.json -o x.gif --transparent
expect 2 "--ghosts needs a scene" render good.obj -o x.png --ghosts
expect 2 "--wavefronts needs a scene" render --primitive sack -o x.png --wavefronts
expect 1 "No such file" render none.obj -o x.png
expect 1 "teapot" render --primitive teapot -o x.png
expect 1 "folder does not exist" render good.obj -o no-such-folder/x.png
[ ! -e x.png ] || { echo "a failure left x.png"; bad=1; }

# A film is as long as a bake: the scene's range, the preview range where that is asked for, or the range that is told.
# The last moment of a loop, or of several rounds of it, is its first again and not shown twice; that of a part of it is.
frames() {
    local found
    expect 0 "" render preview.json -o film.gif --size 64x48 "${@:2}"
    found=$(LC_ALL=C grep -aoP '\x21\xf9\x04' film.gif | wc -l)
    [ "$found" -eq "$1" ] || { echo "render ${*:2}: $found frames, not $1"; bad=1; }
}
sed 's/"keys"/"fps": 12, "range": [0, 2], "preview": [0.5, 1], "keys"/' scene.json >preview.json
frames 25
frames 7 --preview
frames 4 --range 1:1.25
frames 25 --range 1:1.5 --fps 48
# A GIF lasts as long as the motion: it has at most 50 frames per second, and says so where more are asked for.
frames 26 --range 1:1.5 --fps 60
grep -qF "warning: film.gif: GIF shows at most 50 frames per second; drawn at 50" err.txt || { echo "a slower GIF goes unsaid"; bad=1; }
delays=$(LC_ALL=C grep -aoP '\x21\xf9\x04\x05\x02\x00' film.gif | wc -l)
[ "$delays" -eq 26 ] || { echo "$delays of 26 frames last 0.02 s"; bad=1; }
frames 26 --range 1:1.5 --fps 50
[ ! -s err.txt ] || { echo "a GIF of 50 frames per second warns"; bad=1; }
sed -i 's/"keys"/"loop": true, "keys"/' preview.json
frames 24
frames 7 --preview
frames 48 --range 0:4
frames 24 --range 0.5:2.5
frames 37 --range 0:3

# Pictures of some frames: those that a film has, numbered as in a bake.
expect 0 "3 pictures of 64 x 48 pixels" render preview.json -o "some.###.png" --frames 22:99 --size 64x48 --turntable
# Blurred pictures are others where something moves, and sealed as others; without a shutter they are the same.
expect 0 "1 picture" render preview.json -o "sharp.###.png" --frames 23:23 --size 64x48 --turntable
expect 0 "1 picture" render preview.json -o "still.###.png" --frames 23:23 --size 64x48 --turntable --blur 0
expect 0 "1 picture" render preview.json -o "smear.###.png" --frames 23:23 --size 64x48 --turntable --blur 1
cmp -s sharp.023.png still.023.png || { echo "a film without blur is blurred"; bad=1; }
! cmp -s sharp.023.png smear.023.png || { echo "a film with blur is not blurred"; bad=1; }
grep -qF '"look": "64x48 turntable blur 1"' smear.023-023.part.json || { echo "pictures: no word on their blur"; bad=1; }
expect 0 "25 pictures" render preview.json -o "every.%03d.png" --size 64x48 --turntable
for i in 022 023 024; do cmp some.$i.png every.$i.png || bad=1; done
grep -qF '"look": "64x48 turntable"' some.022-024.part.json || { echo "pictures: no word on how they look"; bad=1; }
expect 0 "exists already" render preview.json -o "some.###.png" --frames 22:99 --size 64x48 --turntable --skip-existing
rm some.023.png some.022-024.part.json
touch -d "2 days ago" some.022.png
expect 0 "3 pictures" render preview.json -o "some.###.png" --frames 22:99 --size 64x48 --turntable --skip-existing
cmp some.023.png every.023.png && [ -z "$(find some.022.png -mmin -60)" ] || { echo "--skip-existing draws what is there"; bad=1; }
# Those of another scene are not taken for this one's, nor is a changed one, even where nothing describes them.
rm some.022-024.part.json
sed 's/"loop": true/"loop": true, "name": "other"/' preview.json >other.json
touch -d "2 days ago" some.02?.png
expect 0 "3 pictures" render other.json -o "some.###.png" --frames 22:99 --size 64x48 --turntable --skip-existing
[ "$(find some.02[234].png -mmin -60 | wc -l)" = 3 ] || { echo "--skip-existing keeps pictures of another scene"; bad=1; }
expect 0 "3 pictures" render preview.json -o "some.###.png" --frames 22:99 --size 64x48 --turntable --skip-existing
echo >>some.023.png
rm some.022-024.part.json
expect 0 "3 pictures" render preview.json -o "some.###.png" --frames 22:99 --size 64x48 --turntable --skip-existing
for i in 022 023 024; do cmp some.$i.png every.$i.png || bad=1; done
# Put together they are the film, to the byte.
expect 0 "22 pictures" render preview.json -o "some.###.png" --frames 0:21 --size 64x48 --turntable
films="gif"
[ -z "$(command -v ffmpeg)" ] || films="gif mp4"
for film in $films; do
    expect 0 "pixels" render preview.json -o "whole.$film" --size 64x48 --turntable
    expect 0 "25 frames of 2 parts" join some.*.part.json -o "joined.$film"
    cmp "whole.$film" "joined.$film" || bad=1
done
expect 0 "25 frames of 2 parts" join some.*.part.json -o "joined.####.png"
for i in 000 021 024; do cmp every.$i.png joined.0$i.png || bad=1; done
expect 1 "frames 0 to 21 are missing" join some.022-024.part.json -o no.gif
expect 0 "3 pictures" render preview.json -o "some.###.png" --frames 22:99 --size 64x48
expect 1 "looks different" join some.*.part.json -o no.gif
expect 0 "25 pictures" render preview.json -o "some.###.png" --frames 0:99 --size 64x48 --transparent
expect 1 "these pictures have none" join some.000-024.part.json -o no.gif
expect 0 "pictures" render preview.json -o "fast.###.png" --frames 0:999 --size 8x8 --fps 60
expect 1 "GIF shows at most 50" join fast.*.part.json -o no.gif
rm -f joined.* whole.* fast.*
frames 2 --frames 3:4
frames 24 --frames 0:24
frames 1 --frames 24
expect 2 "--time is for one picture" render preview.json -o "no.##.png" --time 1
expect 1 "no.png: has no number field" render preview.json -o no.png --frames 1:2
expect 1 "several number fields" render preview.json -o no.##.##.png --frames 1:2
expect 1 "none of the frames 25 to 26 exists" render preview.json -o no.##.png --frames 25:26
[ -z "$(ls | grep '^no\.')" ] || { echo "failures left $(ls | grep '^no\.')"; bad=1; }
rm some.* every.*

# The export dialog draws what this command draws, to the byte, and neither writes over what the mesh is made from.
sed -i 's/, "loop": true//; s/"range"/"camera": {"target": [0, 1, 0], "yaw": 70}, "range"/' preview.json
sed -i 's/{"time": 0}/{"time": 0}, {"time": 1, "strokes": [{"brush": "twist", "angle": 1}]}/' preview.json
cat >export.txt <<'SCRIPT'
open preview.json
action time.nextFrame
action time.nextFrame
key Ctrl+Shift+E
click Format
click Picture of this moment, PNG
double Size in pixels x
text 160
key Enter
double Size in pixels y
text 120
key Enter
click scene camera
click Export
until exporting 0
click Format
click Film, GIF
click Export
until exporting 0
SCRIPT
mkdir -p drawn && cp preview.json drawn && cd drawn || exit 1
SDL_VIDEODRIVER=offscreen HOME=$PWD "$quaver" --ui-script ../export.txt || { echo "the export dialog fails"; bad=1; }
cd ..
expect 0 "" render preview.json -o preview.png --size 160x120 --time 0.16666666666666666
expect 0 "" render preview.json -o preview.gif --size 160x120 --preview
for file in preview.png preview.gif; do
    cmp "$file" "drawn/$file" || { echo "the export dialog draws another $file"; bad=1; }
done
printf 'mtllib skin.mtl\nusemtl a\nv 0 0 0 \nv 1 0 0\nv 0 1 0\nvt 0 0\nf 1/1 2/1 3/1\n' >skin.obj
printf 'newmtl a\nmap_Kd skin.png\n' >skin.mtl
cp good.png skin.png
echo '{"quaver": 1, "mesh": {"file": "skin.obj"}, "keys": [{"time": 0}]}' >skin.json
expect 1 "skin.png is a file of the mesh itself" render skin.json -o skin.png
cmp -s good.png skin.png || { echo "render replaced a texture of the mesh"; bad=1; }

# A mesh file with clips: pictures with a time and films play the first or the one that is named, as a scene without keys
# does; other pictures show it at rest.
data=$(dirname "$0")/../data
cp "$data/gltf/skin.gltf" "$data/gltf/morph.gltf" "$data/gltf/apart.gltf" .
echo '{"quaver": 1, "mesh": {"file": "skin.gltf", "clip": "slide"}, "keys": []}' >slide.json
small() { expect 0 "" render "$1" -o "$2" --size 64x48 "${@:3}"; }
small skin.gltf rest.png
small skin.gltf start.png --time 0
small skin.gltf half.png --time 0.5
small skin.gltf bend.png --time 0.5 --clip bend
small skin.gltf slide.png --time 1 --clip slide
small skin.gltf second.png --time 1 --clip 2
small skin.gltf late.png --time 1000000 --clip 2
small skin.gltf early.png --time -1000000
small skin.gltf end.png --time 1
small slide.json scene.png --time 1
for pair in "half bend" "slide second" "slide late" "slide scene" "end early"; do
    cmp ${pair% *}.png ${pair#* }.png || { echo "${pair% *}.png and ${pair#* }.png differ"; bad=1; }
done
for pair in "rest half" "start half" "half slide"; do
    ! cmp -s ${pair% *}.png ${pair#* }.png || { echo "${pair% *}.png and ${pair#* }.png are the same"; bad=1; }
done
mesh_frames() {
    local found
    small "$2" film.gif "${@:3}"
    found=$(LC_ALL=C grep -aoP '\x21\xf9\x04' film.gif | wc -l)
    [ "$found" -eq "$1" ] || { echo "render ${*:2}: $found frames, not $1"; bad=1; }
}
mesh_frames 25 skin.gltf
mesh_frames 73 morph.gltf --clip cubic
mesh_frames 13 skin.gltf --fps 12 --turntable --flat --wireframe
mesh_frames 7 skin.gltf --range 0.25:0.5
small skin.gltf side.png --time 0.5 --turntable --transparent
expect 1 'skin.gltf: there is no clip "hop"; the file has 1 "bend", 2 "slide"' render skin.gltf -o x.gif --clip hop
expect 1 'there is no clip "3"' render skin.gltf -o x.png --clip 3
expect 1 "good.obj: the file has no clip" render good.obj -o x.gif
expect 1 "good.obj: the file has no clip" render good.obj -o x.png --time 0
expect 1 "clip.name: the file has no clip" render scene.json -o x.gif --clip 1
expect 2 "--clip needs a scene or a .glb or .gltf file" render --primitive sack -o x.png --clip 1
expect 2 "--clip needs" render good.obj -o x.png --clip-speed 2
# A scene plays another clip than its own, once or again and again; a mesh file's film is as long as its clip then.
small slide.json other.png --time 0.5 --clip bend
small slide.json once.png --time 7 --clip bend --clip-repeat off
small slide.json again.png --time 2.5 --clip bend --clip-repeat on
small slide.json none.png --time 0.5 --clip none
for pair in "half other" "end once" "half again" "rest none"; do
    cmp ${pair% *}.png ${pair#* }.png || { echo "${pair% *}.png and ${pair#* }.png differ"; bad=1; }
done
mesh_frames 49 skin.gltf --clip-speed 0.5
mesh_frames 37 skin.gltf --clip-speed 2 --clip-start 1 --clip-repeat off
expect 2 "--preview needs a scene" render skin.gltf -o x.gif --preview
expect 2 "--ghosts needs a scene" render skin.gltf -o x.gif --ghosts
expect 2 "--wavefronts needs a scene" render skin.gltf -o x.gif --wavefronts
expect 2 "--time must be a number" render skin.gltf -o x.png --time nan
expect 2 "--range" render skin.gltf -o x.gif --range 0:inf
expect 1 "has no length" render skin.gltf -o x.gif --range 1:1
# What is exported plays as it was; a scene in the file counts before its clip, unless that is named.
sed 's/"keys": \[.*/"range": [0, 0.5], "keys": [{"time": 0}, {"time": 0.5, "strokes": [{"brush": "twist", "angle": 1}]}]}/' \
    scene.json >twist.json
expect 0 "" bake twist.json -o twist.glb --embed-scene
small twist.json twist.png --time 0.5
small twist.glb embedded.png --time 0.5
cmp twist.png embedded.png || { echo "a scene in a file is drawn differently"; bad=1; }
mesh_frames 13 twist.glb
mesh_frames 13 twist.glb --clip 1
small twist.glb clip.png --time 0.5 --clip twist
! cmp -s clip.png embedded.png || { echo "--clip draws the scene"; bad=1; }
[ -z "$(ls x.png x.gif 2>/dev/null)" ] || { echo "a failure left x.png or x.gif"; bad=1; }

# What ffmpeg has to say is said; without it, what to install. Nothing is left behind.
mkdir -p programs
printf '#!/bin/sh\necho "Unknown encoder" >&2\nexit 1\n' >programs/ffmpeg
chmod +x programs/ffmpeg
PATH=$PWD/programs:$PATH expect 1 "x.mp4: ffmpeg failed: Unknown encoder" render scene.json -o x.mp4
# A colon in a name is no protocol; what is replaced leaves its permissions; what a link leads to stays, as with every file.
cat >programs/ffmpeg <<'SH'
#!/bin/sh
cat >/dev/null
for last; do :; done
case $last in file:*) echo film >"${last#file:}" ;; *) exit 1 ;; esac
SH
touch kept.mp4
chmod 600 kept.mp4
ln -s kept.mp4 link.mp4
PATH=$PWD/programs:$PATH expect 1 "link.mp4: is a symbolic link" render scene.json -o link.mp4 --size 64x64
[ ! -s kept.mp4 ] && [ -L link.mp4 ] || { echo "a film was written through a link"; bad=1; }
for name in shot:1.mp4 kept.mp4; do
    PATH=$PWD/programs:$PATH expect 0 "" render scene.json -o $name --size 64x64
done
[ "$(cat shot:1.mp4 kept.mp4)" = $'film\nfilm' ] && [ "$(stat -c %a kept.mp4)" = 600 ] ||
    { echo "films are not written as other files"; bad=1; }
rm -f kept.mp4 link.mp4
PATH=$PWD/programs:$PATH expect 0 "odd.mp4: 64 x 62 pixels" render scene.json -o odd.mp4 --size 65x63
# Odd sizes reach the encoder whole, with what cuts them.
cat >programs/ffmpeg <<'SH'
#!/bin/sh
echo "$*" >arguments.txt
cat >pixels.bin
for last; do :; done
echo film >"${last#file:}"
SH
PATH=$PWD/programs:$PATH expect 0 "odd.mp4: 64 x 62 pixels" render scene.json -o odd.mp4 --size 65x63 --range 0:0.5 --fps 12
grep -q '65x63' arguments.txt && grep -q 'crop=trunc(iw/2)\*2:trunc(ih/2)\*2' arguments.txt ||
    { echo "ffmpeg is not told of odd sides: $(cat arguments.txt)"; bad=1; }
[ "$(stat -c %s pixels.bin)" -eq $((7 * 65 * 63 * 4)) ] || { echo "ffmpeg gets $(stat -c %s pixels.bin) bytes"; bad=1; }
# Stopped while ffmpeg reads, writes its last, or was stopped as well: it says so, with 128 and the signal, and leaves
# nothing.
mkdir -p stop
for body in 'sleep 60' 'cat >/dev/null; sleep 60' 'head -c 20000 >/dev/null; kill -TERM $PPID; sleep 0.2; exit 255'; do
    printf '#!/bin/sh\ntouch started\n%s\n' "$body" >programs/ffmpeg
    rm -f started
    PATH=$PWD/programs:$PATH "$quaver" render scene.json -o stop/x.mp4 --size 640x480 2>err.txt &
    film=$!
    while kill -0 $film 2>/dev/null && [ ! -e started ]; do sleep 0.02; done
    case $body in sleep*|cat*) sleep 0.3 && kill -TERM $film ;; esac
    wait $film
    status=$?
    [ $status -eq 143 ] && grep -q "stopped on request" err.txt && [ -z "$(ls -A stop)" ] ||
        { echo "a film that is stopped ($body): status $status, left $(ls -A stop), printed:"; cat err.txt; bad=1; }
done
rm programs/ffmpeg
PATH=$PWD/programs "$quaver" render scene.json -o x.mp4 2>err.txt && bad=1
grep -q "needs ffmpeg" err.txt || { echo "a missing ffmpeg goes unsaid:"; cat err.txt; bad=1; }
[ -z "$(ls x.mp4* .quaver-* 2>/dev/null)" ] || { echo "a failure left $(ls -A)"; bad=1; }

# A line of progress on a terminal, which goes again before the report; elsewhere lines for render farms, with more and more
# percent of the whole.
echo '{"quaver": 1, "mesh": {"primitive": "sack"}, "range": [0, 4], "keys": [{"time": 0}]}' >long.json
film="$quaver render long.json -o long.gif --size 1280x720"
script -qec "$film" /dev/null >terminal.txt </dev/null || { echo "render fails on a terminal"; bad=1; }
grep -qE 'film [0-9]+ %, [0-9]+ s' terminal.txt || { echo "no line of progress on a terminal"; bad=1; }
tail -c 80 terminal.txt | grep -q "$(printf '\r\033\\[K')long.gif: " || { echo "the line of progress stays"; bad=1; }
$film >out.txt 2>err.txt
grep -q '^Progress: [0-9]' err.txt && ! grep -qvE '^Progress: [0-9]+%$' err.txt && grep -oE '[0-9]+' err.txt | sort -nc ||
    { echo "progress in a file:"; head -c 200 err.txt; bad=1; }

# A scale that the window has no room for is said.
echo quit >quit.txt
SDL_VIDEODRIVER=offscreen expect 0 "warning: --scale 150 is reduced to 125: a window of 1280 x 720 has no room for more" \
    --ui-script quit.txt --size 1280x720 --scale 150
for scale in 75 125; do
    SDL_VIDEODRIVER=offscreen expect 0 "" --ui-script quit.txt --size 1280x720 --scale $scale
    [ ! -s err.txt ] || { echo "a scale of $scale that fits warns:"; cat err.txt; bad=1; }
done

unset SDL_VIDEODRIVER DISPLAY WAYLAND_DISPLAY
expect 1 "no display" good.obj
# (Libraries below SDL keep memory when no display answers.)
ASAN_OPTIONS=${ASAN_OPTIONS:-}:detect_leaks=0 DISPLAY=:1999 expect 1 "no display" good.obj
expect 1 "none.txt" --ui-script none.txt
expect 2 "unknown option" --nonsense
exit $bad
