#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# make_pictures.sh QUAVER: makes all pictures of the README again, with the program itself: films by `quaver render`,
# the window by a script of input (pictures.txt), a page that plays in Chromium. Without a display it takes one
# from xvfb-run. Needs ImageMagick.
set -euo pipefail
command -v identify >/dev/null || {
    echo "make_pictures.sh: needs ImageMagick: apt-get install imagemagick" >&2
    exit 1
}
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

# A page that plays, in Chromium.
if command -v chromium >/dev/null; then
    "$quaver" bake scenes/dancing_sack.json -o "$folder/dance.html"
    # The window's frame takes a part of the height, which is cut off.
    chromium --headless=new --no-sandbox --use-gl=angle --use-angle=swiftshader --enable-unsafe-swiftshader \
        --window-size=960,627 --virtual-time-budget=2500 --screenshot="$folder/view.png" "file://$folder/dance.html" 2>/dev/null
    convert "$folder/view.png" -crop 960x540+0+0 +repage "$folder/view.png"
else
    echo "no Chromium (tests/run --interop brings it): view.png stays as it is"
fi

for picture in "$folder"/*.png; do
    convert "$picture" -resize 960x -dither FloydSteinberg -colors 128 -strip -define png:compression-level=9 \
        -define png:exclude-chunks=date,time "PNG8:app/data/pictures/$(basename "$picture")"
done
