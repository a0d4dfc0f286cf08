#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# make_pictures.sh QUAVER: makes all pictures of the README again, with the program itself: films by `quaver render`,
# the window by a script of input (pictures.txt). Without a display it takes one from xvfb-run. Needs ImageMagick.
set -euo pipefail
quaver=$(realpath "$1")
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
root=$PWD
folder=/tmp/quaver # is seen in a picture
rm -rf "$folder"
mkdir "$folder"
trap 'rm -rf "$folder"' EXIT
mkdir -p app/data/pictures

scenes/make_thumbnails.sh "$quaver"

# The film at the top of the page.
"$quaver" render scenes/dancing_sack.json -o app/data/pictures/dance.gif --size 400x260 --fps 20

display=()
[ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] || display=(xvfb-run -a -s "-screen 0 1920x1080x24")
(cd "$folder" && HOME=$folder "${display[@]}" "$quaver" --ui-script "$root/tests/ui/pictures.txt")
for picture in "$folder"/*.png; do
    convert "$picture" -resize 960x -dither FloydSteinberg -colors 128 -strip -define png:compression-level=9 \
        -define png:exclude-chunks=date,time "PNG8:app/data/pictures/$(basename "$picture")"
done
